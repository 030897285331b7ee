"""A message of a history page is the same, whichever way it is read."""

from typing import Any

import discord
import pytest

from bot.history.pages import message_of
from bot.translate import to_message
from tests.bot.discord_objects import GUILD, HALL, INNKEEPER, channel, guild, message_payload, thread, user

THREAD = 7000
REFERENCE = {"message_id": "4999", "channel_id": str(HALL), "guild_id": str(GUILD)}
SHAPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "edited": {"edited_timestamp": "2026-01-01T12:00:00.123000+00:00"},
    "our own": {"author": user(INNKEEPER, "innkeeper", bot=True)},
    "of a bot": {"author": user(7, "other", bot=True)},
    "of a bot's command": {"author": user(7, "other", bot=True), "webhook_id": "8", "application_id": "8", "type": 20},
    "of a webhook": {"author": user(8, "news"), "webhook_id": "8"},
    "reply": {"type": 19, "message_reference": REFERENCE},
    "reply to what is gone": {"type": 19, "message_reference": {"channel_id": str(HALL)}},
    "forward": {"message_reference": REFERENCE | {"type": 1}},
    "join": {"type": 7},
    "ephemeral": {"flags": 64},
    "sticker": {"content": "", "sticker_items": [{"id": "1", "name": "wave", "format_type": 1}]},
    "embed": {"embeds": [{"type": "rich", "title": "Tea"}]},
    "file": {"attachments": [{"id": "1", "filename": "a", "size": 1, "url": "http://x", "proxy_url": "http://x"}]},
}


@pytest.mark.parametrize("place_id", [HALL, THREAD])
@pytest.mark.parametrize("changes", SHAPES.values(), ids=SHAPES)
def test_both_ways_agree(changes: dict[str, Any], place_id: int) -> None:
    inn = guild([channel(HALL)], threads=[thread(THREAD, HALL)])
    place = inn.get_channel_or_thread(place_id)
    assert isinstance(place, discord.TextChannel | discord.Thread)
    data: Any = message_payload(channel_id=str(place_id), **changes)
    del data["guild_id"]  # history pages do not tell it
    slow = to_message(discord.Message(state=inn._state, channel=place, data=data), INNKEEPER)
    assert message_of(data, place, INNKEEPER) == slow


def test_a_message_that_discord_py_stumbles_over_keeps_its_words() -> None:
    inn = guild([channel(HALL)])
    place = inn.get_channel_or_thread(HALL)
    assert isinstance(place, discord.TextChannel)
    endless: Any = {"question": {"text": "Tea?"}, "answers": [], "expiry": None, "allow_multiselect": False}
    data: Any = message_payload(channel_id=str(HALL), content="What shall we drink?", poll=endless)
    with pytest.raises(TypeError):
        discord.Message(state=inn._state, channel=place, data=data)
    kept = message_of(data, place, INNKEEPER)
    assert kept is not None
    assert (kept.message_id, kept.text) == (int(data["id"]), "What shall we drink?")
    data["type"] = 7
    assert message_of(data, place, INNKEEPER) is None, "what nobody wrote is still not kept"
