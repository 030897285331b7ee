"""What is said of a time zone that nobody knows."""

from collections.abc import Sequence

import discord

from bot.notices.notice import Notice
from bot.phrases import Voice

MOST_NAMED = 5
LONGEST_ECHO = 60


def zone_objection(typed: str, near: Sequence[str], voice: Voice) -> str:
    """With those that may have been meant, or else how to find one."""
    echo = " ".join(typed.split())[:LONGEST_ECHO]
    safe = discord.utils.escape_mentions(discord.utils.escape_markdown(echo))
    said = [voice.say(Notice.ZONE_UNKNOWN, typed=safe)]
    if near:
        said.append(voice.say(Notice.ZONE_NEAR, zones=", ".join(f"`{zone}`" for zone in near[:MOST_NAMED])))
    else:
        said.append(voice.say(Notice.ZONE_HINT))
    return " ".join(said)
