"""Vectors from models, with the real SDKs against servers on loopback: changes of the model while people ask, crashes,
servers that are away or want to be left alone; words are found whatever happens."""

import asyncio
import hashlib
import math
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, timedelta

import pytest
from aiohttp import web

from ai_clients.base import Embedder, Purpose
from ai_clients.build import Models, build_models
from ai_clients.settings import ModelOptions
from memory.core.values import AuthorKind, Member, Message, MessageEdit
from memory.db.database import Database
from memory.models.usage import Requester
from memory.recall.search import Recall
from tests import gemini_server, openai_server
from tests.memory.models.metered import until
from tests.memory.recall.index_world import ALICE, EVERYWHERE, GUILD, HALL, NOON, IndexWorld
from tests.memory.world import there
from tests.models import BY

GEMINI, OLLAMA = "gemini-embedding-2", "ollama:nomic-embed-text"


class Library(IndexWorld):
    """A guild whose vectors are made by one model, and then by another."""

    async def finds(self, recall: Recall, question: str) -> list[int]:
        when = self.clock.now() + timedelta(days=1)
        looked = await recall.look(question, EVERYWHERE, ALICE, when, UTC, by=BY)
        return [] if looked is None else [one.message.message_id for one in looked.chosen(k=3)]

    async def fill(self, texts: Iterable[str]) -> list[Message]:
        """An hour apart, so that none is understood through another."""
        said = [
            Message(GUILD, HALL, number, ALICE, AuthorKind.PERSON, text, NOON + timedelta(hours=number))
            for number, text in enumerate(texts, start=1)
        ]
        self.clock.move(timedelta(hours=len(said) + 1))
        await self.hear(*said)
        return said

    async def models(self) -> Mapping[str, int]:
        """How many vectors there are of each, and of which size."""
        rows = await self.database.read(
            "test.models",
            "SELECT model, vector_dims(embedding) AS size, count(*) AS vectors FROM message_vectors GROUP BY 1, 2",
        )
        return {f"{row['model']}/{row['size']}": row["vectors"] for row in rows}

    async def calls(self) -> Mapping[tuple[str, str], int]:
        """Of models, by name and outcome, as they stand on record."""
        await self.memory.metering._accounts.write()
        rows = await self.database.read(
            "test.calls",
            "SELECT model, outcome, count(*) AS calls FROM model_calls WHERE guild_id = $1 AND purpose = 'embed' "
            "GROUP BY 1, 2",
            GUILD,
        )
        return {(row["model"], row["outcome"]): row["calls"] for row in rows}

    def issues(self) -> str:
        return " ".join(self.health.part("vectors").snapshot().issues)


@pytest.fixture
async def library(database: Database) -> AsyncIterator[Library]:
    library = Library(database)
    await library.settle(GUILD)
    await library.memory.people.meet_member(Member(GUILD, ALICE, "Alice"))
    yield library
    await library.memory.log.settled()
    await library.memory.metering.close()


@dataclass
class Elsewhere:
    """A provider that makes vectors."""

    embedder: Embedder
    name: str
    dimensions: int
    requests: Callable[[], int]
    fail: Callable[[bool], None]
    """As one that is overloaded, until it is told not to."""


@asynccontextmanager
async def gemini() -> AsyncIterator[Elsewhere]:
    async with gemini_server.gemini_server() as server:
        models = await build_models(server.options(EMBED_MODELS=GEMINI))

        def fail(fails: bool) -> None:
            server.fault = (lambda _: gemini_server.problem(503)) if fails else None

        try:
            yield Elsewhere(models.embedder, GEMINI, 768, lambda: len(server.requests), fail)
        finally:
            await models.close()


def spread(text: str) -> list[float]:
    """Of a size that no other model here has."""
    return [math.sin(len(text) * place + 1.0) for place in range(1, 1025)]


@asynccontextmanager
async def ollama() -> AsyncIterator[Elsewhere]:
    async with ollama_server() as (server, embedder):

        async def overloaded(*_: object) -> web.StreamResponse:
            return openai_server.problem(503, "overloaded")

        def fail(fails: bool) -> None:
            server.fault = overloaded if fails else None

        yield Elsewhere(embedder, OLLAMA, 1024, lambda: sum("input" in body for body in server.requests), fail)


@asynccontextmanager
async def ollama_server() -> AsyncIterator[tuple[openai_server.OpenAIServer, Embedder]]:
    async with openai_server.openai_server() as server:
        server.vector = spread
        models = await _ollama_at(server)
        yield server, models.embedder
        await models.close()


async def _ollama_at(server: openai_server.OpenAIServer) -> Models:
    return await build_models(ModelOptions.model_validate({"OLLAMA_URL": server.url, "EMBED_MODELS": OLLAMA}))


