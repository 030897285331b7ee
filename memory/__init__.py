"""Remembers what was said and told. Knows no Discord and no provider; bot and web enter by `memory.manager`."""
