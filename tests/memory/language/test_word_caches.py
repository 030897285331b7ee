"""Words that are kept in memory for speed: erasing empties them at once, and changes within a minute."""

import gc
import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import replace
from math import inf

import pytest

from ai_clients.gemini import GeminiApi, GeminiModel
from memory.contexts.make import CachedProfile, ContextCaches
from memory.contexts.parts import ContextSources
from memory.core.values import Fact, Standing
from memory.db.database import Database
from memory.facts.ledger import FactOutageCache
from memory.language import word_caches
from memory.language.stems import stem
from memory.log.recent import RecentMessages
from tests.gemini_server import gemini_server
from tests.memory.world import ALICE, BOB, GUILD, HALL, LOUNGE, NOON, World, audience
from tests.models import answering

CANARY = "quetzalcoatlus"
STAMP = b""
FILLED = {
    "ai_clients/embedding.py:_Vocabulary._known",
    "memory/contexts/make.py:ContextCaches.profiles",
    "memory/language/own_words.py:statement_key",
    "memory/language/stems.py:stem",
    "memory/people/names.py:name_key",
    "memory/answers/prompt.py:_name_as_data",
    "memory/facts/ledger.py:FactOutageCache._heard",
}
"""By what `filled` does; others hold the same for shorter, or need a model for vectors."""


@pytest.fixture(scope="module", autouse=True)
def _modules_are_looked_through() -> Iterator[None]:
    """Otherwise the collector leaves alone whatever was imported, in a run of the tests."""
    gc.unfreeze()
    yield
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def filled(database: Database) -> AsyncIterator[tuple[World, FactOutageCache, ContextCaches]]:
    """A house in which everything that keeps words has had some."""
    async with gemini_server() as gemini:
        model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=60)
        world = await World(database, answering(model, seconds=120), member_cooldown_seconds=0).settle()
        await world.memory.people.meet_member(replace(BOB, nickname=CANARY))
        await world.say(ALICE, f"my {CANARY} is called Rex, and he likes biking")
        await world.remember(BOB, f"Alice has a {CANARY}")
        await world.memory.indexer.catch_up()
        await world.ask(BOB, f"what about Alice and the {CANARY} on a bicycle?")
        contexts = ContextCaches(10, 10, world.clock)
        profile = CachedProfile(STAMP, "UTC", CANARY, ContextSources({}, ()), is_settled=True)
        contexts.profiles[GUILD, ALICE.user_id, (0,), None] = profile
        heard = FactOutageCache()
        fact = Fact(GUILD, 1, ALICE.user_id, BOB.user_id, HALL, 1, CANARY, Standing.HEARSAY, NOON)
        heard.note(audience(), [fact], [], inf)
        yield world, heard, contexts
        await world.memory.log.settled()
        await model.close()


async def test_an_erasure_empties_what_is_fleeting_or_follows(database: Database) -> None:
    async with filled(database) as (world, heard, contexts):
        before = {place for place, holder in _holders() if _holds(holder)}
        assert before >= FILLED
        await world.memory.privacy.erase_member(GUILD, ALICE.user_id, 2**62)
        assert {place for place, holder in _holders() if _holds(holder)} == set()
        assert heard.of(audience()) is None
        assert contexts.profile((GUILD, ALICE.user_id, (0,), None), STAMP) is None


async def test_opting_out_and_erasing_a_channel_or_guild_empty_it_too(database: Database) -> None:
    world = await World(database).settle()
    erasures: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: world.memory.privacy.opt_out(GUILD, BOB.user_id),
        lambda: world.memory.privacy.erase_channel(GUILD, HALL, 2**62, ALICE.user_id),
        lambda: world.memory.privacy.erase_guild(GUILD),
    )
    for erase in erasures:
        stem(CANARY)
        await erase()
        assert {place for place, holder in _holders() if _holds(holder)} == set()


def _holders() -> Iterator[tuple[str, object]]:
    """The functions, and whatever objects of the classes there are in this process."""
    classes: dict[type, list[tuple[str, str]]] = {}
    for place in FILLED:
        file, _, name = place.partition(":")
        module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
        owner, _, attribute = name.rpartition(".")
        if owner:
            classes.setdefault(getattr(module, owner), []).append((place, attribute))
        else:
            yield place, getattr(module, name)
    for one in gc.get_objects():
        for place, attribute in classes.get(type(one), ()):
            yield place, getattr(one, attribute)


def _holds(holder: object) -> bool:
    """Words of a function's cache cannot be looked at, but counted."""
    if hasattr(holder, "cache_info"):
        return bool(holder.cache_info().currsize)
    return CANARY in str(list(holder.items()) if isinstance(holder, Mapping | MutableMapping) else holder)


class Keeper:
    def __init__(self) -> None:
        self.times = 0

    def forget_words(self) -> None:
        self.times += 1


@pytest.fixture
def keepers() -> tuple[Keeper, Keeper]:
    """One that is told of every change, and one that follows by itself; both begin with nothing kept."""
    plain, following = Keeper(), Keeper()
    word_caches.register_cache(plain)
    word_caches.register_cache(following, word_caches.When.OLD)
    word_caches.expire(0.0)
    word_caches.expire(10_000_000.0)
    plain.times = following.times = 0
    return plain, following


def test_a_change_is_followed_within_a_minute(keepers: tuple[Keeper, Keeper]) -> None:
    plain, following = keepers
    start = 10_000_000.0
    word_caches.invalidate()
    word_caches.expire(start + word_caches.DISTURBED_SECONDS + 1)
    assert (plain.times, following.times) == (1, 0)
    word_caches.expire(start + 2 * word_caches.DISTURBED_SECONDS + 5)
    assert (plain.times, following.times) == (1, 0), "nothing has changed since"


async def test_every_edit_deletion_and_forgotten_fact_is_a_change(
    database: Database, keepers: tuple[Keeper, Keeper]
) -> None:
    world = await World(database).settle()
    plain, _ = keepers
    now = 10_000_000.0
    said = await world.say(ALICE, "hello")
    await world.remember(BOB, "I like tea")
    changes: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: world.memory.log.delete_messages(GUILD, said.channel_id, [said.message_id]),
        lambda: world.memory.log.delete_channel(GUILD, LOUNGE),
        lambda: world.forget(BOB, "I like tea"),
    )
    word_caches.forget_words()
    for change in changes:
        plain.times = 0
        await change()
        await world.memory.log.settled()
        now += word_caches.DISTURBED_SECONDS + 1
        word_caches.expire(now)
        assert plain.times == 1


async def test_the_ring_of_another_process_obeys_when_it_hears_of_the_guild(database: Database) -> None:
    deciding, other = await World(database).settle(), World(database)
    await other.say(ALICE, CANARY)
    [ring] = [one for one in gc.get_objects() if isinstance(one, RecentMessages) and CANARY in _texts_in(one)]
    await deciding.memory.privacy.erase_member(GUILD, ALICE.user_id, 2**62)
    await other.say(BOB, "something else")
    assert _texts_in(ring) == {"something else"}


def _texts_in(ring: RecentMessages) -> set[str]:
    return {message.text for channel in ring._channels.values() for message in channel.values()}
