"""Where sentences of chat begin and end, in many scripts, and over any text there can be."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.language.sentences import Joined, in_turns, sentences_of
from tests.memory.tables import tables_of

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
CHATTY = st.lists(
    st.sampled_from(
        ["a", "Bc", " ", "\n", ".", "!", "?", "…", "。", "؟", "”", "“", "(", ")", ":)", "🎉", "👩🏽‍🚀", "🇩🇪",
         "\u0301", "\u200d", "\ufe0f", "3", "e.g", "https://a.b/c.", "`x. y`", "- ", "1. ", "ж", "中", "é"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


def split(text: str) -> list[str]:
    return [sentence.text for sentence in sentences_of(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    tables_of(__file__)["sentences"],
)  # fmt: skip
def test_sentences_of_chat(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@given(ANY_TEXT | CHATTY)
@example("a. \u0301b")
@example("wow!\ufe0f\u200d🎉 b")
def test_nothing_is_lost_and_no_character_is_taken_apart(text: str) -> None:
    place = 0
    for sentence in sentences_of(text):
        assert place <= sentence.start < sentence.end <= len(text)
        between = text[place : sentence.start]
        assert not any(character.isalpha() and character not in "xX" for character in between)
        assert sentence.text == " ".join(text[sentence.start : sentence.end].split())
        assert not is_mark(text[sentence.start]) or not text[: sentence.start].strip()
        assert sentence.end == len(text) or not is_mark(text[sentence.end])
        place = sentence.end
    assert not any(character.isalpha() and character not in "xX" for character in text[place:])


def is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc", "Me") or character == "\u200d" or "🏻" <= character <= "🏿"


TEXTS = st.lists(
    st.text(max_size=120) | st.sampled_from(["One. Two. Three.", "Two! Four.", "“Five.” “Six”"]), max_size=5
)


def test_sentences_are_taken_while_they_fit_and_said_once() -> None:
    joined = Joined(20, said=["Known."])
    assert [joined.add(one) for one in ("First one.", "first ONE", "known", "much too long for it", "Last.")] == [
        True,
        False,
        False,
        False,
        True,
    ]
    assert joined.text == "First one. Last."
    assert joined.sentences == ("First one.", "Last.")


def test_what_stands_beside_a_sentence_needs_room_as_well() -> None:
    assert Joined(10).add("12345678", beside=2)
    assert not Joined(10).add("12345678", beside=3)


def test_every_text_has_its_turn() -> None:
    assert in_turns(["A one. A two. A three.", "B one. B two."], 27) == "A one. A two. B one. B two."
    assert in_turns(["A one. A two.", "B one."], 13) == "A one. B one."
    assert in_turns([], 100) == ""


@given(TEXTS, st.integers(0, 200))
def test_nothing_is_cut_and_nothing_is_too_long(texts: list[str], limit: int) -> None:
    known = {sentence.text for text in texts for sentence in sentences_of(text)}
    kept = in_turns(texts, limit)
    assert len(kept) <= limit
    assert kept == "" or any(kept.startswith(sentence) for sentence in known)
