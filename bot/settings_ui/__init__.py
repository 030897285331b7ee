"""/settings and /innkeeper setup."""
