"""Holds all that a browser sees: the control panel, the REST API and, without a token, the local guild's page."""
