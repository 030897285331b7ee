"""Reads what Discord kept while nobody listened: catching up, the past, edits and deletions."""
