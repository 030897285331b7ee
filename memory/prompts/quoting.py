"""Which facts and messages answer a question well enough to be quoted, and how they are quoted.

Words have to fit; what recall is sure of needs no more than that. Whoever asks when is told the day first.
"""

from dataclasses import dataclass
from datetime import datetime

from memory.core.provenance import Read
from memory.core.recall.recollection import GOOD, Recollection
from memory.core.values import Fact, Message, Source, text_of
from memory.facts.matching import attributed
from memory.language.detect import Language
from memory.language.question_words import ASKS, LATEST, Want
from memory.language.stems import MOST_WANTED, WordForms, rank, topics, topics_in_order, words_of
from memory.language.text import fold
from memory.models.prompt_data import one_line
from memory.people.names import mentioned_ids
from memory.prompts.answer_phrases import PHRASES, Say
from memory.prompts.material import Material

MOST_QUOTED = 3
QUOTE_LIMIT = 300
BESIDE_LIMIT = 150
RELEVANT = 0.34
"""From here on a text speaks of enough of what is asked to be quoted."""
ABOUT_AS_GOOD = 0.7
"""Which share of the best score suffices beside it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that might be quoted. Its lines are written only if it is."""

    quoted: Fact | Message | Recollection
    topics: frozenset[str]
    said_at: datetime
    is_about_named: bool = False
    chance: float = 0.0

    @property
    def source(self) -> Source:
        quoted = self.quoted.message if isinstance(self.quoted, Recollection) else self.quoted
        return Source(quoted.channel_id, quoted.message_id)

    @property
    def read(self) -> Read:
        """All that its lines repeat."""
        match self.quoted:
            case Fact():
                return Read.of_facts([self.quoted])
            case Message():
                return Read.of_messages([self.quoted])
            case Recollection():
                return Read.of_messages(self.quoted.messages)


def most_relevant(material: Material) -> list[Candidate]:
    """What we were told of somebody who is named, what recall is sure of, and what speaks of what is asked."""
    candidates = _candidates(material)
    wanted = _wanted(material)
    things = WordForms([topic for topic in wanted if not topic.startswith("@")])
    asks_for_things = any(not topic.startswith("@") for topic in wanted)
    sure: list[tuple[float, Candidate]] = []
    fitting: list[tuple[float, Candidate]] = []
    for score, candidate in zip(rank(wanted, [one.topics for one in candidates]), candidates, strict=True):
        speaks_of_it = not asks_for_things or any(word in things for word in candidate.topics)
        if candidate.is_about_named:
            # Asked about somebody, what we were told of them is worth saying even if no word fits.
            sure.append((max(score, RELEVANT) + (1.0 if speaks_of_it and asks_for_things else 0.0), candidate))
        elif candidate.chance >= GOOD:
            sure.append((max(score, candidate.chance), candidate))
        elif score >= RELEVANT and speaks_of_it:
            fitting.append((score, candidate))
    best = max((score for score, _ in fitting), default=0.0)
    scored = sure + [pair for pair in fitting if pair[0] >= best * ABOUT_AS_GOOD]
    last_time = LATEST.search(fold(material.question)) is not None
    scored.sort(key=lambda pair: (0.0 if last_time else pair[0], pair[1].said_at), reverse=True)
    return [candidate for _, candidate in scored[:MOST_QUOTED]]


def _wanted(material: Material) -> frozenset[str]:
    """As recall reads the question, without the words of every question; the people it names as well."""
    people = [f"@{user_id}" for user_id in mentioned_ids(material.question)] if material.about else []
    return frozenset([*people, *topics_in_order(material.about or material.question)][:MOST_WANTED])


def _candidates(material: Material) -> list[Candidate]:
    told = [
        Candidate(
            quoted=fact,
            topics=topics(fact.text if fact.subject_id is None else f"<@{fact.subject_id}> {fact.text}"),
            said_at=fact.valid_from,
            is_about_named=fact.subject_id in material.named_ids,
        )
        for fact in material.facts
    ]
    said = [
        Candidate(message, _topics_of(message), message.sent_at)
        for message in material.messages
        if message.text.strip()
    ]
    recalled = [
        Candidate(one, frozenset().union(*map(_topics_of, one.messages)), one.message.sent_at, chance=one.chance)
        for one in material.recalled
    ]
    return told + said + recalled


def _topics_of(message: Message) -> frozenset[str]:
    """With its author; and with its words as recall reads them, because not all scripts have spaces."""
    text = text_of(message)
    return topics(f"<@{message.author_id}> {text}") | frozenset(words_of(text))


def lines_of(candidate: Candidate, material: Material) -> list[str]:
    folded = fold(material.question)
    day_first = ASKS[Want.TIME].search(folded) is not None or LATEST.search(folded) is not None
    match candidate.quoted:
        case Fact():
            return [f"• {fact_line(candidate.quoted, material.language)}"]
        case Message() if not day_first:
            return [f"• <@{candidate.quoted.author_id}>: {_quoted(candidate.quoted, QUOTE_LIMIT)}"]
        case Message():
            return [f"• {_dated(candidate.quoted, material.place_id, day_first=day_first)}"]
        case Recollection(message=message, before=before, after=after):
            return [
                f"• {_dated(message, material.place_id, day_first=day_first)}",
                *(f"-# ↑ <@{one.author_id}>: {_quoted(one, BESIDE_LIMIT)}" for one in before),
                *(f"-# ↓ <@{one.author_id}>: {_quoted(one, BESIDE_LIMIT)}" for one in after),
            ]


def fact_line(fact: Fact, language: Language) -> str:
    """A fact with its standing and the day it was told; what is over says until when it held."""
    day = f"{fact.valid_from:%Y-%m-%d}"
    until = None if fact.valid_to is None else f"{fact.valid_to:%Y-%m-%d}"
    dates = PHRASES[language][Say.SINCE].format(day=day) if until is None else f"{day} – {until}"
    return f"{attributed(fact, language, one_line(fact.text, QUOTE_LIMIT * 2))} ({dates})"


def _dated(message: Message, place_id: int | None, *, day_first: bool) -> str:
    """Discord shows the day in the language and the zone of whoever reads it."""
    stamp = int(message.sent_at.timestamp())
    elsewhere = [] if message.channel_id == place_id else [f"<#{message.channel_id}>"]
    words = _quoted(message, QUOTE_LIMIT)
    if day_first:
        return f"<t:{stamp}:f> ({', '.join([f'<t:{stamp}:R>', *elsewhere])}), <@{message.author_id}>: {words}"
    return f"<@{message.author_id}> ({', '.join([f'<t:{stamp}:D>', *elsewhere])}): {words}"


def _quoted(message: Message, limit: int) -> str:
    return f"“{one_line(text_of(message), limit)}”"
