"""Serves the local guild's REST API, route by route, with rate limits and errors as Discord words them."""
