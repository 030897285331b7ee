"""Which server the bot speaks to: Discord, or another one that speaks its protocol.

discord.py has no setting for this; its two addresses are class attributes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.settings import BotOptions


@dataclass(frozen=True, slots=True)
class Endpoint:
    api_base: str
    gateway: URL

    @classmethod
    def current(cls) -> "Endpoint":
        return cls(Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)

    def use(self) -> None:
        """From here on, for every client of this process."""
        Route.BASE = self.api_base
        DiscordWebSocket.DEFAULT_GATEWAY = self.gateway


DISCORD = Endpoint.current()


def endpoint(options: BotOptions) -> Endpoint:
    if options.api_base is None or options.gateway_url is None:
        return DISCORD
    return Endpoint(options.api_base, URL(options.gateway_url))


@contextmanager
def speaking_to(server: Endpoint) -> Iterator[None]:
    before = Endpoint.current()
    server.use()
    try:
        yield
    finally:
        before.use()
