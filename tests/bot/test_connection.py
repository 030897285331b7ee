"""The doctor's questions to Discord, put to the local guild."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.connection import check_discord, invite_link
from bot.settings import BotOptions
from local_guild.server import LocalGuild
from local_guild.serving import Address, serve
from memory.diagnosis import Finding


@pytest.fixture
async def local_guild(tmp_path: Path) -> AsyncIterator[tuple[LocalGuild, Address]]:
    server = LocalGuild.open(tmp_path)
    async with serve(server) as address:
        yield server, address
    await server.close()


def options_for(server: LocalGuild, address: Address, token: str | None = None) -> BotOptions:
    return BotOptions(
        token=SecretStr(token or server.world.bot.token), api_base=address.api_url, gateway_url=address.gateway_url
    )


def by_name(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.name: finding for finding in findings}


async def test_intents_that_are_off_are_named_with_the_way_out(local_guild: tuple[LocalGuild, Address]) -> None:
    local_guild[0].world.facts.privileged_intents = False
    findings = by_name(await check_discord(options_for(*local_guild)))
    for name in ("Message Content Intent", "Server Members Intent"):
        assert findings[name].ok is False
        assert name in (findings[name].remedy or "")


async def test_missing_permissions_are_named(local_guild: tuple[LocalGuild, Address]) -> None:
    server, _ = local_guild
    guild = next(iter(server.world.guilds.values()))
    for role in guild.roles.values():
        role.permissions &= ~(1 << 16)
    finding = by_name(await check_discord(options_for(*local_guild)))["permissions"]
    assert finding.ok is False
    assert finding.says == "in “The Lantern Inn” the bot's roles lack: Read Message History."
    assert invite_link(server.world.bot.id) in (finding.remedy or "")


async def test_a_refused_token_is_named(local_guild: tuple[LocalGuild, Address]) -> None:
    findings = await check_discord(options_for(*local_guild, token="no.such.token"))
    assert [(finding.name, finding.ok) for finding in findings] == [("token", False)]
    assert "DISCORD_TOKEN was refused" in findings[0].says


async def test_a_server_that_is_away_is_named() -> None:
    options = BotOptions(
        token=SecretStr("x.y.z"), api_base="http://127.0.0.1:1/api/v10", gateway_url="ws://127.0.0.1:1"
    )
    findings = await check_discord(options)
    assert [(finding.name, finding.ok) for finding in findings] == [("Discord", False)]
    assert "http://127.0.0.1:1/api/v10" in findings[0].says


async def test_without_a_token_it_is_the_local_guild() -> None:
    findings = await check_discord(BotOptions(token=None))
    assert findings[0].ok is None
    assert "local guild" in findings[0].says


def test_the_invitation_asks_for_what_is_needed_and_no_more() -> None:
    link = invite_link(42)
    assert "client_id=42" in link
    assert "permissions=274877992000" in link
    assert "scope=bot+applications.commands" in link
