"""Draws the pages of the panel. Each is made for one visit, and asks before everything it does what its reader may."""
