"""Sentences that nobody else ever says. Wherever one turns up, it is known where it came from."""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

TOKEN = re.compile(r"zq[a-z]{12}qz")
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
    EMBED = "embed"
    POLL = "poll"


OF_THE_WHOLE_GUILD = frozenset((Kind.EVERYWHERE, Kind.NICKNAME, Kind.USERNAME, Kind.GUILD_NAME, Kind.ROLE_NAME))
"""Whoever is in the guild may read these, and nobody else."""
NAMES_OF_PLACES = frozenset((Kind.CHANNEL_NAME,))
"""Read by whoever sees the place, whether or not they may read back what was said in it."""


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
    forgotten: bool = False
    """Still there to be read, but the bot was asked to forget it."""

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
        words = f"{self._word()} {self._word()}"
        canary = Canary(token, words, kind, guild_id, source_id, author_id, subject_id)
        self._by_token[token] = canary
        return canary

    def within(self, text: str) -> list[Canary]:
        """Those whose token stands in the text, also where somebody tried to hide it between invisible signs."""
        found = TOKEN.findall(_UNSEEN.sub("", text.casefold()))
        return [self._by_token[token] for token in dict.fromkeys(found) if token in self._by_token]

    def of(self, kinds: Iterable[Kind]) -> list[Canary]:
        wanted = frozenset(kinds)
        return [canary for canary in self if canary.kind in wanted]

    def _word(self) -> str:
        return "".join(self._rng.choice(_CONSONANTS) + self._rng.choice(_VOWELS) for _ in range(4)) + "k"
