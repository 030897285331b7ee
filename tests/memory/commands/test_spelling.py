"""Verbs typed in haste: taken where only one can be meant, asked about where not, and real words left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.commands.addressing import Addressed, address
from memory.commands.phrases import PHRASES
from memory.core.values import Intent
from memory.language.detect import Language
from tests.loop_steps import quickest


def read(text: str) -> Addressed:
    addressed = address(text, names=["Bot"], bot_id=1)
    assert addressed is not None
    return addressed


@pytest.mark.parametrize(
    ("text", "intent", "body"),
    [
        ("Bot remmeber that  I like TEA", Intent.REMEMBER, "I like TEA"),
        ("Bot remeber I like tea", Intent.REMEMBER, "I like tea"),
        ("Bot, pls rember that I like tea", Intent.REMEMBER, "I like tea"),
        ("Bot can you rememver that I like tea?", Intent.REMEMBER, "I like tea"),
        ("Bot rememberrrr aaalice likes u", Intent.REMEMBER, "aaalice likes u"),
        ("Bot remmeber u like tea", Intent.REMEMBER, "u like tea"),
        ("Bot froget abt the raid", Intent.FORGET, "the raid"),
        ("Bot forgett that I like tea", Intent.FORGET, "I like tea"),
        ("Bot mekr dir ich bin Linkshänder", Intent.REMEMBER, "ich bin Linkshänder"),
        ("Bot vergis dass ich in Köln wohne", Intent.FORGET, "ich in Köln wohne"),
        ("Bot kannst du dir das mekren?", Intent.REMEMBER, "das"),
        ("Bot souvien toi que j'ai cours", Intent.REMEMBER, "j'ai cours"),
        ("Bot oubli mon adresse", Intent.FORGET, "mon adresse"),
        ("Bot recuedra que soy celíaca", Intent.REMEMBER, "soy celíaca"),
        ("Bot puedes olvdiar q me gusta el reguetón", Intent.FORGET, "me gusta el reguetón"),
        ("Bot зопомни: Ира любит чай", Intent.REMEMBER, "Ира любит чай"),
        ("Bot забуть про рейд", Intent.FORGET, "рейд"),
        ("Bot wat do u know abt me", Intent.KNOWLEDGE, "me"),
        ("Bot wer is eig Mia", Intent.KNOWLEDGE, "Mia"),
        ("Bot чё знаешь про Диму", Intent.KNOWLEDGE, "Диму"),
    ],
)
def test_a_slip_is_understood_and_what_follows_is_as_typed(text: str, intent: Intent, body: str) -> None:
    addressed = read(text)
    assert (addressed.intent, addressed.body) == (intent, body)
    assert addressed.may_mean == ()


@pytest.mark.parametrize(
    "text",
    [
        "Bot, forge a sword that shines",
        "Bot, forgot that",
        "Bot, remembers that I like tea",
        "Bot, members that left are gone",
        "Bot, December that year was cold",
        "Bot, memories that last",
        "Bot, nope that is wrong",
        "Bot, mark dir das Buch",
        "Bot, vergisst du das?",
        "Bot, Gehalt kommt morgen",
        "Bot, reviens que je te parle",
        "Bot, publie que je suis là",
        "Bot, recuerdo que llovía",
        "Bot, recuérdame que compre pan",
        "Bot, barra libre hoy",
        "Bot, напомни что сказал Том",
        "Bot, напиши что-нибудь",
        "Bot, смотри что там",
        "Bot, записи о встрече",
        "Bot, stretches of channels",
        "Bot, Olvidado.",
        "Bot, mémorise pas",
        "Bot, effacé ou pas",
        "Bot, запомнил что-нибудь?",
        "Bot, the remmeber thing",
    ],
)
def test_a_word_of_its_own_is_no_slip(text: str) -> None:
    addressed = read(text)
    assert addressed.intent is Intent.QUESTION
    assert addressed.may_mean == ()


def test_two_slips_without_a_conjunction_are_asked_about() -> None:
    addressed = read("Bot rember my birthday is in May")
    assert (addressed.intent, addressed.language) == (Intent.QUESTION, Language.EN)
    (meant,) = addressed.may_mean
    assert (meant.intent, meant.verb, meant.body) == (Intent.REMEMBER, "remember", "my birthday is in May")


def test_what_may_be_the_opposite_is_asked_about() -> None:
    meant = read("Bot uremember that I like tea").may_mean
    assert {one.intent for one in meant} == {Intent.REMEMBER, Intent.FORGET}
    assert {one.body for one in meant} == {"I like tea"}


VERBS = st.sampled_from(
    [
        (language, word)
        for language, word in zip(Language, ("remember", "vergiss", "retiens", "recuerda", "запомни"), strict=True)
    ]
)


@given(VERBS, st.integers(0, 20), st.sampled_from(["miss", "double", "swap"]))
def test_any_one_slip_in_a_verb_is_taken_or_asked_about(verb: tuple[Language, str], place: int, slip: str) -> None:
    language, word = verb
    place = 1 + place % (len(word) - 2)
    typed = {
        "miss": word[:place] + word[place + 1 :],
        "double": word[:place] + word[place] + word[place:],
        "swap": word[:place] + word[place + 1] + word[place] + word[place + 2 :],
    }[slip]
    conjunction = PHRASES[language].conjunctions[0]
    said = read(f"Bot {typed} {conjunction} Anna")
    assert said.body == "Anna"
    assert said.intent in (Intent.REMEMBER, Intent.FORGET)


def test_no_long_message_takes_long_to_spell() -> None:
    texts = ["Bot " + "remembex " * 400, "Bot " + "a" * 3900, "Bot " + "q u wat " * 480, "Bot " + "забуты что " * 350]
    assert quickest(lambda: [read(text) for text in texts]) < 0.8
