"""Reminders on Discord: asked for, shown, changed and delivered."""
