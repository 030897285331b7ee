"""Answers without a model: tells what is known of somebody, or the most fitting quotations for a question.

Nothing is invented. What people said stands as theirs, with its source; what is not known is said to be not known.
"""

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate

from memory.answers.gather import Material
from memory.commands.small_talk import asks_the_same
from memory.core.outcomes import Answer, Citation, UnclearWho
from memory.core.provenance import Evidence, Read
from memory.core.values import Fact, Message, Source, Standing, text_of
from memory.facts.matching import attributed
from memory.language.dates import shown_day
from memory.language.detect import Language, word_set
from memory.language.question_words import AGE_WORDS, ASKS, LATEST, Want, meanings_of, signs_of, wants_of
from memory.language.stems import MOST_WANTED, WordForms, rank, stem, topics, topics_in_order, words_of
from memory.language.text import fold, plain_words
from memory.language.wording import SentenceKey, wording
from memory.models.prompt_data import author_line, one_line, statement_line
from memory.people.names import MENTION, mentioned_ids
from memory.recall.results import Passage
from memory.recall.service import MOST_QUOTED


class Say(SentenceKey):
    """Holds the keys of what answers are made of that no model wrote."""


# Which facts and messages answer a question well enough to be quoted, and how they are quoted.
#
# Of messages recall decides that. Facts, and what recall could not look at, have to fit by their words. Whoever asks
# when is told the day first.


QUOTE_LIMIT = 300
BESIDE_LIMIT = 150
RELEVANT = 0.34
"""From here on a text speaks of enough of what is asked to be quoted."""
ALL_OF_IT = 0.999
ABOUT_AS_GOOD = 0.7
"""Which share of the best score suffices beside it."""
_AGES = frozenset(map(stem, AGE_WORDS))
_ASKING = topics(
    "anything something erzähl erzähle sag sage weißt weisst weiß kennst raconte dis sais sait cuenta cuéntame dime"
    " sabes расскажи скажи знаешь"
)
"""Words of a question that no fact has to say: "tell me of Tom" asks no more than who he is."""
_OURS = word_set(
    "we us our ours my here wir uns unser unsere unserer unserem unseren mein meine meiner meinem meinen hier nous"
    " notre nos mon ma mes ici nosotros nosotras nuestro nuestra nuestros nuestras mi mis aquí мы нас нам наш наша наше"
    " наши мой моя мое мои здесь тут"
)


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Holds something that might be quoted. Its lines are written only if it is."""

    quoted: Fact | Passage
    said_at: datetime
    topics: frozenset[str] = frozenset()

    @property
    def read(self) -> Read:
        """List all that its lines repeat."""
        if isinstance(self.quoted, Fact):
            return Read.of_facts([self.quoted])
        return Read.of_messages(self.quoted.messages)


def most_relevant(material: Material) -> list[Candidate]:
    """List what recall found, and what we were told or just heard, that speaks of whom and of what is asked."""
    candidates = _told_or_just_said(material)
    wanted = _wanted(material)
    asked_for = [topic for topic in wanted if not topic.startswith("@")]
    unclear = topics(" ".join(one.name for one in material.unclear))
    beside_names = [topic for topic in asked_for if topic not in unclear]
    things = WordForms(asked_for)
    asked = fold(material.question)
    wants = wants_of(asked) - {Want.PERSON}
    named = {f"@{user_id}" for user_id in material.named_ids}
    meant = meanings_of(topics(material.question))
    asks_of_asker = bool(meant) and material.asker_id is not None and not material.named_ids
    # In recall's own order, which is not always that of the chances.
    chances = accumulate((one.chance for one in reversed(material.quotable)), max)
    recalled = zip(reversed(list(chances)), material.quotable, strict=True)
    sure = [(chance, Candidate(one, one.message.sent_at)) for chance, one in recalled]
    # What is indexed this very moment recall may miss: if it has nothing, what says all of it serves. "Old" is no age.
    is_open = not material.quotable and Want.AGE not in wants
    least = RELEVANT if not material.is_judged else (ALL_OF_IT if is_open else math.inf)
    fitting: list[tuple[float, Candidate]] = []
    fit: list[tuple[float, Candidate]] = []
    for score, candidate in zip(rank(wanted, [one.topics for one in candidates]), candidates, strict=True):
        speaks_of_it = not asked_for or any(word in things for word in candidate.topics)
        whose = candidate.quoted.subject_id if isinstance(candidate.quoted, Fact) else None
        # Told in another language, it may say so in no word of the question.
        means_it = bool(meant) and whose is not None and not meant.isdisjoint(meanings_of(candidate.topics))
        of_asker = whose is not None and whose == material.asker_id
        if asks_of_asker and whose is not None and f"@{material.asker_id}" not in candidate.topics:
            continue  # nobody else's home is theirs
        if whose is not None and material.named_ids and named.isdisjoint(candidate.topics):
            continue  # asked about one, what was told of another is no answer
        if isinstance(candidate.quoted, Fact) and whose in material.named_ids:
            if means_it or _says_what_is_asked(candidate.quoted, beside_names, wants):
                fit.append((1.0 + score, candidate))
        elif of_asker and (means_it or (speaks_of_it and score >= RELEVANT)):
            fit.append((1.0 + score, candidate))
        elif isinstance(candidate.quoted, Fact):
            if speaks_of_it and score >= RELEVANT and (whose is None or says_most(asked_for, candidate.topics)):
                fitting.append((score, candidate))
        elif speaks_of_it and score >= least and not asks_the_same(text_of(candidate.quoted.message), asked):
            fitting.append((score, candidate))
    best = max((score for score, _ in fitting), default=0.0)
    scored = sure + fit + [pair for pair in fitting if pair[0] >= best * ABOUT_AS_GOOD]
    last_time = LATEST.search(asked) is not None
    scored.sort(key=lambda pair: (0.0 if last_time else pair[0], pair[1].said_at), reverse=True)
    return _once([candidate for _, candidate in scored])[:MOST_QUOTED]


def _says_what_is_asked(fact: Fact, asked_for: Sequence[str], wants: Set[Want]) -> bool:
    """Say whether a fact about somebody named says what is asked; any does, if the question is who they are."""
    things = [topic for topic in asked_for if topic not in _ASKING and (Want.AGE not in wants or topic not in _AGES)]
    if things:
        return len(WordForms(things).said_in(topics(fact.text))) >= RELEVANT * len(things)
    return not wants or not wants.isdisjoint(signs_of(fact.text, wants).tells)


def says_most(asked_for: Sequence[str], said: Set[str]) -> bool:
    """Say whether a text speaks of nearly all that is asked, in whatever language: nuts alone are no reason to tell who
    is allergic to them."""
    forms, means = WordForms(said), meanings_of(said)
    spoken = [topic for topic in asked_for if topic in forms or not means.isdisjoint(meanings_of((topic,)))]
    return len(spoken) >= ABOUT_AS_GOOD * len(asked_for)


def _is_of_us(material: Material) -> bool:
    """Say whether a question is about people here; all others may be for the world's knowledge, or for talk."""
    if material.named_ids or material.unclear or not _OURS.isdisjoint(plain_words(material.typed)):
        return True
    return material.asker_id is not None and bool(meanings_of(topics(material.question)))


