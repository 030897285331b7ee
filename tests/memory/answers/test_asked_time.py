"""Questions for what was known when, and the many that only look like them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.answers.about_then import AskedTime, Form, asked_time, known_time, may_ask_for_a_time
from memory.core.values import Member

ALICE = Member(1, 1, "alice", global_name="Alice")
BOB = Member(1, 2, "bob", global_name="Bob")
BOBS = frozenset((2,))
NOW = datetime(2026, 11, 15, 15, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Berlin")
MARCH = (datetime(2026, 3, 1, tzinfo=ZONE), datetime(2026, 4, 1, tzinfo=ZONE))
LAST_YEAR = (datetime(2025, 1, 1, tzinfo=ZONE), datetime(2026, 1, 1, tzinfo=ZONE))
BEFORE_JUNE = (None, datetime(2026, 6, 1, tzinfo=ZONE))
SINCE_MAY = (datetime(2026, 5, 1, tzinfo=ZONE), NOW)


def asked(text: str) -> AskedTime | None:
    return asked_time(text, [ALICE, BOB], ALICE, NOW, ZONE)


def found(text: str, form: Form) -> AskedTime:
    assert may_ask_for_a_time(text)
    one = asked(text)
    assert one is not None
    assert one.form is form
    return one


@pytest.mark.parametrize(
    "text",
    [
        "what did we believe about Bob in March?",
        "Tell me what you knew about Bob in March",
        "what did we believe about Bob last March?",
        "what did everyone think about <@2> in March?",
        "was wussten wir im März über Bob?",
        "was haben wir im März über Bob geglaubt?",
        "que savions-nous de Bob en mars ?",
        "qu'est-ce qu'on croyait de Bob en mars ?",
        "¿qué sabíamos de Bob en marzo?",
        "¿qué se sabía de Bob en marzo?",
        "что мы знали о <@2> в марте?",
        "что было известно о <@2> в марте?",
    ],
)
def test_what_was_held_of_somebody_in_a_month(text: str) -> None:
    one = found(text, Form.HELD)
    assert ((one.start, one.end), one.people, one.about) == (MARCH, BOBS, ())


@pytest.mark.parametrize(
    "text",
    [
        "what did you know about me last year?",
        "was wusstest du letztes Jahr über mich?",
        "was hast du letztes Jahr über mich gewusst?",
        "que savais-tu de moi l'année dernière ?",
        "¿qué sabías de mí el año pasado?",
        "что ты знал обо мне в прошлом году?",
    ],
)
def test_what_was_held_of_the_asker(text: str) -> None:
    one = found(text, Form.HELD)
    assert ((one.start, one.end), one.people) == (LAST_YEAR, frozenset((1,)))


def test_what_was_held_of_all_and_of_the_guild() -> None:
    everything = found("what did we believe in March?", Form.HELD)
    assert (everything.people, everything.about, everything.is_of_guild) == (frozenset(), (), False)
    assert found("what did we know about this server in March?", Form.HELD).is_of_guild
    assert found("what did I know about Bob in March?", Form.HELD).people == {2}


@pytest.mark.parametrize(
    "text",
    [
        "where did Bob live before June?",
        "wo wohnte Bob vor Juni?",
        "wo hat Bob vor dem 1. Juni gewohnt?",
        "où habitait Bob avant juin ?",
        "¿dónde vivía Bob antes de junio?",
        "где жил Bob до июня?",
    ],
)
def test_what_was_so_before(text: str) -> None:
    one = found(text, Form.STATE)
    assert ((one.start, one.end), one.people, one.things) == (BEFORE_JUNE, BOBS, frozenset(("home",)))


@pytest.mark.parametrize(
    "text", ["where did Bob use to live?", "wo wohnte Bob früher?", "¿dónde vivía Bob antes?", "где раньше жил Bob?"]
)
def test_what_is_over(text: str) -> None:
    assert found(text, Form.STATE).is_over


@pytest.mark.parametrize(
    "text",
    [
        "where did Bob live before Rome?",
        "wo wohnte Bob vor Rome?",
        "wo hat Bob vor Rome gewohnt?",
        "où habitait Bob avant Rome ?",
        "¿dónde vivía Bob antes de Rome?",
        "где жил Bob до Rome?",
    ],
)
def test_what_was_so_before_something_else(text: str) -> None:
    one = found(text, Form.STATE)
    assert (one.people, one.things, one.then_came, one.is_over) == (BOBS, frozenset(("home",)), ("rome",), True)


@pytest.mark.parametrize(
    "text",
    [
        "where did I live before Rome?",
        "wo habe ich vor Rome gewohnt?",
        "où est-ce que j'habitais avant Rome ?",
        "¿dónde vivía yo antes de Rome?",
        "где я жил до Rome?",
    ],
)
def test_what_was_so_of_the_asker(text: str) -> None:
    one = found(text, Form.STATE)
    assert (one.people, one.things, one.then_came) == (frozenset((1,)), frozenset(("home",)), ("rome",))


@pytest.mark.parametrize(
    "text",
    [
        "did Bob live in Paris in March?",
        "was Bob living in Paris in March?",
        "hat Bob im März in Paris gewohnt?",
        "wohnte Bob im März in Paris?",
        "est-ce que Bob habitait à Paris en mars ?",
        "¿vivía Bob en Paris en marzo?",
        "жил ли Bob в Paris в марте?",
    ],
)
def test_whether_something_was_so(text: str) -> None:
    one = found(text, Form.STATE)
    assert ((one.start, one.end), one.people, one.things) == (MARCH, BOBS, frozenset(("home",)))
    assert "paris" in one.about


@pytest.mark.parametrize(
    "text",
    [
        "since when is Bob in Paris?",
        "how long has Bob been in Paris?",
        "seit wann ist Bob in Paris?",
        "wie lange ist Bob schon in Paris?",
        "depuis quand Bob est-il à Paris ?",
        "depuis combien de temps Bob est-il à Paris ?",
        "¿desde cuándo está Bob en París?",
        "¿cuánto tiempo lleva Bob en París?",
        "с каких пор <@2> в Paris?",
    ],
)
def test_since_when_something_is(text: str) -> None:
    one = found(text, Form.SINCE)
    assert (one.people, one.about) == (BOBS, ("paris",))


def test_after_goes_on_until_now() -> None:
    one = found("what did we know about Bob after March?", Form.HELD)
    assert (one.start, one.end) == (MARCH[1], NOW)


@pytest.mark.parametrize(
    ("text", "time"), [("Bob in March", MARCH), ("me since May", SINCE_MAY), ("Bob im März", MARCH)]
)
def test_behind_what_do_you_know(text: str, time: tuple[datetime, datetime]) -> None:
    one = known_time(text, [ALICE, BOB], ALICE, NOW, ZONE)
    assert one is not None
    assert (one.form, (one.start, one.end)) == (Form.HELD, time)


@pytest.mark.parametrize("text", ["Bob", "March", "the meeting in March", "Bob's boat in March", "last year"])
def test_behind_what_do_you_know_no_time_of_anybody(text: str) -> None:
    assert known_time(text, [ALICE, BOB], ALICE, NOW, ZONE) is None


@pytest.mark.parametrize(
    "text",
    [
        "what did we do in March?",
        "what did Bob say about Alice in March?",
        "what did Bob know in March?",
        "what did we think about the film in March?",
        "who did you know in March?",
        "how did you know Bob was ill last week?",
        "when did Bob move to Paris?",
        "where does Bob live?",
        "where did we eat in June?",
        "where did Bob say he lived in March?",
        "what was Bob working on in March?",
        "who did Bob work with in March?",
        "how long have you known me?",
        "since when do you know that?",
        "what changed about Bob since May?",
        "how long did the party last?",
        "what's new with Bob since May?",
        "was haben wir im März gemacht?",
        "wie lange dauerte die Party?",
        "qu'avons-nous fait en mars ?",
        "¿qué hicimos en marzo?",
        "¿qué sabía Bob en marzo?",
        "что мы делали в марте?",
        "Yesterday we knew what to do, and then it rained. " * 10,
    ],
)
def test_everything_else_is_none_of_it(text: str) -> None:
    assert asked(text) is None
