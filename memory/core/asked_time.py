"""Whether a question asks what was taken for true at some time, or since when something is.

Only what was told to be remembered has such times. "What did we do in March?" asks for messages, and is none of these.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum

from memory.core import then_words as words
from memory.core.recall.asked import Asked, read_question
from memory.core.values import Member
from memory.language.dates import Span
from memory.language.detect import Language
from memory.language.question_words import ASKS_WHO, SAYING
from memory.language.stems import words_of
from memory.language.text import fold, words_in
from memory.people.names import Reference, people_in

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
    if any(form.search(folded) for form in (words.KNEW, words.THOUGHT, words.SINCE_WHEN)):
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
    if words.SINCE_WHEN.search(folded):
        # "How long have you known me?" asks for nothing that a fact says.
        return AskedTime(Form.SINCE, None, when, people, about, _things_in(about)) if about else None
    if asked.span is not None and not words.NOT_WHAT.match(folded.lstrip(" ¿¡")):
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
    is_known = words.KNEW.search(folded) is not None
    if not is_known and not (people and words.THOUGHT.search(folded)):
        return None
    start, end = _time(text, span, when)
    is_of_guild = not people and bool(about) and words.THE_GUILD.issuperset(about)
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
    if words.FORMERLY.search(folded) is None:
        return None
    return AskedTime(Form.STATE, None, when, people, about, things, is_over=True)


def _behind_before(folded: str, about: tuple[str, ...], things: frozenset[str]) -> tuple[str, ...]:
    """What stands behind "before", where that is no time."""
    said = [word.text for word in words_in(folded)]
    places = [place for place, word in enumerate(said) if word in words.BEFORE]
    behind = set(said[places[-1] + 1 :]) - _of_things(things) if places else set()
    return tuple(word for word in about if word in behind)


def _says_more(folded: str, about: tuple[str, ...], things: frozenset[str]) -> bool:
    """What somebody worked on, or said where they live, is in messages. A favourite is one of something, and whoever
    asks whether it was so says what."""
    besides = [word for word in about if word not in _of_things(things)]
    if words.MORE_THAN_A_THING.search(folded) or not SAYING.isdisjoint(words_of(folded)):
        return True
    whether = words.WHETHER.match(folded.lstrip(" ¿¡")) is not None
    return len(besides) > (MOST_CLAIMED if whether else "favourite" in things)


def _of_things(things: frozenset[str]) -> frozenset[str]:
    """The words in which these things are asked for."""
    return words.BESIDE_A_THING.union(*(words.THINGS[thing] for thing in things))


def _time(text: str, span: Span, when: datetime) -> tuple[datetime | None, datetime]:
    """From when to when: "before June" has no beginning, and "after" it as well as "since" it go on until now."""
    place = span.typed[0][0]
    before = [word.text for word in words_in(text[:place])][-3:]
    for word in reversed(before):
        if word in words.BEFORE:
            return None, span.start
        if word in words.AFTER:
            return span.end, when
        if word not in words.BESIDE_A_DATE:
            break
    return span.start, when if span.end > when else span.end


def _people_meant(references: Sequence[Reference]) -> frozenset[int]:
    """Whoever is named; the asker only where nobody else is, and not for what they themselves knew."""
    named = [one for one in references if not one.is_speaker]
    meant = named or [one for one in references if fold(one.typed) not in words.KNOWER]
    return frozenset(member.user_id for one in meant for member in one.candidates)


def _about(asked: Asked) -> tuple[str, ...]:
    small = words.ASKING | words.BEFORE | words.AFTER
    folded = dict.fromkeys(map(fold, asked.words))
    return tuple(word for word in folded if word not in small)


def _without_formerly(about: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in about if words.FORMERLY.search(word) is None)


def _things(folded: str) -> frozenset[str]:
    return _things_in([word.text for word in words_in(folded)])


def _things_in(about: Iterable[str]) -> frozenset[str]:
    said = set(about)
    return frozenset(thing for thing, forms in words.THINGS.items() if not forms.isdisjoint(said))
