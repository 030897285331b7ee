"""Text repair and folding, over any text there can be."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import REPLACEMENT, fold, fold_in_place, repair, shorten, words_in

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)


@given(ANY_TEXT)
def test_repaired_text_can_be_stored_and_is_otherwise_the_same(text: str) -> None:
    repaired = repair(text)
    repaired.encode("utf-8")
    assert "\x00" not in repaired
    assert repair(repaired) == repaired
    assert len(repaired) == len(text)
    assert all(now in (was, REPLACEMENT) for was, now in zip(text, repaired, strict=True))


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_storable_text_is_not_touched(text: str) -> None:
    assert repair(text) == text


@given(ANY_TEXT)
def test_folding_always_knows_the_way_back(text: str) -> None:
    folded = fold_in_place(text)
    assert len(folded.origins) == len(folded.text)
    assert list(folded.origins) == sorted(folded.origins)
    assert all(0 <= origin < len(text) for origin in folded.origins)


@given(ANY_TEXT)
def test_words_stand_where_they_are_said_to(text: str) -> None:
    for word in words_in(text):
        assert 0 <= word.start < word.end <= len(text)
        assert word.text in fold(text[word.start : word.end])


def test_case_accents_width_and_invisible_characters_do_not_matter() -> None:
    assert fold("ÉLÈVE") == fold("eleve") == "eleve"
    assert fold("Ｂｏｔ") == "bot"
    assert fold("B\u200bo\u202et\ufe0f") == "bot"
    assert fold(unicodedata.normalize("NFD", "Ёж")) == fold("ёж")
    assert fold("Bôt", keep_accents=True) != fold("Bot", keep_accents=True)


@given(ANY_TEXT, st.integers(min_value=10, max_value=100))
def test_shortened_text_keeps_within_its_limit(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    assert short == text or short.endswith("…")


def test_text_is_shortened_at_the_end_of_a_word() -> None:
    assert shorten("the quick brown fox", 12) == "the quick…"
    assert shorten("the quick brown fox", 16) == "the quick brown…"
