"""Models behind one another, breakers, budgets and limits of members, as somebody in the guild meets them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from ai_clients.breaker import FIRST_REST
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.health import PartHealth, PartState
from tests.end_to_end.asking import at_home, held_up
from tests.end_to_end.faults.registry import SAID, by_command, by_mention
from tests.end_to_end.house import Inn, eventually, open_house
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import use, words_of
from tests.gemini_faults import TROUBLES
from tests.gemini_server import GeminiServer, gemini_server
from tests.models import Watch, answering

FIRST, SECOND = "gemini-good", "gemma-4-31b-it"
QUOTED = "From what was said here:"


@dataclass
class Stage:
    inn: Inn
    gemini: GeminiServer
    watch: Watch

    def fail(self, *names: str, trouble: str = "503") -> None:
        self.gemini.faults = dict.fromkeys(names, TROUBLES[trouble].fault)

    def asked(self, name: str) -> int:
        return sum(one.startswith(f"{name}:") for one in self.gemini.asked)

    def health(self) -> PartHealth:
        return next(part for part in self.inn.house.health.snapshot().parts if part.name == "models")


@asynccontextmanager
async def stage(
    folder: Path, database_url: str, *names: str, seconds: float = 20, **options: object
) -> AsyncIterator[Stage]:
    async with gemini_server() as gemini:
        gemini.says = lambda _: "Friday, says the model."
        api, watch = GeminiApi(gemini.options()), Watch()
        models = answering(*(GeminiModel(name, api) for name in names), seconds=seconds, watch=watch)
        given: dict[str, object] = {"member_cooldown_seconds": 0} | options
        async with open_house(folder, database_url, guilds=1, models=models, **given) as house, house.bot_running():
            inn = Inn(house, next(house.fresh))
            await at_home(inn)
            await inn.until_stored(await inn.person("maren").say(f"{SAID}."))
            yield Stage(inn, gemini, watch)


async def test_where_the_first_fails_the_second_answers_and_where_both_do_it_is_quoted(
    tmp_path: Path, database_url: str
) -> None:
    async with stage(tmp_path, database_url, FIRST, SECOND) as scene:
        scene.fail(FIRST)
        assert await by_mention(scene.inn) == "Friday, says the model."
        assert (scene.asked(FIRST) > 0, scene.asked(SECOND)) == (True, 1)
        assert scene.health().state is PartState.ACTIVE
        assert f"{FIRST} is left alone" in " ".join(scene.health().issues)
        scene.fail(FIRST, SECOND)
        answer = await by_mention(scene.inn)
        assert "\n-# My language model isn't answering right now." in answer
        assert QUOTED in answer
        assert SAID in answer
        assert scene.health().state is PartState.FAILING


async def test_an_answer_is_on_record_and_in_the_manner_that_was_wished_for(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, persona="Dry, like an old\n  butler {of} few words.") as scene:
        assert await by_mention(scene.inn) == "Friday, says the model."
        rules = scene.gemini.requests[-1]["systemInstruction"]["parts"][0]["text"]
        seen = await eventually(lambda: use(scene.inn.person("maren"), "innkeeper", "usage"), _has_answers)
    assert "Your manner: Dry, like an old butler {of} few words.\n" in rules
    assert f"• answers, `{FIRST}`: 1 call," in words_of(seen)


def _has_answers(usage: object) -> bool:
    return "answers" in str(usage)


async def test_a_first_that_hangs_leaves_time_for_the_second(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, SECOND, seconds=20) as scene:
        scene.fail(FIRST, trouble="hang")
        assert await by_mention(scene.inn) == "Friday, says the model."
        scene.fail(FIRST, trouble="slow trickle")
        assert await by_command(scene.inn) == "Friday, says the model."


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
        assert await by_mention(scene.inn) == "Friday, says the model."
        assert scene.asked(FIRST) == asked + 1
        assert not scene.health().issues
        status = await Screen.open(scene.inn.person("maren"), "innkeeper", "status")
        await status.press("Details")
        assert "🔴" not in await status.until("**Answers**")


async def test_a_member_who_asks_too_often_is_told_so_and_gets_what_there_is(tmp_path: Path, database_url: str) -> None:
    limits = {"member_cooldown_seconds": 600, "member_hourly_questions": 2}
    async with stage(tmp_path, database_url, FIRST, **limits) as scene:
        assert await by_mention(scene.inn) == "Friday, says the model."
        asked = scene.asked(FIRST)
        answer = await by_mention(scene.inn)
        assert answer.startswith("One at a time, please. Ask me again in about 10 minutes.\n")
        assert "without my language model" in answer
        assert SAID in answer
        assert scene.asked(FIRST) == asked
        assert await by_command(scene.inn) == "Friday, says the model.", "others may ask"
        assert scene.health().state is PartState.ACTIVE
        german = await scene.inn.person("aylin").ask("Bot, wann ist das Quiz?")
        assert german.startswith("Eins nach dem anderen, bitte. Frag mich")
        assert "ohne mein Sprachmodell" in german


async def test_a_guild_that_has_used_up_its_day_gets_quotations(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, guild_daily_tokens=1) as scene:
        for answer in (await by_mention(scene.inn), await by_command(scene.inn)):
            assert "\n-# This server has used up its language model budget for today. (<t:" in answer
            assert QUOTED in answer
            assert SAID in answer
        assert scene.asked(FIRST) == 0
        assert "BudgetExhausted" not in " ".join(scene.health().issues), "a budget is no fault of a model"


async def test_a_memory_that_hangs_does_not_take_all_of_the_time(tmp_path: Path, database_url: str) -> None:
    async with stage(tmp_path, database_url, FIRST, seconds=12) as scene:
        for table in ("facts", "chat_history"):
            async with held_up(scene.inn.house, table):
                answer = await by_mention(scene.inn)
            assert answer.startswith("I can't reach my memory right now. This is only from what I heard"), table
            assert SAID in answer
        assert await by_mention(scene.inn) == "Friday, says the model."
