"""What models are asked for, seen from the front door. Whatever is added there later is registered here as well."""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ai_clients.base import Purpose
from tests.end_to_end.asking import ask_privately, outcome_of
from tests.end_to_end.faults.providers import Fault
from tests.end_to_end.house import GENERAL, Inn, Person, eventually
from tests.end_to_end.slash import words_of

QUESTION = "when is the quiz?"
SAID = "The quiz is on Friday at eight"
KAZOO = "plays the kazoo"
BY_MODEL = "It is on Friday, says the model."


Drive = Callable[[Inn], Awaitable[str]]
"""Has a member want something that a model does, and waits for what they get in the end."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A column of the table."""

    name: str
    purpose: Purpose
    """What the fault happens to."""
    drive: Drive
    serves: Callable[[str, Fault], bool]
    """Whether these words are what a member should get where the model fails like that."""


WANTED: dict[str, Wanted] = {}

TEAM = "foxes"
_TEAMS = (f"{TEAM}{number}" for number in itertools.count())


def wanted(name: str, purpose: Purpose, serves: Callable[[str, Fault], bool]) -> Callable[[Drive], Drive]:
    def register(drive: Drive) -> Drive:
        assert name not in WANTED
        WANTED[name] = Wanted(name, purpose, drive, serves)
        return drive

    return register


def quoted_with_reason(words: str, fault: Fault) -> bool:
    """It says what happened, and gives what there is."""
    return words.startswith("From what was said here:\n") and f"\n-# {fault.sentence}" in words and SAID in words


def by_the_model(words: str, _: Fault) -> bool:
    """Recall goes by words meanwhile."""
    return BY_MODEL in words


@wanted("answer, by mention", Purpose.ANSWER, quoted_with_reason)
async def by_mention(inn: Inn) -> str:
    return await mentioning(inn, QUESTION)


async def mentioning(inn: Inn, question: str) -> str:
    return await mentioning_as(inn.person("aylin"), question)


async def mentioning_as(person: Person, question: str) -> str:
    asked = await person.say(f"<@{person.inn.house.bot.id}> {question}")
    place = person.inn.channel(GENERAL).id
    replies = await eventually(lambda: person.replies_to(asked, place))
    return str(replies[0]["content"])


@wanted("answer, by /ask", Purpose.ANSWER, quoted_with_reason)
async def by_command(inn: Inn) -> str:
    return await asking(inn, QUESTION)


async def asking(inn: Inn, question: str) -> str:
    florent = inn.person("florent")
    begun = await ask_privately(florent, question)
    outcome = await eventually(lambda: outcome_of(florent, begun), lambda seen: not words_of(seen).endswith("…"))
    return words_of(outcome)


def quoted_day(words: str, _: Fault) -> bool:
    """What nobody summarised is quoted, and says so."""
    return words.startswith("From what was said here:\n") and SAID in words and "• " in words


@wanted("a day, by mention", Purpose.SUMMARISE, quoted_day)
async def day_by_mention(inn: Inn) -> str:
    words = await ask_for_today(inn)
    (day,) = await inn.house.rows("SELECT tries, retry_at FROM days")
    assert (day["tries"], day["retry_at"] is not None) == (1, True), "the model was not asked, or will not be again"
    return words


async def ask_for_today(inn: Inn) -> str:
    """As if nobody had asked before: today is summarised once an hour."""
    await inn.house.rows("DELETE FROM days")
    words = await inn.person("aylin").ask(f"<@{inn.house.bot.id}> what happened today?")
    # Whoever asked does not wait for a model that hangs; the table does, so that the next fault finds nobody at it.
    await eventually(lambda: inn.house.rows("SELECT 1 FROM claims WHERE what LIKE 'day %'"), lambda held: not held)
    return words


@wanted("vectors, for a question by mention", Purpose.EMBED, by_the_model)
async def by_mention_without_vectors(inn: Inn) -> str:
    return await mentioning(inn, new_question())


@wanted("vectors, for /ask", Purpose.EMBED, by_the_model)
async def by_command_without_vectors(inn: Inn) -> str:
    return await asking(inn, new_question())


def new_question() -> str:
    """One whose vector nobody has asked for yet: those of questions are kept for a while."""
    return f"when is the quiz of the {next(_TEAMS)}?"


def kept_by_rules(words: str, _fault: Fault) -> bool:
    """It is kept all the same, in words that only rules were needed for."""
    return words.startswith(("Got it, I'll remember about gruzilkin: <@", "I know that already: <@")) and KAZOO in words


def not_found(words: str, _fault: Fault) -> bool:
    """Nothing is forgotten in doubt, and that is said."""
    return "found nothing like that" in words or "haven't forgotten anything yet" in words


@wanted("remember", Purpose.SMALL, kept_by_rules)
async def remember(inn: Inn) -> str:
    return await inn.person("maren").ask(f"Bot remember that gruzilkin {KAZOO}")


@wanted("forget, by meaning", Purpose.SMALL, not_found)
async def forget(inn: Inn) -> str:
    return await inn.person("aylin").ask("Bot forget my harpsichord")


@wanted("what no verb says", Purpose.SMALL, by_the_model)
async def route(inn: Inn) -> str:
    """Nobody can say what is wanted, so it is answered."""
    understanding = inn.house.health.part("understanding")
    before = understanding.snapshot().counts.get("by rules", 0)
    words = await routed(inn)
    assert understanding.snapshot().counts.get("by rules", 0) > before, "no model was asked"
    return words


async def routed(inn: Inn) -> str:
    return await mentioning_as(inn.person("maren"), "the quiz on Friday, put that in your book")
