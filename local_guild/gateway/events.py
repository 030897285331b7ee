"""Addresses what happened: an event knows its intent, its place, and what each reader may read of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntFlag

from local_guild.payloads import without_content
from local_guild.state.ids import JsonObject, encode


class Intent(IntFlag):
    """Lists the intents by which something is told here; others may be asked for, and nothing comes of it."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15
    GUILD_SCHEDULED_EVENTS = 1 << 16


# Plain numbers where every message is asked: an enumeration's arithmetic would show.
MESSAGE_CONTENT = int(Intent.MESSAGE_CONTENT)
ALL_INTENTS = (1 << 26) - 1
PRIVILEGED = int(Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT)


@dataclass(frozen=True, slots=True)
class Reader:
    user_id: int
    intents: int


@dataclass(slots=True, kw_only=True)
class Event:
    """Carries one dispatch to many readers.

    `intents` are those of which a reader needs one (none means everybody gets it); `channel_id`
    limits it to who may view that channel, `only` to the users named. `structural` events tell an
    application of a channel even where it may not look in, as Discord does. Users in `whatever_intents`
    are told of themselves without the intent that hearing of others takes.
    """

    name: str
    data: JsonObject
    intents: int = 0
    guild_id: int | None = None
    channel_id: int | None = None
    only: frozenset[int] | None = None
    structural: bool = False
    whatever_intents: frozenset[int] = frozenset()
    _encoded: bytes | None = field(default=None, init=False)

    def body(self, reader: Reader) -> bytes:
        if self._encoded is None:
            self._encoded = encode(self.data)
        return self._encoded


@dataclass(slots=True, kw_only=True)
class MessageEvent(Event):
    """Carries a message whose content needs the Message Content intent, but for those named in `full_for`."""

    full_for: frozenset[int] = frozenset()
    _reduced: bytes | None = field(default=None, init=False)

    def body(self, reader: Reader) -> bytes:
        in_full = self.guild_id is None or reader.user_id in self.full_for
        if in_full or reader.intents & MESSAGE_CONTENT:
            return Event.body(self, reader)
        if self._reduced is None:
            self._reduced = encode(without_content(self.data))
        return self._reduced


@dataclass(slots=True, kw_only=True)
class PersonalEvent(Event):
    """Says something different to each reader, as a thread says whether *you* are in it."""

    personal: Callable[[int], JsonObject]
    data: JsonObject = field(default_factory=dict)

    def body(self, reader: Reader) -> bytes:
        return encode(self.personal(reader.user_id))
