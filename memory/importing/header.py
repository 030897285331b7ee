"""What an export says about itself: of which guild and channel it is, and where its messages begin."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import orjson

from memory.importing.damage import Damage, UnusableExport
from memory.importing.json_pieces import end_of_value, skip_space
from memory.importing.message_array import MessageArray

BLOCK = 1 << 16
LARGEST_VALUE = 4 << 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
THREADS = frozenset(("GuildPublicThread", "GuildPrivateThread", "GuildNewsThread"))
LARGEST_ID = (1 << 63) - 1

NO_EXPORT = "This is not JSON as DiscordChatExporter writes it. Export the channel with the format JSON."


@dataclass(frozen=True, slots=True)
class Header:
    guild_id: int
    guild_name: str
    channel_id: int
    parent_id: int | None
    """The channel that a thread belongs to; a category is not a parent."""
    messages_at: int
    """The place just behind the opening bracket of the messages."""


def read_header(path: Path) -> Header:
    """Reads no further than the messages, unless guild or channel are told only behind them."""
    with path.open("rb") as file:
        return _TopLevel(file).header()


class _TopLevel:
    """Goes through the keys of the outermost object; their order is not ours to expect."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._buffer = b""
        self._offset = 0
        self._place = 0
        self._found: dict[str, object] = {}
        self._messages_at: int | None = None

    def header(self) -> Header:
        if self._next() == BYTE_ORDER_MARK[0] and self._startswith(BYTE_ORDER_MARK):
            self._place += len(BYTE_ORDER_MARK)
        self._expect(b"{")
        while not self._is_complete() and self._next() != ord("}"):
            key = self._value()
            self._expect(b":")
            if key == "messages" and self._next() == ord("["):
                self._pass_messages()
            elif isinstance(key, str):
                self._found[key] = self._value()
            else:
                raise self._unusable("A name was expected here")
            if self._is_complete():
                break
            if self._next() == ord(","):
                self._place += 1
        return self._result()

    def _is_complete(self) -> bool:
        return self._messages_at is not None and {"guild", "channel"} <= self._found.keys()

    def _pass_messages(self) -> None:
        self._messages_at = self._offset + self._place + 1
        if self._is_complete():
            return
        array = MessageArray(self._file, self._messages_at)
        while array.read() is not None:
            pass
        self._file.seek(array.offset)
        self._buffer, self._offset, self._place = b"", array.offset, 0

    def _result(self) -> Header:
        guild, channel = self._found.get("guild"), self._found.get("channel")
        if not isinstance(guild, dict) or not isinstance(channel, dict) or self._messages_at is None:
            present = {"guild": isinstance(guild, dict), "channel": isinstance(channel, dict), "messages": False}
            missing = next(name for name, is_there in present.items() if not is_there)
            raise self._unusable(f"There is no `{missing}` in this file")
        guild_id, channel_id = snowflake(guild.get("id")), snowflake(channel.get("id"))
        if guild_id == 0:
            raise UnusableExport(
                Damage(
                    "This is a conversation of direct messages, which no guild may read",
                    "Export channels of a guild; Innkeeper keeps no direct messages.",
                    0,
                )
            )
        if guild_id is None or channel_id is None:
            raise self._unusable(f"The `{'guild' if guild_id is None else 'channel'}` of this file has no id")
        is_thread = channel.get("type") in THREADS
        return Header(
            guild_id=guild_id,
            guild_name=str(guild.get("name") or guild_id),
            channel_id=channel_id,
            parent_id=snowflake(channel.get("categoryId")) if is_thread else None,
            messages_at=self._messages_at,
        )

    def _next(self) -> int:
        """The next byte that is not space; it is not used up."""
        while True:
            self._place = skip_space(self._buffer, self._place)
            if self._place < len(self._buffer):
                return self._buffer[self._place]
            if not self._fill():
                raise self._unusable("The file ends here, before its messages")

    def _expect(self, sign: bytes) -> None:
        if self._next() != sign[0]:
            raise self._unusable(f"`{sign.decode()}` was expected here")
        self._place += 1

    def _value(self) -> object:
        self._next()
        while (end := end_of_value(self._buffer, self._place)) is None:
            if len(self._buffer) - self._place > LARGEST_VALUE or not self._fill():
                raise self._unusable("What begins here does not end")
        try:
            value: object = orjson.loads(self._buffer[self._place : end])
        except orjson.JSONDecodeError:
            raise self._unusable("What begins here is not valid JSON") from None
        self._place = end
        return value

    def _startswith(self, expected: bytes) -> bool:
        while len(self._buffer) - self._place < len(expected) and self._fill():
            pass
        return self._buffer.startswith(expected, self._place)

    def _fill(self) -> bool:
        block = self._file.read(BLOCK)
        self._buffer = self._buffer[self._place :] + block
        self._offset += self._place
        self._place = 0
        return bool(block)

    def _unusable(self, what: str) -> UnusableExport:
        return UnusableExport(Damage(what, NO_EXPORT, self._offset + self._place))


def snowflake(value: object) -> int | None:
    """An id as exports write it, which is a string; None for what cannot be one."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 20:
        number = int(value)
        return number if number <= LARGEST_ID else None
    return None
