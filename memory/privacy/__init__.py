"""Opts members out, erases, exports, and carries out the settings of keeping."""
