"""What is taken from the payload is what discord.py would have brought, in the same order, and never for us."""

import asyncio
from collections.abc import Collection
from copy import deepcopy
from typing import Any

import discord
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from bot.answering.answer import Answerer
from bot.client import InnkeeperClient
from bot.connection import Privileged
from bot.replies.compose import Composer
from bot.settings import BotOptions
from bot.translate import Readable, to_guild, to_message
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
from tests.bot.odd_payloads import BY_US, ENDLESS_POLL, FILE, NOWHERE, STRANGER, THREAD, payloads
from tests.memory.log.logbook import NOON

OPTIONS = BotOptions(names=("Bot",))
HEALTH = Health("bot", SetClock(NOON))


class NotingLog(Log):
    """Notes what it is told, in that order."""

    told: list[tuple[str, int]]
    taken: list[Message]

    @classmethod
    def of(cls, memory: MemoryManager) -> "NotingLog":
        log = cls(memory._ingest, memory.log._messages, memory.log._progress, memory.place_mirror, SetClock(NOON))
        log.told, log.taken = [], []
        return log

    def take_message(self, message: Message) -> None:
        self.told.append(("said", message.message_id))
        self.taken.append(message)
        super().take_message(message)

    async def put_message(self, message: Message) -> None:
        self.told.append(("said", message.message_id))
        await super().put_message(message)

    async def edit_message(self, edit: MessageEdit) -> None:
        self.told.append(("edited", edit.message_id))
        await super().edit_message(edit)

    async def delete_messages(self, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
        self.told += [("deleted", message_id) for message_id in message_ids]
        await super().delete_messages(guild_id, channel_id, message_ids)


class NotingClient(InnkeeperClient):
    """Only notes of which messages discord.py made an object."""

    made: list[discord.Message]

    async def on_message(self, message: discord.Message) -> None:
        self.made.append(message)


class Inn:
    """The bot's own client, as it is when the gateway begins to speak, and Anna whom it knows by name."""

    def __init__(self, database: Database, kind: type[InnkeeperClient], without: frozenset[Privileged]) -> None:
        self.memory = MemoryManager(database, MemoryOptions(), SetClock(NOON), HEALTH)
        self.memory.log = self.log = NotingLog.of(self.memory)
        self.client = kind(OPTIONS, self.memory, HEALTH, SetClock(NOON), lease_in(database), without)
        state = self.client._connection
        data: Any = BY_US
        state.user = discord.ClientUser(state=state, data=data)
        self.guild = guild([channel(HALL)], threads=[thread(THREAD, HALL)], known_to=state)
        state._add_guild(self.guild)

    async def begin(self) -> "Inn":
        await self.client._async_setup_hook()
        self.client._fast_path.begin(self.client, self.client.me)
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

    def place(self, payload: Payload) -> Readable:
        place = self.guild.get_channel_or_thread(int(payload["channel_id"]))
        assert isinstance(place, Readable)
        return place


async def noting_inn(database: Database, without: frozenset[Privileged] = frozenset()) -> tuple[Inn, NotingClient]:
    inn = Inn(database, NotingClient, without)
    assert isinstance(inn.client, NotingClient)
    inn.client.made = []
    await inn.begin()
    return inn, inn.client


@given(said=st.lists(payloads(), min_size=1, max_size=20))
async def test_either_way_it_is_the_same_message(database: Database, said: list[Payload]) -> None:
    inn, client = await noting_inn(database)
    replies = HEALTH.part("replies")
    answering = Answerer(inn.memory, Composer(inn.memory, replies, OPTIONS.reply_seconds), OPTIONS, replies)
    for payload in said:
        client.made.clear()
        inn.log.taken.clear()
        inn.tell("MESSAGE_CREATE", payload)
        await inn.handled()
        place = inn.place(payload)
        assert place.last_message_id == int(payload["id"])
        if client.made:
            event("made by discord.py")
            assert [made.id for made in client.made] == [int(payload["id"])]
            assert not inn.log.taken
            continue
        event("taken directly")
        data: Any = deepcopy(payload)
        read = discord.Message(state=client._connection, channel=place, data=data)
        kept = to_message(read, client.me.id)
        assert inn.log.taken == [kept]
        assert kept is not None
        assert answering.hear(read, kept, client.me.id) is None, "what is for us must be heard"


async def test_plain_words_of_somebody_known_need_no_object(database: Database) -> None:
    inn, client = await noting_inn(database)
    said = message_payload(content="The kettle is on.")
    inn.tell("MESSAGE_CREATE", said)
    inn.tell("MESSAGE_CREATE", said | {"id": "5001", "channel_id": str(THREAD)})
    await inn.handled()
    assert [(kept.text, kept.parent_id) for kept in inn.log.taken] == [
        (said["content"], None),
        (said["content"], HALL),
    ]
    assert not client.made


@pytest.mark.parametrize(
    "changes",
    [
        {"content": "Bot, is the kettle on?"},
        {"type": 19, "referenced_message": message_payload(id="4999", author=BY_US)},
        {"author": user(STRANGER, "who")},
        {"attachments": [FILE]},
        {"channel_id": str(NOWHERE)},
        {"guild_id": str(GUILD + 5)},
    ],
    ids=["by name", "reply to us", "of a stranger", "with a file", "unknown channel", "unknown guild"],
)
async def test_discord_py_is_asked_for_the_rest(database: Database, changes: dict[str, Any]) -> None:
    inn, client = await noting_inn(database)
    inn.tell("MESSAGE_CREATE", message_payload(content="The kettle is on.") | changes)
    await inn.handled()
    assert len(client.made) == 1
    assert not inn.log.taken


async def test_direct_messages_are_left_to_discord_py(database: Database) -> None:
    inn, client = await noting_inn(database)
    direct = message_payload(content="hello", channel_id="8000")
    del direct["guild_id"]
    inn.tell("MESSAGE_CREATE", direct)
    await inn.handled()
    assert isinstance(client.made[0].channel, discord.DMChannel)


async def test_a_guild_that_is_not_known_is_no_direct_message(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    inn = await Inn(database, InnkeeperClient, frozenset()).begin()
    inn.tell("MESSAGE_CREATE", message_payload(content="hello", guild_id=str(GUILD + 5)))
    await inn.handled()
    assert not caplog.records, "a reply was tried, without anything to send it with"


async def test_without_the_members_intent_every_author_is_looked_at(database: Database) -> None:
    inn, client = await noting_inn(database, frozenset({Privileged.MEMBERS}))
    inn.tell("MESSAGE_CREATE", message_payload(content="The kettle is on."))
    await inn.handled()
    assert len(client.made) == 1


async def test_a_message_that_discord_py_stumbles_over_keeps_its_words(database: Database) -> None:
    inn, client = await noting_inn(database)
    inn.tell("MESSAGE_CREATE", message_payload(content="What shall we drink?", poll=ENDLESS_POLL))
    inn.tell("MESSAGE_CREATE", message_payload(id="5001", type=7, poll=ENDLESS_POLL))
    await inn.handled()
    assert [kept.text for kept in inn.log.taken] == ["What shall we drink?"], "what nobody wrote is not kept"
    assert not client.made


SHAPES: list[dict[str, Any]] = [
    {},
    {"attachments": [FILE]},
    {"author": user(STRANGER, "who")},
    {"channel_id": str(THREAD)},
]


@given(events=st.lists(st.sampled_from(SHAPES) | st.sampled_from(["edited", "deleted"]), min_size=2, max_size=30))
async def test_the_order_of_events_stays(database: Database, events: list[dict[str, Any] | str]) -> None:
    inn = await Inn(database, InnkeeperClient, frozenset()).begin()
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
