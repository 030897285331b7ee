"""Turns Discord's objects into the values of the house. Pure: what is not in the object is not asked for."""

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

import discord

from memory.commands.addressing import Addressed, address
from memory.commands.phrases import shrunk
from memory.core.values import (
    LONGEST_SPEAKER,
    Answered,
    Attachment,
    AuthorKind,
    Member,
    Message,
    MessageEdit,
)
from memory.language.text import fold, repair

if TYPE_CHECKING:
    from discord.types.message import Message as Payload


# What a message holds besides its own words: files, embeds, a poll, forwarded messages, stickers, as text.


def attachments_of(message: discord.Message) -> tuple[Attachment, ...]:
    """Read what Discord says of the files; what is in them is read later (`bot.shared_files`)."""
    return tuple(
        Attachment(
            name=file.filename,
            content_type=file.content_type,
            size=file.size,
            description=file.description,
            attachment_id=file.id,
            seconds=file.duration,
        )
        for file in message.attachments
    )


def embeds_of(message: discord.Message | discord.MessageSnapshot) -> tuple[str, ...]:
    """Read the text of each embed that has any, in the order in which Discord shows its parts."""
    return tuple(text for embed in message.embeds if (text := _embed_text(embed)))


def poll_of(message: discord.Message) -> str | None:
    """Read a poll: the question, and below it the answers to choose from; when it is over, with each one's votes."""
    if message.poll is None:
        return None
    is_over = message.poll.is_finalised()
    answers = (f"- {answer.text}" + (f" ({answer.vote_count})" if is_over else "") for answer in message.poll.answers)
    return _lines([message.poll.question, *answers]) or None


def thread_of(message: discord.Message) -> str | None:
    """Read the title and tags of a thread that a message begins, where its author made it: the words are theirs."""
    in_thread = isinstance(message.channel, discord.Thread) and message.channel.id == message.id
    thread = message.channel if in_thread else message.thread
    if not isinstance(thread, discord.Thread) or thread.owner_id != message.author.id:
        return None
    return title_of(thread)


def title_of(thread: discord.Thread) -> str:
    return " ".join([thread.name, *(f"[{tag.name}]" for tag in thread.applied_tags)])


def reactions_of(message: discord.Message) -> int:
    """Count the reactions to a message, without our own signs."""
    return sum(one.count - one.me for one in message.reactions)


def text_of(message: discord.Message) -> str:
    """Read the words of a message; of a card, what stands on it."""
    # discord.py leaves them out where Discord does.
    return message.content or _lines(_texts(getattr(message, "components", ())))


def _texts(components: Sequence[object]) -> Iterator[str]:
    for one in components:
        if isinstance(one, discord.components.TextDisplay):
            yield one.content
        elif isinstance(one, discord.components.Container | discord.components.SectionComponent):
            yield from _texts(one.children)


def _embed_text(embed: discord.Embed) -> str:
    fields = (line for field in embed.fields for line in (field.name, field.value))
    return _lines([embed.author.name, embed.title, embed.description, *fields, embed.footer.text])


def _snapshot_text(snapshot: discord.MessageSnapshot) -> str:
    files = (line for file in snapshot.attachments for line in (file.filename, file.description))
    stickers = (sticker.name for sticker in snapshot.stickers)
    return _lines([snapshot.content, *embeds_of(snapshot), *files, *stickers])


def _lines(parts: Iterable[str | None]) -> str:
    return "\n".join(part for part in parts if part)


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
    """Read a message as the log keeps it; None for what is not kept: direct, system and ephemeral messages."""
    if message.guild is None or message.type not in _WRITTEN_BY_SOMEONE or message.flags.ephemeral:
        return None
    return Message(
        guild_id=message.guild.id,
        channel_id=message.channel.id,
        message_id=message.id,
        author_id=message.author.id,
        author_kind=author_kind(message, self_id),
        text=text_of(message),
        sent_at=message.created_at,
        edited_at=message.edited_at,
        reply_to=reply_to(message),
        parent_id=message.channel.parent_id if isinstance(message.channel, discord.Thread) else None,
        attachments=attachments_of(message) if message.attachments else (),
        embeds=embeds_of(message) if message.embeds else (),
        poll=poll_of(message),
        forwarded=tuple(filter(None, map(_snapshot_text, message.message_snapshots))),
        stickers=tuple(sticker.name for sticker in message.stickers),
        thread=thread_of(message),
        answers=answered(message, self_id),
        speaker=speaker(message.author.name) if author_kind(message, self_id) is AuthorKind.WEBHOOK else None,
    )


