"""What somebody wants remembered or forgotten, from the ways in which they can say so."""

import re

import discord

from memory.commands.addressing import Addressed
from memory.core.values import AuthorKind, Intent, Message, Rank, Telling
from memory.facts.statement import words_to_forget, words_to_keep

Interaction = discord.Interaction[discord.Client]

THIS = "this"
# People go on with the sentence that the name of the command begins.
_THAT = re.compile(r"^\s*(?:that|dass|daß|que|что)\b[\s,:]+(?=\S)", re.IGNORECASE)


def telling_in(
    stored: Message, addressed: Addressed, about: Message | None, *, rank: Rank, may_be_done: bool = False
) -> Telling:
    """In a message, `about` being the one that it replies to."""
    return Telling(
        guild_id=stored.guild_id,
        channel_id=stored.channel_id,
        message_id=stored.message_id,
        teller_id=stored.author_id,
        body=_body(addressed, about),
        told_at=stored.sent_at,
        about=about,
        rank=rank,
        asks_first=addressed.is_guess,
        everywhere=addressed.everywhere,
        may_be_done=may_be_done,
    )


def telling_by(
    interaction: Interaction,
    text: str,
    *,
    read: Addressed | None = None,
    about: Message | None = None,
    everywhere: bool = False,
) -> Telling:
    """By a command; `read` is how its words would be read in a channel. It stands at the moment of the interaction."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise ValueError("what is to be remembered is told in a guild")
    # Some write the whole sentence all the same: "/remember Bot remember that …".
    whole = read if read is not None and read.intent in (Intent.REMEMBER, Intent.FORGET) else None
    return Telling(
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id,
        message_id=interaction.id,
        teller_id=interaction.user.id,
        body=_THAT.sub("", text, count=1) if whole is None else whole.body,
        told_at=interaction.created_at,
        about=about,
        rank=rank_in(interaction),
        language=None if read is None else read.language,
        everywhere=everywhere or (whole is not None and whole.everywhere),
        by_command=True,
    )


def _body(addressed: Addressed, about: Message | None) -> str:
    """What follows the verb; where there is none, the sentence itself."""
    if not addressed.is_guess:
        return addressed.body
    if addressed.intent is Intent.FORGET:
        return words_to_forget(addressed.body)
    of_somebody = about is not None and about.author_kind is not AuthorKind.SELF
    return words_to_keep(addressed.body, answers_a_message=of_somebody)


def rank_in(interaction: Interaction) -> Rank:
    """Of the one who used it. Discord says what they may where they used it, also where roles are not known yet."""
    here = Rank.MANAGER if interaction.permissions.manage_guild else Rank.MEMBER
    return max(here, rank_of(interaction.user))


def rank_of(author: discord.User | discord.Member) -> Rank:
    """By what they may on the whole guild: who keeps order in one channel alone may not do so in the memory of all."""
    if not isinstance(author, discord.Member):
        return Rank.MEMBER
    if author.id == author.guild.owner_id:
        return Rank.OWNER
    permissions = author.guild_permissions
    if permissions.manage_guild:
        return Rank.MANAGER
    return Rank.MODERATOR if permissions.manage_messages else Rank.MEMBER
