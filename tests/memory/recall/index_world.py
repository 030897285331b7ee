"""A guild whose log is indexed, for the tests of recall."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from ai_clients.base import Embedder
from ai_clients.embedding import StaticVectors
from memory.core.clock import SetClock
from memory.core.values import AuthorKind, Guild, Message
from memory.db.database import Database
from memory.health import Health
from memory.language.detect import Language, language_of
from memory.language.stems import words_of
from memory.manager import MemoryManager
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.recall.indexer import Indexer
from memory.recall.query import Found, Limits, Terms
from memory.recall.search import QuestionVectors, Recall
from memory.recall.store import Meant, RecallStore, heard_in_tail
from memory.recall.vectors import Embedders
from memory.settings import MemoryOptions
from tests.memory.world import Log

GUILD, OTHER_GUILD = 100, 200
HALL, LOUNGE, CELLAR = 1001, 1002, 1003
ALICE, BOB = 1, 2
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
VECTORS = StaticVectors()
"""One for all tests: to load it takes most of a second."""

INDEX_TABLES = (
    "message_index",
    "conversations",
    "term_counts",
    "spellings",
    "message_vectors",
    "index_again",
    "vectors_again",
)


def heard(*channels: int, guild: int = GUILD) -> Audience:
    return Audience(guild, channels[0], frozenset(channels))


EVERYWHERE, ANY = heard(HALL, LOUNGE, CELLAR), Limits()


class IndexWorld(Log):
    """Memory over a real database, with an indexer that works when it is told to."""

    def __init__(self, database: Database, embedder: Embedder | None = VECTORS) -> None:
        self.clock = SetClock(NOON)
        self.health = Health("bot", self.clock)
        self.database = database
        self.memory = MemoryManager(database, MemoryOptions(), self.clock, self.health)
        self.indexer = self.new_indexer(embedder)
        self.recall = RecallStore(database)
        self._last_id = 10_000

    def new_indexer(self, embedder: Embedder | None = VECTORS) -> Indexer:
        """As after a restart: it knows nothing but what is in the database."""
        return Indexer(self.database, self.embedders(embedder), self.clock, self.health)

    def embedders(self, embedder: Embedder | None = VECTORS) -> Embedders | None:
        return None if embedder is None else Embedders(embedder, self.memory.metering)

    def recalling(self, embedder: Embedder | None = VECTORS) -> Recall:
        """As questions are looked into, by the clock of UTC; without an embedder by words alone."""
        embedders = self.embedders(embedder)
        meaning = None if embedders is None else QuestionVectors(embedders, self.database)
        words = None if embedders is None else VECTORS
        return Recall(self.recall, MemberStore(self.database), meaning, words)

    async def settle(self, *guilds: int) -> "IndexWorld":
        for guild in guilds or (GUILD,):
            await self.memory.people.meet_guild(Guild(guild, "The Inn"), [])
        return self

    async def say(
        self,
        text: str,
        channel: int = HALL,
        author: int = ALICE,
        *,
        guild: int = GUILD,
        kind: AuthorKind = AuthorKind.PERSON,
        after: timedelta = timedelta(minutes=1),
        **parts: object,
    ) -> Message:
        self.clock.move(after)
        self._last_id += 1
        message = Message(guild, channel, self._last_id, author, kind, text, self.clock.now(), **parts)  # type: ignore[arg-type] # the fields of a message
        await self.hear(message)
        return message

    async def say_all(self, texts: Iterable[str], channel: int = HALL) -> list[Message]:
        return [await self.say(text, channel) for text in texts]

    async def terms(self, question: str, audience: Audience = EVERYWHERE, language: Language | None = None) -> Terms:
        return await self.recall.reading(audience).terms(words_of(question), language or language_of(question))

    async def by_words(self, question: str, audience: Audience = EVERYWHERE, limits: Limits = ANY) -> list[int]:
        """Ids, best first, of the index alone."""
        terms = await self.terms(question, audience)
        return [found.message_id for found in await self.recall.reading(audience).by_words(terms, limits)]

    async def in_tail(self, question: str, audience: Audience = EVERYWHERE, limits: Limits = ANY) -> list[int]:
        terms, tail = await self.terms(question, audience), await self.recall.reading(audience).tail(limits)
        return [one.found.message_id for one in heard_in_tail(tail, terms)]

    async def found(self, question: str, audience: Audience = EVERYWHERE) -> set[int]:
        """By any way there is but that of meaning."""
        return {*await self.by_words(question, audience), *await self.in_tail(question, audience)}

    async def by_meaning(self, question: str, audience: Audience = EVERYWHERE, limits: Limits = ANY) -> list[Found]:
        [vector] = await VECTORS.embed([question])
        assert vector is not None
        return await self.recall.reading(audience).by_meaning(Meant(VECTORS.name, vector), limits)

    async def count(self, table: str, guild: int = GUILD) -> int:
        async with self.database.connection("test.count") as connection:
            count: int = await connection.fetchval(f"SELECT count(*) FROM {table} WHERE guild_id = $1", guild)
        return count

    async def sizes(self, guild: int = GUILD) -> Mapping[str, int]:
        return {table: await self.count(table, guild) for table in INDEX_TABLES}

    async def check_counts(self, guild: int = GUILD) -> None:
        """What is counted along the way is what a count of everything says."""
        async with self.database.connection("test.check_counts") as connection:
            for name, query in _COUNTED.items():
                wrong = await connection.fetch(query, guild)
                assert [tuple(row.values()) for row in wrong] == [], name


_COUNTED = {
    "terms": """
        SELECT term, known.messages, counted.messages FROM (SELECT * FROM term_counts WHERE guild_id = $1) AS known
        FULL JOIN (
            SELECT lexeme AS term, channel_id, count(*) AS messages FROM message_index, unnest(terms)
            WHERE guild_id = $1 AND lexeme NOT LIKE '#%' GROUP BY lexeme, channel_id
        ) AS counted USING (term, channel_id)
        WHERE known.messages IS DISTINCT FROM counted.messages""",
    "spellings": """
        SELECT term, known.term IS NULL FROM (SELECT term FROM spellings WHERE guild_id = $1) AS known
        FULL JOIN (SELECT DISTINCT term FROM term_counts WHERE guild_id = $1) AS counted USING (term)
        WHERE known.term IS NULL OR counted.term IS NULL""",
    "channels": """
        SELECT channel_id, known.messages, counted.messages, known.length, counted.length
        FROM (SELECT * FROM index_channels WHERE guild_id = $1) AS known
        FULL JOIN (
            SELECT channel_id, count(*) AS messages, sum(length) AS length FROM message_index
            WHERE guild_id = $1 GROUP BY channel_id) AS counted USING (channel_id)
        WHERE coalesce(known.messages, 0) <> coalesce(counted.messages, 0)
           OR coalesce(known.length, 0) <> coalesce(counted.length, 0)""",
    "conversations of channels": """
        SELECT channel_id, known.conversations, counted.conversations
        FROM (SELECT * FROM index_channels WHERE guild_id = $1) AS known
        FULL JOIN (
            SELECT channel_id, count(*) AS conversations FROM conversations WHERE guild_id = $1 GROUP BY channel_id)
            AS counted USING (channel_id)
        WHERE coalesce(known.conversations, 0) <> coalesce(counted.conversations, 0)""",
    "conversations": """
        SELECT conversation_id, known.messages, counted.messages, known.length, counted.length
        FROM (SELECT * FROM conversations WHERE guild_id = $1) AS known
        FULL JOIN (
            SELECT conversation_id, channel_id, count(*) AS messages, sum(length) AS length FROM message_index
            WHERE guild_id = $1 GROUP BY conversation_id, channel_id) AS counted USING (conversation_id, channel_id)
        WHERE known.messages IS DISTINCT FROM counted.messages OR known.length IS DISTINCT FROM counted.length""",
}
