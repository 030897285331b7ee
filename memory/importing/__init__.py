"""Importing a guild's past from exported files."""
