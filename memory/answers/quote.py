"""Answers made without a model: what is known of somebody, or the most fitting quotations for a question.

Nothing is invented. What people said stands as theirs, with its source; what is not known is said to be not known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.answers.gather import Material
from memory.answers.quote_phrases import PHRASES, Say
from memory.core.outcomes import Answer, Citation, UnclearWho
from memory.core.provenance import Evidence, Read
from memory.core.values import Fact, Message, Source, text_of
from memory.facts.matching import attributed
from memory.language.detect import Language
from memory.language.question_words import ASKS, LATEST, Want
from memory.language.stems import MOST_WANTED, WordForms, rank, topics, topics_in_order, words_of
from memory.language.text import fold
from memory.models.prompt_data import one_line
from memory.people.names import mentioned_ids
from memory.recall.results import GOOD, Recollection

# Which facts and messages answer a question well enough to be quoted, and how they are quoted.
#
# Words have to fit; what recall is sure of needs no more than that. Whoever asks when is told the day first.


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
            return [f"• <@{candidate.quoted.author_id}>: {_in_quotes(candidate.quoted, QUOTE_LIMIT)}"]
        case Message():
            return [f"• {_dated(candidate.quoted, material.place_id, day_first=day_first)}"]
        case Recollection(message=message, before=before, after=after):
            return [
                f"• {_dated(message, material.place_id, day_first=day_first)}",
                *(f"-# ↑ <@{one.author_id}>: {_in_quotes(one, BESIDE_LIMIT)}" for one in before),
                *(f"-# ↓ <@{one.author_id}>: {_in_quotes(one, BESIDE_LIMIT)}" for one in after),
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
    words = _in_quotes(message, QUOTE_LIMIT)
    if day_first:
        return f"<t:{stamp}:f> ({', '.join([f'<t:{stamp}:R>', *elsewhere])}), <@{message.author_id}>: {words}"
    return f"<@{message.author_id}> ({', '.join([f'<t:{stamp}:D>', *elsewhere])}): {words}"


def _in_quotes(message: Message, limit: int) -> str:
    return f"“{one_line(text_of(message), limit)}”"


# An answer that is made of lines, each with the message it comes from.


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    source: Source | None = None


def answer_of(lines: Sequence[Line], read: Read) -> Answer:
    """`read` is what stands in the lines, word for word."""
    citations: list[Citation] = []
    at = 0
    for line in lines:
        at += len(line.text)
        if line.source is not None:
            citations.append(Citation(at, line.source))
        at += 1
    return Answer(
        "\n".join(line.text for line in lines),
        tuple(dict.fromkeys(citation.source for citation in citations)),
        citations=tuple(citations),
        evidence=Evidence.all_quoted(read),
    )


def shifted(citations: Sequence[Citation], by: int) -> tuple[Citation, ...]:
    """Of a text that now stands behind another one."""
    return tuple(Citation(citation.at + by, citation.source) for citation in citations)


MOST_LISTED = 15
NAME_LIMIT = 60


def without_model(material: Material, *, why: str | None = None) -> Answer:
    """Up to three quotations that speak of what is asked, or the honest word that there are none.

    Either says why it is no more than that: there is no model, or it did not answer, for which `why` is the sentence.
    """
    say = PHRASES[material.language]
    if not material.question.strip(" ?!.,\n"):
        return Answer(say[Say.NOTHING_ASKED])
    if material.ledger is not None:
        return material.ledger if why is None else replace(material.ledger, text=f"{material.ledger.text}\n-# {why}")
    chosen = most_relevant(material)
    if not chosen:
        return Answer(say[Say.NOTHING_RELEVANT] if why is None else say[Say.NOTHING_MEANWHILE].format(why=why))
    heading = say[Say.QUOTING] if why is None else say[Say.QUOTING_MEANWHILE].format(why=why)
    return _quoted(heading, chosen, material)


def cut_off(material: Material) -> Answer:
    """The same from what was heard and read last, while the memory cannot be reached; and it says so, found or not."""
    say = PHRASES[material.language]
    chosen = most_relevant(material)
    if not chosen:
        return Answer(say[Say.NOTHING_WHILE_CUT_OFF], is_cut_off=True)
    return replace(_quoted(say[Say.CUT_OFF], chosen, material), is_cut_off=True)


def known_of(user_id: int, asker_id: int, facts: Sequence[Fact], language: Language) -> Answer:
    """Everything told about a member."""
    who = f"<@{user_id}>"
    is_asker = user_id == asker_id
    if not facts:
        return Answer(PHRASES[language][Say.NOTHING_OF_YOU if is_asker else Say.NOTHING].format(who=who))
    heading = PHRASES[language][Say.KNOWN_OF_YOU if is_asker else Say.KNOWN].format(who=who)
    return _listed(heading, facts, language)


def last_known_of(user_id: int, facts: Sequence[Fact], language: Language) -> Answer:
    """The same from what was read before the memory could not be reached any more, and it says so."""
    heading = PHRASES[language][Say.LAST_KNOWN].format(who=f"<@{user_id}>")
    return replace(_listed(heading, facts, language), is_cut_off=True)


def known_of_guild(facts: Sequence[Fact], language: Language) -> Answer:
    if not facts:
        return Answer(PHRASES[language][Say.NOTHING_OF_GUILD])
    return _listed(PHRASES[language][Say.KNOWN_OF_GUILD], facts, language)


def unknown_name(name: str, facts: Sequence[Fact], language: Language) -> Answer:
    """Nobody goes by that name; but it may stand in what was told."""
    quoted = one_line(name, NAME_LIMIT)
    wanted = topics(name)
    speaking = [fact for fact in facts if wanted and wanted <= topics(fact.text)]
    if not speaking:
        return Answer(PHRASES[language][Say.NOBODY].format(name=quoted))
    return _listed(PHRASES[language][Say.NOBODY_BUT].format(name=quoted), speaking, language)


def which_one(unclear: UnclearWho, language: Language) -> Answer:
    """Two or more go by the name: nothing is told of any before it is known who is meant."""
    return Answer(_asking(Say.WHICH, unclear, language), unclear=unclear)


def perhaps(found: Answer, guess: UnclearWho, language: Language) -> Answer:
    """Nobody goes by the name, but some by one like it: they are asked about, after whatever was found."""
    if found.sources:
        return replace(found, text=f"{found.text}\n-# {_asking(Say.PERHAPS, guess, language)}", unclear=guess)
    return Answer(_asking(Say.GUESSED, guess, language), unclear=guess)


def of_several(answer: Answer, unclear: Sequence[UnclearWho], language: Language) -> Answer:
    """The same answer, which says for each name in the question that several go by it; the first can be chosen."""
    if not unclear:
        return answer
    named = {one_line(one.name, NAME_LIMIT): one for one in unclear}
    notes = "".join(f"\n-# {_asking(Say.SEVERAL, one, language)}" for one in named.values())
    return replace(answer, text=f"{answer.text}{notes}", unclear=unclear[0])


def _asking(phrase: Say, unclear: UnclearWho, language: Language) -> str:
    say = PHRASES[language]
    people = [f"<@{one.user_id}> ({one_line(one.username, NAME_LIMIT)})" for one in unclear.candidates[:MOST_LISTED]]
    *others, last = [*people, *(["…"] if len(unclear.candidates) > len(people) else [])]
    listed = f"{', '.join(others)} {say[Say.OR]} {last}" if others else last
    return say[phrase].format(name=one_line(unclear.name, NAME_LIMIT), candidates=listed)


def shortsighted(answer: Answer, language: Language) -> Answer:
    """The same answer, which says that it could not look further back."""
    return replace(answer, text=f"{answer.text}\n-# {PHRASES[language][Say.NOT_LOOKED_BACK]}")


def _quoted(heading: str, chosen: Sequence[Candidate], material: Material) -> Answer:
    lines = [Line(heading)]
    for candidate in chosen:
        first, *beside = lines_of(candidate, material)
        lines += [Line(first, candidate.source), *map(Line, beside)]
    return answer_of(lines, Read.of_all(candidate.read for candidate in chosen))


def _listed(heading: str, facts: Sequence[Fact], language: Language) -> Answer:
    newest = list(facts)[-MOST_LISTED:]
    told = (Line(f"• {fact_line(fact, language)}", Source(fact.channel_id, fact.message_id)) for fact in newest)
    lines = [Line(heading), *told]
    if len(facts) > len(newest):
        lines.append(Line(PHRASES[language][Say.MORE].format(count=len(facts) - len(newest))))
    return answer_of(lines, Read.of_facts(newest))
