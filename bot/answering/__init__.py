"""Answers what was said to the bot: from a message or a command to a reply."""
