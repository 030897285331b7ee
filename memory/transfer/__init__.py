"""Carries the whole memory of guilds from one database to another, as files that people can read."""
