"""Finds what was said, by words and by meaning, for whoever may read it."""
