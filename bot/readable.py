"""The kinds of places that hold messages."""

from typing import TypeAlias

import discord

Readable: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
