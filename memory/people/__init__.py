"""Knows members and guilds, their names, and whom a name means."""