def speaker(name: str) -> str:
    """Clean the name that a webhook bears for a message; whoever has the webhook may write anything there."""
    return repair(name)[:LONGEST_SPEAKER]


def author_kind(message: discord.Message, self_id: int) -> AuthorKind:
    if message.author.id == self_id:
        return AuthorKind.SELF
    # The answer of another bot to a slash command travels as a webhook of its application.
    if message.webhook_id is not None and message.webhook_id != message.application_id:
        return AuthorKind.WEBHOOK
    return AuthorKind.BOT if message.author.bot else AuthorKind.PERSON


def reply_to(message: discord.Message) -> int | None:
    """Find which message this one answers; a forward and a pin refer to one too, but answer nothing."""
    if message.type is not discord.MessageType.reply or message.reference is None:
        return None
    return message.reference.message_id


def answered(message: discord.Message, self_id: int) -> Answered | None:
    """Find whom we reply to, which Discord says with every message; other bots know who speaks to them."""
    if message.author.id != self_id or reply_to(message) is None or message.reference is None:
        return None
    resolved = message.reference.resolved
    if not isinstance(resolved, discord.Message) or resolved.author.bot:
        return None
    return Answered(resolved.author.id, resolved.id)


def to_edit(event: discord.RawMessageUpdateEvent, self_id: int) -> MessageEdit | None:
    """Read what a message holds now. Without an edit time nobody edited it: its links were looked up, or it was pinned.

    A payload without the words tells nothing of what was edited, and the message is left as it is. Of a thread that we
    do not know it is not known either which channel it belongs to, and so not whether it may be kept: it counts
    only for a message that is stored.
    """
    now = edit_of(event.message, self_id)
    return None if now is None or "content" not in event.data else now


def edit_of(message: discord.Message, self_id: int) -> MessageEdit | None:
    """Make an edit of all that a message holds."""
    now = to_message(message, self_id)
    if now is None:
        return None
    return MessageEdit(now, place_is_known=not isinstance(message.channel, discord.PartialMessageable))


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


# The kinds of places that hold messages.


PAGE = 100
"""Discord's most for one answer."""


@dataclass(frozen=True, slots=True)
class Page:
    """Holds a stretch of a channel's history, oldest first. Ids count what the log does not keep, too."""

    messages: tuple[Message, ...]
    ids: tuple[int, ...]
    replies_to_us: frozenset[int] = frozenset()
    has_pins: bool = False
    """Something was pinned meanwhile, perhaps a message that is not in it."""

    @property
    def is_full(self) -> bool:
        """Say whether there may be more behind the page."""
        return len(self.ids) >= PAGE


Readable: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread


# Whether a message is for us, however it reaches us: every message passes here, and nearly none is.
#
# A quick look comes first. It may only ever err on the side of listening; `memory.commands.addressing` decides.


_NO_LETTERS = string.punctuation + string.whitespace + "¿¡"
_LONGEST_START = 48
"""Characters at the beginning of a text among which a name with repeated letters is looked for."""


class AddressCheck:
    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        typed = [name.split()[0].lower() for name in names]
        heads = dict.fromkeys([*typed, *(fold(head, keep_accents=True) for head in typed)])
        self._heads = tuple(heads) if all(map(str.isalnum, typed)) and not any(" " in head for head in heads) else None
        self._initials = tuple(head[:1] for head in heads)
        self._longest = max(map(len, heads))

    def may_be_addressed(self, text: str) -> bool:
        """Say whether a message may be for us, by name or mention; a reply to us is another matter."""
        if self._heads is None or "<@" in text:
            return True
        # Behind code, quotes and links the author's own words may begin anywhere.
        if "`" in text or "> " in text or "://" in text:
            return True
        own = text.lstrip(_NO_LETTERS)
        head = own[: self._longest]
        if not head.isascii() or head.lower().startswith(self._heads):
            return True
        # "Hey Bot …", "… . Bot remember …" and "…, Bot".
        said = own.lower()
        if any(head in said for head in self._heads):
            return True
        if not said.startswith(self._initials):
            return False
        start = said[:_LONGEST_START]
        return not start.isascii() or shrunk(start).startswith(self._heads)  # "Booot …"

    def addressed(self, text: str, guild: discord.Guild, self_id: int, *, reply_to_us: bool) -> Addressed | None:
        if not reply_to_us and not self.may_be_addressed(text):
            return None
        return self._read(text, self_id, guild.self_role, reply_to_us=reply_to_us)

    def _read(self, text: str, self_id: int, ours: discord.Role | None, *, reply_to_us: bool) -> Addressed | None:
        role_ids = () if ours is None else (ours.id,)
        return address(text, names=self._names, bot_id=self_id, bot_role_ids=role_ids, reply_to_us=reply_to_us)

    def in_command(self, text: str, interaction: discord.Interaction) -> Addressed | None:
        """Read a command's words as in a channel: they are for us, with or without our name."""
        ours = None if interaction.guild is None else interaction.guild.self_role
        return self._read(text, interaction.application_id, ours, reply_to_us=True)

    def listened_to(self, page: Page, place: Readable, away_until: datetime | None = None) -> list[Message]:
        """List a page's messages, with what each wants of us; unanswered is what was said while we were away."""
        return [self._listened_to(message, page, place, away_until) for message in page.messages]

    def _listened_to(self, message: Message, page: Page, place: Readable, away_until: datetime | None) -> Message:
        if message.author_kind is not AuthorKind.PERSON:
            return message
        reply_to_us = message.message_id in page.replies_to_us
        addressed = self.addressed(message.text, place.guild, place.guild.me.id, reply_to_us=reply_to_us)
        if addressed is None:
            return message
        is_unanswered = away_until is not None and message.sent_at < away_until
        return replace(message, wish=addressed.intent, is_unanswered=is_unanswered)


