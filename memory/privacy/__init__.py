"""Opting out, erasing, exporting, and the settings of keeping."""
