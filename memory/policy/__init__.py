"""Keeps what a guild and its members decided: settings, consent, and who may do what."""
