"""What is told of a channel: /summary and /context."""
