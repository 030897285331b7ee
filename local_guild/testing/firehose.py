"""Messages as fast as the clients take them, for load tests: how many per second come through."""

import asyncio
import random
import time
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from local_guild.actions.posting import Posting, Revision
from local_guild.actions.realm import Realm
from local_guild.gateway.sessions import Sessions
from local_guild.state.messages import Message
from local_guild.state.world import Channel, ChannelType

# Invented chat: sentences put together from a small vocabulary, the same for the same random source.


_OPENINGS = (
    "Honestly,", "I think", "Did you know that", "Last night", "For Saturday", "By the way,",
    "If you ask me,", "Somebody said", "Today", "As far as I remember,", "Next week", "It turns out",
)  # fmt: skip
_SUBJECTS = (
    "the soup", "my neighbour's dog", "the new board game", "our garden", "that film", "the old bicycle",
    "the train to Leipzig", "the sourdough", "the router", "her birthday", "the hiking trip", "the choir",
    "the broken printer", "his tomato plants", "the reading group", "the kitchen table",
)  # fmt: skip
_VERBS = (
    "needs more time than", "goes well with", "was cheaper than", "reminds me of", "has nothing to do with",
    "was finished before", "looks better than", "depends on", "will be ready after", "makes no sense without",
)  # fmt: skip
_ENDINGS = (".", ".", ".", "!", "?", " 😄", ", doesn't it?", ", I promise.", " 🍞", ", as always.")


def sentence(rng: random.Random) -> str:
    subject, other = rng.sample(_SUBJECTS, 2)
    return f"{rng.choice(_OPENINGS)} {subject} {rng.choice(_VERBS)} {other}{rng.choice(_ENDINGS)}"


def remark(rng: random.Random) -> str:
    """What one message says: mostly one sentence, at times a few."""
    return " ".join(sentence(rng) for _ in range(rng.choice((1, 1, 1, 2, 3))))


BATCH = 50
REMARKS = 500


class FirehoseOrder(BaseModel):
    model_config = ConfigDict(extra="forbid")

    count: int = Field(ge=1, le=10_000_000, description="how many messages are sent")
    channels: list[int] | None = Field(default=None, description="into which; all public text channels if absent")
    edits: float = Field(default=0.0, ge=0, le=1, description="which part of them is edited afterwards")
    deletes: float = Field(default=0.0, ge=0, le=1, description="which part of them is deleted afterwards")
    seed: int = Field(default=0, description="the same seed gives the same messages")


@dataclass(frozen=True, slots=True)
class FirehoseReport:
    messages: int
    edits: int
    deletes: int
    seconds: float

    @property
    def messages_per_second(self) -> float:
        return self.messages / self.seconds if self.seconds else 0.0


class Firehose:
    def __init__(self, realm: Realm, posting: Posting, sessions: Sessions) -> None:
        self._realm = realm
        self._posting = posting
        self._sessions = sessions

    async def run(self, order: FirehoseOrder) -> FirehoseReport:
        rng = random.Random(order.seed)
        channels = self._channels(order)
        authors_in = {channel.id: self._authors(channel) for channel in {one.id: one for one in channels}.values()}
        places = [(channel, authors_in[channel.id]) for channel in channels]
        if not all(authors for _, authors in places) or not places:
            raise ValueError("the firehose needs channels with somebody to speak in them")
        # Invented beforehand: what is measured is the sending.
        remarks = [remark(rng) for _ in range(min(REMARKS, order.count))]
        started = time.perf_counter()
        edits = deletes = 0
        for number in range(order.count):
            channel, authors = rng.choice(places)
            message = Message(self._realm.ids.next(), channel.id, rng.choice(authors), rng.choice(remarks))
            self._posting.publish(channel, message)
            if rng.random() < order.edits:
                self._posting.edit(message, Revision(content=rng.choice(remarks)))
                edits += 1
            if rng.random() < order.deletes:
                self._posting.delete(message)
                deletes += 1
            if number % BATCH == 0:
                await self._breathe()
        await self._delivered()
        return FirehoseReport(order.count, edits, deletes, time.perf_counter() - started)

    async def _breathe(self) -> None:
        """Let the writers write; wait for clients that fall behind."""
        await asyncio.sleep(0)
        for session in self._sessions:
            if session.link is not None:
                await session.link.calm()

    async def _delivered(self) -> None:
        for session in self._sessions:
            if session.link is not None:
                await session.link.emptied()

    def _channels(self, order: FirehoseOrder) -> list[Channel]:
        channels = self._realm.world.channels
        if order.channels is not None:
            return [channels[channel_id] for channel_id in order.channels]
        return [
            channel
            for channel in channels.values()
            if channel.type == ChannelType.TEXT and not self._realm.access.is_private(channel)
        ]

    def _authors(self, channel: Channel) -> list[int]:
        users = self._realm.world.users
        return sorted(user_id for user_id in self._realm.access.viewers(channel) if not users[user_id].bot)
