"""The reader of what answers an interaction so that nobody else sees it."""

import discord

from memory.manager import MemoryManager
from memory.places.view import Audience


def sole_reader(memory: MemoryManager, interaction: discord.Interaction) -> Audience:
    """What they can read now. Where Discord tells of no role changes, the interaction brings their roles."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise ValueError("what is remembered is asked for in a guild")
    role_ids = None
    if not memory.seeing.view(interaction.guild_id).is_open and isinstance(interaction.user, discord.Member):
        role_ids = [role.id for role in interaction.user.roles if not role.is_default()]
    return memory.audience_for(interaction.guild_id, interaction.channel_id, interaction.user.id, role_ids)


def knows_who_reads(reader: Audience) -> bool:
    """Where it is not known who sees what, nothing but the place itself could be shown, and that would look like all
    there is."""
    return reader.version > 0
