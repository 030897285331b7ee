"""Reads files that come with messages: text, pictures and voice messages."""
