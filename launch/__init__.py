"""How Innkeeper is started, configured, watched over and checked: what stands between `main.py` and the packages."""
