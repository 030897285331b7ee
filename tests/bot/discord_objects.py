"""Discord's own payloads, read by discord.py as it would read them from the gateway."""

import math
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import discord
from discord.state import ConnectionState

from memory.db.database import Database
from memory.shards import ALL, LeaseTimes, ShardLease, ShardLeaseStore

GUILD, EVERYONE, MUTED = 1000, 1000, 1001
HALL, CELLAR = 2000, 2001
INNKEEPER, ANNA = 3000, 3001
VIEW, READ_BACK, SEND = 1 << 10, 1 << 16, 1 << 11

Payload = dict[str, Any]


def lease_in(database: Database) -> ShardLease:
    """For a client that signs in nowhere: of all shards, and for as long as it lives."""
    times = LeaseTimes(hold=math.inf)
    return ShardLease(ShardLeaseStore(database), ALL, uuid4(), began=0.0, times=times)


def role(role_id: int, name: str, permissions: int) -> Payload:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions),
        "position": role_id - GUILD,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
    }


def denial(target: int, permissions: int, *, of_member: bool = False) -> Payload:
    return {"id": str(target), "type": int(of_member), "allow": "0", "deny": str(permissions)}


def channel(
    channel_id: int, *, overwrites: Sequence[Payload] = (), kind: int = 0, age_restricted: bool = False
) -> Payload:
    return {
        "id": str(channel_id),
        "type": kind,
        "name": f"channel-{channel_id}",
        "position": 0,
        "permission_overwrites": list(overwrites),
        "nsfw": age_restricted,
        "parent_id": None,
    }


def thread(thread_id: int, parent: int, *, private: bool = False) -> Payload:
    return {
        "id": str(thread_id),
        "type": 12 if private else 11,
        "guild_id": str(GUILD),
        "parent_id": str(parent),
        "owner_id": str(ANNA),
        "name": "a thread",
        "message_count": 0,
        "member_count": 1,
        "thread_metadata": {
            "archived": False,
            "auto_archive_duration": 60,
            "archive_timestamp": "2026-01-01T00:00:00+00:00",
            "locked": False,
        },
    }


def user(user_id: int, name: str, *, bot: bool = False) -> Payload:
    return {"id": str(user_id), "username": name, "discriminator": "0", "avatar": None, "global_name": None, "bot": bot}


def guild(
    channels: Sequence[Payload],
    *,
    threads: Sequence[Payload] = (),
    everyone: int = VIEW | READ_BACK | SEND,
    known_to: "ConnectionState[Any] | None" = None,
    **changes: Any,  # noqa: ANN401 - the fields of a payload
) -> discord.Guild:
    data: Any = {
        "id": str(GUILD),
        "name": "The Inn",
        "owner_id": str(ANNA),
        "roles": [role(EVERYONE, "@everyone", everyone), role(MUTED, "muted", 0)],
        "channels": list(channels),
        "threads": list(threads),
        "members": [],
        "member_count": 2,
        "emojis": [],
        "stickers": [],
        "features": [],
        "preferred_locale": "en-US",
        **changes,
    }
    return discord.Guild(data=data, state=known_to or connection())


def connection() -> "ConnectionState[discord.Client]":
    return discord.Client(intents=discord.Intents.all())._connection


def message(place: discord.Guild, **changes: Any) -> discord.Message:  # noqa: ANN401 - the fields of a payload
    text_channel = place.get_channel_or_thread(HALL)
    assert isinstance(text_channel, discord.TextChannel)
    data: Any = message_payload(**changes)
    return discord.Message(state=place._state, channel=text_channel, data=data)


def message_payload(**changes: Any) -> Payload:  # noqa: ANN401 - the fields of a payload
    return {
        "id": "5000",
        "type": 0,
        "channel_id": str(HALL),
        "guild_id": str(GUILD),
        "author": user(ANNA, "anna"),
        "content": "hello <@3000>",
        "timestamp": "2026-01-01T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        **changes,
    }
