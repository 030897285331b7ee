"""What of a message may be quoted at all: its author's own statements, and nothing that says nothing.

Left out are bots and our own words, what is said to us, commands to other bots, borrowed words, bare links and emoji,
greetings and cheers, and whatever touches a sensitive topic, with all of the message that it stands in.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.commands.addressing import address
from memory.core.extract.telling_words import CHATTER
from memory.core.values import AuthorKind, Message, text_of
from memory.language.detect import ALL_STOP_WORDS
from memory.language.sensitive import is_sensitive
from memory.language.sentences import sentences_of
from memory.language.stems import stem, words_of
from memory.language.text import FILLER, hide_borrowed

SHORTEST = 12
LONGEST = 280
"""Characters of a sentence that is quoted; a longer one only where there is nothing else."""
LONGEST_ALONE = 500
_LEAST_WORDS = 2
_MOST_LOOKED_AT = 4_000
_COMMAND = re.compile(r"\s*(?:[!/$%;+~&]{1,2}|[.?-])[a-z][\w-]*(?:\s|$)", re.IGNORECASE)
_MARKS = re.compile(r"<a?:\w{2,32}:\d+>|<[@#][!&]?\d+>|<(?:t|id):[^<>]*>|<\/[^<>:]*:\d+>")
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

    author_id: int
    message_id: int
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
    if is_reply_to_us or _is_for_us(text, ours) or is_sensitive(text_of(message)):
        return
    found = read(text, message.author_id, message.message_id)
    # What was cut off at the end of a pasted file is no sentence.
    yield from found[: -1 if len(message.text) > _MOST_LOOKED_AT else None]


def read(text: str, author_id: int, message_id: int) -> list[Candidate]:
    """The sentences of a text that tell anything."""
    hidden = hide_borrowed(text)
    found: list[Candidate] = []
    for place, sentence in enumerate(sentences_of(text)):
        said = hidden[sentence.start : sentence.end]
        own = _MARKS.sub(" ", said).replace(FILLER, " ")
        words = words_of(own)
        topics = [word for word in words if word not in ALL_STOP_WORDS and word not in CHATTER and not word.isdigit()]
        # Own words in one line, with "…" where something borrowed stood.
        quote = " ".join(_BORROWED.sub("…", said).split())
        if len(topics) >= _LEAST_WORDS and len(" ".join(own.split())) >= SHORTEST and len(quote) <= LONGEST_ALONE:
            stems = tuple(dict.fromkeys(map(stem, topics)))
            found.append(Candidate(author_id, message_id, quote, stems, frozenset(words), place))
    return found


def _is_for_us(text: str, ours: OurNames) -> bool:
    if not ours.names and not ours.bot_id:
        return False
    return address(text, names=ours.names, bot_id=ours.bot_id, bot_role_ids=ours.role_ids) is not None
