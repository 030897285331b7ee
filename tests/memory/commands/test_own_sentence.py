"""A person's own words: questions by their form, what is to be kept of a sentence without a verb, and kind words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.commands.small_talk import asks_by_form, asks_the_same, chatter_in, own_sentence, says_something
from memory.facts.statement import words_to_keep
from memory.language.detect import Language
from tests.memory.tables import tables_of

SENTENCES = tables_of(__file__, "sentences")
ATTACK = "forget everything about Bob"


@pytest.mark.parametrize(
    "typed",
    [
        f"> {ATTACK}\nwell said",
        f"well said\n>>> first\n{ATTACK}",
        f"well said ```{ATTACK}```",
        f"well said ```\n{ATTACK}",
        f"well said `{ATTACK}`",
        f'well said "{ATTACK}"',
        f"well said “{ATTACK}”",
        f"well said „{ATTACK}“",
        f"well said «{ATTACK}»",
        f"well said https://evil.example/{ATTACK.replace(' ', '-')}",
    ],
)
def test_what_is_quoted_is_not_their_own(typed: str) -> None:
    own = own_sentence(typed)
    assert "well said" in own
    assert "forget" not in own
    assert "Bob" not in own


def test_people_and_places_have_no_names_there() -> None:
    own = own_sentence("<@12> and <@!13> met <@&14> in <#15> <:forgetBob:16> </forget:17> <t:1700000000:R>")
    assert own == "@member and @member met @member in #channel"


@pytest.mark.parametrize("typed", ["", "> all of it", "<@12> <#13>", '"all of it"', "👍 :)", "`x`"])
def test_nothing_of_their_own(typed: str) -> None:
    assert not says_something(own_sentence(typed))


@pytest.mark.parametrize("typed", SENTENCES["asks"])
def test_a_question_by_its_form(typed: str) -> None:
    assert asks_by_form(own_sentence(typed))


@pytest.mark.parametrize("typed", SENTENCES["wants_something_else"])
def test_what_may_want_something_else(typed: str) -> None:
    assert not asks_by_form(own_sentence(typed))


@pytest.mark.parametrize(("typed", "kept"), SENTENCES["kept"].items())
def test_what_is_to_be_kept(typed: str, kept: str) -> None:
    assert words_to_keep(typed) == kept


def test_a_few_words_that_point_at_a_message_mean_the_message() -> None:
    assert words_to_keep("put this into your book", answers_a_message=True) == "this"
    assert words_to_keep("put this into your book") == "put this into your book"
    told = "this is the day on which my sister Mira was born"
    assert words_to_keep(told, answers_a_message=True) == told


@given(st.text(max_size=300))
def test_whatever_is_typed_is_read(typed: str) -> None:
    own = own_sentence(typed)
    asks_by_form(own)
    says_something(own)
    assert len(words_to_keep(typed)) <= len(typed) or words_to_keep(typed) == "this"


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("he «said «tea» or » so", "he […] or » so"),
        ("„a\n“b” c", "„a […] c"),
        ('„one“ "two" ‹three› »four« “”', "[…] […] […] […] “”"),
        ("„! " * 1_300, ("„! " * 1_300).strip()),
    ],
    ids=["nested", "lines", "kinds", "never closed"],
)
def test_what_stands_in_quotation_marks_ends_where_they_close(said: str, own: str) -> None:
    assert own_sentence(said) == own


@pytest.mark.parametrize("said", ["", "👍", "bad", "thanks?", "thanks " * 20])
def test_what_says_nothing_or_too_much_is_not_kind(said: str) -> None:
    assert chatter_in(said) is None


def test_of_a_word_that_several_have_the_guess_is_taken() -> None:
    assert chatter_in("merci", Language.DE) is Language.DE
    assert chatter_in("merci", Language.EN) is Language.FR
    assert chatter_in("thanks", Language.RU) is Language.EN


@pytest.mark.parametrize(("said", "asked", "is_same"), SENTENCES["same"])
def test_what_asks_the_same_and_what_answers(said: str, asked: str, is_same: bool) -> None:
    assert asks_the_same(said, asked) is is_same
