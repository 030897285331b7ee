"""A message of a history page is the same, whichever way it is read."""

from typing import Any

import discord
import pytest

from bot.history.pages import message_of
from tests.bot.discord_objects import HALL, INNKEEPER, channel, guild, message_payload


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
