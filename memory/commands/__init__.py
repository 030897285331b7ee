"""Reads what is said to the bot: is it for us, and what is wanted."""
