"""What DiscordChatExporter's JSON means in the language of the house. Written for speed: an old guild has millions.

Kept as `bot.translate` keeps live messages, so that it makes no difference by which way a message came.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.core.model import Attachment, AuthorKind
from memory.core.text import repair
from memory.importing.damage import Damage
from memory.importing.header import LARGEST_ID, Header
from memory.importing.mentions import with_ids
from memory.importing.message_array import Piece, place_of
from memory.store.copy_format import Packed, Packer
from memory.store.extras import written_parts

# Everything else Discord writes by itself: joins, pins, calls, started threads. The numbers are those of answers to
# commands, for which the exporter has no name.
WRITTEN_BY_SOMEONE = frozenset(("Default", "Reply", "20", "23", "ChatInputCommand", "ContextMenuCommand"))
DISCORD_BEGAN = datetime(2015, 1, 1, tzinfo=UTC)
MANY_AUTHORS = 20_000

LEFT_OUT = "If the file was changed by hand, export the channel again; the rest of it is imported."


@dataclass(frozen=True, slots=True)
class Translated:
    """A part of a file as values of the house."""

    packed: Packed | None
    """What is to be stored; None if it is nothing."""
    messages: int
    """All of the part, also those that were left out."""
    passed_over: int
    """Those that were not wanted."""
    system: int
    """Written by Discord itself; they are not kept."""
    damages: list[Damage]
    """Messages are counted from the beginning of the part."""
    end: int
    has_ended: bool
    """There is nothing behind this part."""


class Translator:
    """From the objects of one file to messages of one channel: takes pieces, and gives what it took as one part."""

    def __init__(self, path: Path, header: Header, own_ids: frozenset[int]) -> None:
        self._path = path
        self._place = (header.guild_id, header.channel_id, header.parent_id)
        self._own_ids = own_ids
        self._authors: dict[str, tuple[int, AuthorKind]] = {}
        self._begin(0)

    def _begin(self, end: int) -> None:
        self._packer = Packer(*self._place)
        self._damages: list[Damage] = []
        self._messages = self._passed_over = self._system = 0
        self._end = end

    def take(self, piece: Piece, wanted: Sequence[int] | None = None) -> None:
        """All of the piece, or the messages at the `wanted` positions."""
        damages = [*piece.damages]
        if wanted is not None:
            self._passed_over += len(piece.messages) - len(wanted)
        if len(self._authors) > MANY_AUTHORS:
            self._authors.clear()
        for position in range(len(piece.messages)) if wanted is None else wanted:
            try:
                self._pack(piece.messages[position])
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                damages.append(self._misfit(piece, position, error))
        self._damages += (damage.behind(self._messages) for damage in damages)
        self._messages += piece.next_index - 1
        self._end = piece.end

    def translated(self, *, has_ended: bool) -> Translated:
        """What was taken since the last time."""
        counts = (self._messages, self._passed_over, self._system)
        part = Translated(self._packer.packed(), *counts, self._damages, self._end, has_ended)
        self._begin(self._end)
        return part

    def _misfit(self, piece: Piece, position: int, error: Exception) -> Damage:
        lack = f"no `{error.args[0]}`" if isinstance(error, KeyError) else "a value of an unexpected kind"
        what = f"It is not as the exporter writes it ({lack}) and was left out"
        return Damage(what, LEFT_OUT, place_of(self._path, piece, position), piece.index_of(position))

    def _pack(self, data: dict[str, Any]) -> None:
        kind = data["type"]
        if kind not in WRITTEN_BY_SOMEONE:
            self._system += 1
            return
        author = data["author"]
        met = self._authors.get(author["id"]) or self._meet(author)
        message_id = _id(data["id"])
        text: str = data["content"]
        if "@" in text and (mentions := data.get("mentions")):
            text = with_ids(text, mentions)
        sent, edited = data.get("timestamp"), data.get("timestampEdited")
        has_more = data["attachments"] or data["embeds"] or data.get("stickers") or data.get("forwardedMessage")
        self._packer.add(
            message_id,
            met,
            # Most texts need no closer look.
            text if text.isascii() and "\0" not in text else repair(text),
            _moment(sent) if sent else said_at(message_id),
            _moment(edited) if edited else None,
            _answered(data) if kind == "Reply" else None,
            _extras(data) if has_more else None,
        )

    def _meet(self, author: dict[str, Any]) -> tuple[int, AuthorKind]:
        author_id = _id(author["id"])
        kind = AuthorKind.PERSON
        if author_id in self._own_ids:
            kind = AuthorKind.SELF
        elif author.get("isBot"):
            # A bot has an account with a number behind its name; the name of a webhook has none.
            kind = AuthorKind.WEBHOOK if author.get("discriminator") == "0000" else AuthorKind.BOT
        met = self._authors[author["id"]] = (author_id, kind)
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


def _extras(data: dict[str, Any]) -> bytes | None:
    return written_parts(
        attachments=[Attachment(name, size=size) for name, size in _files(data)],
        embeds=_embeds(data),
        forwarded=_forwarded(data),
        stickers=_stickers(data),
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
