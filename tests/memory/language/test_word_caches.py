"""Words that are kept in memory for speed: erasing empties them at once, and changes within a minute."""

from collections.abc import Awaitable, Callable
from math import inf
from typing import Any

import pytest

from ai_clients.build import Models
from ai_clients.embedding import StaticVectors
from memory.contexts.make import CachedProfile, ContextCaches
from memory.contexts.parts import ContextSources
from memory.core.values import Fact, Standing
from memory.db.database import Database
from memory.facts.ledger import FactOutageCache
from memory.language import word_caches
from memory.language.own_words import statement_key
from memory.language.stems import stem
from memory.people.names import name_key
from tests.memory.world import ALICE, BOB, GUILD, HALL, LOUNGE, NOON, World, audience

CANARY = "quetzalcoatlus"
PROFILE = (GUILD, ALICE.user_id, (0,), None)
LAST = 2**62
ERASURES: dict[str, Callable[[World], Awaitable[object]]] = {
    "member": lambda world: world.memory.privacy.erase_member(GUILD, ALICE.user_id, LAST),
    "opting out": lambda world: world.memory.privacy.opt_out(GUILD, BOB.user_id),
    "channel": lambda world: world.memory.privacy.erase_channel(GUILD, HALL, LAST, ALICE.user_id),
    "guild": lambda world: world.memory.privacy.erase_guild(GUILD),
}


def words_kept() -> list[bool]:
    """Whether each of these has some: words of a function's cache cannot be looked at, but counted."""
    functions: tuple[Any, ...] = (stem, statement_key, name_key)
    return [bool(one.cache_info().currsize) for one in functions]


def words_taken_apart() -> str:
    """What the model for vectors keeps, of which a process has one."""
    assert StaticVectors._vocabulary is not None
    return str(StaticVectors._vocabulary._known)


async def test_an_erasure_empties_what_is_fleeting_or_follows(database: Database) -> None:
    world = await World(database, Models({}, StaticVectors(), {}, ())).settle()
    heard, contexts = FactOutageCache(), ContextCaches(10, 10, world.clock)
    fact = Fact(GUILD, 1, ALICE.user_id, BOB.user_id, HALL, 1, CANARY, Standing.HEARSAY, NOON)
    for erase in ERASURES.values():
        await world.remember(BOB, f"Florent has a {CANARY}")
        await world.ask(BOB, f"what about Florent and the {CANARY}?")
        await StaticVectors().embed([f"{CANARY} and {name_key(CANARY)}", statement_key(CANARY)])
        assert CANARY in words_taken_apart()
        heard.note(audience(), [fact], [], inf)
        contexts.profiles[PROFILE] = CachedProfile(b"", "UTC", CANARY, ContextSources({}, ()), is_settled=True)
        assert all(words_kept())
        await erase(world)
        assert not any(words_kept())
        assert CANARY not in words_taken_apart()
        assert heard.of(audience()) is None
        assert contexts.profile(PROFILE, b"") is None


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


async def test_every_edit_deletion_and_forgotten_fact_is_followed_within_a_minute(
    world: World, keepers: tuple[Keeper, Keeper]
) -> None:
    plain, following = keepers
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
        plain.times = following.times = 0
        await change()
        await world.memory.log.settled()
        now += word_caches.DISTURBED_SECONDS + 1
        word_caches.expire(now)
        assert (plain.times, following.times) == (1, 0)
        now += word_caches.DISTURBED_SECONDS + 1
        word_caches.expire(now)
        assert plain.times == 1, "nothing has changed since"
