"""Reads the JSON files of DiscordChatExporter: message by message, so that a file of any size takes little memory.

A message becomes what `bot.translate` makes of a live one, so that it makes no difference by which way it came.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import ijson
from ijson.backends import yajl2_c  # by name: the others are slow, or no match for a hostile file

from memory.core.values import Attachment, AuthorKind, Message, time_of
from memory.language.text import is_word_character

# Mentions as the log keeps them. Exports show people by name; only ids are identity.


def with_ids(text: str, mentioned: Sequence[object]) -> str:
    """Write `@Name` as `<@id>`, for those the message mentions and whose name means one of them alone."""
    ids = _ids_by_name(mentioned)
    # The longest first, so that Anna Maria is not taken for Anna.
    names = sorted(ids, key=len, reverse=True)
    parts: list[str] = []
    done = 0
    place = text.find("@")
    while place >= 0:
        name = _name_at(text, place, names)
        if name:
            parts += (text[done:place], f"<@{ids[name]}>")
            done = place + 1 + len(name)
        place = text.find("@", max(done, place + 1))
    return "".join((*parts, text[done:]))


def _name_at(text: str, sign: int, names: Iterable[str]) -> str | None:
    """Find the name behind an @ that stands by itself: neither in a mail address nor in a longer name."""
    if sign and is_word_character(text[sign - 1]):
        return None
    for name in names:
        end = sign + 1 + len(name)
        if text.startswith(name, sign + 1) and not (end < len(text) and is_word_character(text[end])):
            return name
    return None


def _ids_by_name(mentioned: Sequence[object]) -> dict[str, str]:
    """Find whom each name means. Shown is the name in the guild; older exports show the account's, which gives way."""
    ids: dict[str, str] = {}
    for kind in ("name", "nickname"):
        found: dict[str, set[str]] = {}
        for person in mentioned:
            user_id, name = (person.get("id"), person.get(kind)) if isinstance(person, dict) else (None, None)
            if isinstance(user_id, str) and user_id.isdecimal() and isinstance(name, str) and name:
                found.setdefault(name, set()).add(user_id)
        ids |= {name: users.pop() if len(users) == 1 else "" for name, users in found.items()}
    return {name: user_id for name, user_id in ids.items() if user_id}


PART = 4 << 10
"""Bytes parsed at a time. A place in a file is known to that extent."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

THREADS = frozenset(("GuildPublicThread", "GuildPrivateThread", "GuildNewsThread"))
# Everything else Discord writes by itself: joins, pins, calls, started threads. The numbers are those of answers to
# commands, for which the exporter has no name.
WRITTEN_BY_SOMEONE = frozenset(("Default", "Reply", "20", "23", "ChatInputCommand", "ContextMenuCommand"))
LARGEST_ID = (1 << 63) - 1
LONGEST_NAME = 100
MOST_MENTIONS = 200
"""More do not fit into a message of Discord; the names of all are looked for behind each @."""

NO_EXPORT = "This is not JSON as DiscordChatExporter writes it. Export the channel with the format JSON."
AGAIN = "Export this channel again and import the new file; what is there already stays as it is."
LEFT_OUT = "If the file was changed by hand, export the channel again; the rest of it is imported."


@dataclass(frozen=True, slots=True)
class Place:
    """Says where in a file something is, or at most `PART` bytes before it."""

    line: int = 1
    byte: int = 0


@dataclass(frozen=True, slots=True)
class Damage:
    """Describes what is wrong with a file: what, where, and what to do. Never what anybody wrote in it."""

    what: str
    remedy: str
    place: Place
    number: int | None = None
    """Which message, counted from 1; None where it is not about a message."""


class UnusableExport(Exception):
    """Says that this file cannot be imported at all."""

    def __init__(self, what: str, remedy: str, place: Place | None = None) -> None:
        super().__init__(what)
        self.damage = Damage(what, remedy, place or Place())


@dataclass(frozen=True, slots=True)
class Header:
    """Holds what an export says about itself."""

    guild_id: int
    guild_name: str
    channel_id: int
    parent_id: int | None
    """The channel that a thread belongs to; a category is not a parent."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Holds one entry of the file's messages, or the damage that ends them."""

    message: Message | None
    """None: Discord wrote it itself, or it is damaged."""
    damage: Damage | None
    read_to: int
    """Bytes of the file."""


class _Broken(Exception):
    """Says that the file cannot be read any further."""


