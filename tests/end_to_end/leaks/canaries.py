"""Sentences that nobody else ever says, so that it is known where each came from; and who may read what."""

import random
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from local_guild.server import LocalGuild
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType

TOKEN = re.compile(r"zq[a-z]{12}qz")
LOOK_IN, BACK = int(Permission.VIEW_CHANNEL), int(Permission.READ_MESSAGE_HISTORY)
READ_BACK = LOOK_IN | BACK
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad\\\\*_~|`]")
_CONSONANTS, _VOWELS = "bdfgklmprtvz", "aiou"


class Kind(StrEnum):
    MESSAGE = "message"
    EDITED = "edited message"
    """What a message says after an edit."""
    OVERWRITTEN = "overwritten text"
    """What it said before: nobody can read that any more."""
    FACT = "fact"
    EVERYWHERE = "fact for everywhere"
    NICKNAME = "nickname"
    USERNAME = "username"
    GUILD_NAME = "guild name"
    ROLE_NAME = "role name"
    CHANNEL_NAME = "channel name"
    FILE_NAME = "file name"
    FILE_TEXT = "file text"
    EMBED = "embed"
    POLL = "poll"
    EVENT = "scheduled event"


OF_THE_WHOLE_GUILD = frozenset((Kind.EVERYWHERE, Kind.NICKNAME, Kind.USERNAME, Kind.GUILD_NAME, Kind.ROLE_NAME))
"""Whoever is in the guild may read these, and nobody else."""


@dataclass(eq=False)
class Canary:
    token: str
    """Never typed in a question: where it is answered, it was known."""
    words: str
    """What it is asked by."""
    kind: Kind
    guild_id: int
    source_id: int | None = None
    """The channel it lives in; None for what is the whole guild's."""
    author_id: int = 0
    subject_id: int | None = None
    message_id: int = 0
    gone: bool = False
    """Taken back: from now on nobody may read it."""

    @property
    def sentence(self) -> str:
        return f"the {self.words} is called {self.token}"


class Canaries:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._by_token: dict[str, Canary] = {}

    def __iter__(self) -> Iterator[Canary]:
        return iter(list(self._by_token.values()))

    def __len__(self) -> int:
        return len(self._by_token)

    def new(
        self,
        kind: Kind,
        guild_id: int,
        source_id: int | None = None,
        *,
        author_id: int = 0,
        subject_id: int | None = None,
    ) -> Canary:
        token = "zq" + "".join(self._rng.choices("abcdefghijklmnoprstuvwxy", k=12)) + "qz"
        canary = Canary(token, f"{self._word()} {self._word()}", kind, guild_id, source_id, author_id, subject_id)
        self._by_token[token] = canary
        return canary

    def within(self, text: str) -> list[Canary]:
        """Those whose token stands in the text, also where somebody tried to hide it between invisible signs."""
        found = TOKEN.findall(_UNSEEN.sub("", text.casefold()))
        return [self._by_token[token] for token in dict.fromkeys(found) if token in self._by_token]

    def of(self, kinds: Iterable[Kind]) -> list[Canary]:
        wanted = frozenset(kinds)
        return [canary for canary in self if canary.kind in wanted and not canary.gone]

    def _word(self) -> str:
        return "".join(self._rng.choice(_CONSONANTS) + self._rng.choice(_VOWELS) for _ in range(4)) + "k"


class Oracle:
    """Says who can read what at this moment, as the local guild itself decides it. Nothing of ours has a say here."""

    def __init__(self, server: LocalGuild) -> None:
        self._server = server
        self._world = server.world

    def viewers(self, channel_id: int) -> frozenset[int]:
        """The people who see what is sent to a place. Bots are none."""
        channel = self._world.channels.get(channel_id)
        if channel is None:
            return frozenset()
        return frozenset(one for one in self._server.access.viewers(channel) if not self._world.users[one].bot)

    def may_hold(self, canary: Canary, place_id: int, readers: Collection[int]) -> bool:
        return self.objection(canary, place_id, readers) is None

    def objection(self, canary: Canary, place_id: int, readers: Collection[int]) -> str | None:
        """Why what these readers read in a place may not hold the canary; None if it may."""
        place = self._world.channels.get(place_id)
        if canary.gone:
            return "it was taken back"
        if place is None or place.guild_id != canary.guild_id:
            return "it belongs to another guild"
        if canary.kind in OF_THE_WHOLE_GUILD:
            return None
        # The name of a place is read by whoever sees it, whether or not they may read back what was said in it.
        needed = LOOK_IN if canary.kind is Kind.CHANNEL_NAME else READ_BACK
        return self._closed(canary.source_id or 0, place, readers, needed)

    def objection_to_link(self, guild_id: int, channel_id: int, place_id: int, readers: Collection[int]) -> str | None:
        place = self._world.channels.get(place_id)
        if place is None or place.guild_id != guild_id:
            return "it leads to another guild"
        return self._closed(channel_id, place, readers, READ_BACK)

    def _closed(self, source_id: int, place: Channel, readers: Collection[int], needed: int) -> str | None:
        source = self._world.channels.get(source_id)
        if source is None or source.guild_id != place.guild_id:
            return "its channel is gone"
        if source.id == place.id:
            return None
        if self.asks_for_age(source) and not self.asks_for_age(place):
            return "its channel asks for an age, and the place does not"
        if source.type in (ChannelType.VOICE, ChannelType.STAGE):
            needed |= int(Permission.CONNECT)  # Discord hands out its messages to nobody who may not enter
        for one in readers:
            missing = needed & ~self._server.access.in_channel(source, one)
            if missing:
                return f"{self._world.users[one].name} has no {Permission(missing)!r} in {source.name}"
        return None

    def may_speak(self, channel: Channel, user_id: int) -> bool:
        rights = self._server.access.in_channel(channel, user_id)
        needed = READ_BACK | int(Permission.SEND_MESSAGES)
        return rights & needed == needed

    def asks_for_age(self, channel: Channel) -> bool:
        if channel.thread is None:
            return channel.nsfw
        parent = self._world.channels.get(channel.parent_id or 0)
        return parent is None or parent.nsfw