PROVIDERS = (gemini, ollama)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_questions_are_answered_while_the_model_changes(library: Library, provider: Callable[[], object]) -> None:
    words = [hashlib.sha256(bytes([number])).hexdigest()[:12] for number in range(250)]
    said = await library.fill(f"the parcel {word} has come" for word in words)
    await library.indexer.catch_up()
    async with provider() as new:  # type: ignore[attr-defined] # one of PROVIDERS
        recall = library.recalling(new.embedder)
        over = asyncio.Event()

        async def ask() -> int:
            asked = 0
            while not over.is_set():
                number = asked * 7 % 250
                assert said[number].message_id in await library.finds(recall, f"has parcel {words[number]} come?")
                asked += 1
            return asked

        async with asyncio.TaskGroup() as side_by_side:
            asking = side_by_side.create_task(ask())
            await library.new_indexer(new.embedder).catch_up()
            over.set()
        assert asking.result() >= 2
        assert await library.finds(recall, f"has parcel {words[3]} come?") != []
        assert await library.models() == {f"{new.name}/{new.dimensions}": 250}
        assert (await library.calls())[new.name, "ok"] == new.requests()


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_words_go_on_with_a_model_that_is_down_from_the_start(
    library: Library, provider: Callable[[], object]
) -> None:
    said = await library.say("look at this heron: https://example.org/1")
    async with provider() as new:  # type: ignore[attr-defined] # one of PROVIDERS
        new.fail(True)
        indexer = library.new_indexer(new.embedder)
        indexer.start()
        try:
            await until(lambda: "No vectors" in library.issues())
        finally:
            await indexer.stop()
        await indexer.catch_up()
        assert await library.by_words("heron") == [said.message_id]
        assert await library.finds(library.recalling(new.embedder), "heron") == [said.message_id]
        unfurled = MessageEdit(replace(said, embeds=("How to bake pretzels",)))
        await library.edit(unfurled)
        assert await library.found("pretzels") == {said.message_id}
        await indexer.catch_up()
        await library.check_counts()
        assert await library.by_words("pretzels") == [said.message_id]
        assert await library.models() == {}
        new.fail(False)
        # As after a while: the breaker's rest is over, and so is that of the vectors.
        new.embedder.guard.breaker(Purpose.EMBED).succeeded()
        await library.new_indexer(new.embedder).catch_up()
        assert await library.models() == {f"{new.name}/{new.dimensions}": 1}
        assert await library.count("vectors_again") == 0


async def test_a_model_that_wants_to_be_left_alone_is(library: Library) -> None:
    await library.say("the heron is back")
    async with gemini_server.gemini_server() as server:
        retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "40s"}
        server.fault = lambda _: gemini_server.problem(429, retry, status="RESOURCE_EXHAUSTED")
        models = await build_models(server.options(EMBED_MODELS=GEMINI))
        indexer = library.new_indexer(models.embedder)
        making = there(indexer._vectors)
        now = 1_000.0
        making._now = lambda: now
        await indexer.catch_up()
        asked = len(server.requests)
        assert asked == 1
        assert 30 < making._rests_until - now <= 41
        await making.report_health()
        assert "RateLimited" in library.issues()
        now += 30
        await indexer.catch_up()
        assert len(server.requests) == asked
        assert await library.calls() == {(GEMINI, "rate_limited"): 1}
        await models.close()


async def test_a_text_that_is_refused_holds_nothing_else_up(library: Library) -> None:
    await library.say_all(["one", "two", "something vile", "four", "five"])
    async with ollama_server() as (server, embedder):

        async def choosy(
            openai: openai_server.OpenAIServer, request: web.Request, body: openai_server.Payload
        ) -> web.StreamResponse:
            if any("vile" in text for text in body["input"]):
                return openai_server.problem(400, "not this one")
            return web.json_response(openai_server.embedded([spread(text) for text in body["input"]]))

        server.fault = choosy
        await library.new_indexer(embedder).catch_up()
        assert await library.models() == {f"{OLLAMA}/1024": 4}


async def test_another_model_by_the_same_name_is_noticed(library: Library) -> None:
    await library.say_all(["the heron is back", "a stork"])
    async with ollama_server() as (server, first):
        await library.new_indexer(first).catch_up()
        server.vector = lambda text: spread(text)[:384]
        second = await _ollama_at(server)
        assert await library.finds(library.recalling(second.embedder), "heron") != []
        await library.say("a third bird")
        await library.new_indexer(second.embedder).catch_up()
        assert await library.models() == {f"{OLLAMA}/384": 3}
        assert await library.finds(library.recalling(second.embedder), "heron") != []
        await second.close()


async def test_a_question_is_embedded_once_and_on_record(library: Library) -> None:
    await library.say("the heron is back")
    async with gemini() as new:
        await library.new_indexer(new.embedder).catch_up()
        recall = library.recalling(new.embedder)
        for _ in range(3):
            assert await library.finds(recall, "where is the heron?") != []
        assert new.requests() == 2
        assert await library.calls() == {(GEMINI, "ok"): 2}


async def test_who_searches_too_often_finds_by_words_alone(library: Library) -> None:
    await library.say("the heron is back")
    async with gemini() as new:
        await library.new_indexer(new.embedder).catch_up()
        recall, before = library.recalling(new.embedder), new.requests()
        for request_id, question in enumerate(("where is the heron?", "is the heron back?")):
            by = Requester(ALICE, request_id)
            looked = there(await recall.look(question, EVERYWHERE, ALICE, library.clock.now(), UTC, by=by))
            assert [said.found.meaning is None for said in looked.pool] == [request_id > 0]
        assert new.requests() == before + 1


async def test_scales_of_two_models_never_meet(library: Library) -> None:
    """What is not indexed yet has no vector of the model that serves, so it counts by its words."""
    await library.say("a stork on the chimney")
    async with gemini() as new:
        await library.new_indexer(new.embedder).catch_up()
        await library.say("a stork on the roof")

        async def meanings(recall: Recall) -> list[float | None]:
            looked = there(await recall.look("a stork on the roof", EVERYWHERE, ALICE, library.clock.now(), UTC, by=BY))
            return [said.found.meaning for said in looked.pool]

        indexed, tail = await meanings(library.recalling(new.embedder))
        assert indexed is not None
        assert tail is None
        new.fail(True)
        assert await meanings(library.recalling(new.embedder)) == [None, None]
