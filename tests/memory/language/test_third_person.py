"""Sentences of the first person, said by another."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.language.detect import Language, word_set
from memory.language.text import words_in
from memory.language.third_person import in_third_person
from memory.language.third_person.english import BASE, PAST, UNCHANGING, third_person, with_s


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I like pizza", "<@7> likes pizza"),
        ("i'm allergic to peanuts", "<@7> is allergic to peanuts"),
        ("I’m allergic", "<@7> is allergic"),
        ("im tired", "<@7> is tired"),
        ("I am a nurse", "<@7> is a nurse"),
        ("I was born in Lyon", "<@7> was born in Lyon"),
        ("I've been to Japan", "<@7> has been to Japan"),
        ("I have two cats", "<@7> has two cats"),
        ("I haven't seen it", "<@7> hasn't seen it"),
        ("I don't like olives", "<@7> doesn't like olives"),
        ("i dont like olives", "<@7> doesn't like olives"),
        ("I can't swim", "<@7> can't swim"),
        ("I will visit Rome", "<@7> will visit Rome"),
        ("I'll visit Rome", "<@7> will visit Rome"),
        ("I do yoga and have a cat", "<@7> does yoga and has a cat"),
        ("I go swimming", "<@7> goes swimming"),
        ("I went swimming", "<@7> went swimming"),
        ("I study maths", "<@7> studies maths"),
        ("I watch TV", "<@7> watches TV"),
        ("I lived in Oslo", "<@7> lived in Oslo"),
        ("I skydived twice", "<@7> skydived twice"),
        ("I really love my dog", "<@7> really loves their dog"),
        ("My dog is called Rex", "<@7>'s dog is called Rex"),
        ("the blue car is mine", "the blue car is <@7>'s"),
        ("Bob likes me", "Bob likes <@7>"),
        ("I taught myself Greek", "<@7> taught themself Greek"),
        ("I like tea but I hate coffee", "<@7> likes tea but <@7> hates coffee"),
        ("I like pizza and hate olives", "<@7> likes pizza and hates olives"),
        ("I want to eat and drink beer", "<@7> wants to eat and drink beer"),
        ("I'm tired and want a beer", "<@7> is tired and wants a beer"),
        ("<@3> is Sergey", "<@3> is Sergey"),
        ("the quiz is on Friday", "the quiz is on Friday"),
        # What is not certain is kept as it was said.
        ("I yodel loudly", "<@7> says: “I yodel loudly”"),
        ("I embed fonts", "<@7> says: “I embed fonts”"),
        ("I read books", "<@7> says: “I read books”"),
        ("I like work and play", "<@7> says: “I like work and play”"),
        ("We meet on Fridays", "<@7> says: “We meet on Fridays”"),
        ("you are funny", "<@7> says: “you are funny”"),
        ("to call me tomorrow", "<@7> says: “to call me tomorrow”"),
        ("Bob and I live in Rome", "<@7> says: “Bob and I live in Rome”"),
        ('Bob said "I am tired"', '<@7> says: “Bob said "I am tired"”'),
        ("am I late", "<@7> says: “am I late”"),
    ],
)
def test_english(said: str, kept: str) -> None:
    assert in_third_person(said, 7, Language.EN) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("ich mag Pizza", "<@7> mag Pizza"),
        ("ich Pizza mag", "<@7> mag Pizza"),
        ("ich in Berlin geboren bin", "<@7> ist in Berlin geboren"),
        ("Heute bin ich müde", "Heute ist <@7> müde"),
        ("ich freue mich auf den Urlaub", "<@7> freut sich auf den Urlaub"),
        ("ich heiße Anna und wohne in Köln", "<@7> heißt Anna und wohnt in Köln"),
        ("Bob kennt mich", "Bob kennt <@7>"),
        ("Mein Hund heißt Rex", "<@7>s Hund heißt Rex"),
        ("meine Schwester Anna heisst", "<@7>s Schwester heißt Anna"),
        ("mein kleiner Bruder in Köln wohnt.", "<@7>s kleiner Bruder wohnt in Köln."),
        ("meine Katze schläft", "<@7>s Katze schläft"),
        ("Bob mag meine Schwester", "Bob mag <@7>s Schwester"),
        ("meinem alten Hund geht es gut", "<@7> sagt: “meinem alten Hund geht es gut”"),
        ("meine kleinen Kinder schlafen", "<@7> sagt: “meine kleinen Kinder schlafen”"),
        ("meine Oma, die in Rom wohnt, gern kocht", "<@7> sagt: “meine Oma, die in Rom wohnt, gern kocht”"),
        ("Anna meine Schwester ist", "<@7> sagt: “Anna meine Schwester ist”"),
        ("ich mag es, wenn Bob mir hilft", "<@7> sagt: “ich mag es, wenn Bob mir hilft”"),
        ("Die Party ist am Freitag", "Die Party ist am Freitag"),
    ],
)
def test_german(said: str, kept: str) -> None:
    assert in_third_person(said, 7, Language.DE) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("je suis végétarien", "<@7> est végétarien"),
        ("j'aime mon chien", "<@7> aime son chien"),
        ("je n'aime pas le café", "<@7> n'aime pas le café"),
        ("je ne suis pas là", "<@7> n'est pas là"),
        ("je m’appelle Anna", "<@7> s'appelle Anna"),
        ("j'habite à Lyon et fais du vélo", "<@7> habite à Lyon et fait du vélo"),
        ("mon chien s'appelle Rex", "<@7> dit : “mon chien s'appelle Rex”"),
        ("la fête est vendredi", "la fête est vendredi"),
    ],
)
def test_french(said: str, kept: str) -> None:
    assert in_third_person(said, 7, Language.FR) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("soy alérgico al gluten", "<@7> es alérgico al gluten"),
        ("me gusta la pizza", "a <@7> le gusta la pizza"),
        ("me gusta el te", "a <@7> le gusta el té"),
        ("me gusta el té", "a <@7> le gusta el té"),
        ("me gusta el te y te quiero", "<@7> dice: “me gusta el te y te quiero”"),
        ("te gusta el te", "<@7> dice: “te gusta el te”"),
        ("no me gustan los gatos", "a <@7> no le gustan los gatos"),
        ("tengo un perro y vivo con mi hermana", "<@7> tiene un perro y vive con su hermana"),
        ("me llamo Ana", "<@7> se llama Ana"),
        ("yo no fumo", "<@7> no fuma"),
        ("mi perro se llama Rex", "<@7> dice: “mi perro se llama Rex”"),
        ("la fiesta es el viernes", "la fiesta es el viernes"),
    ],
)
def test_spanish(said: str, kept: str) -> None:
    assert in_third_person(said, 7, Language.ES) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("я люблю пиццу", "<@7> любит пиццу"),
        ("я живу в Москве и работаю врачом", "<@7> живёт в Москве и работает врачом"),
        ("я программист", "<@7> программист"),
        ("у меня есть кошка", "у <@7> есть кошка"),
        ("я родился в Омске", "<@7> родился в Омске"),
        ("я люблю мою собаку", "<@7> любит свою собаку"),
        ("я жую жвачку", "<@7> говорит: “я жую жвачку”"),
        ("мой день рождения 5 мая", "<@7> говорит: “мой день рождения 5 мая”"),
        ("вечеринка в пятницу", "вечеринка в пятницу"),
    ],
)
def test_russian(said: str, kept: str) -> None:
    assert in_third_person(said, 7, Language.RU) == kept


def test_what_is_none_of_our_languages_is_kept_as_it_was_said() -> None:
    assert in_third_person("mi piace il tè", 7, Language.EN) == "<@7> says: “mi piace il tè”"


WORDS = st.sampled_from(
    sorted(
        BASE
        | word_set("I i'm I've my me mine myself we you am was have do don't and but or to really never pizza Bob <@3>")
        | word_set("ich mag bin mich mein je j'aime suis mon soy tengo mi gusta я люблю меня мой пиццу 5 … , . !")
    )
)
WILD = st.text(max_size=80) | st.lists(WORDS, max_size=12).map(" ".join)
LANGUAGES = st.none() | st.sampled_from(Language)


@given(WILD, LANGUAGES)
@example("MYSELF", None)
def test_never_fails_and_leaves_no_first_person_without_its_speaker(text: str, language: Language | None) -> None:
    kept = in_third_person(text, 7, language)
    if kept.startswith("<@7>") and kept.endswith("”"):
        return
    assert kept == text or "<@7>" in kept
    assert not {"i", "ich", "je", "yo", "я"} & {word.text for word in words_in(kept)}


@given(st.sampled_from(sorted(BASE)), st.sampled_from(["", "really ", "never ", "often "]))
def test_every_english_verb_in_the_present(verb: str, adverb: str) -> None:
    assert in_third_person(f"I {adverb}{verb} the thing", 7) in (
        f"<@7> {adverb}{with_s(verb)} the thing",
        f"<@7> {adverb}{third_person(verb)} the thing",
    )


@given(st.sampled_from(sorted(PAST | UNCHANGING)))
def test_every_english_verb_that_does_not_change(verb: str) -> None:
    assert in_third_person(f"I {verb} the thing", 7) == f"<@7> {verb} the thing"
