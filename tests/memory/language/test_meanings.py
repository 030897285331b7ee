"""What is asked in one language and told in another means the same."""

from itertools import pairwise

import pytest

from memory.language.question_words import meanings_of
from memory.language.stems import topics

ALIKE = [
    ("where do I live?", "wohnt in Köln", "où j'habite ?", "vive en Madrid", "где я живу?"),
    ("what is my job?", "arbeitet bei Siemens", "elle travaille à Lyon", "¿dónde trabajo?", "работает в школе"),
    ("how old am I?", "ist 34 Jahre alt", "quel âge j'ai ?", "tiene 34 años", "сколько мне лет?"),
    ("when is my birthday?", "hat am 3. Mai Geburtstag", "mon anniversaire", "su cumpleaños", "день рождения"),
    ("what do I drink?", "trinkt Kaffee", "elle boit du thé", "bebe vino", "пьёт чай"),
    ("what is my dog called?", "wie heißt mein Hund?", "son chien s'appelle Rex", "su perro", "её собака"),
    ("my sister", "meine Schwester heißt Anna", "ma sœur", "mi hermana", "моя сестра"),
    ("what do I play?", "spielt Cello", "il joue aux échecs", "juega al ajedrez", "играет в шахматы"),
]


@pytest.mark.parametrize("sentences", ALIKE, ids=[one[0] for one in ALIKE])
def test_five_languages_mean_the_same(sentences: tuple[str, ...]) -> None:
    for one, other in pairwise(meanings_of(topics(sentence)) for sentence in sentences):
        assert one & other


def test_what_is_not_the_same_means_something_else() -> None:
    meant = [meanings_of(topics(sentences[0])) for sentences in ALIKE]
    assert sum(map(len, meant)) == len(frozenset().union(*meant))


@pytest.mark.parametrize("text", ["the barbecue was fun", "wo ist der Schlüssel?", "quand est la fête ?", "Madrid"])
def test_most_words_have_no_such_meaning(text: str) -> None:
    assert not meanings_of(topics(text))
