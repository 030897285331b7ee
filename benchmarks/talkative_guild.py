"""Makes a guild with a long history, straight in the tables: to say it all through the gateway would take hours.

Words are as frequent as in any language: the second half as often as the first, the third a third as often. They are
made up, so that no dictionary changes them, and talk comes in conversations.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from ai_clients.base import Embedder
from memory.core.values import Member, Standing, last_id_of
from memory.db.database import Connection, Database
from memory.facts.enter import NewFact
from memory.facts.ledger import FactStore
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.recall.query import written

GUILD = 1_000
CHANNELS = tuple(range(2_000, 2_060))
AUTHORS = range(1, 501)
WORDS = 60_000
PER_CONVERSATION = 25
BEGINNING = datetime(2022, 1, 1, tzinfo=UTC)
DAYS = 1_000
ROWS_AT_ONCE = 5_000
LOAD_SECONDS = 900.0
_MONTHS = ("March", "July", "November")
_SYLLABLES = tuple(first + second for first in "bcdfghklmnprst" for second in "aeo")[:40]
VECTORS = 2_000
"""Different ones; to make one for each message takes longer than everything else."""


@dataclass(frozen=True, slots=True)
class Line:
    message_id: int
    channel_id: int
    author_id: int
    sent_at: datetime
    conversation_id: int
    words: list[str]


class TalkativeGuild:
    def __init__(
        self,
        messages: int,
        seed: int = 5,
        *,
        guild_id: int = GUILD,
        channels: Sequence[int] = CHANNELS,
        authors: Sequence[int] = AUTHORS,
    ) -> None:
        """Make up the guild's words; the author at place n goes by the name of number n + 1."""
        self.messages = messages
        self.guild_id = guild_id
        self.channels = channels
        self.authors = authors
        self._seed = seed
        self._random = random.Random(seed)
        self._words = [_made_up(number) for number in range(WORDS)]
        self._heights = list(accumulate(1 / (rank + 1) for rank in range(WORDS)))

    def say(self, count: int, chance: random.Random | None = None) -> list[str]:
        return (chance or self._random).choices(self._words, cum_weights=self._heights, k=count)

    def question(self) -> str:
        """Ask with half everyday words, half rarer ones; a third name somebody, a quarter a time."""
        rare = self._random.sample(range(200, WORDS), 3)
        asked = " ".join([*self.say(3), *(self._words[number] for number in rare)])
        if self._random.random() < 1 / 3:
            asked = f"What did {self.name(self._random.randint(1, len(self.authors)))} say about {asked}?"
        if self._random.random() < 1 / 4:
            asked += f" in {self._random.choice(_MONTHS)} 2023"
        return asked

    @staticmethod
    def name(number: int) -> str:
        """Make up a name: nobody is called like a word."""
        return _made_up(WORDS + number).capitalize()

    def lines(self) -> Iterator[Line]:
        """Make the same lines each time: the log, the index and the vectors have to tell of the same messages."""
        chance = random.Random(self._seed)
        message_id, moment = 0, BEGINNING
        step = timedelta(days=DAYS) / max(self.messages // PER_CONVERSATION, 1)
        while message_id < self.messages:
            moment += step
            channel_id, conversation_id = chance.choice(self.channels), message_id + 1
            for place in range(min(PER_CONVERSATION, self.messages - message_id)):
                message_id += 1
                yield Line(
                    message_id,
                    channel_id,
                    chance.choice(self.authors),
                    moment + timedelta(seconds=20 * place),
                    conversation_id,
                    self.say(chance.randint(3, 20), chance),
                )

    async def into_log(self, database: Database) -> None:
        async with database.transaction("benchmark.log") as connection:
            await _meet(connection, self.guild_id)
            await connection.copy_records_to_table(
                "chat_history",
                records=(
                    (
                        self.guild_id,
                        line.message_id,
                        line.channel_id,
                        line.author_id,
                        "person",
                        " ".join(line.words),
                        line.sent_at,
                    )
                    for line in self.lines()
                ),
                columns=["guild_id", "message_id", "channel_id", "author_id", "author_kind", "text", "sent_at"],
                timeout=LOAD_SECONDS,
            )

    async def into_everything(self, database: Database, embedder: Embedder) -> None:
        """Fill the log, the index as the indexer would have left it, and the members."""
        await self.into_log(database)
        members = [Member(self.guild_id, one, self.name(number)) for number, one in enumerate(self.authors, start=1)]
        await MemberStore(database).meet(members)
        texts = [" ".join(self.say(10)) for _ in range(VECTORS)]
        vectors = [vector for vector in await embedder.embed(texts) if vector is not None]
        async with database.transaction("benchmark.everything") as connection:
            # What refers to what is right by itself, and indexes are built faster afterwards.
            await connection.execute("SET LOCAL session_replication_role = replica")
            await connection.execute(
                "DROP INDEX message_index_terms, message_index_by_conversation, message_index_by_author"
            )
            await self._into_index(connection)
            await connection.copy_records_to_table(
                "message_vectors",
                records=(
                    (
                        self.guild_id,
                        line.message_id,
                        embedder.name,
                        line.channel_id,
                        vectors[line.message_id % len(vectors)],
                    )
                    for line in self.lines()
                ),
                columns=["guild_id", "message_id", "model", "channel_id", "embedding"],
                timeout=LOAD_SECONDS,
            )
            for statement in _FINISH:
                await connection.execute(statement, timeout=LOAD_SECONDS)
        for table in ("chat_history", "message_index", "message_vectors", "term_counts", "spellings", "conversations"):
            async with database.connection("benchmark.vacuum") as connection:
                await connection.execute(f"VACUUM ANALYZE {table}", timeout=LOAD_SECONDS)

    async def _into_index(self, connection: Connection) -> None:
        counted: Counter[tuple[str, int]] = Counter()

        async def rows() -> AsyncIterator[bytes]:
            block: list[str] = []
            for line in self.lines():
                counts = Counter(line.words)
                counted.update((term, line.channel_id) for term in counts)
                terms = written(self.guild_id, counts)
                block.append(
                    f"{self.guild_id}\t{line.message_id}\t{line.channel_id}\t{line.author_id}\t{line.sent_at.isoformat()}"
                    f"\t{line.conversation_id}\t{len(line.words)}\t{terms}\n"
                )
                if len(block) == ROWS_AT_ONCE:
                    yield "".join(block).encode()
                    block.clear()
            yield "".join(block).encode()

        await connection.copy_to_table("message_index", source=rows(), timeout=LOAD_SECONDS)
        await connection.copy_records_to_table(
            "term_counts",
            records=[(self.guild_id, term, channel_id, count) for (term, channel_id), count in counted.items()],
            timeout=LOAD_SECONDS,
        )


def _made_up(number: int) -> str:
    """Make up a word of syllables, so that it falls into about as many tokens as a real one, and no two are alike."""
    first, second = divmod(number, len(_SYLLABLES) ** 2)
    return "".join(_SYLLABLES[place] for place in (first, *divmod(second, len(_SYLLABLES))))


async def _meet(connection: Connection, guild_id: int) -> None:
    await connection.execute(
        "INSERT INTO guilds (guild_id, name, met_at) VALUES ($1, 'talkative', $2) ON CONFLICT DO NOTHING",
        guild_id,
        BEGINNING,
    )


_FINISH = (
    "INSERT INTO spellings (guild_id, term) SELECT DISTINCT guild_id, term FROM term_counts",
    "CREATE INDEX message_index_terms ON message_index USING gin (terms) WITH (gin_pending_list_limit = 512)",
    "CREATE INDEX message_index_by_conversation ON message_index (guild_id, conversation_id)",
    "CREATE INDEX message_index_by_author ON message_index (guild_id, author_id, message_id)",
    """
    INSERT INTO conversations (guild_id, conversation_id, channel_id, first_at, last_at, messages, length)
    SELECT guild_id, conversation_id, channel_id, min(sent_at), max(sent_at), count(*), sum(length)
    FROM message_index GROUP BY guild_id, conversation_id, channel_id
    """,
    """
    INSERT INTO index_channels (guild_id, channel_id, messages, length, conversations)
    SELECT guild_id, channel_id, count(*), sum(length), count(DISTINCT conversation_id)
    FROM message_index GROUP BY guild_id, channel_id
    """,
    """
    INSERT INTO index_state (guild_id, words_through, vectors_through, vector_model)
    SELECT guild_id, max(seq), max(seq), (SELECT model FROM message_vectors LIMIT 1) FROM chat_history GROUP BY guild_id
    """,
)


# What contexts are made from, put straight into the tables of such a guild: a last week, and facts.


FACTS = 5
"""About each member; together longer than what is told as it stands, without being merged."""
ON_THE_WAY = (
    "with a heavy rucksack, a flask of tea and two sandwiches, stayed there until the sun went down,"
    " and came back by the old road along the river, singing most of the way"
)


async def live_through_days(
    database: Database, talk: TalkativeGuild, people: Sequence[int], now: datetime, *, days: int, a_day: int
) -> None:
    """Fill days with messages whose ids tell the time: by them a day is found."""
    chance = random.Random(7)
    moments = sorted(
        now - timedelta(days=day, seconds=chance.randrange(60, 43_200)) for day in range(days) for _ in range(a_day)
    )
    records = [
        (
            talk.guild_id,
            last_id_of(moment) - number % 1_000,
            chance.choice(talk.channels),
            people[number % len(people)],
            "person",
            " ".join(talk.say(12, chance)),
            moment,
        )
        for number, moment in enumerate(moments)
    ]
    async with database.transaction("benchmark.days") as connection:
        await connection.copy_records_to_table(
            "chat_history",
            records=records,
            columns=["guild_id", "message_id", "channel_id", "author_id", "author_kind", "text", "sent_at"],
        )


async def tell_facts(database: Database, audience: Audience, people: Sequence[int], now: datetime) -> None:
    facts = FactStore(database)
    for number, user_id in enumerate(user_id for user_id in people for _ in range(FACTS)):
        new = NewFact(
            guild_id=audience.guild_id,
            subject_id=user_id,
            teller_id=user_id,
            channel_id=audience.place_id,
            message_id=last_id_of(now) + number,
            source_message_id=None,
            text=f"<@{user_id}> has walked up hill number {number} {ON_THE_WAY}",
            standing=Standing.SELF,
            in_hall=True,
            valid_from=now,
        )
        await facts.remember([new], audience)
