"""Discord's payloads become the values of the house, or nothing where nothing is kept."""

from typing import Any

import discord
import pytest

from bot.translate import to_edit, to_member, to_message
from memory.core.values import Answered, Attachment, AuthorKind, Member, Message
from tests.bot.discord_objects import (
    ANNA,
    GUILD,
    HALL,
    INNKEEPER,
    MUTED,
    channel,
    guild,
    message,
    message_payload,
    user,
)
from tests.bot.odd_payloads import POLL, REFERENCE, SNAPSHOT, file

EMBED = {
    "type": "rich",
    "title": "Tea",
    "description": "Hot.",
    "author": {"name": "Kettle"},
    "fields": [{"name": "Sugar", "value": "none", "inline": False}],
    "footer": {"text": "Enjoy"},
}
CHOICES = [{"answer_id": number, "poll_media": {"text": text}} for number, text in ((1, "Tea"), (2, "Coffee"))]
MAP = {
    "embeds": [{"type": "rich", "title": "Card"}],
    "attachments": [file(3, "map.pdf", 5)],
    "sticker_items": [{"id": "9", "name": "bye", "format_type": 1}],
}
EVERYTHING: dict[str, Any] = {
    "attachments": [file(1, "cake.png", 99, content_type="image/png", description="a cake"), file(2, "notes", 1)],
    "embeds": [EMBED, {"type": "image", "url": "http://x/3"}],
    "poll": POLL | {"question": {"text": "Tea or coffee?"}, "answers": CHOICES},
    "message_snapshots": [{"message": SNAPSHOT | MAP}],
    "sticker_items": [{"id": "1", "name": "wave", "format_type": 1}],
}
EVERYTHING_AS_TEXT = (
    (Attachment("cake.png", "image/png", 99, "a cake", 1), Attachment("notes", None, 1, None, 2)),
    ("Kettle\nTea\nHot.\nSugar\nnone\nEnjoy",),
    "Tea or coffee?\n- Tea\n- Coffee",
    ("From elsewhere\nCard\nmap.pdf\nbye",),
    ("wave",),
)


@pytest.fixture
def inn() -> discord.Guild:
    return guild([channel(HALL)])


def test_of_a_card_the_log_keeps_what_stands_on_it(inn: discord.Guild) -> None:
    more = {"type": 2, "style": 2, "label": "More", "custom_id": "x"}
    side = {"type": 9, "components": [{"type": 10, "content": "- a line"}], "accessory": more}
    card = {"type": 17, "components": [{"type": 10, "content": "## Heading"}, {"type": 14}, side]}
    kept = to_message(message(inn, content="", components=[card], flags=1 << 15), INNKEEPER)
    assert kept is not None
    assert kept.text == "## Heading\n- a line"


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


def test_of_our_own_replies_it_is_told_whom_they_answer(inn: discord.Guild) -> None:
    ours = {"author": user(INNKEEPER, "innkeeper", bot=True), "type": 19, "message_reference": REFERENCE}
    to_anna = {"referenced_message": message_payload(id="4999", author=user(ANNA, "anna"))}
    time = {"edited_timestamp": "2026-01-01T12:00:00+00:00"}
    for translated in (to_message(message(inn, **ours, **to_anna), INNKEEPER), edited(inn, **ours, **to_anna, **time)):
        assert translated is not None
        assert translated.answers == Answered(ANNA, 4999)
    by_a_bot = {"referenced_message": message_payload(id="4999", author=user(7, "dice", bot=True))}
    for changes in (ours, ours | by_a_bot, ours | {"referenced_message": None}, to_anna | {"type": 19}):
        translated = to_message(message(inn, **changes), INNKEEPER)
        assert translated is not None
        assert translated.answers is None


@pytest.mark.parametrize("kind", [kind for kind in discord.MessageType if kind.value not in (0, 19, 20, 23)])
def test_what_discord_writes_itself_is_not_kept(inn: discord.Guild, kind: discord.MessageType) -> None:
    assert to_message(message(inn, type=kind.value), INNKEEPER) is None


def edited(inn: discord.Guild, **changes: Any) -> Message | None:  # noqa: ANN401 - the fields of a payload
    data: Any = message_payload(**changes)
    edit = to_edit(discord.RawMessageUpdateEvent(data, message(inn, **changes)), INNKEEPER)
    return None if edit is None else edit.now


def test_an_edit_in_a_thread_we_do_not_know_counts_only_for_what_is_stored(inn: discord.Guild) -> None:
    """Nobody can say which channel it belongs to, and whether that is excluded: see `MessageEdit.place_is_known`."""
    inn._state._add_guild(inn)
    data: Any = message_payload(channel_id="7000", edited_timestamp="2026-01-01T12:00:00+00:00")
    somewhere = discord.PartialMessageable(inn._state, 7000, guild_id=GUILD)
    said = discord.Message(state=inn._state, channel=somewhere, data=data)
    edit = to_edit(discord.RawMessageUpdateEvent(data, said), INNKEEPER)
    assert edit is not None
    assert (edit.now.channel_id, edit.now.parent_id, edit.place_is_known) == (7000, None, False)


def test_an_edit_brings_everything_else_as_it_is_now(inn: discord.Guild) -> None:
    now = edited(inn, edited_timestamp="2026-01-01T12:00:00+00:00", **EVERYTHING)
    assert now is not None
    assert (now.attachments, now.embeds, now.poll, now.forwarded, now.stickers) == EVERYTHING_AS_TEXT


def test_a_member_has_all_their_names_and_roles(inn: discord.Guild) -> None:
    data: Any = {
        "user": user(ANNA, "anna") | {"global_name": "Anna"},
        "nick": "Ännchen",
        "roles": [str(MUTED)],
        "joined_at": "2026-01-01T12:00:00+00:00",
        "flags": 0,
    }
    member = discord.Member(data=data, guild=inn, state=inn._state)
    assert to_member(member) == Member(GUILD, ANNA, "anna", "Anna", "Ännchen", is_bot=False, roles=(MUTED,))
