"""Whatever is said, edited, deleted or comes late: each message is open or in exactly one summary, and nothing that is
gone lives on in a text."""

import asyncio
import random
from datetime import timedelta

import pytest

from memory.channels.make import Channel, SummaryMaker, SummaryOutcome
from memory.channels.store import ChannelSummaryStore
from memory.channels.values import Policy, SummaryRules
from memory.core.values import AuthorKind, Message
from memory.db.database import Database
from memory.leases import Leases, LeaseStore
from tests.memory.world import ALICE, BOB, FLORENT, GUILD, HALL, World, audience
from tests.models import BY
from tests.soak import SOAK

ROLLING = SummaryRules()
LEVELS = SummaryRules(policy=Policy.LEVELS, turns=3)
STEPS = 120


class Room:
    """A channel with somebody who sums it up."""

    def __init__(self, world: World, rules: SummaryRules, seed: int) -> None:
        self.world, self.rules, self.chance = world, rules, random.Random(seed)
        self.store = ChannelSummaryStore(world.database)
        self.said: dict[int, str] = {}
        self.gone: set[str] = set()
        self.used: set[int] = set()
        self.counted = 0
        self.channel = Channel(GUILD, HALL, "UTC", rules, BY)
        self.restart()

    def restart(self) -> None:
        world = self.world
        claims = Leases(LeaseStore(world.database), world.clock, world.health)
        metering = world.memory.metering
        self.maker = SummaryMaker(self.store, claims, metering, None, world.clock, world.health)
        claims_beside = Leases(LeaseStore(world.database), world.clock, world.health)
        self.beside = SummaryMaker(self.store, claims_beside, metering, None, world.clock, world.health)
        """Of another process."""

    def word(self) -> str:
        self.counted += 1
        return f"zq{self.counted:05}zz"

    async def say(self) -> None:
        word = self.word()
        self.world._last_id += 2  # between two messages there is room for one that comes late
        author = self.chance.choice((ALICE, BOB, FLORENT))
        message = await self.world.say(author, f"we decided that the {word} boat leaves on Friday with {word}")
        self.said[message.message_id] = word
        self.used.add(message.message_id)

    async def come_late(self) -> None:
        """From before: an id in the midst of all others."""
        if not self.said:
            return
        free = [one for one in range(min(self.used) - 2, max(self.used)) if one not in self.used]
        word, message_id = self.word(), self.chance.choice(free)
        self.used.add(message_id)
        sent_at = self.world.clock.now() - timedelta(hours=1)
        text = f"earlier we bought the {word} sails"
        late = Message(GUILD, HALL, message_id, ALICE.user_id, AuthorKind.PERSON, text, sent_at)
        await self.world.memory.log.store_page(GUILD, HALL, [late])
        await self.world.memory.log.settled()
        self.said[message_id] = word

    async def edit(self) -> None:
        if self.said:
            message_id = self.chance.choice(list(self.said))
            self.gone.add(self.said[message_id])
            self.said[message_id] = word = self.word()
            self.world.clock.move(timedelta(seconds=1))
            await self.world.reword(message_id, f"it was the {word} boat after all", ALICE)

    async def delete(self) -> None:
        if self.said:
            message_id = self.chance.choice(list(self.said))
            self.gone.add(self.said.pop(message_id))
            await self.world.delete(message_id)

    async def check(self) -> None:
        standing = await self.store.standing(audience(), HALL, self.rules.policy)
        active = standing.summaries
        seqs = {
            row["message_id"]: row["seq"]
            for row in await self.world.database.read("test", "SELECT message_id, seq FROM chat_history")
        }
        assert seqs.keys() == self.said.keys()
        for message_id, seq in seqs.items():
            holding = [
                one
                for one in active
                if one.span.first_id <= message_id <= one.span.last_id and seq <= one.span.seen_seq
            ]
            assert len(holding) <= 1
        texts = await self.world.database.read("test", "SELECT text FROM channel_summaries")
        for row in texts:
            assert not [word for word in self.gone if word in row["text"]]
        covered = sum(one.span.messages for one in active)
        assert standing.open_talk.messages + covered == len(self.said)


@pytest.mark.soak
@pytest.mark.parametrize("rules", [ROLLING, LEVELS], ids=["rolling", "levels"])
@pytest.mark.parametrize("seed", range(30 if SOAK else 2))
async def test_each_message_is_open_or_in_one_summary(database: Database, rules: SummaryRules, seed: int) -> None:
    room = Room(await World(database).settle(), rules, seed)
    made = 0
    for _ in range(STEPS):
        step = room.chance.choices((room.say, room.come_late, room.edit, room.delete), weights=(20, 1, 1, 1))[0]
        await step()
        await room.check()
        if room.chance.random() < 0.5:
            meanwhile = room.chance.choice((room.say, room.edit, room.delete))
            first, second, _ = await asyncio.gather(
                room.maker.make(room.channel), room.beside.make(room.channel), meanwhile()
            )
            made += SummaryOutcome.QUOTED in (first, second)
            await room.check()
        if room.chance.random() < 0.05:
            room.restart()
    assert made > 3
