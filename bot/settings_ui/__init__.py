"""Shows and changes a server's settings: /settings and /innkeeper setup."""
