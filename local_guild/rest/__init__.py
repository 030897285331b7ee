"""Serves the local guild's REST API, route by route."""
