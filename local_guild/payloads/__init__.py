"""Things of the local guild as Discord writes them in JSON."""
