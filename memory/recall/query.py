"""Reads what a question asks for: the words it is about, whose words count, of which time, what the answer has to hold.

Names of members are taken out of what is compared: "Jon" would find every "Hey Jon!". They say who spoke instead.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import NamedTuple

from memory.core.values import Member, Message, ReadAs, text_of
from memory.language.detect import ALL_STOP_WORDS, STOP_WORDS, Language, language_of, stem_in
from memory.language.question_words import (
    ABOUT,
    ASKS_WHO,
    LATEST,
    NOT_AS_SPEAKER,
    SAYING,
    SCAFFOLD,
    TELLING,
    TO,
    Want,
    wants_of,
)
from memory.language.stems import words_of
from memory.language.text import fold, repair
from memory.language.times import Span, span_in
from memory.people.names import Reference, people_in, speaks_by_verb

MOST_CHARACTERS = 4_000
MOST_WORDS = 32
"""A question with more words is a text; its first ones tell what it is about well enough."""
_CAPITAL = re.compile(r"(?<=\w[\s,;(\"'])[^\W\d_a-zß-öø-ÿа-яё]\w*")
"""A word with a capital inside a sentence."""
_REACH = 40
"""Characters before a name that say in which role it stands: a question may have a thousand names."""


@dataclass(frozen=True, slots=True)
class AskedFor:
    words: tuple[str, ...]
    """What it is about, each once, without names, dates and the words of every question."""
    meant: str
    """The question without names and dates: what is compared by meaning."""
    speakers: frozenset[int]
    """Whose own words are looked for."""
    spoken_of: frozenset[int]
    """Who has to be mentioned, or spoken to, in what others said."""
    span: Span | None
    wants: frozenset[Want]
    latest: bool
    """ "The last time we talked about it": the newest of what fits."""
    language: Language | None
    proper: frozenset[int] = frozenset()
    """The places of words that are written like names, and are nobody's here."""

    @property
    def is_empty(self) -> bool:
        """Say whether nothing can be looked for: no topic, nobody, no time."""
        return not (self.words or self.speakers or self.spoken_of or self.span)


def read_question(
    text: str,
    members: Iterable[Member],
    asker: Member,
    when: datetime,
    zone: tzinfo,
    language: Language | None = None,
) -> AskedFor:
    """Read a question. `members` hold whom it may mean; `when` it was asked decides what "yesterday" is."""
    text = repair(text)[:MOST_CHARACTERS]
    spoken = language_of(text, language)
    references = people_in(text, members, speaker=asker, language=spoken)
    named = [reference for reference in references if not reference.is_speaker]
    span = span_in(text, when, zone, spoken)
    if span is None and language_of(text) is not spoken:  # the guess may be wrong
        span = span_in(text, when, zone)
    bare = _without(text, [(r.start, r.end) for r in named] + list(span.typed if span else ()))
    folded = fold(text)
    is_latest = LATEST.search(folded) is not None
    if is_latest:
        bare = LATEST.sub(" ", fold(bare))
    speakers, spoken_of = _roles(text, named, folded)
    if not speakers and not spoken_of:
        speakers = frozenset((asker.user_id,)) if means_asker(text, references) else speakers
    words = _topic(bare, spoken)
    return AskedFor(
        words=words,
        meant=" ".join(bare.split()),
        speakers=speakers,
        spoken_of=spoken_of,
        span=span,
        wants=wants_of(folded),
        latest=is_latest,
        language=spoken,
        proper=_proper(bare, words),
    )


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """Blank these places in a text, with the possessive that a name leaves behind."""
    for start, end in places:
        if text[end : end + 2].lower() in ("'s", "’s", "`s"):
            end += 2
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _topic(bare: str, language: Language | None) -> tuple[str, ...]:
    stop = STOP_WORDS[language] if language is not None else ALL_STOP_WORDS
    small = stop | SCAFFOLD[None] | (SCAFFOLD[language] if language is not None else frozenset()) | SAYING
    words = dict.fromkeys(words_of(bare))
    return tuple([word for word in words if word not in small][:MOST_WORDS])


def _proper(bare: str, words: Sequence[str]) -> frozenset[int]:
    written = {word for name in _CAPITAL.findall(bare) for word in words_of(name)}
    return frozenset(place for place, word in enumerate(words) if word in written)


def _roles(text: str, named: Sequence[Reference], folded: str) -> tuple[frozenset[int], frozenset[int]]:
    """Tell who speaks from who is only spoken of or spoken to."""
    asks_who = ASKS_WHO.match(folded.lstrip()) is not None
    says = not SAYING.isdisjoint(words_of(text))
    speakers: set[int] = set()
    others: set[int] = set()
    for reference in named:
        ids = {member.user_id for member in reference.candidates}
        before = words_of(text[max(reference.start - _REACH, 0) : reference.start])[-1:] or [""]
        listens = says and (before[0] in TO or (before[0] in TELLING and bool(speakers)))
        if (asks_who and says) or (before[0] in ABOUT and (says or bool(speakers))) or listens:
            others |= ids
        else:
            speakers |= ids
    return frozenset(speakers), frozenset(others - speakers)


def means_asker(text: str, references: Sequence[Reference]) -> bool:
    """Say whether "my" or "I" mean the asker, and their own words, if nobody else is named; "tell me" does not."""
    says_i = any(r.is_speaker and not set(words_of(r.typed)) & NOT_AS_SPEAKER for r in references)
    return says_i or speaks_by_verb(text)