class _File:
    """Finds values in a file, one after the other."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.place = Place()
        self.read_to = 0

    def values(self, prefix: str) -> Iterator[Any]:
        """Find all values of the file under that name. Raises `_Broken` where it cannot go on."""
        found = ijson.sendable_list()
        parser = yajl2_c.items_coro(found, prefix, use_float=True)
        lines = 0
        is_whole = True
        while part := self._file.read(PART):
            self.place = Place(self.place.line + lines, self.read_to)
            lines = part.count(b"\n")
            self.read_to += len(part)
            try:
                parser.send(part.removeprefix(BYTE_ORDER_MARK) if self.place.byte == 0 else part)
            except (ijson.JSONError, ValueError):
                is_whole = False  # from here on; what was found before can be read
            yield from found
            found.clear()
            if not is_whole:
                raise _Broken("It is not valid JSON")
        try:
            parser.close()
        except (ijson.JSONError, ValueError):
            raise _Broken("The file ends in the middle of it") from None


def read_header(path: Path) -> Header:
    """Read the header, and no further than guild and channel, which stand before the messages."""
    found: dict[str, dict[str, Any]] = {}
    for name in ("guild", "channel"):
        with path.open("rb") as opened:
            file = _File(opened)
            try:
                value = next(file.values(name), None)
            except _Broken as broken:
                raise UnusableExport(str(broken), NO_EXPORT, file.place) from None
        if not isinstance(value, dict):
            raise UnusableExport(f"There is no `{name}` in this file", NO_EXPORT, file.place)
        found[name] = value
    return _header(found["guild"], found["channel"], file.place)


def _header(guild: dict[str, Any], channel: dict[str, Any], place: Place) -> Header:
    guild_id, channel_id = snowflake(guild.get("id")), snowflake(channel.get("id"))
    if guild_id == 0:
        raise UnusableExport(
            "This is a conversation of direct messages, which no guild may read",
            "Export channels of a guild; Innkeeper keeps no direct messages.",
        )
    if guild_id is None or channel_id is None:
        what = f"The `{'guild' if guild_id is None else 'channel'}` of this file has no id"
        raise UnusableExport(what, NO_EXPORT, place)
    parent_id = snowflake(channel.get("categoryId")) if str(channel.get("type")) in THREADS else None
    return Header(guild_id, str(guild.get("name") or guild_id)[:LONGEST_NAME], channel_id, parent_id)


def read_messages(path: Path, header: Header, own_ids: frozenset[int]) -> Iterator[Exported]:
    """Read all entries of the file in order; `own_ids` are the accounts that Innkeeper speaks or has spoken by."""
    number = 1
    with path.open("rb") as opened:
        file = _File(opened)
        try:
            for value in file.values("messages.item"):
                yield _exported(value, number, file, header, own_ids)
                number += 1
        except _Broken as broken:
            damage = Damage(f"{broken}; all before it is imported", AGAIN, file.place, number)
            yield Exported(None, damage, file.read_to)


def _exported(value: Any, number: int, file: _File, header: Header, own_ids: frozenset[int]) -> Exported:  # noqa: ANN401 - any JSON
    try:
        message = _message(value, header, own_ids)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        lack = f"no `{error.args[0]}`" if isinstance(error, KeyError) else "a value of an unexpected kind"
        what = f"It is not as the exporter writes it ({lack}) and was left out"
        return Exported(None, Damage(what, LEFT_OUT, file.place, number), file.read_to)
    return Exported(message, None, file.read_to)


def _message(data: dict[str, Any], header: Header, own_ids: frozenset[int]) -> Message | None:
    """Read a message as exported; None if Discord wrote it itself."""
    kind = data["type"]
    if kind not in WRITTEN_BY_SOMEONE:
        return None
    message_id, text, author = _id(data["id"]), data["content"], data["author"]
    if not isinstance(text, str):
        raise TypeError
    if "@" in text and (mentions := data.get("mentions")):
        text = with_ids(text, mentions[:MOST_MENTIONS])
    sent, edited = data.get("timestamp"), data.get("timestampEdited")
    author_id = _id(author["id"])
    return Message(
        header.guild_id,
        header.channel_id,
        message_id,
        author_id,
        _kind_of(author, author_id, own_ids),
        text,
        _moment(sent) if sent else time_of(message_id),
        _moment(edited) if edited else None,
        _answered(data) if kind == "Reply" else None,
        header.parent_id,
        attachments=tuple(Attachment(name, size=size) for name, size in _files(data)),
        embeds=_embeds(data),
        forwarded=_forwarded(data),
        stickers=_stickers(data),
    )


def _kind_of(author: dict[str, Any], author_id: int, own_ids: frozenset[int]) -> AuthorKind:
    if author_id in own_ids:
        return AuthorKind.SELF
    if not author.get("isBot"):
        return AuthorKind.PERSON
    # A bot has an account with a number behind its name; the name of a webhook has none.
    return AuthorKind.WEBHOOK if author.get("discriminator") == "0000" else AuthorKind.BOT


def snowflake(value: object) -> int | None:
    """Read an id as exports write it, which is a string; None for what cannot be one."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 20:
        number = int(value)
        return number if number <= LARGEST_ID else None
    return None


def _id(value: object) -> int:
    number = snowflake(value)
    if number is None:
        raise ValueError
    return number


def _moment(value: str) -> datetime:
    moment = datetime.fromisoformat(value)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _answered(data: dict[str, Any]) -> int | None:
    """Find the message that a reply is to, unless it is gone. Forwards and pins refer to one too, but answer none."""
    message_id = (data.get("reference") or {}).get("messageId")
    return _id(message_id) if message_id else None


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
