"""Attacks on a bot that remembers, through the front door: a real client in the local guild, and a model that obeys."""
