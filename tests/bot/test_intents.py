"""What the bot asks Discord for, and what an application says it was granted."""

import discord
import pytest

from bot.connection import Privileged, not_granted, wanted

EVERYTHING = frozenset(Privileged)
MEMBERS, MEMBERS_LIMITED, CONTENT, CONTENT_LIMITED = 1 << 14, 1 << 15, 1 << 18, 1 << 19


def flags(value: int) -> discord.ApplicationFlags:
    return discord.ApplicationFlags._from_value(value)


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        (0, EVERYTHING),
        (MEMBERS, {Privileged.MESSAGE_CONTENT}),
        (MEMBERS_LIMITED, {Privileged.MESSAGE_CONTENT}),
        (CONTENT, {Privileged.MEMBERS}),
        (CONTENT_LIMITED, {Privileged.MEMBERS}),
        (CONTENT_LIMITED | MEMBERS, set()),
    ],
)
def test_the_applications_flags_tell_what_is_missing(value: int, missing: set[Privileged]) -> None:
    assert not_granted(flags(value)) == missing


@pytest.mark.parametrize("without", [frozenset(), EVERYTHING, *(frozenset((one,)) for one in Privileged)])
def test_only_what_is_granted_is_asked_for(without: frozenset[Privileged]) -> None:
    intents = wanted(without)
    assert intents.message_content is (Privileged.MESSAGE_CONTENT not in without)
    assert intents.members is (Privileged.MEMBERS not in without)
    assert intents.guilds
    assert intents.guild_messages
    assert intents.dm_messages
    assert intents.guild_scheduled_events
    assert not intents.presences
