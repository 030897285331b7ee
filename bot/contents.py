"""What a message holds besides its own words: files, embeds, a poll, forwarded messages, stickers, as text."""

from collections.abc import Iterable

import discord

from memory.core.values import Attachment


def attachments_of(message: discord.Message | discord.MessageSnapshot) -> tuple[Attachment, ...]:
    """Names and kinds only; the files themselves stay with Discord."""
    return tuple(
        Attachment(name=file.filename, content_type=file.content_type, size=file.size, description=file.description)
        for file in message.attachments
    )


def embeds_of(message: discord.Message | discord.MessageSnapshot) -> tuple[str, ...]:
    """The text of each embed that has any, in the order in which Discord shows its parts."""
    return tuple(text for embed in message.embeds if (text := _embed_text(embed)))


def poll_of(message: discord.Message) -> str | None:
    """The question, and below it the answers to choose from."""
    if message.poll is None:
        return None
    return _lines([message.poll.question, *(f"- {answer.text}" for answer in message.poll.answers)]) or None


def forwarded_in(message: discord.Message) -> tuple[str, ...]:
    """Each forwarded message as text: its words, and what it held besides."""
    return tuple(text for snapshot in message.message_snapshots if (text := _snapshot_text(snapshot)))


def stickers_of(message: discord.Message) -> tuple[str, ...]:
    return tuple(sticker.name for sticker in message.stickers)


def _embed_text(embed: discord.Embed) -> str:
    fields = (line for field in embed.fields for line in (field.name, field.value))
    return _lines([embed.author.name, embed.title, embed.description, *fields, embed.footer.text])


def _snapshot_text(snapshot: discord.MessageSnapshot) -> str:
    files = (line for file in snapshot.attachments for line in (file.filename, file.description))
    stickers = (sticker.name for sticker in snapshot.stickers)
    return _lines([snapshot.content, *embeds_of(snapshot), *files, *stickers])


def _lines(parts: Iterable[str | None]) -> str:
    return "\n".join(part for part in parts if part)
