"""Keeps reminders: what members want to be told again, and when."""
