"""Shows what is told of a channel: /summary and /context."""
