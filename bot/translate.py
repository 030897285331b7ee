"""From Discord's objects to the values of the house. Pure: what is not in the object is not asked for."""

from datetime import datetime

import discord

from memory.core.model import AuthorKind, Guild, Member, Message, MessageEdit

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


def to_edit(event: discord.RawMessageUpdateEvent) -> MessageEdit | None:
    """The new text of a message, or None where nobody edited it: an unfurled link, a pin, a started thread."""
    if event.guild_id is None or event.message.type not in _WRITTEN_BY_SOMEONE:
        return None
    stamp = event.data.get("edited_timestamp")
    text = event.data.get("content")
    if not stamp or text is None:
        return None
    edited_at = datetime.fromisoformat(stamp)
    if event.cached_message is not None and event.cached_message.edited_at == edited_at:
        return None
    return MessageEdit(
        guild_id=event.guild_id,
        channel_id=event.channel_id,
        message_id=event.message_id,
        text=text,
        edited_at=edited_at,
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
    )
