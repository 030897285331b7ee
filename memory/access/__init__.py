"""Decides who may open the panel and the API: by links, signed-in browsers and tokens, and what their holder is now."""
