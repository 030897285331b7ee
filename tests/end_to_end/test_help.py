"""Whoever asks what we are, or calls us without a word, gets a short answer with things to try, in their language."""

import pytest

from bot.words.keys import Phrase
from bot.words.voice import Voice
from memory.language.detect import Language
from tests.end_to_end.house import Inn

HELP = {language: Voice(language, "Bot").say(Phrase.HELP) for language in Language}
ASKED = {
    "Bot help": Language.EN,
    "Bot, who are you?": Language.EN,
    "bot what can you do": Language.EN,
    "Bot wer bist du?": Language.DE,
    "Bot, Hilfe bitte!": Language.DE,
    "Bot qui es-tu ?": Language.FR,
    "Bot ¿qué puedes hacer?": Language.ES,
    "Bot что ты умеешь?": Language.RU,
}


@pytest.mark.parametrize(("asked", "language"), ASKED.items())
async def test_who_asks_for_help_is_told_what_to_try(inn: Inn, asked: str, language: Language) -> None:
    heard = await inn.person("aylin").ask(asked)
    assert heard == HELP[language]
    for named in ("`/privacy show`", "`/catchup`", "`/reminders`", "`/recall`", "`/context history`"):
        assert named in heard


@pytest.mark.parametrize(("greeting", "again"), [("Hallo Bot!", HELP[Language.DE]), ("Bot hello", HELP[Language.EN])])
async def test_who_greets_us_for_the_first_time_is_told_what_to_try(inn: Inn, greeting: str, again: str) -> None:
    aylin = inn.person("aylin")
    await aylin.say("good morning everyone")
    assert again in await aylin.ask(greeting)
    assert again not in await aylin.ask(greeting)


@pytest.mark.parametrize("called", ["Bot", "bot?", "Bot!"])
async def test_a_bare_call_is_answered_with_what_to_say(inn: Inn, called: str) -> None:
    heard = await inn.person("aylin").ask(called)
    assert heard.startswith("I'm here.")
    assert "“what do you know about me?”" in heard
    assert "`/innkeeper about`" in heard


@pytest.mark.parametrize("asked", ["Bot help me find the kettle", "Bot what do you do on Sundays?"])
async def test_a_question_that_begins_so_is_a_question(inn: Inn, asked: str) -> None:
    assert HELP[Language.EN] != await inn.person("aylin").ask(asked)
