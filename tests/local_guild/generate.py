"""Worlds of any size for tests and benchmarks: guilds, rooms open, gated and private, people, days of chat."""

import random
from datetime import timedelta

from pydantic import BaseModel, Field

from local_guild.state.describe import Builder
from local_guild.state.ids import Clock, Snowflakes
from local_guild.state.messages import Message
from local_guild.state.world import Channel, Guild, Role, User, World
from local_guild.testing.firehose import remark

MOST = 0.9


class WorldPlan(BaseModel):
    guilds: int = Field(default=1, ge=1)
    members: int = Field(default=20, ge=1, description="people in each guild")
    public_channels: int = Field(default=3, ge=0)
    gated_channels: int = Field(default=2, ge=0, description="closed to @everyone, open to most by a role")
    private_channels: int = Field(default=1, ge=0, description="each open to a handful of people")
    messages: int = Field(default=0, ge=0, description="in each guild, over its channels")
    days: int = Field(default=7, ge=1, description="the days up to now over which the messages are spread")
    seed: int = 0


def generate(plan: WorldPlan, clock: Clock) -> World:
    """The same plan at the same time gives the same world, ids and tokens included."""
    rng = random.Random(plan.seed)
    now = clock.now()
    builder = Builder(clock, rng, now - timedelta(days=plan.days + 30))
    builder.application("Innkeeper")
    for number in range(plan.guilds):
        people = [builder.user(f"guest-{number}-{n}") for n in range(plan.members)]
        guild = builder.guild(f"Inn {number}", people[0])
        _furnish(builder, guild, people, plan, rng)
    ids = Snowflakes(clock, first_low=rng.getrandbits(20))
    for guild in builder.world.guilds.values():
        _fill(builder.world, guild, plan, rng, ids, clock)
    return builder.world


def _furnish(builder: Builder, guild: Guild, people: list[User], plan: WorldPlan, rng: random.Random) -> None:
    regular = builder.role(guild, "Regular")
    for person in people[1:]:
        builder.member(guild, person, [regular] if rng.random() < MOST else [])
    bot = builder.world.bot
    for n in range(plan.public_channels):
        builder.channel(guild, f"open-{n}")
    for n in range(plan.gated_channels):
        builder.channel(guild, f"gated-{n}", only=[regular, bot])
    for n in range(plan.private_channels):
        handful: list[Role | User] = [*rng.sample(people, min(5, len(people))), bot]
        builder.channel(guild, f"private-{n}", only=handful)


def _fill(world: World, guild: Guild, plan: WorldPlan, rng: random.Random, ids: Snowflakes, clock: Clock) -> None:
    channels = list(world.channels_of(guild.id))
    speakers = {channel.id: _speakers(world, guild, channel) for channel in channels}
    channels = [channel for channel in channels if speakers[channel.id]]
    if not channels or not plan.messages:
        return
    start = clock.now() - timedelta(days=plan.days)
    span = plan.days * 86_400_000
    for offset in sorted(rng.randrange(span) for _ in range(plan.messages)):
        channel = rng.choice(channels)
        message_id = ids.next(start + timedelta(milliseconds=offset))
        author_id = rng.choice(speakers[channel.id])
        world.keep(Message(message_id, channel.id, author_id, remark(rng)))


def _speakers(world: World, guild: Guild, channel: Channel) -> list[int]:
    """People who may see the channel by the overwrites this file gives: all, a role's, or the named."""
    people = [m for m in world.members(guild.id).values() if not world.users[m.user_id].bot]
    if guild.id not in channel.overwrites:
        return [member.user_id for member in people]
    return [
        member.user_id
        for member in people
        if member.user_id in channel.overwrites or any(role_id in channel.overwrites for role_id in member.role_ids)
    ]
