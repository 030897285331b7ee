"""Makes many guilds on one database, as large as guilds are: a few talk most, and most talk little.

The local guild has their channels and members; their past is copied into the log, and the indexer itself makes the
index of it. Yesterday everybody talked, so that a night has something to tell.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ai_clients.build import Models
from benchmarks.local_guild_process import LocalGuildProcess
from benchmarks.talkative_guild import TalkativeGuild
from memory.core.clock import SystemClock
from memory.core.values import Guild, Member, last_id_of
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.people.store import MemberStore
from memory.settings import MemoryOptions

PAST_DAYS = 200
YESTERDAY = 6
"""Messages of each guild."""
PER_CONVERSATION = 20
LOAD_SECONDS = 3_600.0
_COLUMNS = ["guild_id", "message_id", "channel_id", "author_id", "author_kind", "text", "sent_at"]


@dataclass(frozen=True, slots=True)
class OneGuild:
    guild_id: int
    channels: list[int]
    people: dict[int, str]
    """Members with their tokens."""
    messages: int


def sizes(guilds: int, messages: int) -> list[int]:
    """Share out the messages: the second guild talks half as much as the first, the third a third as much."""
    whole = sum(1 / (rank + 1) for rank in range(guilds))
    return [round(messages / (rank + 1) / whole) for rank in range(guilds)]


async def move_in(local: LocalGuildProcess, guilds: int, messages: int) -> list[OneGuild]:
    """Make the guilds one after the other: Discord tells shards apart by the moment in which a guild was made."""
    made = {}
    for number, size in enumerate(sizes(guilds, messages)):
        members, channels = min(6 + size // 400, 40), min(3 + size // 2_000, 15)
        text = {
            "name": f"Inn number {number}",
            "owner": "host",
            "members": [{"name": "host"}, *({"name": f"guest-{one}"} for one in range(members))],
            "channels": [{"name": f"room-{one}"} for one in range(channels)],
        }
        added = (await local.http.post("/local/world", json={"guilds": [text]})).raise_for_status().json()
        made[int(added["guilds"][0])] = size
    world = (await local.http.get("/local/world")).json()
    return [
        OneGuild(
            int(one["id"]),
            [int(channel["id"]) for channel in one["channels"] if channel["type"] == 0],
            {int(member["id"]): member["token"] for member in one["members"] if member.get("token")},
            made[int(one["id"])],
        )
        for one in world["guilds"]
        if int(one["id"]) in made
    ]


async def fill(database: Database, guilds: Sequence[OneGuild], models: Models) -> None:
    """Fill the log by copying, the index by the indexer of every day."""
    clock, talk = SystemClock(), TalkativeGuild(0)
    manager = MemoryManager(database, MemoryOptions(), clock, Health("filling", clock), models)
    for guild in guilds:
        await manager.people.meet_guild(Guild(guild.guild_id, "An inn"), [])
        await MemberStore(database).meet(
            [Member(guild.guild_id, one, TalkativeGuild.name(number)) for number, one in enumerate(guild.people, 1)]
        )
        async with database.transaction("benchmark.log") as connection:
            await connection.copy_records_to_table(
                "chat_history", records=_past(guild, talk, clock.now()), columns=_COLUMNS, timeout=LOAD_SECONDS
            )
    async with database.connection("benchmark.vacuum") as connection:
        await connection.execute("VACUUM ANALYZE chat_history", timeout=LOAD_SECONDS)
    await manager.indexer.catch_up()
    await manager.indexer.stop()
    async with database.connection("benchmark.vacuum") as connection:
        await connection.execute("VACUUM ANALYZE", timeout=LOAD_SECONDS)


def _past(guild: OneGuild, talk: TalkativeGuild, now: datetime) -> Iterator[tuple[object, ...]]:
    chance = random.Random(guild.messages)
    people, midnight = list(guild.people), now.replace(hour=0, minute=0, second=0, microsecond=0)
    conversations = max(guild.messages // PER_CONVERSATION, 1)
    moments = sorted(
        midnight - timedelta(days=chance.uniform(2, PAST_DAYS)) + timedelta(seconds=30 * place)
        for _ in range(conversations)
        for place in range(PER_CONVERSATION)
    )[: guild.messages]
    moments += [midnight - timedelta(hours=6) + timedelta(minutes=number) for number in range(YESTERDAY)]
    for number, moment in enumerate(moments):
        channel = guild.channels[number // PER_CONVERSATION % len(guild.channels)]
        text = " ".join(talk.say(chance.randint(3, 20), chance))
        yield (
            guild.guild_id,
            last_id_of(moment) - number % 4_000,
            channel,
            chance.choice(people),
            "person",
            text,
            moment,
        )
