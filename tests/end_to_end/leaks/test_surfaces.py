"""Whatever shows something to somebody has to be driven by the leak test: what nobody registered is found here."""

from pydantic import SecretStr

from bot.client import InnkeeperClient
from bot.settings import BotOptions
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.bot.discord_objects import lease_in
from tests.end_to_end.leaks import commands, inside, introspection, spoken
from tests.end_to_end.leaks.registry import SURFACES

DRIVERS = (spoken, commands, inside)
COVERED = frozenset().union(*(surface.covers for surface in SURFACES.values()))
WITHOUT_AUDIENCE = {
    "gives a guild's names of members and roles, which everybody in it sees": (
        "people.called people.listed places.role_names"
    ),
    "gives keys, and to whoever has one the names of themselves and their guild": (
        "access.browsers access.door access.link access.make_token access.redeem access.sign_in access.tokens"
        " access.whose"
    ),
    "gives its owner what they wanted to be reminded of, and nobody else anything": (
        "reminders.ask reminders.change reminders.choose reminders.kept reminders.move_to_zone reminders.of_owner"
        " reminders.one reminders.snooze reminders.zone_of"
    ),
    "has a reminder delivered: in its place if nobody came to read it, else privately": "reminders.claim",
    "is what an audience comes from": (
        "place_mirror.known_place place_mirror.private_threads place_mirror.private_threads_of"
    ),
    "takes the audience within what is wanted, and shows what that could hear": (
        "hearsay.one hearsay.do hearsay.correct"
    ),
    "finds something in messages that it is given": "catch_ups.open_questions",
    "gives what managers decided: ids, numbers, a time zone, days of imported channels": (
        "privacy.settings privacy.change_settings digests.schedule digests.schedules imported_channels.all"
        " imported_channels.open imported_channels.close"
    ),
    "gives numbers, and names of models, of processes and of our own commands": (
        "metering.usage metering.requests_since heartbeat.totals heartbeat.report command_definitions.digest"
    ),
    "gives ids of our own replies that have to go": "retractions.due",
    "says which files are to be fetched, and makes of their bytes what goes before a model": (
        "files.picture files.pictures_of files.unread files.unread_of"
    ),
    "says what a press is about, which asks what its readers could hear before it says so": "undos.change",
}
"""Doors into memory that take no audience, by the reason why nothing that was said comes out of them."""
STORES_WITHOUT_AUDIENCE = {
    "gives names of a guild or its members, to whoever may have them": (
        "CatchUpStore.member ChannelSummaryStore.people MemberStore.called MemberStore.listed GuildStore.names"
    ),
    "gives back what it was given, or the rows of the same telling": (
        "FactStore.forget FactStore.delete_facts ReminderStore.add"
    ),
    "is a member's own request, whose caller leaves out what those who read could not hear": (
        "FactStore.forget_all_about ReminderStore.of_owner ReminderStore.one ReminderStore.zone"
    ),
    "is for taking memories from what one member said in one place, which live there": "MemoryStore.unread",
    "is for reading files that came with messages, and tells nobody": "FileStore.messages",
    "gives names of our own processes, models and commands": (
        "CommandStore.digest HealthStore.totals ShardLeaseStore.take ShardLeaseStore.holders UsageStore.requests_since"
    ),
}
"""The same for the stores behind the doors."""


def listed(by_reason: dict[str, str]) -> list[str]:
    return sorted(name for names in by_reason.values() for name in names.split())


async def test_everything_that_shows_something_is_driven_and_nothing_else(database: Database) -> None:
    """The client is made as `run_bot` makes it; it signs in nowhere, so there is nothing to close."""
    clock = SystemClock()
    health = Health("bot", clock)
    memory = MemoryManager(database, MemoryOptions.model_validate({}), clock, health)
    options = BotOptions.model_validate({"token": SecretStr("none")})
    client = InnkeeperClient(options, memory, health, clock, lease_in(database))
    there = introspection.intents() | {*introspection.commands(client)} | introspection.components()
    there |= introspection.reads() | introspection.routes()
    for sample in ("command:innkeeper status", "component:bot.replies.interactions.Confirmation", "route:/api/health"):
        assert sample in there, "the search itself is broken"
    assert sorted(there - COVERED) == [], "Give it a surface in tests/end_to_end/leaks, so that the leak test tries it."
    known = there | introspection.doors() | {"direct message", "cache:ring"}
    assert sorted(COVERED - known) == [], "A surface that drives nothing would look like proof."


def test_what_gives_back_text_without_asking_who_reads_has_a_reason() -> None:
    assert sorted(introspection.unasked()) == listed(WITHOUT_AUDIENCE)
    assert sorted(introspection.unasked_in_stores()) == listed(STORES_WITHOUT_AUDIENCE)
