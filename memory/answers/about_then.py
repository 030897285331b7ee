"""Questions for what was known when, answered from the ledger: what held then, and since when something is.

A model gets facts that are over with their dates, among all else that it answers from: of the days that are meant, or
what speaks of what is asked. Without one rules find the time, and they are listed. What the ledger does not speak of is
left to be answered as every question is.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum
from zoneinfo import ZoneInfo

from memory.answers.gather import Material, language_to_answer_in
from memory.answers.quote import MOST_LISTED, QUOTE_LIMIT
from memory.answers.quote_phrases import Say
from memory.answers.understanding import Understood
from memory.core.outcomes import Answer
from memory.core.provenance import Evidence, Read
from memory.core.values import Fact, Member, Question, Source, Standing
from memory.facts.history import FactsThenStore, PastFact
from memory.facts.matching import attributed, thing_of
from memory.language.dates import Span, shown_day
from memory.language.detect import Language, word_set
from memory.language.question_words import ASKS_WHO, SAYING
from memory.language.stems import WordForms, coverage, topics, words_of
from memory.language.text import fold, repair, words_in
from memory.language.time_zones import time_in
from memory.language.wording import wording
from memory.models.prompt_data import one_line
from memory.people.names import Reference, mentioned_ids, people_in, with_strangers
from memory.places.view import Audience
from memory.recall.query import Asked, read_question

# The words by which people ask what was known when, in the five languages; `…` stands for a few words between.


_BETWEEN = r"(?:\W+[^\W_]+){0,7}?\W+"


def _phrases(listed: str) -> re.Pattern[str]:
    """Any of the phrases, which stand between commas, as whole words."""
    ways = ([_spelt(part) for part in phrase.strip().split(" … ")] for phrase in listed.split(","))
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(_BETWEEN.join(way) for way in ways)})(?![^\W_])")


def _spelt(part: str) -> str:
    return re.escape(fold(part)).replace(r"\ ", r"\s+")


KNEW = _phrases(
    "did we know, did you know, did i know, did they know, did people know, did everyone know, did we believe,"
    " did you believe, did i believe, did they believe, did people believe, did everyone believe, had we known,"
    " had you known, we knew, you knew, we believed, you believed, was known, was believed, were known,"
    " wussten wir, wusstest du, wusste ich, wusste man, wir wussten, du wusstest, wusstet ihr, glaubten wir,"
    " glaubtest du, glaubte man, haben wir … gewusst, hast du … gewusst, hat man … gewusst, haben wir … geglaubt,"
    " hast du … geglaubt, hat man … geglaubt, war … bekannt, du … wusstest, wir … wussten,"
    " savions-nous, savais-tu, savait-on, saviez-vous, nous savions, tu savais, on savait, qu'on savait,"
    " croyions-nous, croyais-tu, croyait-on, nous croyions, tu croyais, on croyait, qu'on croyait, était connu,"
    " sabíamos, sabías, se sabía, sabíais, creíamos, creías, se creía, habías sabido, era conocido,"
    " мы знали, ты знал, ты знала, вы знали, знали мы, знал ты, все знали, было известно, мы верили, ты верил"
)
"""What we took for true. In languages where the verb alone does not tell whose, only where it was ours."""
THOUGHT = _phrases(
    "did we think, did you think, did people think, did everyone think, did we assume, did you remember,"
    " did we remember, we thought, you thought, was thought,"
    " dachten wir, dachtest du, dachte man, haben wir … gedacht, hast du … gedacht, hast du dir … gemerkt,"
    " pensions-nous, pensais-tu, pensait-on, nous pensions, tu pensais, on pensait,"
    " pensábamos, pensabas, se pensaba, recordabas,"
    " мы думали, ты думал, ты думала, мы считали, ты считал, считалось, ты помнил, ты помнила"
)
"""The same of a person; of anything else these words ask for opinions, which are in messages."""
SINCE_WHEN = _phrases(
    "since when, how long has, how long have, how long is it that,"
    " seit wann, wie lange … schon, wie lange schon, wie lange wohnt, wie lange lebt, wie lange arbeitet,"
    " wie lange weißt du, wie lange weisst du,"
    " depuis quand, depuis combien de temps, ça fait combien de temps, ça fait longtemps que,"
    " desde cuándo, cuánto tiempo lleva, cuánto tiempo llevas, cuánto tiempo llevan, cuánto tiempo hace que,"
    " cuánto hace que, hace cuánto que, hace cuánto tiempo que,"
    " с каких пор, с какого времени, как давно, давно ли, как долго уже, сколько времени уже, сколько уже"
)
FORMERLY = _phrases(
    "used to, use to, formerly, previously, earlier, in the past, before?, before that, early on,"
    " früher, vorher, davor, zuvor, einst,"
    " autrefois, auparavant, avant ?, avant?, avant cela, avant ça,"
    " antes?, anteriormente, antes de eso, en el pasado,"
    " раньше, прежде, до этого, когда-то"
)
"""Some time before now, which is not said."""
NOT_WHAT = _phrases(
    "how did, why did, when did, who did, how had, wie, warum, wieso, weshalb, wann, wer, wen, wem, comment,"
    " pourquoi, quand, qui, cómo, por qué, cuándo, quién, как, почему, зачем, когда, кто"
)
"""Opening a question for what we knew, these ask for something else."""

THINGS = {
    "home": word_set(
        "live lives lived living reside resides resided home address wohnen wohne wohnt wohnte wohnten gewohnt lebe"
        " lebt lebte gelebt zuhause habite habitait habitais habité habiter vit vis vivait vivais vécu vive vivo vivía"
        " vivió viví vivir vivido живу живет живут жил жила жили проживаю проживает проживал проживала"
    ),
    "work": word_set(
        "work works worked working job jobs occupation arbeite arbeitet arbeitete gearbeitet beruf travaille"
        " travaillait travaillais travaillé métier emploi trabaja trabajaba trabajó trabajé trabajado trabajo работаю"
        " работает работал работала работали работа"
    ),
    "name": word_set(
        "called named name heiße heißt hieß geheißen heissen nom appelle appelait appelais appelé llama llamo llamaba"
        " llamado nombre зовут звали имя"
    ),
    "age": word_set("old age alt alter âge edad лет"),
    "favourite": word_set("favourite favorite lieblings préféré préférée favorito favorita preferido любимый любимая"),
}
"""What is true of a person once at a time, by the words in which it is asked for."""

WHETHER = _phrases(
    "did, was, were, had, has, is it true that, hat, hatte, war, wohnte, lebte, arbeitete, hieß,"
    " est-ce que, est-ce qu, habitait, vivait, travaillait, vivía, vivió, trabajaba, trabajó, ha vivido, se llamaba,"
    " жил, жила, работал, работала, проживал, проживала"
)
"""Opening a question, these ask whether it was so."""
MORE_THAN_A_THING = re.compile(r"(?<![^\W_])work(?:s|ed|ing)?\s+(?:on|out|with|through|from)(?![^\W_])")
BESIDE_A_THING = word_set(
    "city town country place street company firm profession stadt land ort straße firma ville pays endroit rue"
    " ciudad país lugar calle empresa город городе страна стране месте"
)
"""Words that may stand beside these without asking for more."""

BEFORE = word_set("before until till prior vor bis avant jusqu jusque antes hasta до перед")
AFTER = word_set("after following nach après después tras после")
BESIDE_A_DATE = word_set("the to dem den der le la l de del el en a au à zum")
"""May stand between those and a date."""
KNOWER = word_set("i ich je j yo я")
""" "What did I know": who knew, not who it was about."""
THE_GUILD = word_set("server guild discord serveur servidor сервер сервере сервером")
ASKING = word_set(
    "know knew known believe believed think thought assume remember anything everything something everyone"
    " everybody anyone fact facts long since back happen person people use used last letzten letztem letzter dernier"
    " pasado прошлого прошлом"
    " wussten wusstest wusste gewusst wisst weißt weisst wissen glaubten glaubtest glaubte geglaubt dachten dachtest"
    " dachte gedacht bekannt gemerkt lange schon alles hast hat haben"
    " savions savais savait saviez sais croyions croyais croyait pensions pensais pensait connu combien temps"
    " longtemps depuis"
    " sabíamos sabías sabía sabíais sabes creíamos creías creía pensábamos pensabas pensaba conocido tiempo lleva"
    " llevas llevan hace cuanto desde"
    " знали знал знала знаешь верили верил известно думали думал думала считали считал считалось помнил помнила"
    " давно долго пор каких времени какого сколько"
)
"""Words of the question itself, which no fact says."""


# Whether a question asks what was taken for true at some time, or since when something is.
#
# Only what was told to be remembered has such times. "What did we do in March?" asks for messages, and is none of
# these.


MOST_CHARACTERS = 400
"""A longer text tells something, whatever it asks besides."""


MOST_CLAIMED = 3
"""Words for what somebody asks whether it was so ("the old harbour of Porto"); more of them tell a story."""


class Form(StrEnum):
    HELD = "held"
    """What was taken for true in a time: all of it, or what is said of something."""
    STATE = "state"
    """One thing that is true of somebody once at a time, and what it was then."""
    SINCE = "since"
    """Since when something is known."""


@dataclass(frozen=True, slots=True)
class AskedTime:
    form: Form
    start: datetime | None
    """None: however long ago."""
    end: datetime
    people: frozenset[int]
    """Whom it is about; nobody: whomever."""
    about: tuple[str, ...]
    """What it asks for in particular; nothing: all that was known."""
    things: frozenset[str] = frozenset()
    """Which of the things that are true of a person once at a time."""
    is_of_guild: bool = False
    is_over: bool = False
    """ "Where did Bob use to live?": not what still holds."""
    then_came: tuple[str, ...] = ()
    """ "Where did Bob live before Rome?": what took its place."""


def may_ask_for_a_time(text: str) -> bool:
    """Quickly, before anything is looked up."""
    folded = fold(text[:MOST_CHARACTERS])
    if any(form.search(folded) for form in (KNEW, THOUGHT, SINCE_WHEN)):
        return True
    return bool(_things(folded)) and not ASKS_WHO.match(folded.lstrip(" ¿¡"))


def asked_time(
    text: str, members: Iterable[Member], asker: Member, when: datetime, zone: tzinfo, language: Language | None = None
) -> AskedTime | None:
    """`members` need to hold those whom the text may mean; `when` it was asked decides what "last year" is."""
    if len(text) > MOST_CHARACTERS:
        return None
    known = list(members)
    folded = fold(text)
    asked = read_question(text, known, asker, when, zone, language)
    meant = people_in(text, known, speaker=asker, language=asked.language)
    people = _people_meant(meant)
    about = _about(asked)
    if SINCE_WHEN.search(folded):
        # "How long have you known me?" asks for nothing that a fact says.
        return AskedTime(Form.SINCE, None, when, people, about, _things_in(about)) if about else None
    if asked.span is not None and not NOT_WHAT.match(folded.lstrip(" ¿¡")):
        held = _held(text, folded, asked.span, people, about, when)
        if held is not None:
            return held
    of_themselves = frozenset((asker.user_id,)) if any(one.is_speaker for one in meant) else frozenset()
    return _state(text, folded, asked.span, people or of_themselves, about, when)


def known_time(
    text: str, members: Iterable[Member], asker: Member, when: datetime, zone: tzinfo, language: Language | None = None
) -> AskedTime | None:
    """The same of what follows "what do you know about": somebody and a time, and nothing besides."""
    known = list(members)
    asked = read_question(text, known, asker, when, zone, language)
    people = _people_meant(people_in(text, known, speaker=asker, language=asked.language))
    if asked.span is None or not people or _about(asked):
        return None
    return AskedTime(Form.HELD, *_time(text, asked.span, when), people, ())


def _held(
    text: str, folded: str, span: Span, people: frozenset[int], about: tuple[str, ...], when: datetime
) -> AskedTime | None:
    is_known = KNEW.search(folded) is not None
    if not is_known and not (people and THOUGHT.search(folded)):
        return None
    start, end = _time(text, span, when)
    is_of_guild = not people and bool(about) and THE_GUILD.issuperset(about)
    wanted = () if is_of_guild else about
    return AskedTime(Form.HELD, start, end, people, wanted, _things_in(wanted), is_of_guild)


def _state(
    text: str, folded: str, span: Span | None, people: frozenset[int], about: tuple[str, ...], when: datetime
) -> AskedTime | None:
    about = _without_formerly(about)
    things = _things_in(about)
    if not people or not things or ASKS_WHO.match(folded.lstrip(" ¿¡")):
        return None
    then_came = () if span is not None else _behind_before(folded, about, things)
    if then_came:
        about = tuple(word for word in about if word not in then_came)
    if _says_more(folded, about, things):
        return None
    if then_came:
        return AskedTime(Form.STATE, None, when, people, about, things, is_over=True, then_came=then_came)
    if span is not None:
        start, end = _time(text, span, when)
        return AskedTime(Form.STATE, start, end, people, about, things)
    if FORMERLY.search(folded) is None:
        return None
    return AskedTime(Form.STATE, None, when, people, about, things, is_over=True)


def _behind_before(folded: str, about: tuple[str, ...], things: frozenset[str]) -> tuple[str, ...]:
    """What stands behind "before", where that is no time."""
    said = [word.text for word in words_in(folded)]
    places = [place for place, word in enumerate(said) if word in BEFORE]
    behind = set(said[places[-1] + 1 :]) - _of_things(things) if places else set()
    return tuple(word for word in about if word in behind)


def _says_more(folded: str, about: tuple[str, ...], things: frozenset[str]) -> bool:
    """What somebody worked on, or said where they live, is in messages. A favourite is one of something, and whoever
    asks whether it was so says what."""
    besides = [word for word in about if word not in _of_things(things)]
    if MORE_THAN_A_THING.search(folded) or not SAYING.isdisjoint(words_of(folded)):
        return True
    whether = WHETHER.match(folded.lstrip(" ¿¡")) is not None
    return len(besides) > (MOST_CLAIMED if whether else "favourite" in things)


def _of_things(things: frozenset[str]) -> frozenset[str]:
    """The words in which these things are asked for."""
    return BESIDE_A_THING.union(*(THINGS[thing] for thing in things))


def _time(text: str, span: Span, when: datetime) -> tuple[datetime | None, datetime]:
    """From when to when: "before June" has no beginning, and "after" it as well as "since" it go on until now."""
    place = span.typed[0][0]
    before = [word.text for word in words_in(text[:place])][-3:]
    for word in reversed(before):
        if word in BEFORE:
            return None, span.start
        if word in AFTER:
            return span.end, when
        if word not in BESIDE_A_DATE:
            break
    return span.start, when if span.end > when else span.end


def _people_meant(references: Sequence[Reference]) -> frozenset[int]:
    """Whoever is named; the asker only where nobody else is, and not for what they themselves knew."""
    named = [one for one in references if not one.is_speaker]
    meant = named or [one for one in references if fold(one.typed) not in KNOWER]
    return frozenset(member.user_id for one in meant for member in one.candidates)


def _about(asked: Asked) -> tuple[str, ...]:
    small = ASKING | BEFORE | AFTER
    folded = dict.fromkeys(map(fold, asked.words))
    return tuple(word for word in folded if word not in small)


def _without_formerly(about: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in about if FORMERLY.search(word) is None)


def _things(folded: str) -> frozenset[str]:
    return _things_in([word.text for word in words_in(folded)])


def _things_in(about: Iterable[str]) -> frozenset[str]:
    said = set(about)
    return frozenset(thing for thing, forms in THINGS.items() if not forms.isdisjoint(said))


# What was known at some time, told from the ledger without a model: with the days on which it was told and ended.


MOST_OVER = 10
"""Facts that are over, before a model."""
MOST_SINCE = 3
"""Facts that say since when something is; the rest would be something else."""


def told_then(
    asked: AskedTime,
    held: Sequence[tuple[Fact, Fact | None]],
    asker_id: int,
    zone: str,
    now: datetime,
    language: Language,
) -> Answer:
    """`held` are facts, the oldest first, each with what took its place."""
    heading = _heading(asked, bool(held), asker_id, zone, now, language)
    most = MOST_SINCE if asked.form is Form.SINCE else MOST_LISTED
    newest = list(held)[-most:]
    lines = [heading, *(f"• {_line(fact, successor, zone, language)}" for fact, successor in newest)]
    if len(held) > len(newest) and asked.form is not Form.SINCE:
        lines.append(wording(language, Say.MORE, count=len(held) - len(newest)))
    facts = [fact for pair in newest for fact in pair if fact is not None]
    sources = dict.fromkeys(Source(fact.channel_id, fact.message_id) for fact in facts)
    return Answer("\n".join(lines), tuple(sources), evidence=Evidence.all_quoted(Read.of_facts(facts)))


def _heading(asked: AskedTime, is_anything: bool, asker_id: int, zone: str, now: datetime, language: Language) -> str:
    when = _when(asked, zone, now)
    match asked.form:
        case Form.SINCE:
            return wording(language, Say.KNOWN_SINCE)
        case Form.STATE:
            return wording(language, Say.WAS_SO, when=when)
    if not is_anything:
        return wording(language, Say.KNEW_NOTHING, when=when)
    if asked.is_of_guild:
        return wording(language, Say.KNEW_OF_GUILD, when=when)
    if len(asked.people) != 1:
        return wording(language, Say.KNEW_ALL, when=when)
    (user_id,) = asked.people
    return wording(language, Say.KNEW_OF_YOU if user_id == asker_id else Say.KNEW, who=f"<@{user_id}>", when=when)


def _when(asked: AskedTime, zone: str, now: datetime) -> str:
    """Days of the guild in brackets, the last one included; open at the side that the question leaves open, and
    nothing where it leaves both."""
    if asked.start is None and asked.end >= now:
        return ""
    last = "…" if asked.end >= now else _day(asked.end - timedelta(microseconds=1), zone)
    first = "…" if asked.start is None else _day(asked.start, zone)
    return f" ({first})" if first == last else f" ({first} – {last})"


def _line(fact: Fact, successor: Fact | None, zone: str, language: Language) -> str:
    """The fact, who told it, from when to when it held, and what took its place."""
    day = _day(fact.valid_from, zone)
    dates = wording(language, Say.SINCE, day=day) if fact.valid_to is None else f"{day} – {_day(fact.valid_to, zone)}"
    told = [dates]
    if fact.standing is Standing.SELF or fact.subject_id is None:
        told.append(wording(language, Say.TOLD_BY, teller=f"<@{fact.teller_id}>"))
    if successor is not None:
        told.append(wording(language, Say.REPLACED, fact=_said(successor, language)))
    return f"{_said(fact, language)} ({'; '.join(told)})"


def _said(fact: Fact, language: Language) -> str:
    return attributed(fact, language, one_line(fact.text, QUOTE_LIMIT * 2))


def _day(moment: datetime, zone: str) -> str:
    return shown_day(time_in(zone, moment).date())


SPOKEN_OF = 0.75
"""Which share of what is asked for a fact has to say: of up to three words each."""
CAME_AFTER = 0.5
"""Which share of what is said behind "before" the successor has to say: of a thing and how it came about."""


class FactsOverTime:
    def __init__(self, facts: FactsThenStore, zone_of: Callable[[int], Awaitable[str]]) -> None:
        self._facts = facts
        self._zone_of = zone_of

    async def beside(
        self, material: Material, question: Question, audience: Audience, members: Sequence[Member]
    ) -> Material:
        """The material with what held at the time that is asked for; the same, if none is, or nothing is told of it."""
        text = repair(question.text)
        if not may_ask_for_a_time(text):
            return material
        zone = await self._zone_of(question.guild_id)
        everyone, asker = _people(text, question, members)
        asked = await asyncio.to_thread(
            asked_time, text, everyone, asker, question.asked_at, ZoneInfo(zone), question.language
        )
        if asked is None:
            return material
        held = await self._held(asked, audience)
        if not held and asked.about:
            return material  # perhaps it was talked about
        then = [fact for one in held for fact in (one.fact, one.successor) if fact is not None]
        told = _told(asked, held, question, zone, material.language)
        return replace(material, then=list(dict.fromkeys(then)), ledger=told)

    async def for_model(
        self, material: Material, understood: Understood, question: Question, audience: Audience
    ) -> Material:
        """The material with facts that are over: about whom is meant, of the days that are, or what speaks of it."""
        people = {question.asker_id, *material.named_ids, *understood.people}
        start, end = None, question.asked_at
        if understood.first_day is not None and understood.last_day is not None:
            zone = ZoneInfo(await self._zone_of(question.guild_id))
            start = datetime.combine(understood.first_day, time.min, zone)
            end = datetime.combine(understood.last_day + timedelta(days=1), time.min, zone)
        over = await self._facts.held_between(audience, start, end, people, only_over=True)
        if start is None:
            wanted = WordForms([topic for topic in topics(material.question) if not topic.startswith("@")])
            over = [one for one in over if wanted.said_in(topics(one.fact.text))]
        then = [fact for one in over[-MOST_OVER:] for fact in (one.fact, one.successor) if fact is not None]
        return replace(material, then=list(dict.fromkeys(then)))

    async def known_then(self, question: Question, audience: Audience, members: Sequence[Member]) -> Answer | None:
        """Behind "what do you know about …": what was known of somebody at a time; None if no time is named."""
        text = repair(question.text)
        zone = await self._zone_of(question.guild_id)
        everyone, asker = _people(text, question, members)
        asked = await asyncio.to_thread(
            known_time, text, everyone, asker, question.asked_at, ZoneInfo(zone), question.language
        )
        if asked is None:
            return None
        held = await self._held(asked, audience)
        return _told(asked, held, question, zone, language_to_answer_in(question))

    async def _held(self, asked: AskedTime, audience: Audience) -> list[PastFact]:
        held = await self._facts.held_between(audience, asked.start, asked.end, asked.people or None)
        return await asyncio.to_thread(_asked_for, asked, held)


def _people(text: str, question: Question, members: Sequence[Member]) -> tuple[list[Member], Member]:
    everyone = with_strangers(members, question.guild_id, [question.asker_id, *mentioned_ids(text)])
    return everyone, next(member for member in everyone if member.user_id == question.asker_id)


def _asked_for(asked: AskedTime, held: Sequence[PastFact]) -> list[PastFact]:
    wanted = topics(" ".join(asked.then_came))
    return [
        one
        for one in held
        if not (asked.is_over and one.fact.valid_to is None)
        and not (asked.then_came and not _came_after(one, wanted))
        and not (asked.is_of_guild and one.fact.subject_id is not None)
        and _speaks_of(one.fact, asked)
    ]


def _speaks_of(fact: Fact, asked: AskedTime) -> bool:
    """Whether it says what is asked for: of a thing such as where somebody lives, in whatever words."""
    if not asked.about:
        return True
    of_things = BESIDE_A_THING.union(*(THINGS[thing] for thing in asked.things)) if asked.things else frozenset()
    spoken = WordForms(topics(fact.text))
    if asked.things and thing_of(fact.text) not in asked.things:
        forms = topics(" ".join(word for word in asked.about if word in of_things))
        if not coverage(forms, spoken):
            return False
    wanted = topics(" ".join(word for word in asked.about if word not in of_things))
    return not wanted or coverage(wanted, spoken) >= SPOKEN_OF


def _came_after(held: PastFact, wanted: Collection[str]) -> bool:
    """Whether this took its place: "before Rome", or "before he moved to Rome"."""
    return held.successor is not None and coverage(wanted, WordForms(topics(held.successor.text))) >= CAME_AFTER


def _told(asked: AskedTime, held: Sequence[PastFact], question: Question, zone: str, language: Language) -> Answer:
    pairs = [(one.fact, one.successor) for one in held]
    return told_then(asked, pairs, question.asker_id, zone, question.asked_at, language)
