"""Starts, configures, watches over and checks Innkeeper: it stands between `main.py` and the packages."""