# From words to the terms of the index: which language a message speaks, and how its stems are written down.


_SECOND_AND_MORE = "DCBA"
"""The labels that PostgreSQL has for a weight, by how often a term occurs."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Holds a message as it stands in the index."""

    message: Message
    language: Language | None
    counts: Counter[str]

    @property
    def length(self) -> int:
        return self.counts.total()


BEGINNING_SEARCHED = 120
"""Characters of a text file that are searched with its message; longer ones are looked up in pieces."""


def with_beginnings(message: Message) -> Message:
    """Leave only the beginnings of a message's text files: the words of many would crowd out what people say."""
    if all(file.read_as is not ReadAs.TEXT for file in message.attachments):
        return message
    shown = (
        replace(file, words=file.words[:BEGINNING_SEARCHED]) if file.read_as is ReadAs.TEXT else file
        for file in message.attachments
    )
    return replace(message, attachments=tuple(shown))


def read_text(messages: Iterable[Message], spoken_in: Mapping[int, Language]) -> list[Entry]:
    """Read messages for the index; `spoken_in`: each channel's usual language, since few words tell none."""
    entries = []
    for message in map(with_beginnings, messages):
        text = text_of(message)
        language = language_of(text, spoken_in.get(message.channel_id))
        said = words_of(text) + (words_of(message.speaker) if message.speaker is not None else [])
        counts = Counter(stem_of(word, language) for word in topics(said, language))
        entries.append(Entry(message, language, counts))
    return entries


def topics(words: Iterable[str], language: Language | None) -> list[str]:
    """Leave out the small words that nobody can do without."""
    small = STOP_WORDS[language] if language is not None else frozenset[str]()
    # Small words were folded, and й with them, which words of the index keep.
    return [word for word in words if word.replace("й", "и") not in small]


def stem_of(word: str, language: Language | None) -> str:
    """Give a word's stem; a word of no language, or of one we cannot tell, is its own."""
    return word if language is None else stem_in(language, word)


def written(guild_id: int, counts: Mapping[str, int]) -> str:
    """Write stems as PostgreSQL reads a tsvector; made of letters, digits and marks, they need no escaping."""
    terms = [f"'{stem}':1{_SECOND_AND_MORE[min(count, 4) - 1]}" for stem, count in counts.items()]
    return " ".join((quoted(guild_mark(guild_id)), *terms))


def guild_mark(guild_id: int) -> str:
    """Make the mark of a guild in the index; no word begins like this."""
    return f"#{guild_id}"


def quoted(term: str) -> str:
    return f"'{term}'"


def main_languages(counts: Mapping[str, int], least_share: float) -> list[Language]:
    """List languages in which at least a share of all messages is written, the most spoken first."""
    total = sum(counts.values())
    known = [(count, Language(name)) for name, count in counts.items() if count >= least_share * total]
    return [language for _, language in sorted(known, reverse=True)]


# What recall looks for, and what it finds: values that travel between the store and the ranking.


@dataclass(frozen=True, slots=True)
class Term:
    """Holds a stem to look for. One word may have several: another in each language."""

    text: str
    word: int
    """The position of the word it was made of."""
    messages: int
    """How many of the guild have it."""
    share: float = 1.0
    """Less than 1 for a guess: the word as it was asked for is unknown here, and this one looks like it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Holds all terms of a question, and what their weight depends on."""

    terms: tuple[Term, ...]
    """The rarest first."""
    messages: int
    mean_length: float
    conversations: int
    mean_conversation_length: float
    is_only_guild: bool = False
    """Nobody else's messages are in the index."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits the question to what the asker narrowed it down to, on top of what the audience allows."""

    author_ids: frozenset[int] | None = None
    channel_ids: frozenset[int] | None = None
    after: datetime | None = None
    before: datetime | None = None

    def among(self, channel_ids: frozenset[int]) -> frozenset[int]:
        return channel_ids if self.channel_ids is None else channel_ids & self.channel_ids

    def hold(self, found: "Found") -> bool:
        return (
            (self.author_ids is None or found.author_id in self.author_ids)
            and (self.channel_ids is None or found.channel_id in self.channel_ids)
            and (self.after is None or found.sent_at >= self.after)
            and (self.before is None or found.sent_at < self.before)
        )


class Found(NamedTuple):
    """Holds a message, and how well it fits. A tuple, because of the hundreds that a question finds few are kept."""

    message_id: int
    channel_id: int
    author_id: int
    sent_at: datetime
    conversation_id: int | None
    """None: it has not been indexed yet."""
    length: int
    """In words that say something."""
    words: float = 0.0
    """BM25 of the message; 0 where it was only looked for what it says."""
    matched: frozenset[int] = frozenset()
    """The positions of the words it has."""
    meaning: float | None = None
    """How alike it is to what is meant, at most 1; None if that was not looked at."""
    conversation: float = 0.0
    """BM25 of the conversation it belongs to; 0 where only messages were looked at."""

    @property
    def is_post(self) -> bool:
        """Say whether a thread of a forum begins with it: then it has the thread's number."""
        return self.message_id == self.channel_id


class Heard(NamedTuple):
    """Holds a message that was found, with what it says."""

    found: Found
    text: str
    """All that a reader sees of it."""
    reply_to: int | None
    message: Callable[[], Message]
    """Made when it is asked for: of most, only the words are of use."""
