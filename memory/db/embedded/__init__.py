"""Runs the PostgreSQL that comes along: its programs, its folder, and the process that guards it."""
