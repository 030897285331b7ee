"""Models that fail, rest, cost too much or are asked too often, as somebody in the guild meets them: there is always an
answer, inside the deadline."""

import asyncio
import itertools
import json
import math
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.gemini import GeminiApi, GeminiEmbedder, GeminiModel
from ai_clients.guard import FIRST_REST, LONGEST_REST
from memory.answers.generate import Reason, Why
from memory.health import PartHealth, PartState
from memory.language.detect import Language
from tests.end_to_end.asking import ask_privately, at_home, held_up, outcome_of
from tests.end_to_end.house import Inn, eventually, open_house
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import use, words_of
from tests.gemini_faults import TROUBLES
from tests.gemini_server import KEY, GeminiServer, gemini_server
from tests.models import Watch, answering
from tests.soak import SOAK

FIRST, SECOND = "gemini-good", "gemma-4-31b-it"
QUOTED = "From what was said here:"
SAID, KAZOO, TEAM = "The quiz is on Friday at eight", "plays the kazoo", "foxes"
BY_MODEL, DAY_BY_MODEL = "Friday, says the model.", "They spoke of the quiz, says the model."
SECONDS, MARGIN_SECONDS = 8.0, 60.0
"""Of an answer, and for a busy machine: what hangs would hang for ever."""
TOO_BUSY = (
    "I can't reach my memory right now",
    "I couldn't look further back than the latest messages",
    "That took too long, so I stopped",
)
"""An answer does not wait longer than a second or two for what is known of people; then it is made without."""
NAMES = {
    Purpose.ANSWER: FIRST,
    Purpose.EMBED: "gemini-embedding-2",
    Purpose.SMALL: "gemini-3.5-flash-lite",
    Purpose.SUMMARISE: "gemini-3.8-flash",
}
KINDS = {
    Why.REFUSED: ("400", "safety block"),
    Why.MISCONFIGURED: ("401", "403", "404 model gone"),
    Why.BUSY: ("429", "429 with RetryInfo"),
    Why.AWAY: ("500", "503", "connection reset", "connection reset midway"),
    Why.SLOW: ("hang", "slow trickle"),
    Why.UNUSABLE: ("HTML instead of JSON", "truncated JSON", "wrong shape", "empty candidates", "10 MB reply"),
}
"""What a fault is taken for is shown where the provider's client is tested, and what follows from that is the same for
all that are taken for the same. So one of each kind happens to every purpose; `make soak` has them all."""
_PERSON = re.compile(r'<person id="(\d+)"')
_TEAMS = (f"{TEAM}{number}" for number in itertools.count())


@dataclass
class Stage:
    inn: Inn
    gemini: GeminiServer
    models: Models
    watch: Watch

    def fail(self, *names: str, trouble: str = "503") -> None:
        self.gemini.faults = dict.fromkeys(names, TROUBLES[trouble].fault)

    def asked(self, name: str) -> int:
        return sum(one.startswith(f"{name}:") for one in self.gemini.asked)

    def health(self) -> PartHealth:
        return next(part for part in self.inn.house.health.snapshot().parts if part.name == "models")


@asynccontextmanager
async def stage(
    folder: Path, database_url: str, *names: str, seconds: float = 20, all_purposes: bool = False, **options: int | str
) -> AsyncIterator[Stage]:
    """`names` are of the models that answer, one behind the other; else there is a model for each purpose."""
    async with gemini_server() as gemini:
        gemini.says = say
        api, watch = GeminiApi(gemini.options()), Watch()
        others = {one: GeminiModel(NAMES[one], api) for one in (Purpose.SMALL, Purpose.SUMMARISE) if all_purposes}
        embedder = GeminiEmbedder(NAMES[Purpose.EMBED], api) if all_purposes else None
        answer = [GeminiModel(name, api) for name in names]
        models = answering(*answer, seconds=seconds, watch=watch, others=others, embedder=embedder)
        given: dict[str, object] = {"member_cooldown_seconds": 0, **options}
        async with open_house(folder, database_url, guilds=1, models=models, **given) as house, house.bot_running():
            inn = Inn(house, next(house.fresh))
            await at_home(inn)
            await inn.until_stored(await inn.person("maren").say(f"{SAID}."))
            yield Stage(inn, gemini, models, watch)


def say(data: str) -> str:
    """What has a shape is said in it. What was told and what is wished is left to the rules."""
    if "<typed-" in data:
        if "what happened today" not in data.rpartition("<typed-")[2]:
            return json.dumps({"wants": "question"})
        today = data.partition("<now-")[2].split()[2].rstrip(",")
        return json.dumps({"wants": "days", "first_day": today, "last_day": today})
    if "<people-" in data and "<messages-" in data:
        members = [{"id": one, "summary": DAY_BY_MODEL} for one in _PERSON.findall(data)]
        return json.dumps({"members": members, "happenings": [{"text": DAY_BY_MODEL, "messages": [1]}]})
    return '{"text": "", "numbers": []}' if "<told-" in data or "<wish-" in data else BY_MODEL


