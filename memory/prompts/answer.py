"""Answers made without a model: what is known of somebody, or the most fitting quotations for a question.

Nothing is invented. What people said stands as theirs, with its source; what is not known is said to be not known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.core.language import Language
from memory.core.matching import rank, speaks_of, topics
from memory.core.model import Fact, Message, Standing
from memory.core.outcomes import Answer, Source, UnclearWho
from memory.prompts.answer_phrases import PHRASES, Say
from memory.prompts.escape import one_line

MOST_QUOTED = 3
MOST_LISTED = 15
QUOTE_LIMIT = 300
NAME_LIMIT = 60
RELEVANT = 0.34
"""From here on a text speaks of enough of what is asked to be quoted."""


@dataclass(frozen=True, slots=True)
class Material:
    """All that an answer may be made from. People in `question` stand as `<@id>`, the asker included."""

    question: str
    language: Language
    named_ids: frozenset[int]
    """Members the question names; the asker's "I" is not among them."""
    facts: Sequence[Fact]
    messages: Sequence[Message]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something that might be quoted. Its line is written only if it is."""

    quoted: Fact | Message
    topics: frozenset[str]
    said_at: datetime
    is_about_named: bool

    @property
    def source(self) -> Source:
        return Source(self.quoted.channel_id, self.quoted.message_id)


def without_model(material: Material, *, why: str | None = None) -> Answer:
    """Up to three quotations that speak of what is asked, or the honest word that there are none.

    Either says why it is no more than that: there is no model, or it did not answer, for which `why` is the sentence.
    """
    say = PHRASES[material.language]
    if not material.question.strip(" ?!.,\n"):
        return Answer(say[Say.NOTHING_ASKED])
    candidates = _candidates(material)
    chosen = _most_relevant(material, candidates)
    if not chosen:
        return Answer(say[Say.NOTHING_RELEVANT] if why is None else say[Say.NOTHING_MEANWHILE].format(why=why))
    heading = say[Say.QUOTING] if why is None else say[Say.QUOTING_MEANWHILE].format(why=why)
    return _quoted(heading, chosen, material.language)


def cut_off(material: Material) -> Answer:
    """The same from what was heard and read last, while the memory cannot be reached; and it says so, found or not."""
    say = PHRASES[material.language]
    chosen = _most_relevant(material, _candidates(material))
    if not chosen:
        return Answer(say[Say.NOTHING_WHILE_CUT_OFF], is_cut_off=True)
    return replace(_quoted(say[Say.CUT_OFF], chosen, material.language), is_cut_off=True)


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
    say = PHRASES[language]
    candidates = [f"<@{member.user_id}> ({one_line(member.username, NAME_LIMIT)})" for member in unclear.candidates]
    listed = f" {say[Say.OR]} ".join([", ".join(candidates[:-1]), candidates[-1]])
    return Answer(say[Say.WHICH].format(name=one_line(unclear.name, NAME_LIMIT), candidates=listed))


def _quoted(heading: str, chosen: Sequence[_Candidate], language: Language) -> Answer:
    lines = [heading, *(f"• {_line(candidate.quoted, language)}" for candidate in chosen)]
    return Answer("\n".join(lines), tuple(dict.fromkeys(candidate.source for candidate in chosen)))


def _listed(heading: str, facts: Sequence[Fact], language: Language) -> Answer:
    newest = list(facts)[-MOST_LISTED:]
    lines = [heading, *(f"• {_fact_line(fact, language)}" for fact in newest)]
    if len(facts) > len(newest):
        lines.append(PHRASES[language][Say.MORE].format(count=len(facts) - len(newest)))
    return Answer("\n".join(lines), tuple(dict.fromkeys(Source(fact.channel_id, fact.message_id) for fact in newest)))


def _fact_line(fact: Fact, language: Language) -> str:
    """A fact with its standing: what others say of somebody is always theirs, never simply so."""
    say = PHRASES[language]
    text = one_line(fact.text, QUOTE_LIMIT * 2)
    teller = f"<@{fact.teller_id}>"
    if fact.standing is Standing.HEARSAY and not fact.text.startswith(teller):
        text = say[Say.HEARSAY].format(teller=teller, fact=text)
    return f"{text} ({say[Say.SINCE].format(day=f'{fact.valid_from:%Y-%m-%d}')})"


def _line(quoted: Fact | Message, language: Language) -> str:
    if isinstance(quoted, Fact):
        return _fact_line(quoted, language)
    return f"<@{quoted.author_id}>: “{one_line(quoted.text, QUOTE_LIMIT)}”"


def _candidates(material: Material) -> list[_Candidate]:
    told = [
        _Candidate(
            quoted=fact,
            topics=topics(fact.text if fact.subject_id is None else f"<@{fact.subject_id}> {fact.text}"),
            said_at=fact.valid_from,
            is_about_named=fact.subject_id in material.named_ids,
        )
        for fact in material.facts
    ]
    said = [
        _Candidate(
            quoted=message,
            topics=topics(f"<@{message.author_id}> {message.text}"),
            said_at=message.sent_at,
            is_about_named=False,
        )
        for message in material.messages
        if message.text.strip()
    ]
    return told + said


def _most_relevant(material: Material, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    wanted = topics(material.question)
    things = [topic for topic in wanted if not topic.startswith("@")]
    scored: list[tuple[float, _Candidate]] = []
    for score, candidate in zip(rank(wanted, [one.topics for one in candidates]), candidates, strict=True):
        speaks_of_it = not things or any(speaks_of(topic, candidate.topics) for topic in things)
        if candidate.is_about_named:
            # Asked about somebody, what we were told of them is worth saying even if no word fits.
            scored.append((max(score, RELEVANT) + (1.0 if speaks_of_it and things else 0.0), candidate))
        elif score >= RELEVANT and speaks_of_it:
            scored.append((score, candidate))
    scored.sort(key=lambda pair: (pair[0], pair[1].said_at), reverse=True)
    return [candidate for _, candidate in scored[:MOST_QUOTED]]
