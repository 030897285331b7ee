"""Keeps the state of the local guild: its world, messages and permissions, and the file they are kept in."""