# A message of plain words, straight from Discord's payload.
#
# Most messages are that, and making discord.py's own object of each costs more than everything else that is done with
# them. What is not plain takes the long way, so that `bot.translate` stays the only one to read it. A test holds the
# two against each other.


STUMBLES = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What discord.py raises over a payload that it does not understand, such as a poll without an end."""

_PLAIN, _REPLY = 0, 19
_WRITTEN_TYPES = (_PLAIN, _REPLY, 20, 23)
_EPHEMERAL = 1 << 6
_NOT_PLAIN = (
    "flags",
    "attachments",
    "embeds",
    "poll",
    "message_snapshots",
    "sticker_items",
    "webhook_id",
    "application_id",
    "thread",
)


def is_plain(payload: Mapping[str, object]) -> bool:
    if payload["type"] not in (_PLAIN, _REPLY):
        return False
    for name in _NOT_PLAIN:  # noqa: SIM110 - every message passes here, and a generator costs as much as the looking
        if payload.get(name):
            return False
    return True


def words_of(payload: "Payload", place: Readable, self_id: int) -> Message | None:
    """Read all of a plain message; of any other what it says. None for what nobody wrote."""
    if payload["type"] not in _WRITTEN_TYPES or payload.get("flags", 0) & _EPHEMERAL:
        return None
    message_id, author = int(payload["id"]), payload["author"]
    author_id = int(author["id"])
    kind = AuthorKind.BOT if author.get("bot") else AuthorKind.PERSON
    if payload.get("webhook_id") not in (None, payload.get("application_id")):
        kind = AuthorKind.WEBHOOK
    return Message(
        guild_id=place.guild.id,
        channel_id=place.id,
        message_id=message_id,
        author_id=author_id,
        author_kind=AuthorKind.SELF if author_id == self_id else kind,
        text=payload["content"],
        sent_at=discord.utils.snowflake_time(message_id),
        edited_at=discord.utils.parse_time(payload.get("edited_timestamp")),
        reply_to=_reply_to(payload),
        parent_id=place.parent_id if isinstance(place, discord.Thread) else None,
        pinned=bool(payload.get("pinned")),
        reactions=sum(one["count"] - one["me"] for one in payload.get("reactions", ())),
        answers=_answered(payload) if author_id == self_id else None,
        speaker=speaker(author["username"]) if kind is AuthorKind.WEBHOOK else None,
    )


def replies_to(payload: "Payload", user_id: int) -> bool:
    """Say whether a message answers something of theirs, which Discord sends along."""
    replied_to = payload.get("referenced_message")
    return False if not replied_to else int(replied_to["author"]["id"]) == user_id


def _answered(payload: "Payload") -> Answered | None:
    replied_to = payload.get("referenced_message")
    if not replied_to or _reply_to(payload) is None or replied_to["author"].get("bot"):
        return None
    return Answered(int(replied_to["author"]["id"]), int(replied_to["id"]))


def _reply_to(payload: "Payload") -> int | None:
    reference = payload.get("message_reference") if payload["type"] == _REPLY else None
    message_id = reference.get("message_id") if reference else None
    return None if message_id is None else int(message_id)
