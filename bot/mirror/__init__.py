"""Writes down members, roles and channels as Discord has them."""
