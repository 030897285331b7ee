"""What Discord tells of messages reaches the log in the order in which it was told."""

import asyncio
from collections.abc import Collection
from copy import deepcopy
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.client import InnkeeperClient
from bot.settings import BotOptions
from bot.translate import to_guild
from memory.core.clock import SetClock
from memory.core.values import Message, MessageEdit
from memory.db.database import Database
from memory.health import Health
from memory.log.service import Log
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.bot.discord_objects import (
    ANNA,
    GUILD,
    HALL,
    Payload,
    channel,
    guild,
    lease_in,
    message_payload,
    thread,
    user,
)
from tests.bot.odd_payloads import BY_US, FILE, STRANGER, THREAD
from tests.memory.log.logbook import NOON

OPTIONS = BotOptions(names=("Bot",))
HEALTH = Health("bot", SetClock(NOON))


class NotingLog(Log):
    """Notes what it is told, in that order."""

    told: list[tuple[str, int]]

    def put_message(self, message: Message) -> None:
        self.told.append(("said", message.message_id))
        super().put_message(message)

    async def edit_message(self, edit: MessageEdit) -> None:
        self.told.append(("edited", edit.message_id))
        await super().edit_message(edit)

    async def delete_messages(self, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
        self.told += [("deleted", message_id) for message_id in message_ids]
        await super().delete_messages(guild_id, channel_id, message_ids)


class Inn:
    """The bot's own client, as it is when the gateway begins to speak, and Anna whom it knows by name."""

    def __init__(self, database: Database) -> None:
        self.memory = MemoryManager(database, MemoryOptions(), SetClock(NOON), HEALTH)
        self.memory.log.__class__ = NotingLog
        assert isinstance(self.memory.log, NotingLog)
        self.log = self.memory.log
        self.log.told = []
        self.client = InnkeeperClient(OPTIONS, self.memory, HEALTH, SetClock(NOON), lease_in(database))
        state = self.client._connection
        data: Any = BY_US
        state.user = discord.ClientUser(state=state, data=data)
        self.guild = guild([channel(HALL)], threads=[thread(THREAD, HALL)], known_to=state)
        state._add_guild(self.guild)

    async def begin(self) -> "Inn":
        await self.client._async_setup_hook()
        await self.memory.people.meet_guild(to_guild(self.guild), [])
        anna: Any = {"user": user(ANNA, "anna"), "roles": [], "joined_at": None, "flags": 0}
        self.memory.place_mirror.look_around(GUILD)
        await self.client._guild_mirror.meet(discord.Member(data=anna, guild=self.guild, state=self.client._connection))
        return self

    def tell(self, kind: str, payload: Payload) -> None:
        """As the socket does, one event right after the other."""
        self.client._connection.parsers[kind](deepcopy(payload))

    async def handled(self) -> None:
        """Until every event that was told has begun to be handled."""
        await asyncio.sleep(0)
        await self.memory.log.settled()


async def test_a_guild_that_is_not_known_is_no_direct_message(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    inn = await Inn(database).begin()
    caplog.clear()
    inn.tell("MESSAGE_CREATE", message_payload(content="hello", guild_id=str(GUILD + 5)))
    await inn.handled()
    assert not caplog.records, "a reply was tried, without anything to send it with"


SHAPES: list[dict[str, Any]] = [
    {},
    {"attachments": [FILE]},
    {"author": user(STRANGER, "who")},
    {"channel_id": str(THREAD)},
]


@given(events=st.lists(st.sampled_from(SHAPES) | st.sampled_from(["edited", "deleted"]), min_size=2, max_size=30))
async def test_the_order_of_events_stays(database: Database, events: list[dict[str, Any] | str]) -> None:
    inn = await Inn(database).begin()
    expected: list[tuple[str, int]] = []
    latest = message_payload(id="6000", content="The kettle is on.")
    for number, what in enumerate(events):
        if what == "deleted":
            inn.tell("MESSAGE_DELETE", {name: latest[name] for name in ("id", "channel_id", "guild_id")})
            expected.append(("deleted", int(latest["id"])))
        elif what == "edited":
            edited = f"2026-01-01T12:00:{number:02}+00:00"
            inn.tell("MESSAGE_UPDATE", latest | {"content": "It boils.", "edited_timestamp": edited})
            expected.append(("edited", int(latest["id"])))
        else:
            assert isinstance(what, dict)
            latest = message_payload(id=str(6001 + number), content="The kettle is on.") | what
            inn.tell("MESSAGE_CREATE", latest)
            expected.append(("said", int(latest["id"])))
    await inn.handled()
    assert inn.log.told == expected
