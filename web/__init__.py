"""The control panel, the REST API and, without a token, the local guild's page: all that a browser sees."""
