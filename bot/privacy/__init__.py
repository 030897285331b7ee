"""/privacy and /channel-memory: showing, exporting and erasing what is held."""
