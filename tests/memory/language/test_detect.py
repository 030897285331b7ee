"""Telling the languages apart, by as little as a short question gives."""

import pytest

from memory.language.detect import STOP_WORDS, Language, language_of

ASKED = {
    Language.EN: [
        "Who am I?",
        "Where does Tom live?",
        "Who likes tea?",
        "What's new?",
        "Yesterday?",
        "How old is Tom?",
        "What age is Tom?",
        "Who is Müller?",
        "Do you like crème brûlée?",
    ],
    Language.DE: [
        "Wer bin ich?",
        "Wo wohnt Tom?",
        "Gestern?",
        "Seit wann?",
        "Wer kommt morgen?",
        "Wie viele Katzen hat Tom?",
        "Wer ist hier?",
    ],
    Language.FR: [
        "Qui suis-je ?",
        "Où habite Tom ?",
        "Et Tom ?",
        "Quel âge a Tom ?",
        "Combien de chats a Tom ?",
        "Depuis quand ?",
        "Qui vient demain ?",
        "C'est long ?",
        "Il s'appelle comment ?",
    ],
    Language.ES: [
        "¿Quién soy?",
        "Quien es Tom?",
        "¿Y Tom?",
        "¿Ayer?",
        "Cuantos gatos tiene Tom?",
        "¿Cuántos años tiene Tom?",
        "¡Hola Tom!",
    ],
    Language.RU: ["Кто я?", "Где живёт Том?", "Когда викторина?"],
}


@pytest.mark.parametrize(("language", "text"), [(one, text) for one, texts in ASKED.items() for text in texts])
def test_a_short_question_tells_its_language(language: Language, text: str) -> None:
    assert language_of(text) is language


@pytest.mark.parametrize("text", ["", "Tom", "Tom's cat?", "12:30", "🎉", "https://example.org"])
def test_what_tells_nothing_is_left_open(text: str) -> None:
    assert language_of(text) is None
    assert language_of(text, Language.FR) is Language.FR


def test_a_guess_is_given_up_for_two_more_words_alone() -> None:
    assert language_of("im tired", Language.EN) is Language.EN
    assert language_of("ich bin im Garten", Language.EN) is Language.DE


def test_each_language_is_told_by_its_own_words() -> None:
    for language, words in STOP_WORDS.items():
        assert language_of(" ".join(sorted(words))) is language
