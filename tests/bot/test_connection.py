"""The doctor's questions to Discord, put to the local guild."""

import pytest
from discord import ApplicationFlags

from bot.connection import Privileged, check_discord, invite_link, not_granted
from bot.settings import BotOptions
from memory.diagnosis import Finding
from tests.local_guild.running import Served, local_guild

discord = local_guild


async def findings_in(discord: Served) -> dict[str, Finding]:
    found = await check_discord(BotOptions.model_validate(discord.settings))
    return {finding.name: finding for finding in found}


async def test_intents_that_are_off_are_named_with_the_way_out(discord: Served) -> None:
    discord.server.world.facts.privileged_intents = False
    findings = await findings_in(discord)
    for name in ("Message Content Intent", "Server Members Intent"):
        assert findings[name].ok is False
        assert name in (findings[name].remedy or "")


async def test_missing_permissions_are_named(discord: Served) -> None:
    guild = next(iter(discord.server.world.guilds.values()))
    for role in guild.roles.values():
        role.permissions &= ~(1 << 16)
    finding = (await findings_in(discord))["permissions"]
    assert finding.ok is False
    assert finding.says == "in “The Lantern Inn” the bot's roles lack: Read Message History."
    assert invite_link(discord.server.world.bot.id) in (finding.remedy or "")


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
    assert not_granted(ApplicationFlags._from_value(value)) == missing
