"""The fixtures of these tests: a running local guild, clients connected to it, and the scene they play in."""

from tests.local_guild.running import Connect, Served, connect, local_guild, point_discord_at, served, until
from tests.local_guild.scene import http_to, scene

__all__ = [
    "Connect",
    "Served",
    "connect",
    "http_to",
    "local_guild",
    "point_discord_at",
    "scene",
    "served",
    "until",
]
