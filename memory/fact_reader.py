"""The small model as a reader of tellings, wishes and facts, within its time; without it, the rules serve.

Nothing waits for it longer than a person would, and whatever it says has passed the checks of its prompt.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from operator import mul

from pgvector import HalfVector

from ai_clients.base import Embedder, Prompt, Purpose, ShapeT
from ai_clients.building import Models
from ai_clients.errors import ModelError
from memory.core.forgetting import Matches
from memory.core.values import Fact, Telling
from memory.health import Health
from memory.models.metering import AskedTooOften, Metering
from memory.models.usage import Requester
from memory.people.names import MENTION
from memory.prompts import find_facts, merge_facts, take_fact

logger = logging.getLogger(__name__)

SECONDS = 6.0
"""That somebody waits for the small model, at most."""
ALIKE = 0.35
"""From here on two texts are about the same, by their vectors."""
MOST_COMPARED = 200
MOST_ALIKE = 5


class FactReader:
    def __init__(self, models: Models, metering: Metering, health: Health) -> None:
        self._chain = models.chain(Purpose.SMALL)
        self._embedder: Embedder = models.embedder
        self._metering = metering
        self._part = health.part("facts")

    @property
    def is_there(self) -> bool:
        """Whether there is a model at all; it may still not answer."""
        return self._chain is not None

    async def take(self, guild_id: int, task: take_fact.Task) -> take_fact.Taken | None:
        """A telling as a statement; None where there is no model, or nothing usable came of it."""
        by = Requester(task.telling.teller_id, task.telling.message_id)
        try:
            reply = await self._ask(guild_id, take_fact.render(task, _fence()), take_fact.Reply, by)
            return None if reply is None else await asyncio.to_thread(take_fact.read, reply, task)
        except ModelError as error:
            self._did_without(error)
            return None

    async def find(self, guild_id: int, task: find_facts.Task, by: Requester) -> Matches | None:
        """The facts that are to be forgotten; None as above. Raises `AskedTooOften`."""
        if not task.facts:
            return None
        try:
            reply = await self._ask(guild_id, find_facts.render(task, _fence()), find_facts.Reply, by)
            return None if reply is None else find_facts.read(reply, task)
        except AskedTooOften:
            raise
        except ModelError as error:
            self._did_without(error)
            return None

    def has_admitted(self, telling: Telling) -> bool:
        """Whether a model may be asked for whoever tells it."""
        return self._metering.has_admitted(telling.guild_id, Requester(telling.teller_id, telling.message_id))

    async def merge(self, guild_id: int, task: merge_facts.Task) -> str:
        """Nobody waits for it. Raises `ModelError`."""
        if self._chain is None:
            raise ModelError("there is no model for small tasks")
        prompt = await asyncio.to_thread(merge_facts.render, task, _fence())
        shaped = await self._metering.ask_for(guild_id, self._chain, prompt, merge_facts.Reply, live=False)
        return await asyncio.to_thread(merge_facts.read, shaped.value, task)

    async def alike(self, guild_id: int, query: str, facts: Sequence[Fact], by: Requester) -> tuple[Fact, ...]:
        """Facts that mean something like it, the closest first: worth asking about, never certain. Raises
        `AskedTooOften`."""
        compared = facts[-MOST_COMPARED:]
        texts = [MENTION.sub(" ", text) for text in (query, *(fact.text for fact in compared))]
        try:
            wanted, *vectors = await self._metering.embed(guild_id, self._embedder, texts, by=by, live=True)
        except AskedTooOften:
            raise
        except ModelError as error:
            self._did_without(error)
            return ()
        if wanted is None:
            return ()
        alike = await asyncio.to_thread(_closeness_of_all, wanted, vectors)
        near = sorted(
            (pair for pair in zip(alike, compared, strict=True) if pair[0] >= ALIKE), key=lambda pair: -pair[0]
        )
        return tuple(fact for _, fact in near[:MOST_ALIKE])

    async def _ask(self, guild_id: int, prompt: Prompt, shape: type[ShapeT], by: Requester) -> ShapeT | None:
        if self._chain is None:
            return None
        seconds = min(self._chain.seconds, SECONDS)
        return (await self._metering.ask_for(guild_id, self._chain, prompt, shape, by=by, seconds=seconds)).value

    def _did_without(self, error: ModelError) -> None:
        self._part.count("read without a model")
        logger.warning("facts are read without a model: %s", error, extra={"reason": type(error).__name__})


def _fence() -> str:
    return secrets.token_hex(8)


def _closeness_of_all(one: HalfVector, others: Sequence[HalfVector | None]) -> list[float]:
    """To vectors of length 1; 0 where there is none."""
    wanted = one.to_list()
    return [0.0 if other is None else sum(map(mul, wanted, other.to_list())) for other in others]
