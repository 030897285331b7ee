"""The import of a guild's past from exported files."""
