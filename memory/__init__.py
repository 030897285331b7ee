"""What is remembered and how. Knows no Discord and no provider; bot and web enter by `memory.manager`."""
