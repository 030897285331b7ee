"""From Discord's objects to the values of the house. Pure: what is not in the object is not asked for."""

import discord

from bot.contents import attachments_of, embeds_of, forwarded_in, poll_of, stickers_of
from memory.core.values import Answered, AuthorKind, Guild, Member, Message, MessageEdit

# Everything else Discord writes by itself: joins, pins, boosts, thread starters, results of polls.
_WRITTEN_BY_SOMEONE = frozenset(
    (
        discord.MessageType.default,
        discord.MessageType.reply,
        discord.MessageType.chat_input_command,
        discord.MessageType.context_menu_command,
    )
)


def to_message(message: discord.Message, self_id: int) -> Message | None:
    """The message as the log keeps it; None for what is not kept: direct messages, system and ephemeral ones."""
    if message.guild is None or message.type not in _WRITTEN_BY_SOMEONE or message.flags.ephemeral:
        return None
    return Message(
        guild_id=message.guild.id,
        channel_id=message.channel.id,
        message_id=message.id,
        author_id=message.author.id,
        author_kind=author_kind(message, self_id),
        text=message.content,
        sent_at=message.created_at,
        edited_at=message.edited_at,
        reply_to=reply_to(message),
        parent_id=parent_id(message),
        attachments=attachments_of(message) if message.attachments else (),
        embeds=embeds_of(message) if message.embeds else (),
        poll=poll_of(message),
        forwarded=forwarded_in(message) if message.message_snapshots else (),
        stickers=stickers_of(message) if message.stickers else (),
        answers=answered(message, self_id),
    )


def author_kind(message: discord.Message, self_id: int) -> AuthorKind:
    if message.author.id == self_id:
        return AuthorKind.SELF
    # The answer of another bot to a slash command travels as a webhook of its application.
    if message.webhook_id is not None and message.webhook_id != message.application_id:
        return AuthorKind.WEBHOOK
    return AuthorKind.BOT if message.author.bot else AuthorKind.PERSON


def reply_to(message: discord.Message) -> int | None:
    """A forward and a pin refer to a message too, but answer nothing."""
    if message.type is not discord.MessageType.reply or message.reference is None:
        return None
    return message.reference.message_id


def answered(message: discord.Message, self_id: int) -> Answered | None:
    """Whom we reply to, which Discord says with every message; other bots know who speaks to them."""
    if message.author.id != self_id or reply_to(message) is None or message.reference is None:
        return None
    resolved = message.reference.resolved
    if not isinstance(resolved, discord.Message) or resolved.author.bot:
        return None
    return Answered(resolved.author.id, resolved.id)


def parent_id(message: discord.Message) -> int | None:
    """The channel that a thread belongs to."""
    return message.channel.parent_id if isinstance(message.channel, discord.Thread) else None


def to_edit(event: discord.RawMessageUpdateEvent, self_id: int) -> MessageEdit | None:
    """What a message holds now. Without an edit time nobody edited it: its links were looked up, or it was pinned.

    A payload without the words tells nothing of what was edited, and the message is left as it is. Of a thread that we
    do not know it is not known either which channel it belongs to, and so not whether it may be kept: without an author
    it counts only for a message that is stored.
    """
    message = event.message
    if message.guild is None or message.type not in _WRITTEN_BY_SOMEONE:
        return None
    if message.flags.ephemeral or "content" not in event.data:
        return None
    return MessageEdit(
        guild_id=message.guild.id,
        channel_id=event.channel_id,
        message_id=event.message_id,
        text=message.content,
        edited_at=message.edited_at,
        author_id=None if isinstance(message.channel, discord.PartialMessageable) else message.author.id,
        author_kind=author_kind(message, self_id),
        parent_id=parent_id(message),
        attachments=attachments_of(message),
        embeds=embeds_of(message),
        poll=poll_of(message),
        forwarded=forwarded_in(message),
        stickers=stickers_of(message),
        answers=answered(message, self_id),
    )


def to_guild(guild: discord.Guild) -> Guild:
    return Guild(guild_id=guild.id, name=guild.name)


def to_member(member: discord.Member) -> Member:
    return Member(
        guild_id=member.guild.id,
        user_id=member.id,
        username=member.name,
        global_name=member.global_name,
        nickname=member.nick,
        is_bot=member.bot,
        roles=tuple(sorted(role.id for role in member.roles if not role.is_default())),
    )
