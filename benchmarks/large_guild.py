"""Makes a guild of the size that the bars are set for: what it looks like to us, and to discord.py."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import discord

from memory.places.model import (
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

GUILD, OWNER = 1_000, 100_000
MEMBERS, CHANNELS, ROLES, THREADS = 10_000, 300, 60, 600
READ = VIEW_CHANNEL | READ_MESSAGE_HISTORY | CONNECT
FIRST_CHANNEL, FIRST_THREAD = 10_000, 20_000


@dataclass(frozen=True, slots=True)
class LargeGuild:
    roles: list[Role]
    places: list[Place]
    seats: list[Seat]

    def view(self) -> GuildView:
        view = GuildView(GUILD)
        view.owner(OWNER)
        for role in self.roles:
            view.role(role)
        for place in self.places:
            view.place(place)
        for seat in self.seats:
            view.seat(seat)
        view.open()
        return view

    def of_discord(self) -> discord.Guild:
        data: Any = {
            "id": str(GUILD),
            "name": "A large guild",
            "owner_id": str(OWNER),
            "roles": [_role(role) for role in self.roles],
            "channels": [_channel(place) for place in self.places if not place.is_thread],
            "members": [_member(seat) for seat in self.seats],
            "member_count": len(self.seats),
        }
        return discord.Guild(data=data, state=discord.Client(intents=discord.Intents.all())._connection)


def large_guild(seed: int = 5) -> LargeGuild:
    """Make a guild. Half of the channels are open to all; the others to some roles and people, and shut to some."""
    chance = random.Random(seed)
    role_ids = range(GUILD + 1, GUILD + 1 + ROLES)
    user_ids = range(OWNER, OWNER + MEMBERS)
    roles = [Role(GUILD, READ), *(Role(role_id, chance.choice((0, READ, MANAGE_THREADS))) for role_id in role_ids)]
    places = [
        Place(channel_id, PlaceKind.CHANNEL, None, _doors(chance, role_ids, user_ids))
        for channel_id in range(FIRST_CHANNEL, FIRST_CHANNEL + CHANNELS)
    ]
    for thread_id in range(FIRST_THREAD, FIRST_THREAD + THREADS):
        parent = chance.choice(places[:CHANNELS]).channel_id
        private = thread_id % 3 == 0
        members = frozenset(chance.sample(user_ids, 8)) if private else None
        kind = PlaceKind.PRIVATE_THREAD if private else PlaceKind.THREAD
        places.append(Place(thread_id, kind, parent, members=members))
    seats = [Seat(user_id, tuple(chance.sample(role_ids, chance.randint(2, 6)))) for user_id in user_ids]
    return LargeGuild(roles, places, seats)


def _doors(chance: random.Random, role_ids: range, user_ids: range) -> tuple[Overwrite, ...]:
    if chance.random() < 0.5:
        return ()
    opened = (Overwrite(role_id, True, READ, 0) for role_id in chance.sample(role_ids, 5))
    shut = (Overwrite(user_id, False, 0, VIEW_CHANNEL) for user_id in chance.sample(user_ids, 3))
    return (Overwrite(GUILD, True, 0, VIEW_CHANNEL), *opened, *shut)


def _role(role: Role) -> dict[str, object]:
    return {
        "id": str(role.role_id),
        "name": f"role-{role.role_id}",
        "permissions": str(role.permissions),
        "position": role.role_id - GUILD,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
    }


def _channel(place: Place) -> dict[str, object]:
    return {
        "id": str(place.channel_id),
        "type": 0,
        "name": f"channel-{place.channel_id}",
        "position": 0,
        "parent_id": None,
        "nsfw": False,
        "permission_overwrites": [
            {
                "id": str(overwrite.target_id),
                "type": 0 if overwrite.is_role else 1,
                "allow": str(overwrite.allow),
                "deny": str(overwrite.deny),
            }
            for overwrite in place.overwrites
        ],
    }


def _member(seat: Seat) -> dict[str, object]:
    return {
        "user": {
            "id": str(seat.user_id),
            "username": f"member-{seat.user_id}",
            "discriminator": "0",
            "avatar": None,
            "global_name": None,
        },
        "roles": [str(role_id) for role_id in seat.role_ids],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
    }
