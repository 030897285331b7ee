"""A message is the same, whether it is read from its payload or through discord.py."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import discord
from hypothesis import event, given

from bot.translate import is_plain, to_message, words_of
from tests.bot.discord_objects import HALL, INNKEEPER, Payload, channel, guild, thread
from tests.bot.odd_payloads import THREAD, payloads

INN = guild([channel(HALL)], threads=[thread(THREAD, HALL)])


@given(payloads())
def test_words_are_the_same_and_a_plain_message_is_nothing_else(payload: Payload) -> None:
    place = INN.get_channel_or_thread(int(payload["channel_id"]))
    assert isinstance(place, discord.TextChannel | discord.Thread)
    data: Any = payload
    # discord.py takes payloads apart while it reads them.
    told = to_message(discord.Message(state=INN._state, channel=place, data=deepcopy(data)), INNKEEPER)
    words = words_of(data, place, INNKEEPER)
    if is_plain(data):
        event("plain")
        assert words == told
        assert (words and words.answers) == (told and told.answers)
    elif told is None:
        assert words is None
    else:
        assert words == replace(told, attachments=(), embeds=(), poll=None, forwarded=(), stickers=(), thread=None)
