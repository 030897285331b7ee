"""Reminders: what members want to be told again, and when."""
