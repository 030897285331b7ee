"""What the bot asks Discord to tell it, and what is lost where Discord does not grant it."""

from enum import StrEnum

import discord


class Privileged(StrEnum):
    """Intents that have to be switched on in the developer portal, by discord.py's name for them."""

    MESSAGE_CONTENT = "message_content"
    MEMBERS = "members"


LABEL: dict[Privileged, str] = {
    Privileged.MESSAGE_CONTENT: "Message Content Intent",
    Privileged.MEMBERS: "Server Members Intent",
}
LOST: dict[Privileged, str] = {
    Privileged.MESSAGE_CONTENT: (
        "the text of messages is hidden from the bot, except where it is mentioned or replied to: "
        "it answers there, and can remember little else"
    ),
    Privileged.MEMBERS: (
        "there are no member lists, so nobody can tell who reads a channel: a public reply draws only from the channel "
        "it stands in, there is no hall, and only /ask draws from all that the asker may read; people are known by "
        "name only after they have written, and it is not noticed when someone leaves or is renamed"
    ),
}
REMEDY = "Switch on {label} in the developer portal (your application, Bot, Privileged Gateway Intents), then restart."


def wanted(without: frozenset[Privileged] = frozenset()) -> discord.Intents:
    return discord.Intents(
        guilds=True,
        guild_messages=True,
        dm_messages=True,
        message_content=Privileged.MESSAGE_CONTENT not in without,
        members=Privileged.MEMBERS not in without,
    )


def not_granted(flags: discord.ApplicationFlags) -> frozenset[Privileged]:
    """By what the application says of itself: granted for verified bots, or switched on for small ones."""
    granted: set[Privileged] = set()
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        granted.add(Privileged.MESSAGE_CONTENT)
    if flags.gateway_guild_members or flags.gateway_guild_members_limited:
        granted.add(Privileged.MEMBERS)
    return frozenset(Privileged) - granted
