"""Every mention of somebody, of their roles, and every reply to them that they can read is told, and nothing else."""

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from memory.core.clock import SetClock
from memory.core.values import AuthorKind, Guild, Message, last_id_of
from memory.daily.values import Boundary, Section, Since
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.model import (
    ADMINISTRATOR,
    CONNECT,
    MANAGE_THREADS,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    Place,
    PlaceKind,
    Seat,
)
from memory.settings import MemoryOptions
from tests.memory.places.generated_guilds import GUILD, PEOPLE, ROLES, guilds
from tests.memory.places.generated_guilds import Guild as Imagined

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GUILDS = count(5000)
CATEGORY = 2006
"""Nobody can be asked or speak in there."""
MESSAGES = 80
BOUNDARY = 10
"""The messages up to this one were read."""


@dataclass(frozen=True)
class Said:
    message: Message
    is_deleted: bool


def reads(guild: Imagined, user_id: int, place: Place) -> bool:
    """As Discord has it: who may see a place and read it back."""
    room = guild.places.get(place.parent_id or 0) if place.is_thread else place
    if room is None or room.kind is PlaceKind.CATEGORY:
        return False
    may = _permissions(guild, user_id, room)
    if not may & VIEW_CHANNEL or not may & READ_MESSAGE_HISTORY:
        return False
    if room.kind is PlaceKind.VOICE and not may & CONNECT:
        return False
    if place.kind is not PlaceKind.PRIVATE_THREAD:
        return True
    # Who is in it may not be known yet: then it is closed.
    return place.members is not None and (user_id in place.members or bool(may & MANAGE_THREADS))


def _permissions(guild: Imagined, user_id: int, room: Place) -> int:
    held = [GUILD, *guild.seats[user_id].role_ids]
    may = 0
    for role_id in held:
        may |= guild.roles[role_id].permissions if role_id in guild.roles else 0
    if user_id == guild.owner_id or may & ADMINISTRATOR:
        return ~0
    own = {one.target_id: one for one in room.overwrites}
    roles = [own[role_id] for role_id in held[1:] if role_id in own and role_id in guild.roles]
    for some in ([own[GUILD]] if GUILD in own else [], roles, [own[user_id]] if user_id in own else []):
        for one in some:
            may &= ~one.deny
        for one in some:
            may |= one.allow
    return may


def conversation(guild: Imagined, guild_id: int, rng: random.Random) -> list[Said]:
    """People talk, mention each other and roles, and reply; some of it is deleted, some is by bots."""
    said: list[Said] = []
    for number in range(MESSAGES):
        place = guild.places[rng.choice(sorted(guild.places.keys() - {CATEGORY}))]
        mentioned = [f"<@{rng.choice(PEOPLE)}>", f"<@!{rng.choice(PEOPLE)}>", f"<@&{rng.choice(ROLES)}>", "@everyone"]
        text = " ".join(["word", *rng.sample(mentioned, rng.randrange(3)), f"number {number}", rng.choice(("", "?"))])
        before = [one.message for one in said if one.message.channel_id == place.channel_id]
        at = NOON + timedelta(minutes=number)
        message = Message(
            guild_id,
            place.channel_id,
            last_id_of(at),
            rng.choice(PEOPLE),
            rng.choice((AuthorKind.PERSON,) * 5 + (AuthorKind.BOT,)),
            text,
            at,
            reply_to=rng.choice(before).message_id if before and rng.random() < 0.5 else None,
            parent_id=place.parent_id if place.is_thread else None,
        )
        said.append(Said(message, rng.random() < 0.1))
    return said


def is_for(one: Message, viewer: int, roles: tuple[int, ...], authors: dict[int, int]) -> bool:
    marks = [f"<@{viewer}>", f"<@!{viewer}>", *(f"<@&{role}>" for role in roles)]
    return any(mark in one.text for mark in marks) or authors.get(one.reply_to or 0) == viewer


@settings(max_examples=15, phases=[Phase.explicit, Phase.generate])
@given(guilds(), st.integers(0, 2**32))
async def test_mentions_and_replies_are_exact(database: Database, guild: Imagined, seed: int) -> None:
    if not guild.places.keys() - {CATEGORY}:
        return
    rng, guild_id, clock = random.Random(seed), next(GUILDS), SetClock(NOON + timedelta(hours=2))
    memory = MemoryManager(database, MemoryOptions(), clock, Health("bot", clock))
    await memory.people.meet_guild(Guild(guild_id, "Imagined"), [])
    silent = rng.choice(PEOPLE)
    await memory.privacy.opt_out(guild_id, silent)
    said = conversation(guild, guild_id, rng)
    for one in said:
        await memory.ingest_message(one.message)
    await memory.log.settled(guild_id)
    for one in said:
        if one.is_deleted:
            await memory.log.delete_messages(guild_id, one.message.channel_id, [one.message.message_id])
    await memory.log.settled(guild_id)
    kept = [one.message for one in said if not one.is_deleted and _is_stored(one.message, silent)]
    for seat in guild.seats.values():
        if not seat.is_bot:
            await _is_exact(memory, guild, seat, kept, (said[BOUNDARY].message, said[-5].message), rng)


async def _is_exact(
    memory: MemoryManager,
    guild: Imagined,
    seat: Seat,
    kept: list[Message],
    between: tuple[Message, Message],
    rng: random.Random,
) -> None:
    """Asked in a place that they can read, if there is one."""
    viewer, roles, (after, until) = seat.user_id, seat.role_ids, between
    readable = [channel_id for channel_id, one in guild.places.items() if reads(guild, viewer, one)]
    place = rng.choice(readable or sorted(guild.places.keys() - {CATEGORY}))
    audience = replace(guild.view().audience_for(viewer, place), guild_id=after.guild_id)
    boundary = Boundary(Since.TIME, after.sent_at, after.message_id)
    found = await memory.catch_ups.catch_up(audience, boundary, until.message_id, None, roles)
    is_open_place = guild.is_age_restricted(place)
    allowed = {one for one in readable if is_open_place or not guild.is_age_restricted(one)}
    if not readable:
        allowed = set(audience.sources)  # where one is not known to see the place, at most the place itself is told
        assert allowed <= {place}
    news = [
        one
        for one in kept
        if one.channel_id in allowed
        and after.message_id < one.message_id <= until.message_id
        and (one.author_kind, one.author_id == viewer) == (AuthorKind.PERSON, False)
    ]
    authors = {one.message_id: one.author_id for one in kept}
    expected = {one.message_id for one in news if is_for(one, viewer, roles, authors)}
    told = [line.sources[0].message_id for line in found.sections[Section.FOR_YOU]]
    assert sorted(told) == sorted(expected)
    assert found.talk.messages == len(news)
    everywhere = {one.message_id for section in Section for line in found.sections[section] for one in line.sources}
    assert everywhere <= {one.message_id for one in news}


def _is_stored(one: Message, silent: int) -> bool:
    return one.author_kind is AuthorKind.BOT or one.author_id != silent
