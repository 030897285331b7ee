"""Telling the languages apart, by as little as a short question gives."""

import pytest

from memory.language.detect import STOP_WORDS, Language, is_foreign, language_of
from memory.language.wording import words_of
from tests.memory.tables import tables_of

ASKED: dict[str, list[str]] = tables_of(__file__, "asked")


@pytest.mark.parametrize(("language", "text"), [(one, text) for one, texts in ASKED.items() for text in texts])
def test_a_short_question_tells_its_language(language: str, text: str) -> None:
    assert language_of(text) == language
    assert not is_foreign(text)


@pytest.mark.parametrize("text", ["", "Tom", "Tom's cat?", "12:30", "🎉", "https://example.org", "Sam met Alex"])
def test_what_tells_nothing_is_left_open_and_is_not_foreign(text: str) -> None:
    assert not is_foreign(text)
    assert language_of(text) is None
    assert language_of(text, Language.FR) is Language.FR


def test_a_guess_is_given_up_for_two_more_words_alone() -> None:
    assert language_of("im tired", Language.EN) is Language.EN
    assert language_of("ich bin im Garten", Language.EN) is Language.DE


def test_each_language_is_told_by_its_own_words() -> None:
    for language, words in STOP_WORDS.items():
        assert language_of(" ".join(sorted(words))) is language


@pytest.mark.parametrize("text", tables_of(__file__)["foreign"])
def test_a_language_that_is_none_of_ours_is_known_as_such(text: str) -> None:
    assert is_foreign(text)
    assert language_of(text) is None
    assert language_of(text, Language.FR) is Language.FR


@pytest.mark.parametrize("language", Language)
def test_what_we_say_ourselves_is_not_foreign(language: Language) -> None:
    said = [one for part in words_of(language).values() for one in part.values() if isinstance(one, str)]
    assert [one for one in said if len(one.split()) > 6 and is_foreign(one)] == []
