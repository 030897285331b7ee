"""What a question asks for: the words it is about, whose words count, of which time, and what the answer has to hold.

Names of members are taken out of what is compared: "Jon" would find every "Hey Jon!". They say who spoke instead.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from memory.core.values import Member
from memory.language.dates import Span, span_in
from memory.language.detect import ALL_STOP_WORDS, STOP_WORDS, Language, language_of
from memory.language.question_words import (
    ABOUT,
    ASKS,
    ASKS_WHO,
    LATEST,
    NOT_AS_SPEAKER,
    SAYING,
    SCAFFOLD,
    TELLING,
    TO,
    Want,
)
from memory.language.stems import words_of
from memory.language.text import fold, repair
from memory.people.names import Reference, people_in

MOST_CHARACTERS = 4_000
MOST_WORDS = 32
"""A question with more words is a text; its first ones tell what it is about well enough."""
_REACH = 40
"""Characters before a name that say in which role it stands: a question may have a thousand names."""


@dataclass(frozen=True, slots=True)
class Asked:
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

    @property
    def is_empty(self) -> bool:
        """Nothing can be looked for: no topic, nobody, no time."""
        return not (self.words or self.speakers or self.spoken_of or self.span)


def read_question(
    text: str,
    members: Iterable[Member],
    asker: Member,
    when: datetime,
    zone: tzinfo,
    language: Language | None = None,
) -> Asked:
    """`members` need to hold those whom the text may mean; `when` it was asked decides what "yesterday" is."""
    text = repair(text)[:MOST_CHARACTERS]
    spoken = language_of(text, language)
    references = people_in(text, members, speaker=asker, language=spoken)
    named = [reference for reference in references if not reference.is_speaker]
    span = span_in(text, when, zone, spoken)
    bare = _without(text, [(r.start, r.end) for r in named] + list(span.typed if span else ()))
    folded = fold(text)
    is_latest = LATEST.search(folded) is not None
    if is_latest:
        bare = LATEST.sub(" ", fold(bare))
    speakers, spoken_of = _roles(text, named, folded)
    if not speakers and not spoken_of:
        speakers = _asker(references, asker)
    return Asked(
        words=_topic(bare, spoken),
        meant=" ".join(bare.split()),
        speakers=speakers,
        spoken_of=spoken_of,
        span=span,
        wants=frozenset(want for want, asks in ASKS.items() if asks.search(folded)),
        latest=is_latest,
        language=spoken,
    )


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """Blanked, with the possessive that a name leaves behind."""
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


def _roles(text: str, named: Sequence[Reference], folded: str) -> tuple[frozenset[int], frozenset[int]]:
    """Who speaks, and who is only spoken of or spoken to."""
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


def _asker(references: Sequence[Reference], asker: Member) -> frozenset[int]:
    """ "My" and "I" mean the asker's own words, if nobody else is named."""
    means = any(r.is_speaker and not set(words_of(r.typed)) & NOT_AS_SPEAKER for r in references)
    return frozenset((asker.user_id,)) if means else frozenset()
