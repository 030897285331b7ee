"""Topics that are left out, as far as their words tell, and everyday words that are not mistaken for them."""

import pytest

from memory.language.sensitive import WORDS, is_sensitive


@pytest.mark.parametrize(
    "text",
    [
        "The doctor found a tumour",
        "Ich bin seit Montag im Krankenhaus",
        "Elle est enceinte de trois mois",
        "Tengo ansiedad desde enero",
        "Лежу в больнице",
        "昨日から入院しています",
        "My CREDIT  card is maxed out",
        "Mein Gehalt reicht nicht",
        "J'ai des dettes",
        "взял ипотеку",
        "she is a lesbian",
        "Он гей",
        "we went to church",
        "rezar en la mezquita",
        "I voted for Trump",
        "Die AfD auf der Kundgebung",
        "My daughter starts school",
        "Моя дочь пошла в школу",
        "d\u200be\u200bpression again",
        "ＤＩＡＢＥＴＥＳ",
    ],
)
def test_topics_are_known_by_their_words(text: str) -> None:
    assert is_sensitive(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'll be there, ill be there soon",
        "oh my god we won",
        "she plays the trumpet",
        "the demo of the new game is out",
        "Es lohnt sich, wer sucht noch mit?",
        "Ich hab um Hilfe gebeten",
        "es dauert noch lange, очень долго",
        "hasta luego, nos vemos en la party",
        "je suis revenu hier soir",
        "technical hypothesis about the raid boss",
    ],
)
def test_everyday_words_are_not_taken_for_them(text: str) -> None:
    assert not is_sensitive(text)


def test_every_word_of_the_lists_is_found() -> None:
    for words in WORDS.values():
        for word in words.split():
            assert is_sensitive(f"so {word.rstrip('*').replace('-', ' ')} it"), word
