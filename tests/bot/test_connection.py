"""The doctor's questions to Discord, put to the local guild."""

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from pydantic import SecretStr

from bot.connection import Privileged, check_discord, invite_link, not_granted
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


def test_the_invitation_asks_for_what_is_needed_and_no_more() -> None:
    link = invite_link(42)
    assert "client_id=42" in link
    assert "permissions=274877992000" in link
    assert "scope=bot+applications.commands" in link


MEMBERS, MEMBERS_LIMITED, CONTENT, CONTENT_LIMITED = 1 << 14, 1 << 15, 1 << 18, 1 << 19


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        (0, {*Privileged}),
        (MEMBERS, {Privileged.MESSAGE_CONTENT}),
        (MEMBERS_LIMITED, {Privileged.MESSAGE_CONTENT}),
        (CONTENT, {Privileged.MEMBERS}),
        (CONTENT_LIMITED, {Privileged.MEMBERS}),
        (CONTENT_LIMITED | MEMBERS, set()),
    ],
)
def test_the_applications_flags_tell_what_is_missing(value: int, missing: set[Privileged]) -> None:
    assert not_granted(discord.ApplicationFlags._from_value(value)) == missing
