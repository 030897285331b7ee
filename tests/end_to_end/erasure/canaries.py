"""Words that nobody else ever says, in several scripts: wherever one turns up, it is known whose it was, and whether
it had to be gone.

A dictionary may cut the end of a word, a name is folded, JSON escapes what is not ASCII. So a canary is looked for by
the beginning of its token, in any case, escaped or not.
"""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SCRIPTS = {"zq": "abcdefghijklmnoprtuvwxy", "жщ": "абвгдезиклмнопрт", "ξψ": "αβγδεζηθικλμ", "קצ": "אבגדהוזחטיכל"}
"""How a canary of each script begins, and the letters that it goes on with: none that changes with its place."""
LETTERS, LONGEST = 8, 12
NEEDLE = re.compile("|".join(f"{begin}[{letters}]{{{LETTERS}}}" for begin, letters in SCRIPTS.items()))
TOKEN = re.compile("|".join(f"{begin}[{letters}]{{{LONGEST}}}" for begin, letters in SCRIPTS.items()))
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(eq=False)
class Canary:
    token: str
    way: str
    """By which way it came in."""
    guild_id: int
    channel_id: int
    author_id: int
    message_id: int = 0
    """What it stands in, or what told it."""
    fate: str = ""
    """By which kind of deletion it has to go; nothing: it stays."""
    gone: bool = False

    @property
    def needle(self) -> str:
        return self.token[: LETTERS + 2]

    def __str__(self) -> str:
        return f"{self.token} ({self.way}{', ' + self.fate if self.fate else ''})"


class Canaries:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._by_needle: dict[str, Canary] = {}

    def __iter__(self) -> Iterator[Canary]:
        return iter(list(self._by_needle.values()))

    def __len__(self) -> int:
        return len(self._by_needle)

    def new(self, way: str, guild_id: int, channel_id: int, author_id: int, fate: str = "") -> Canary:
        begin = self._rng.choice(list(SCRIPTS))
        token = begin + "".join(self._rng.choices(SCRIPTS[begin], k=LONGEST))
        canary = Canary(token, way, guild_id, channel_id, author_id, fate=fate)
        self._by_needle[canary.needle] = canary
        return canary

    def called(self, needles: Iterable[str]) -> list[Canary]:
        """Those of them that are ours: some other text may look like one."""
        return [self._by_needle[needle] for needle in dict.fromkeys(needles) if needle in self._by_needle]

    def within(self, text: str) -> list[Canary]:
        return self.called(needles_in(text))

    def gone(self) -> list[Canary]:
        return [canary for canary in self if canary.gone]


def needles_in(text: str | bytes | bytearray) -> list[str]:
    """The beginnings of all canaries in a text, whoever's they are."""
    if not isinstance(text, str):
        text = bytes(text).decode("utf-8", "replace")
    if "\\u" in text:
        text = _ESCAPED.sub(lambda escaped: chr(int(escaped[1], 16)), text)
    text = text.casefold()
    if not text.isascii():
        text = _UNSEEN.sub("", text)
    # Nearly all texts of a process hold none, which is seen sooner by the beginnings.
    return NEEDLE.findall(text) if any(begin in text for begin in SCRIPTS) else []
