"""Carries out what people and the bot do in the local guild (post, react, join, press), and tells whom it concerns."""
