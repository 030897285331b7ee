"""The worlds to start in: the default one of a newcomer's first hour, or one described in a file."""

import random
import secrets
from datetime import timedelta

from local_guild.building import Builder
from local_guild.permissions import Permission
from local_guild.snowflake import Clock
from local_guild.world import World

KEEPER_PERMISSIONS = int(
    Permission.MANAGE_GUILD
    | Permission.MANAGE_CHANNELS
    | Permission.MANAGE_ROLES
    | Permission.MANAGE_MESSAGES
    | Permission.MANAGE_THREADS
    | Permission.KICK_MEMBERS
    | Permission.MANAGE_NICKNAMES
)


def default_world(clock: Clock) -> World:
    """One guild with two public channels and a private one, four members (Maren runs it), and the bot."""
    builder = Builder(clock, random.Random(secrets.randbits(128)), clock.now() - timedelta(days=30))
    builder.application("Innkeeper")
    maren = builder.user("maren", display_name="Maren")
    others = [builder.user(name.lower(), display_name=name) for name in ("Tom", "Aylin", "Jonas")]
    guild = builder.guild("The Lantern Inn", maren)
    keeper = builder.role(guild, "Keeper", KEEPER_PERMISSIONS)
    builder.world.members(guild.id)[maren.id].role_ids.append(keeper.id)
    cellar = builder.role(guild, "Cellar")
    tom, aylin, jonas = others
    builder.member(guild, tom, [cellar])
    builder.member(guild, aylin)
    builder.member(guild, jonas)
    general = builder.channel(guild, "general", topic="Whatever is on your mind")
    builder.channel(guild, "kitchen-table", topic="Food, plans, who brings what")
    builder.channel(guild, "back-room", only=[cellar, keeper, builder.world.bot], topic="Not for the hall")
    guild.system_channel_id = general.id
    builder.world.keep(guild)
    return builder.world
