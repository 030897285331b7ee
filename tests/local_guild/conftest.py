"""The fixture of these tests: a running local guild."""

from tests.local_guild.running import local_guild

__all__ = ["local_guild"]
