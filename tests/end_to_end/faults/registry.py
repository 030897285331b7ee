"""What models are asked for, seen from the front door. Whatever is added there later is registered here as well."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ai_clients.base import Purpose
from tests.end_to_end.asking import ask_privately, outcome_of
from tests.end_to_end.faults.providers import CONTEXT_BY_MODEL, ENJOY, Fault
from tests.end_to_end.house import GENERAL, PATIENCE_SECONDS, Inn, Person, eventually, until
from tests.end_to_end.slash import words_of

QUESTION = "when is the quiz?"
SAID = "The quiz is on Friday at eight"
KAZOO = "plays the kazoo"
BY_MODEL = "It is on Friday, says the model."
STAMPS = "collects stamps"
GIVEN_UP_SECONDS = 20.0
"""In which a model of these tests has failed in whatever way it does."""
PAST = ("They baked bread for the feast.", "They swept the yard.", "They mended the roof.")
"""What was told of gruzilkin's last three days: of two that are short no model would make one text."""
LONG_PAST = f"{PAST[-1]} {' '.join(f'They laid row {number} of the tiles.' for number in range(10))}"
MANY_STAMPS = f"{STAMPS} of {', '.join(f'series {number} of the post office' for number in range(16))}"
"""What was told of Florent's yesterday, and of Florent: together more than stands side by side without a model."""


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
    afterwards: Callable[[Inn], Awaitable[None]]
    """Waits until nobody is at it any more, so that the next fault is not met by this one's work."""


WANTED: dict[str, Wanted] = {}

TEAM = "foxes"
_TEAMS = (f"{TEAM}{number}" for number in itertools.count())


async def at_once(_inn: Inn) -> None:
    """Whoever got their answer waited for all of it."""


def wanted(
    name: str,
    purpose: Purpose,
    serves: Callable[[str, Fault], bool],
    afterwards: Callable[[Inn], Awaitable[None]] = at_once,
) -> Callable[[Drive], Drive]:
    def register(drive: Drive) -> Drive:
        assert name not in WANTED
        WANTED[name] = Wanted(name, purpose, drive, serves, afterwards)
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
    return words.startswith("From what was said here:\n• ") and SAID in words


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


def joined_parts(words: str, _fault: Fault) -> bool:
    """All that there is to merge, without the merge."""
    return all(part in words for part in (STAMPS, PAST[-1])) and CONTEXT_BY_MODEL not in words


def joined_days(words: str, _fault: Fault) -> bool:
    return all(part in words for part in PAST) and CONTEXT_BY_MODEL not in words


async def context_given_up(inn: Inn) -> None:
    await given_up(inn, inn.person("florent"))


@wanted("a context, in an answer", Purpose.SMALL, joined_parts, context_given_up)
async def context(inn: Inn) -> str:
    return await failing_to_merge(inn, inn.person("florent"))


async def history_given_up(inn: Inn) -> None:
    await given_up(inn, inn.person("gruzilkin"))


@wanted("a history, in an answer", Purpose.SMALL, joined_days, history_given_up)
async def history(inn: Inn) -> str:
    return await failing_to_merge(inn, inn.person("gruzilkin"))


async def failing_to_merge(inn: Inn, person: Person) -> str:
    """As if no model had failed at it before, and nothing had been merged."""
    guild_id, user_id, contexts = inn.guild.id, person.user.id, inn.house.memory.contexts
    await live_through_days(inn)
    await inn.house.rows("DELETE FROM texts WHERE user_id = $1", user_id)
    contexts._caches.note_success(guild_id, user_id)
    return await mentioning_as(person, ENJOY)


async def given_up(inn: Inn, person: Person) -> None:
    """A model was asked in vain. Who asks while the machine is too busy to begin with it leaves it to the next."""
    guild_id, user_id, caches = inn.guild.id, person.user.id, inn.house.memory.contexts._caches
    async with asyncio.timeout(PATIENCE_SECONDS):
        while caches.may_try(guild_id, user_id):
            try:
                await until(lambda: not caches.may_try(guild_id, user_id), GIVEN_UP_SECONDS)
            except TimeoutError:
                await mentioning_as(person, ENJOY)
    made = await inn.house.rows("SELECT text FROM texts WHERE user_id = $1", user_id)
    assert made == [], "what a model failed at is kept"


async def merging(inn: Inn) -> None:
    """Until what the model failed at is merged, now that it is well and its rest is over."""
    florent = inn.person("florent")
    await live_through_days(inn)  # whoever asked for today may have taken them away
    inn.house.memory.contexts._caches.note_success(inn.guild.id, florent.user.id)
    await eventually(lambda: mentioning_as(florent, ENJOY), lambda words: CONTEXT_BY_MODEL in words)


async def live_through_days(inn: Inn) -> None:
    """As nights leave them: of gruzilkin three days, and of Florent one, with a fact."""
    guild_id, florent, gruzilkin = inn.guild.id, inn.person("florent"), inn.person("gruzilkin")
    if not await inn.house.rows("SELECT 1 FROM facts WHERE subject_id = $1", florent.user.id):
        await florent.ask(f"Bot remember that Florent {MANY_STAMPS}")
    for ago, text in zip((3, 2, 1), PAST, strict=True):
        told = {gruzilkin.user.id: text} | ({florent.user.id: LONG_PAST} if ago == 1 else {})
        channels = [inn.channel(GENERAL).id]
        await inn.house.rows(PAST_DAY, guild_id, ago, channels, list(told), list(told.values()))


PAST_DAY = """
WITH past AS (
    INSERT INTO days (guild_id, scope, starts_at, ends_at, day, is_final, source_channels, people, messages, read_seq,
        seen_seq, version, model, made_at, tried_at, tries)
    SELECT $1, 0, midnight, midnight + interval '1 day', midnight::date, true, $3, $4, 2, 0,
        0, 1, 'a model', now(), now(), 1
    FROM (SELECT date_trunc('day', now(), 'UTC') - make_interval(days => $2) AS midnight) AS night
    ON CONFLICT DO NOTHING RETURNING guild_id, scope, starts_at)
INSERT INTO day_summaries (guild_id, scope, starts_at, user_id, text)
SELECT guild_id, scope, starts_at, user_id, text FROM past, unnest($4::bigint[], $5::text[]) AS told (user_id, text)
"""
