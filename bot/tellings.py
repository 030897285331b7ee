"""What somebody wants remembered or forgotten, from the ways in which they can say so."""

import re

import discord

from memory.core.addressing import Addressed, Intent
from memory.core.loose_telling import words_to_forget, words_to_keep
from memory.core.model import AuthorKind, Message, Telling

Interaction = discord.Interaction[discord.Client]

THIS = "this"
# People go on with the sentence that the name of the command begins.
_THAT = re.compile(r"^\s*(?:that|dass|daß|que|что)\b[\s,:]+(?=\S)", re.IGNORECASE)


def telling_in(stored: Message, addressed: Addressed, about: Message | None, *, is_manager: bool) -> Telling:
    """In a message, `about` being the one that it replies to."""
    return Telling(
        guild_id=stored.guild_id,
        channel_id=stored.channel_id,
        message_id=stored.message_id,
        teller_id=stored.author_id,
        body=_body(addressed, about),
        told_at=stored.sent_at,
        about=about,
        is_manager=is_manager,
        asks_first=addressed.is_guess,
        everywhere=addressed.everywhere,
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
        is_manager=interaction.permissions.manage_guild,
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


def manages(author: discord.User | discord.Member) -> bool:
    return isinstance(author, discord.Member) and author.guild_permissions.manage_guild
