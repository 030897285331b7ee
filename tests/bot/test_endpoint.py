"""The two addresses discord.py knows, and nothing else of it, are ours to set."""

from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.connection import DISCORD, Endpoint, endpoint, speaking_to
from bot.settings import BotOptions


def test_without_addresses_it_is_discord() -> None:
    assert endpoint(BotOptions(api_base=None, gateway_url=None)) == DISCORD
    assert DISCORD.api_base.startswith("https://discord.com/api/v")


def test_another_server_is_used_and_left_again() -> None:
    other = endpoint(BotOptions(api_base="http://127.0.0.1:9/api/v10", gateway_url="ws://127.0.0.1:9/gateway"))
    with speaking_to(other):
        assert Route("GET", "/users/@me").url == "http://127.0.0.1:9/api/v10/users/@me"
        assert URL("ws://127.0.0.1:9/gateway") == DiscordWebSocket.DEFAULT_GATEWAY
    assert Endpoint.current() == DISCORD