async def by_mention(inn: Inn, question: str = "when is the quiz?", who: str = "aylin") -> str:
    return await inn.person(who).ask(f"<@{inn.house.bot.id}> {question}")


async def by_command(inn: Inn, question: str = "when is the quiz?") -> str:
    florent = inn.person("florent")
    begun = await ask_privately(florent, question)
    outcome = await eventually(lambda: outcome_of(florent, begun), lambda seen: not words_of(seen).endswith("…"))
    return words_of(outcome)


def new_question() -> str:
    """One whose vector nobody has asked for yet: those of questions are kept for a while."""
    return f"when is the quiz of the {next(_TEAMS)}?"


async def today(inn: Inn) -> str:
    """As if nobody had asked before: today is summarised once an hour."""
    await inn.house.rows("DELETE FROM days")
    words = await by_mention(inn, "what happened today?")
    # Whoever asked does not wait for a model that hangs; the table does, so that the next fault finds nobody at it.
    await eventually(lambda: inn.house.rows("SELECT 1 FROM claims WHERE what LIKE 'day %'"), lambda held: not held)
    return words


async def remember(inn: Inn) -> str:
    return await inn.person("maren").ask(f"Bot remember that gruzilkin {KAZOO}")


async def forget(inn: Inn) -> str:
    return await inn.person("aylin").ask("Bot forget my harpsichord")


async def route(inn: Inn) -> str:
    """Nobody can say what is wanted, so it is answered."""
    return await by_mention(inn, "the quiz on Friday, put that in your book", "maren")


def with_reason(words: str, why: Why) -> bool:
    """It says what happened, and gives what there is. What hangs rests at once: who asks a moment later hears that."""
    whys = (Why.SLOW, Why.AWAY) if why is Why.SLOW else (why,)
    reasons = [f"\n-# {Reason(one).sentence(Language.EN)}" for one in whys]
    return words.startswith(QUOTED) and any(reason in words for reason in reasons) and SAID in words


def by_the_model(words: str, _: Why) -> bool:
    """Recall goes by words meanwhile."""
    return BY_MODEL in words


def quoted(words: str, _: Why) -> bool:
    return words.startswith(QUOTED) and "• " in words and SAID in words


def by_rules(words: str, _: Why) -> bool:
    """It is kept all the same, in words that only rules were needed for."""
    return words.startswith(("Got it, I'll remember about gruzilkin: <@", "I know that already: <@")) and KAZOO in words


def not_in_doubt(words: str, _: Why) -> bool:
    """Nothing is forgotten in doubt, and that is said."""
    return "found nothing like that" in words or "haven't forgotten anything yet" in words


WANTED: dict[Purpose, dict[Callable[[Inn], Awaitable[str]], Callable[[str, Why], bool]]] = {
    Purpose.ANSWER: {by_mention: with_reason, by_command: with_reason},
    Purpose.SUMMARISE: {today: quoted},
    Purpose.EMBED: {
        lambda inn: by_mention(inn, new_question()): by_the_model,
        lambda inn: by_command(inn, new_question()): by_the_model,
    },
    Purpose.SMALL: {remember: by_rules, forget: not_in_doubt, route: by_the_model},
}


