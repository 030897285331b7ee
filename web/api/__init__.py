"""Serves the REST API: what a member may see and do on Discord, for programs."""
