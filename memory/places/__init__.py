"""Knows who can read which channel, as Discord has it; every read of memory asks here for its audience."""
