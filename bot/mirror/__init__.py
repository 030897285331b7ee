"""Members, roles and channels, written down as Discord has them."""
