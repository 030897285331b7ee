"""What DiscordChatExporter's JSON means in the language of the house. Written for speed: an old guild has millions.

Kept as `bot.translate` keeps live messages, so that it makes no difference by which way a message came.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.core.model import Attachment, AuthorKind, MessageEdit
from memory.core.text import repair
from memory.importing.damage import Damage
from memory.importing.header import LARGEST_ID, Header
from memory.importing.mentions import with_ids
from memory.importing.message_array import Piece, place_of
from memory.store.bulk import RichArrival, oldest_of_each_author
from memory.store.copy_format import Arrival, Packed, pack
from memory.store.extras import written

# Everything else Discord writes by itself: joins, pins, calls, started threads. The numbers are those of answers to
# commands, for which the exporter has no name.
WRITTEN_BY_SOMEONE = frozenset(("Default", "Reply", "20", "23", "ChatInputCommand", "ContextMenuCommand"))
DISCORD_BEGAN = datetime(2015, 1, 1, tzinfo=UTC)
MANY_AUTHORS = 20_000
NOBODYS = (0, 0, 0, "", None)
"""Where only what comes with a text matters."""

LEFT_OUT = "If the file was changed by hand, export the channel again; the rest of it is imported."


@dataclass(slots=True)
class Translated:
    """A part of a file as values of the house."""

    plain: list[Arrival] = field(default_factory=list)
    """Text alone, as most messages are."""
    rich: list[RichArrival] = field(default_factory=list)
    """With files, embeds, stickers or a forwarded message."""
    packed: Packed | None = None
    """Instead of `plain`, once `pack` was called."""
    messages: int = 0
    """All of the part, also those that were left out."""
    passed_over: int = 0
    """Those that were not wanted."""
    system: int = 0
    """Written by Discord itself; they are not kept."""
    damages: list[Damage] = field(default_factory=list)
    """Messages are counted from the beginning of the part."""
    end: int = 0
    has_ended: bool = False
    """There is nothing behind this part."""

    def add(self, following: "Translated") -> None:
        self.plain += following.plain
        self.rich += following.rich
        self.damages += (damage.behind(self.messages) for damage in following.damages)
        self.messages += following.messages
        self.passed_over += following.passed_over
        self.system += following.system
        self.end = following.end

    def pack(self) -> None:
        """Make it ready to be sent to the process that stores it."""
        if self.plain:
            self.packed = pack(self.plain, oldest_of_each_author(self.plain))
            self.plain = []


class Translator:
    """From the objects of one file to messages of one channel."""

    def __init__(self, path: Path, header: Header, own_ids: frozenset[int]) -> None:
        self._path = path
        self._guild_id = header.guild_id
        self._channel_id = header.channel_id
        self._parent_id = header.parent_id
        self._own_ids = own_ids
        self._authors: dict[str, tuple[int, str]] = {}

    def translate(self, piece: Piece, wanted: Sequence[int] | None = None) -> Translated:
        """All of the piece, or the messages at the `wanted` positions."""
        result = Translated(messages=piece.next_index - 1, damages=[*piece.damages], end=piece.end)
        if wanted is not None:
            result.passed_over = len(piece.messages) - len(wanted)
        if len(self._authors) > MANY_AUTHORS:
            self._authors.clear()
        for position in range(len(piece.messages)) if wanted is None else wanted:
            message = piece.messages[position]
            try:
                if message["type"] not in WRITTEN_BY_SOMEONE:
                    result.system += 1
                elif _holds_more(message) and (extras := _extras(message)):
                    result.rich.append((*self._plain(message), extras))
                else:
                    result.plain.append(self._plain(message))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                result.damages.append(self._misfit(piece, position, error))
        return result

    def _misfit(self, piece: Piece, position: int, error: Exception) -> Damage:
        lack = f"no `{error.args[0]}`" if isinstance(error, KeyError) else "a value of an unexpected kind"
        what = f"It is not as the exporter writes it ({lack}) and was left out"
        return Damage(what, LEFT_OUT, place_of(self._path, piece, position), piece.index_of(position))

    def _plain(self, data: dict[str, Any]) -> Arrival:
        author = data["author"]
        author_id, author_kind = self._authors.get(author["id"]) or self._meet(
            author["id"], is_bot=bool(author.get("isBot")), is_numbered=author.get("discriminator") != "0000"
        )
        message_id = _id(data["id"])
        text: str = data["content"]
        mentions = data.get("mentions")
        if mentions and "@" in text:
            text = with_ids(text, mentions)
        sent, edited = data.get("timestamp"), data.get("timestampEdited")
        return (
            self._guild_id,
            self._channel_id,
            message_id,
            author_id,
            author_kind,
            # Most texts need no closer look.
            text if text.isascii() and "\0" not in text else repair(text),
            _moment(sent) if sent else said_at(message_id),
            _moment(edited) if edited else None,
            _answered(data) if data["type"] == "Reply" else None,
            self._parent_id,
        )

    def _meet(self, author: str, *, is_bot: bool, is_numbered: bool) -> tuple[int, str]:
        author_id = _id(author)
        kind = AuthorKind.PERSON
        if author_id in self._own_ids:
            kind = AuthorKind.SELF
        elif is_bot:
            # A bot has an account with a number behind its name; the name of a webhook has none.
            kind = AuthorKind.BOT if is_numbered else AuthorKind.WEBHOOK
        met = self._authors[author] = (author_id, kind.value)
        return met


def identified(piece: Piece) -> tuple[list[int], list[datetime | None]]:
    """The id and the last edit of each message, as far as they can be read; 0 is nobody's id."""
    ids: list[int] = []
    edits: list[datetime | None] = []
    for message in piece.messages:
        try:
            edited = message.get("timestampEdited")
            edits.append(_moment(edited) if edited else None)
            ids.append(_id(message["id"]))
        except (KeyError, TypeError, ValueError):
            del edits[len(ids) :]
            ids.append(0)
            edits.append(None)
    return ids, edits


