"""Tells members what they missed, and servers what happened: /catchup and /digest."""
