"""Discord's payloads become the values of the house, or nothing where nothing is kept."""

from datetime import UTC, datetime
from typing import Any

import discord
import pytest

from bot.translate import to_edit, to_member, to_message
from memory.core.model import AuthorKind, Member, Message, MessageEdit
from tests.bot.discord_objects import (
    ANNA,
    GUILD,
    HALL,
    INNKEEPER,
    channel,
    guild,
    message,
    message_payload,
    user,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
REFERENCE = {"message_id": "4999", "channel_id": str(HALL), "guild_id": str(GUILD)}


@pytest.fixture
def inn() -> discord.Guild:
    return guild([channel(HALL)])


def test_a_message_keeps_its_words_as_they_were_sent(inn: discord.Guild) -> None:
    assert to_message(message(inn), INNKEEPER) == Message(
        guild_id=GUILD,
        channel_id=HALL,
        message_id=5000,
        author_id=ANNA,
        author_kind=AuthorKind.PERSON,
        text="hello <@3000>",
        sent_at=discord.utils.snowflake_time(5000),
    )


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"author": user(INNKEEPER, "innkeeper", bot=True)}, AuthorKind.SELF),
        ({"author": user(7, "other", bot=True)}, AuthorKind.BOT),
        ({"author": user(7, "other", bot=True), "webhook_id": "8", "application_id": "8"}, AuthorKind.BOT),
        ({"author": user(8, "news"), "webhook_id": "8"}, AuthorKind.WEBHOOK),
        ({}, AuthorKind.PERSON),
    ],
)
def test_the_kind_of_author_is_told(inn: discord.Guild, changes: dict[str, Any], kind: AuthorKind) -> None:
    translated = to_message(message(inn, **changes), INNKEEPER)
    assert translated is not None
    assert translated.author_kind is kind


def test_a_reply_is_linked(inn: discord.Guild) -> None:
    translated = to_message(message(inn, type=19, message_reference=REFERENCE), INNKEEPER)
    assert translated is not None
    assert translated.reply_to == 4999


def test_a_forward_answers_nothing(inn: discord.Guild) -> None:
    translated = to_message(message(inn, content="", message_reference=REFERENCE | {"type": 1}), INNKEEPER)
    assert translated is not None
    assert translated.reply_to is None


@pytest.mark.parametrize("kind", [kind for kind in discord.MessageType if kind.value not in (0, 19, 20, 23)])
def test_what_discord_writes_itself_is_not_kept(inn: discord.Guild, kind: discord.MessageType) -> None:
    assert to_message(message(inn, type=kind.value), INNKEEPER) is None


def test_what_one_person_alone_sees_is_not_kept(inn: discord.Guild) -> None:
    assert to_message(message(inn, flags=64), INNKEEPER) is None


def edited(inn: discord.Guild, before: discord.Message | None = None, **changes: Any) -> MessageEdit | None:  # noqa: ANN401
    data: Any = message_payload(**changes)
    event = discord.RawMessageUpdateEvent(data, message(inn, **changes))
    event.cached_message = before
    return to_edit(event)


def test_an_edit_brings_the_new_words(inn: discord.Guild) -> None:
    assert edited(inn, content="better", edited_timestamp="2026-01-01T12:00:00+00:00") == MessageEdit(
        guild_id=GUILD, channel_id=HALL, message_id=5000, text="better", edited_at=NOON
    )


def test_an_unfurled_link_is_no_edit(inn: discord.Guild) -> None:
    assert edited(inn, embeds=[{"type": "link"}]) is None


def test_an_unfurled_link_in_an_edited_message_is_no_second_edit(inn: discord.Guild) -> None:
    stamp = "2026-01-01T12:00:00+00:00"
    assert edited(inn, message(inn, edited_timestamp=stamp), edited_timestamp=stamp, embeds=[{"type": "link"}]) is None


def test_a_payload_without_words_is_no_edit(inn: discord.Guild) -> None:
    data: Any = message_payload(edited_timestamp="2026-01-01T12:00:00+00:00")
    del data["content"]
    assert to_edit(discord.RawMessageUpdateEvent(data, message(inn))) is None


def test_a_member_has_all_their_names(inn: discord.Guild) -> None:
    data: Any = {
        "user": user(ANNA, "anna") | {"global_name": "Anna"},
        "nick": "Ännchen",
        "roles": [],
        "joined_at": "2026-01-01T12:00:00+00:00",
        "flags": 0,
    }
    member = discord.Member(data=data, guild=inn, state=inn._state)
    assert to_member(member) == Member(GUILD, ANNA, "anna", "Anna", "Ännchen", is_bot=False)
