"""Who may open the panel and the API: links, browsers that are signed in, tokens, and what their holder is now."""
