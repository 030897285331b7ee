"""What people say among themselves, from the payload straight into the log.

Nearly every message is plain words that are not for us. discord.py would make an object of it and a task to handle
that, only for both to be thrown away. So its own parser is asked only for what may be for us or is more than words.

What that parser keeps up to date besides stays right: a channel's latest message is noted here, and what it learns of
people from their messages Discord tells by itself to whoever has the members intent. Without that intent nothing is
taken this way.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

import discord

from bot.earshot import Earshot
from bot.listening import Listening
from bot.mirroring import Mirroring
from bot.plain_payloads import STUMBLES, is_plain, replies_to, words_of
from bot.readable import Readable

if TYPE_CHECKING:
    from discord.types.gateway import MessageCreateEvent as Payload

logger = logging.getLogger(__name__)


class Overhearing:
    def __init__(self, listening: Listening, mirroring: Mirroring, earshot: Earshot) -> None:
        self._listening = listening
        self._mirroring = mirroring
        self._earshot = earshot

    def begin(self, client: discord.Client, me: discord.ClientUser) -> None:
        """From now on, on every shard: they share one table of parsers."""
        parsers = client._connection.parsers
        parse = parsers["MESSAGE_CREATE"]
        loop = asyncio.get_running_loop()

        def take(payload: "Payload") -> None:
            place = _place_of(payload, client)
            if place is None:
                parse(payload)
                return
            if not self._is_among_people(payload, place, me.id):
                try:
                    parse(payload)
                except STUMBLES:
                    # One odd message must not cut the connection, only to be sent again on the next one.
                    logger.warning("a message was heard by its words alone", extra={"message_id": payload["id"]})
                else:
                    return
            message = words_of(payload, place, me.id)
            place.last_message_id = int(payload["id"])
            if message is not None:
                # Events of discord.py are tasks, which begin in the order of their making. This joins the same line.
                loop.call_soon(self._listening.overheard, message)

        parsers["MESSAGE_CREATE"] = take

    def _is_among_people(self, payload: "Payload", place: Readable, self_id: int) -> bool:
        """Plain words, surely not for us, of somebody we know."""
        if not is_plain(payload) or self._earshot.may_be_addressed(payload["content"]):
            return False
        if replies_to(payload, self_id):
            return False
        return self._mirroring.follows(place.guild.id, int(payload["author"]["id"]))


def _place_of(payload: "Payload", client: discord.Client) -> Readable | None:
    """None where discord.py alone knows what to do: in direct messages, and where we do not know the channel."""
    guild_id = payload.get("guild_id")
    guild = None if guild_id is None else client.get_guild(int(guild_id))
    place = None if guild is None else guild.get_channel_or_thread(int(payload["channel_id"]))
    return place if isinstance(place, Readable) else None