def said_at(message_id: int) -> datetime:
    """Ids tell when they were given out."""
    return DISCORD_BEGAN + timedelta(milliseconds=message_id >> 22)


def _id(value: str) -> int:
    if not isinstance(value, str):
        raise TypeError
    number = int(value)
    if not 0 <= number <= LARGEST_ID:
        raise ValueError
    return number


def _moment(value: str) -> datetime:
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _answered(data: dict[str, Any]) -> int | None:
    """The message that a reply is to, unless it is gone. Forwards and pins refer to one too, but answer nothing."""
    message_id = (data.get("reference") or {}).get("messageId")
    return _id(message_id) if message_id else None


def _holds_more(data: dict[str, Any]) -> bool:
    return bool(data["attachments"] or data["embeds"] or data.get("stickers") or data.get("forwardedMessage"))


def _extras(data: dict[str, Any]) -> str | None:
    files = tuple(Attachment(name, size=size) for name, size in _files(data))
    return written(
        MessageEdit(
            *NOBODYS, attachments=files, embeds=_embeds(data), forwarded=_forwarded(data), stickers=_stickers(data)
        )
    )


def _files(data: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple((str(file["fileName"]), int(file.get("fileSizeBytes") or 0)) for file in data.get("attachments") or ())


def _embeds(data: dict[str, Any]) -> tuple[str, ...]:
    return tuple(text for embed in data.get("embeds") or () if (text := _embed_text(embed)))


def _embed_text(embed: dict[str, Any]) -> str:
    author, footer = embed.get("author") or {}, embed.get("footer") or {}
    fields = (line for field in embed.get("fields") or () for line in (field.get("name"), field.get("value")))
    return _lines((author.get("name"), embed.get("title"), embed.get("description"), *fields, footer.get("text")))


def _stickers(data: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(sticker["name"]) for sticker in data.get("stickers") or ())


def _forwarded(data: dict[str, Any]) -> tuple[str, ...]:
    snapshot = data.get("forwardedMessage")
    if not snapshot:
        return ()
    files = (name for name, _ in _files(snapshot))
    text = _lines((snapshot.get("content"), *_embeds(snapshot), *files, *_stickers(snapshot)))
    return (text,) if text else ()


def _lines(parts: Iterable[str | None]) -> str:
    return "\n".join(part for part in parts if part)
