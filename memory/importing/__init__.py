"""Brings exported channels into the log."""
