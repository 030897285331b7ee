"""The memory as tools for other assistants."""
