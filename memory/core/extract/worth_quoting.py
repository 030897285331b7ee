"""What of a message may be quoted at all: its author's own statements, and nothing that says nothing.

Left out are bots and our own words, what is said to us, commands to other bots, borrowed words, bare links and emoji,
greetings and cheers, and whatever touches a sensitive topic, with all of the message that it stands in.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.core.addressing import address
from memory.core.extract.sensitive import is_sensitive
from memory.core.extract.sentences import Sentence, sentences_of
from memory.core.extract.telling_words import CHATTER
from memory.core.language import ALL_STOP_WORDS
from memory.core.matching import stem
from memory.core.model import AuthorKind, Message
from memory.core.quoted import FILLER, hide_borrowed
from memory.core.recall.words import text_of, words_of

SHORTEST = 12
LONGEST = 280
"""Characters of a sentence that is quoted; a longer one only where there is nothing else."""
LONGEST_ALONE = 500
_LEAST_WORDS = 2
_MOST_LOOKED_AT = 4_000
_COMMAND = re.compile(r"\s*(?:[!/$%;+~&]{1,2}|[.?-])[a-z][\w-]*(?:\s|$)", re.IGNORECASE)
_MARKS = re.compile(r"<a?:\w{2,32}:\d+>|<[@#][!&]?\d+>|<(?:t|id):[^>]*>|<\/[^>]*:\d+>")
_BORROWED = re.compile(f"{FILLER}+")


@dataclass(frozen=True, slots=True)
class OurNames:
    """What we are called, so that what is said to us can be told from what is said."""

    bot_id: int = 0
    names: Sequence[str] = ()
    role_ids: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be quoted."""

    message: Message
    text: str
    stems: tuple[str, ...]
    """What it is about, each once."""
    words: frozenset[str]
    """All its words, folded."""
    place: int
    """Which sentence of its message it is, from 0."""


def candidates(message: Message, ours: OurNames, is_reply_to_us: bool = False) -> Iterator[Candidate]:
    text = message.text[:_MOST_LOOKED_AT]
    if message.author_kind is not AuthorKind.PERSON or not text.strip() or _COMMAND.match(text):
        return
    if is_reply_to_us or _is_for_us(text, ours):
        return
    if is_sensitive(text_of(message)):
        return
    hidden = hide_borrowed(text)
    # What was cut off at the end of a pasted file is no sentence.
    found = sentences_of(text)[: -1 if len(message.text) > _MOST_LOOKED_AT else None]
    for place, sentence in enumerate(found):
        candidate = _candidate(message, sentence, hidden[sentence.start : sentence.end], place)
        if candidate is not None:
            yield candidate


def _is_for_us(text: str, ours: OurNames) -> bool:
    if not ours.names and not ours.bot_id:
        return False
    return address(text, names=ours.names, bot_id=ours.bot_id, bot_role_ids=ours.role_ids) is not None


def _candidate(message: Message, sentence: Sentence, hidden: str, place: int) -> Candidate | None:
    own = _MARKS.sub(" ", hidden).replace(FILLER, " ")
    if len(" ".join(own.split())) < SHORTEST:
        return None
    words = words_of(own)
    topics = [word for word in words if word not in ALL_STOP_WORDS and word not in CHATTER and not word.isdigit()]
    if len(topics) < _LEAST_WORDS:
        return None
    text = quotable(hidden)
    if len(text) > LONGEST_ALONE:
        return None
    return Candidate(message, text, tuple(dict.fromkeys(map(stem, topics))), frozenset(words), place)


def quotable(hidden: str) -> str:
    """Own words in one line, with "…" where something borrowed stood."""
    return " ".join(_BORROWED.sub("…", hidden).split())