def _once(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out messages that say no more than a fact beside them, which was taken from them."""
    told = [topics(one.quoted.text) for one in candidates[:MOST_QUOTED] if isinstance(one.quoted, Fact)]
    return [one for one in candidates if isinstance(one.quoted, Fact) or not _is_told(one.quoted.message, told)]


def _is_told(message: Message, told: Sequence[frozenset[str]]) -> bool:
    said = topics(text_of(message))
    return bool(said) and any(said <= fact for fact in told)


def _wanted(material: Material) -> frozenset[str]:
    """List the topics a question asks for, as recall reads it, without common question words; its people as well."""
    asker = [] if material.asker_id is None else [material.asker_id]
    people = [f"@{user_id}" for user_id in (*(mentioned_ids(material.question) if material.about else ()), *asker)]
    return frozenset([*people, *topics_in_order(material.about or material.question)][:MOST_WANTED])


def _told_or_just_said(material: Material) -> list[Candidate]:
    """List facts and what was just said, which also tells how rare a word is, whoever decides on quoting it."""
    told = [
        Candidate(
            fact, fact.valid_from, topics(fact.text if fact.subject_id is None else f"<@{fact.subject_id}> {fact.text}")
        )
        for fact in material.facts
    ]
    said = [
        Candidate(Passage(message, (), ()), message.sent_at, _topics_of(message))
        for message in material.messages
        if text_of(message).strip()
    ]
    return told + said


def _topics_of(message: Message) -> frozenset[str]:
    """List a message's topics, with its author and with its words as recall reads them: not all scripts have spaces."""
    text = text_of(message)
    return topics(f"<@{message.author_id}> {text}") | frozenset(words_of(text))


def lines_of(quoted: Fact | Passage, material: Material) -> list[Line]:
    """Write a quotation as lines; what stands beside a message is linked as well, and in small print."""
    if isinstance(quoted, Fact):
        return [Line(f"• {fact_line(quoted, material.language)}", quoted.source)]
    folded = fold(material.question)
    day_first = ASKS[Want.TIME].search(folded) is not None or LATEST.search(folded) is not None
    message = quoted.message
    # What was just said here needs no date.
    is_dated = day_first or all(message.message_id != one.message_id for one in material.messages)
    language = material.language
    words = (
        _dated(message, material.place_id, language, day_first=day_first)
        if is_dated
        else _said(message, QUOTE_LIMIT, language)
    )
    return [
        Line(f"• {words}", quoted.source),
        *(_beside("↑", one, language) for one in quoted.before),
        *(_beside("↓", one, language) for one in quoted.after),
    ]


def _beside(arrow: str, message: Message, language: Language) -> Line:
    return Line(f"-# {arrow} {_said(message, BESIDE_LIMIT, language)}", Source(message.channel_id, message.message_id))


def fact_line(fact: Fact, language: Language) -> str:
    """Word a fact with its standing; what is over says from when to when it held."""
    told = attributed(fact, language, statement_line(fact.text, QUOTE_LIMIT * 2))
    if fact.valid_to is None:
        return told
    return f"{told} ({shown_day(fact.valid_from.date())} – {shown_day(fact.valid_to.date())})"


def _dated(message: Message, place_id: int | None, language: Language, *, day_first: bool) -> str:
    """Quote a message with its date; Discord shows the day in the language and the zone of whoever reads it."""
    stamp = int(message.sent_at.timestamp())
    elsewhere = [] if message.channel_id == place_id else [f"<#{message.channel_id}>"]
    words, author = _in_quotes(message, QUOTE_LIMIT), author_line(message, language)
    if day_first:
        return f"<t:{stamp}:f> ({', '.join([f'<t:{stamp}:R>', *elsewhere])}), {author}: {words}"
    return f"{author} ({', '.join([f'<t:{stamp}:D>', *elsewhere])}): {words}"


def _said(message: Message, limit: int, language: Language) -> str:
    return f"{author_line(message, language)}: {_in_quotes(message, limit)}"


def _in_quotes(message: Message, limit: int) -> str:
    return f"“{one_line(text_of(message), limit)}”"


# An answer that is made of lines, each with the message it comes from.


def answer_of(lines: Sequence[Line], read: Read) -> Answer:
    """Make an answer of lines; `read` is what stands in them, word for word."""
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
    """Move the citations of a text that now stands behind another one."""
    return tuple(Citation(citation.at + by, citation.source) for citation in citations)


MOST_LISTED = 15
NAME_LIMIT = 60


def without_model(material: Material, *, why: str | None = None) -> Answer:
    """Answer by up to three quotations that speak of what is asked, or by the honest word that there are none.

    `why` is the sentence for a model that did not answer, which stands below in small print; None, if there is no model
    at all.
    """
    if not material.question.strip(" ?!.,\n"):
        return Answer(wording(material.language, Say.NOTHING_ASKED))
    if material.ledger is not None:
        answer = material.ledger
    elif chosen := most_relevant(material):
        answer = _quoted(wording(material.language, Say.QUOTING), chosen, material)
    else:
        may_be_there = why is not None or material.is_incomplete or _is_of_us(material)
        answer = Answer(wording(material.language, Say.NOTHING_RELEVANT if may_be_there else Say.NO_MODEL))
    return answer if why is None else replace(answer, text=f"{answer.text}\n-# {why}")


def cut_off(material: Material) -> Answer:
    """Answer from what was heard and read last, while the memory cannot be reached; say so, found or not."""
    chosen = most_relevant(material)
    if not chosen:
        return Answer(wording(material.language, Say.NOTHING_WHILE_CUT_OFF), made_during_outage=True)
    return replace(_quoted(wording(material.language, Say.CUT_OFF), chosen, material), made_during_outage=True)


def known_of(
    user_id: int, asker_id: int, facts: Sequence[Fact], lately: Answer | None, language: Language, *, has_left: bool
) -> Answer:
    """Tell everything told about a member, and then what their last days tell."""
    known, nothing = (Say.KNOWN_OF_LEFT, Say.NOTHING_OF_LEFT) if has_left else (Say.KNOWN, Say.NOTHING)
    if user_id == asker_id:
        known, nothing = Say.KNOWN_OF_YOU, Say.NOTHING_OF_YOU
    who = f"<@{user_id}>"
    if not facts and lately is None:
        return Answer(wording(language, nothing, who=who))
    told = _listed(wording(language, known, who=who), facts, language)
    return told if lately is None else together([told, lately])


def together(answers: Sequence[Answer]) -> Answer:
    """Join several answers as one, the first of them first."""
    whole, *others = answers
    for other in others:
        whole = replace(
            whole,
            text=f"{whole.text}\n{other.text}",
            sources=tuple(dict.fromkeys((*whole.sources, *other.sources))),
            citations=(*whole.citations, *shifted(other.citations, len(whole.text) + 1)),
            unclear=whole.unclear or other.unclear,
            evidence=whole.evidence | other.evidence,
        )
    return whole


def naming_those_who_left(answer: Answer, left: Set[int], language: Language) -> Answer:
    """Write names for mentions of those who left: to its readers such a mention is a number."""
    if not left:
        return answer
    someone = wording(language, Say.LEFT)

    def named(text: str) -> str:
        return MENTION.sub(lambda mention: someone if int(mention[1]) in left else mention[0], text)

    citations = (Citation(len(named(answer.text[: one.at])), one.source) for one in answer.citations)
    return replace(answer, text=named(answer.text), citations=tuple(citations))


def last_known_of(user_id: int, facts: Sequence[Fact], language: Language) -> Answer:
    """Tell what was read of somebody before the memory could not be reached any more, and say so."""
    heading = wording(language, Say.LAST_KNOWN, who=f"<@{user_id}>")
    return replace(_listed(heading, facts, language), made_during_outage=True)


def known_of_guild(facts: Sequence[Fact], language: Language) -> Answer:
    if not facts:
        return Answer(wording(language, Say.NOTHING_OF_GUILD))
    return _listed(wording(language, Say.KNOWN_OF_GUILD), facts, language)


def unknown_name(name: str, facts: Sequence[Fact], language: Language) -> Answer:
    """Say that nobody goes by that name; but list facts in which it stands."""
    quoted = one_line(name, NAME_LIMIT)
    wanted = topics(name)
    speaking = [fact for fact in facts if wanted and wanted <= topics(fact.text)]
    if not speaking:
        return Answer(wording(language, Say.NOBODY, name=quoted))
    return _listed(wording(language, Say.NOBODY_BUT, name=quoted), speaking, language)


def which_one(unclear: UnclearWho, language: Language) -> Answer:
    """Ask which of several members who go by a name is meant: nothing is told of any before that is known."""
    return Answer(_asking(Say.WHICH, unclear, language), unclear=unclear)


def perhaps(found: Answer, guess: UnclearWho, language: Language) -> Answer:
    """Ask whether somebody of a like name is meant, as nobody goes by this one, after whatever was found."""
    if found.sources:
        return replace(found, text=f"{found.text}\n-# {_asking(Say.PERHAPS, guess, language)}", unclear=guess)
    return Answer(_asking(Say.GUESSED, guess, language), unclear=guess)


def of_several(answer: Answer, unclear: Sequence[UnclearWho], language: Language) -> Answer:
    """Say under an answer, for each name in the question, that several go by it; the first can be chosen."""
    if not unclear:
        return answer
    named = {one_line(one.name, NAME_LIMIT): one for one in unclear}
    notes = "".join(f"\n-# {_asking(Say.SEVERAL, one, language)}" for one in named.values())
    return replace(answer, text=f"{answer.text}{notes}", unclear=unclear[0])


def _asking(phrase: Say, unclear: UnclearWho, language: Language) -> str:
    people = [f"<@{one.user_id}> ({one_line(one.username, NAME_LIMIT)})" for one in unclear.candidates[:MOST_LISTED]]
    *others, last = [*people, *(["…"] if len(unclear.candidates) > len(people) else [])]
    listed = f"{', '.join(others)} {wording(language, Say.OR)} {last}" if others else last
    return wording(language, phrase, name=one_line(unclear.name, NAME_LIMIT), candidates=listed)


def mark_incomplete(answer: Answer, language: Language) -> Answer:
    """Say under an answer that it could not look further back."""
    return replace(answer, text=f"{answer.text}\n-# {wording(language, Say.NOT_LOOKED_BACK)}")


def _quoted(heading: str, chosen: Sequence[Candidate], material: Material) -> Answer:
    lines = [Line(heading)]
    for candidate in chosen:
        lines += lines_of(candidate.quoted, material)
    return answer_of(lines, Read.of_all(candidate.read for candidate in chosen))


def _importance(fact: Fact) -> tuple[int, int]:
    return 0 if fact.traits is None else fact.traits.importance, fact.fact_id


def _listed(heading: str, facts: Sequence[Fact], language: Language) -> Answer:
    told = [fact for fact in facts if fact.standing is not Standing.INFERRED][-MOST_LISTED:]
    let_on = sorted((fact for fact in facts if fact.standing is Standing.INFERRED), key=_importance)
    newest = [*told, *let_on[::-1][: MOST_LISTED - len(told)]]
    listed = (Line(f"• {fact_line(fact, language)}", fact.source) for fact in newest)
    lines = [Line(heading), *listed]
    if len(facts) > len(newest):
        lines.append(Line(wording(language, Say.MORE, count=len(facts) - len(newest))))
    return answer_of(lines, Read.of_facts(newest))
