"""Whatever shows something to somebody has to be driven by the leak test: what nobody registered is found here."""

import types

import discord
import pytest
from pydantic import SecretStr

from bot.client import InnkeeperClient
from bot.settings import BotOptions
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.settings import MemoryOptions
from tests.bot.discord_objects import lease_in
from tests.end_to_end.leaks import evening, introspection
from tests.end_to_end.leaks.non_readers import NON_READERS, OF_THE_FRAMEWORK, STORE_NON_READERS
from tests.end_to_end.leaks.registry import SURFACES

HOW = "Give it a surface in tests/end_to_end/leaks, so that the leak test tries it."
COVERED = frozenset().union(*(surface.covers for surface in SURFACES.values()))


@pytest.fixture
async def client(database: Database) -> InnkeeperClient:
    """As `run_bot` makes it; it signs in nowhere, so there is nothing to close."""
    clock = SystemClock()
    health = Health("bot", clock)
    memory = MemoryManager(database, MemoryOptions.model_validate({}), clock, health)
    options = BotOptions.model_validate({"token": SecretStr("none")})
    return InnkeeperClient(options, memory, health, clock, lease_in(database))


def test_all_drivers_are_known() -> None:
    assert len(evening.DRIVERS) >= 4
    assert SURFACES


def test_everything_that_can_be_wanted_in_words_is_driven() -> None:
    assert introspection.intents() <= COVERED, HOW


async def test_every_command_is_driven(client: InnkeeperClient) -> None:
    found = introspection.commands(client)
    assert "command:innkeeper status" in found, "the search itself is broken"
    assert sorted(found - COVERED) == [], HOW


def test_every_button_and_form_is_driven() -> None:
    found = introspection.components()
    assert "component:bot.privacy.commands.EraseQuestion" in found, "the search itself is broken"
    assert sorted(found - COVERED) == [], HOW


def test_every_read_of_memory_is_driven_or_explained() -> None:
    doors = introspection.doors()
    reads = {f"read:{name}" for name, asks_who_reads in doors.items() if asks_who_reads}
    assert sorted(reads - COVERED) == [], HOW
    closed = {name for name, asks_who_reads in doors.items() if not asks_who_reads}
    assert sorted(closed - NON_READERS.keys()) == [], (
        "Either it takes an Audience, or non_readers.py says why nothing said comes out."
    )


def test_no_store_gives_back_text_without_asking_who_reads() -> None:
    reads = introspection.store_reads()
    assert reads["FactStore.within"], "the search itself is broken"
    unasked = {name for name, asks_who_reads in reads.items() if not asks_who_reads}
    assert sorted(unasked) == sorted(STORE_NON_READERS)


def test_every_route_is_driven() -> None:
    found = {route for route in introspection.routes() if not route.startswith(f"route:{OF_THE_FRAMEWORK}")}
    assert "route:/api/health" in found, "the search itself is broken"
    assert sorted(found - COVERED) == [], HOW


async def test_nothing_is_registered_that_is_not_there_any_more(client: InnkeeperClient) -> None:
    """A surface that drives nothing would look like proof."""
    there = introspection.intents() | introspection.commands(client) | introspection.components()
    there |= {f"read:{name}" for name in introspection.doors()} | introspection.routes()
    there |= {"direct message", "cache:ring"}
    assert sorted(COVERED - there) == []
    assert sorted(NON_READERS.keys() - introspection.doors().keys()) == []


def test_what_is_added_is_found() -> None:
    """The test of the search: a new button, a new form and a new read, which nobody has registered."""
    package = types.ModuleType("bot_with_more")
    package.__path__ = []

    class NewView(discord.ui.View):
        pass

    class NewForm(discord.ui.Modal, title="More"):
        pass

    for made in (NewView, NewForm):
        made.__module__ = package.__name__
        setattr(package, made.__name__, made)
    assert introspection.components(package) == {"component:bot_with_more.NewView", "component:bot_with_more.NewForm"}

    class NewMemory(MemoryManager):
        async def gossip(self, audience: Audience) -> str:
            return f"{audience}"

        async def rumours(self) -> str:
            return ""

    doors = introspection.doors(NewMemory)
    assert (doors["gossip"], doors["rumours"]) == (True, False)
    assert not {"gossip", "rumours"} & NON_READERS.keys()
