"""Guilds as hypothesis imagines them: roles, doors with every kind of overwrite, threads, people coming and going."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis import strategies as st

from memory.places.model import (
    ADMINISTRATOR,
    CONNECT,
    MANAGE_THREADS,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    Overwrite,
    Place,
    PlaceKind,
    Role,
    Seat,
)
from memory.places.view import GuildView

Thing = TypeVar("Thing")

GUILD = 1000
ROLES = range(1001, 1005)
PEOPLE = range(3001, 3007)
FORGOTTEN_ROLE, STRANGER = 1999, 3999
SEND_MESSAGES = 1 << 11

TEXT, VOICE, CATEGORY, NEWS, NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM, MEDIA = (
    *(0, 2, 4, 5, 10, 11, 12),
    *(13, 15, 16),
)
CHANNELS = {2000: TEXT, 2001: TEXT, 2002: VOICE, 2003: FORUM, 2004: STAGE, 2005: NEWS, 2006: CATEGORY, 2007: MEDIA}
THREADS = {2500: PUBLIC_THREAD, 2501: PRIVATE_THREAD, 2502: PRIVATE_THREAD, 2503: PUBLIC_THREAD, 2504: NEWS_THREAD}
TYPES = CHANNELS | THREADS
"""What Discord calls the kind of each place; an id keeps it for good."""
_WITH_THREADS = (2000, 2001, 2003)
_KINDS = {
    VOICE: PlaceKind.VOICE,
    STAGE: PlaceKind.VOICE,
    CATEGORY: PlaceKind.CATEGORY,
    PUBLIC_THREAD: PlaceKind.THREAD,
    NEWS_THREAD: PlaceKind.THREAD,
    PRIVATE_THREAD: PlaceKind.PRIVATE_THREAD,
}


@dataclass
class Guild:
    """What is the case, for whoever computes who sees what."""

    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    seats: dict[int, Seat] = field(default_factory=dict)
    timed_out: frozenset[int] = frozenset()
    hall_role_id: int | None = None

    def view(self) -> GuildView:
        """As it looks from scratch."""
        view = GuildView(GUILD)
        view.owner(self.owner_id)
        view.hall_role(self.hall_role_id)
        for role in self.roles.values():
            view.role(role)
        for place in self.places.values():
            view.place(place)
        for seat in self.seats.values():
            view.seat(seat)
        view.open()
        return view

    def is_age_restricted(self, channel_id: int) -> bool:
        place = self.places[channel_id]
        if not place.is_thread:
            return place.age_restricted
        return place.parent_id not in self.places or self.places[place.parent_id].age_restricted


Change = Callable[[Guild, GuildView], None]
"""One thing that Discord reports, done to what is the case and told to the view."""

_BITS = (VIEW_CHANNEL, READ_MESSAGE_HISTORY, CONNECT, MANAGE_THREADS, SEND_MESSAGES)
_OPEN = VIEW_CHANNEL | READ_MESSAGE_HISTORY | CONNECT
_TARGETS = (
    *((role_id, True) for role_id in (GUILD, *ROLES, FORGOTTEN_ROLE)),
    *((user_id, False) for user_id in (*PEOPLE, STRANGER)),
)


def _some_of(things: Sequence[Thing]) -> st.SearchStrategy[tuple[Thing, ...]]:
    """Drawn as one number, which is many times faster than a set."""
    return st.integers(0, (1 << len(things)) - 1).map(
        lambda mask: tuple(thing for index, thing in enumerate(things) if mask >> index & 1)
    )


permissions = _some_of(_BITS).map(sum)
guild_permissions = st.one_of(
    *(st.just(_OPEN), permissions, permissions, permissions, permissions),
    permissions.map(lambda some: some | ADMINISTRATOR),
)


overwrites = st.lists(
    st.builds(lambda target, *bits: Overwrite(*target, *bits), st.sampled_from(_TARGETS), permissions, permissions),
    unique_by=lambda overwrite: overwrite.target_id,
    max_size=6,
).map(tuple)
memberships = st.none() | _some_of((*PEOPLE, STRANGER)).map(frozenset)


def roles(role_id: int) -> st.SearchStrategy[Role]:
    return st.builds(Role, st.just(role_id), guild_permissions)


def places(channel_id: int) -> st.SearchStrategy[Place]:
    kind = _KINDS.get(TYPES[channel_id], PlaceKind.CHANNEL)
    if channel_id in CHANNELS:
        parents = st.none() if kind is PlaceKind.CATEGORY else st.sampled_from((None, 2006))
        return st.builds(Place, st.just(channel_id), st.just(kind), parents, overwrites, st.booleans())
    parents = st.just(2005) if TYPES[channel_id] == NEWS_THREAD else st.sampled_from(_WITH_THREADS)
    members = memberships if kind is PlaceKind.PRIVATE_THREAD else st.none()
    return st.builds(Place, st.just(channel_id), st.just(kind), parents, members=members)


def seats(user_id: int) -> st.SearchStrategy[Seat]:
    return st.builds(Seat, st.just(user_id), _some_of(ROLES), st.integers(0, 4).map(lambda luck: luck == 4))


_ALL_ROLES = {role_id: roles(role_id) for role_id in (GUILD, *ROLES)}
_ALL_PLACES = {channel_id: places(channel_id) for channel_id in TYPES}
_ALL_SEATS = {user_id: seats(user_id) for user_id in PEOPLE}


@st.composite
def guilds(draw: st.DrawFn) -> Guild:
    missing = draw(_some_of((*ROLES, *TYPES, *PEOPLE))) if draw(st.booleans()) else ()
    return Guild(
        draw(st.sampled_from(PEOPLE)),
        {role_id: draw(some) for role_id, some in _ALL_ROLES.items() if role_id not in missing},
        {channel_id: draw(some) for channel_id, some in _ALL_PLACES.items() if channel_id not in missing},
        {user_id: draw(some) for user_id, some in _ALL_SEATS.items() if user_id not in missing},
        frozenset(draw(_some_of(PEOPLE))),
        draw(st.sampled_from((None, GUILD, *ROLES))),
    )


def _reported(told_by: str, note: Callable[[Guild, Any], object]) -> Callable[[Any], Change]:
    """Something of which the view is told by this name."""

    def of(what: Any) -> Change:  # noqa: ANN401 - a role, a place, a seat, or the id of one
        def change(guild: Guild, view: GuildView) -> None:
            note(guild, what)
            getattr(view, told_by)(what)

        return change

    return of


changes: st.SearchStrategy[Change] = st.one_of(
    st.one_of(*_ALL_ROLES.values()).map(_reported("role", lambda guild, one: guild.roles.update({one.role_id: one}))),
    st.one_of(*_ALL_PLACES.values()).map(
        _reported("place", lambda guild, one: guild.places.update({one.channel_id: one}))
    ),
    st.one_of(*_ALL_SEATS.values()).map(_reported("seat", lambda guild, one: guild.seats.update({one.user_id: one}))),
    st.sampled_from(ROLES).map(_reported("no_role", lambda guild, key: guild.roles.pop(key, None))),
    st.sampled_from(sorted(TYPES)).map(_reported("no_place", lambda guild, key: guild.places.pop(key, None))),
    st.sampled_from(PEOPLE).map(_reported("no_seat", lambda guild, key: guild.seats.pop(key, None))),
    st.sampled_from(PEOPLE).map(_reported("owner", lambda guild, who: setattr(guild, "owner_id", who))),
    st.sampled_from((None, GUILD, *ROLES)).map(
        _reported("hall_role", lambda guild, role: setattr(guild, "hall_role_id", role))
    ),
)