@pytest.mark.soak
async def test_whatever_a_model_is_asked_for_and_however_it_fails_the_member_is_served(
    tmp_path: Path, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with stage(
        tmp_path, database_url, FIRST, seconds=SECONDS, all_purposes=True, member_hourly_questions=0
    ) as scene:
        vectors = "SELECT 1 FROM index_state WHERE vector_model = $1 AND vectors_through > 0"
        assert scene.models.embedder is not None
        name = scene.models.embedder.name
        await eventually(lambda: scene.inn.house.rows(vectors, name))
        for why, troubles in KINDS.items():
            for trouble, purpose in itertools.product(troubles if SOAK else troubles[:1], WANTED):
                scene.fail(NAMES[purpose], trouble=trouble)
                asked, wants = scene.asked(NAMES[purpose]), WANTED[purpose].items()
                await asyncio.gather(*(served(scene.inn, *want, why, trouble) for want in wants))
                assert scene.asked(NAMES[purpose]) > asked, "the model was not asked"
                await recovered(scene, purpose)
    assert "never-real" not in caplog.text, "a key stands in the log"
    assert SAID not in caplog.text, "what was said stands in the log"


async def served(
    inn: Inn, drive: Callable[[Inn], Awaitable[str]], serves: Callable[[str, Why], bool], why: Why, trouble: str
) -> None:
    began = time.monotonic()
    words = await drive(inn)
    took = time.monotonic() - began
    if not serves(words, why) and is_too_busy(words):
        words = await eventually(lambda: drive(inn), lambda words: not is_too_busy(words))
    assert serves(words, why), f"{trouble}: {words!r}"
    for secret in (KEY, "on demand", "<html", "Traceback", "127.0.0.1", FIRST, "content_filter"):
        assert secret not in words, f"{trouble}: told {secret}"
    assert took < SECONDS + MARGIN_SECONDS, f"{trouble}: {took:.1f} s"


def is_too_busy(words: str) -> bool:
    return any(sign in words for sign in TOO_BUSY)


async def recovered(scene: Stage, purpose: Purpose) -> None:
    """It is well again, and after its rest it answers without anybody's help."""
    inn = scene.inn
    scene.gemini.faults = {}
    scene.watch.ahead += LONGEST_REST
    if purpose is Purpose.SMALL:
        inn.house.memory.answers._understanding._rests_until = -math.inf
        await remember(inn)
        # Nobody is made to wait longer than two seconds for where a question leads; a busy machine takes longer.
        await eventually(lambda: route(inn), lambda words: BY_MODEL in words)
    if purpose is Purpose.SUMMARISE:
        assert DAY_BY_MODEL in await today(inn)

    async def is_well() -> bool:
        said, models = await by_mention(inn, new_question()), scene.health()
        return BY_MODEL in said and models.state is PartState.ACTIVE and not models.issues

    await eventually(is_well)  # a machine that is too busy to look back does not ask for vectors


async def test_an_answer_is_on_record_and_in_the_manner_that_was_wished_for(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, persona="Dry, like an old\n  butler {of} few words.") as scene:
        assert await by_mention(scene.inn) == BY_MODEL
        rules = scene.gemini.requests[-1]["systemInstruction"]["parts"][0]["text"]
        seen = await eventually(lambda: use(scene.inn.person("maren"), "innkeeper", "usage"), _has_answers)
    assert "Your manner: Dry, like an old butler {of} few words.\n" in rules
    assert f"• answers, `{FIRST}`: 1 call," in words_of(seen)


def _has_answers(usage: object) -> bool:
    return "answers" in str(usage)


async def test_a_first_that_hangs_leaves_time_for_the_second(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, SECOND, seconds=12) as scene:
        scene.fail(FIRST, trouble="hang")
        assert await by_mention(scene.inn) == BY_MODEL
        scene.fail(FIRST, trouble="slow trickle")
        assert await by_command(scene.inn) == BY_MODEL


async def test_a_member_who_asks_too_often_is_told_so_and_gets_what_there_is(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, member_cooldown_seconds=600, member_hourly_questions=2) as scene:
        assert await by_mention(scene.inn) == BY_MODEL
        asked = scene.asked(FIRST)
        answer = await by_mention(scene.inn)
        assert answer.startswith("One at a time, please. Ask me again in about 10 minutes.\n")
        assert "without my language model" in answer
        assert SAID in answer
        assert scene.asked(FIRST) == asked
        assert await by_command(scene.inn) == BY_MODEL, "others may ask"
        assert scene.health().state is PartState.ACTIVE
        german = await scene.inn.person("aylin").ask("Bot, wann ist das Quiz?")
        assert german.startswith("Eins nach dem anderen, bitte. Frag mich")
        assert "ohne mein Sprachmodell" in german


async def test_a_memory_that_hangs_does_not_take_all_of_the_time(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, seconds=SECONDS) as scene:
        for table in ("facts", "chat_history"):
            async with held_up(scene.inn.house, table):
                answer = await by_mention(scene.inn)
            assert answer.startswith("I can't reach my memory right now. This is only from what I heard"), table
            assert SAID in answer
        assert await by_mention(scene.inn) == BY_MODEL


async def test_a_model_that_keeps_failing_is_left_alone_and_comes_back_by_itself(
    tmp_path: Path, database_url: str
) -> None:
    async with stage(tmp_path, database_url, FIRST) as scene:
        scene.fail(FIRST)
        assert QUOTED in await by_mention(scene.inn)
        asked = scene.asked(FIRST)
        assert scene.health().state is PartState.FAILING
        status = await Screen.open(scene.inn.person("maren"), "innkeeper", "status")
        assert "Not working since" in status.words
        await status.press("Details")
        assert FIRST not in await status.until("🔴 models: not working"), (
            "which models there are is for whoever runs the bot"
        )
        assert any(f"{FIRST} is left alone for" in issue for issue in scene.health().issues)
        scene.gemini.faults = {}
        assert QUOTED in await by_mention(scene.inn)
        assert QUOTED in await by_command(scene.inn)
        assert scene.asked(FIRST) == asked, "nobody asks it while it rests"
        scene.watch.ahead += FIRST_REST
        assert scene.health().state is PartState.ACTIVE
        assert "tried again with the next request" in " ".join(scene.health().issues)
        assert await by_mention(scene.inn) == BY_MODEL
        assert scene.asked(FIRST) == asked + 1
        assert not scene.health().issues
        status = await Screen.open(scene.inn.person("maren"), "innkeeper", "status")
        await status.press("Details")
        assert "🔴" not in await status.until("**Answers**")
