"""Topics that are left out, as far as their words tell, and everyday words that are not mistaken for them."""

import pytest

from memory.language.sensitive import WORDS, Topic, is_sensitive, sensitive_topics


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("The doctor found a tumour", Topic.HEALTH),
        ("Ich bin seit Montag im Krankenhaus", Topic.HEALTH),
        ("Elle est enceinte de trois mois", Topic.HEALTH),
        ("Tengo ansiedad desde enero", Topic.HEALTH),
        ("Лежу в больнице", Topic.HEALTH),
        ("昨日から入院しています", Topic.HEALTH),
        ("My CREDIT  card is maxed out", Topic.FINANCE),
        ("Mein Gehalt reicht nicht", Topic.FINANCE),
        ("J'ai des dettes", Topic.FINANCE),
        ("взял ипотеку", Topic.FINANCE),
        ("she is a lesbian", Topic.SEXUALITY),
        ("Он гей", Topic.SEXUALITY),
        ("we went to church", Topic.RELIGION),
        ("rezar en la mezquita", Topic.RELIGION),
        ("I voted for Trump", Topic.POLITICS),
        ("Die AfD auf der Kundgebung", Topic.POLITICS),
        ("My daughter starts school", Topic.CHILDREN),
        ("Моя дочь пошла в школу", Topic.CHILDREN),
        ("d\u200be\u200bpression again", Topic.HEALTH),
        ("ＤＩＡＢＥＴＥＳ", Topic.HEALTH),
    ],
)
def test_topics_are_known_by_their_words(text: str, topic: Topic) -> None:
    assert topic in sensitive_topics(text)
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
    for topic, words in WORDS.items():
        for word in words.split():
            assert topic in sensitive_topics(f"so {word.rstrip('*').replace('-', ' ')} it"), word
