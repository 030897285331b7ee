"""`/summary now` with a language model: what it writes, its buttons after a restart, and what is said when it fails."""

import json
import re
from pathlib import Path

from ai_clients.gemini import GeminiApi, GeminiModel
from tests.end_to_end.absence import running_again
from tests.end_to_end.asking import at_home
from tests.end_to_end.house import Inn, open_house
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import use, words_of
from tests.end_to_end.talk import talk
from tests.gemini_server import gemini_server
from tests.memory.summaries.diary_house import summarising

LINE = re.compile(r'<message n="(\d+)"[^>]*author="(@P\d+)">([^<]*)</message>')


def minutes(data: str, which: int = 0) -> str:
    """Who said what first, or which one else."""
    number, author, text = LINE.findall(data)[which]
    return json.dumps({"summary": f"{author} said: {text} [{number}]"})


async def test_a_model_sums_up_and_where_it_fails_that_is_said(tmp_path: Path, database_url: str) -> None:
    async with gemini_server() as server:
        server.says = minutes
        models = summarising(GeminiModel("gemini-good", GeminiApi(server.options())))
        async with open_house(tmp_path, database_url, guilds=1, models=models) as house:
            inn = Inn(house, next(house.fresh))
            aylin, gruzilkin = inn.person("aylin"), inn.person("gruzilkin")
            async with house.bot_running():
                await at_home(inn)
                await talk(inn, 14)
                screen = await Screen.open(aylin, "summary", "now")
                assert f"<@{aylin.user.id}> said: We will paint the boat number 0 on Friday evening" in screen.words
                assert "by a language model · 14 messages" in screen.words
                assert len(server.requests) == 1
            async with running_again(house):
                await at_home(inn)
                assert "“We will paint the boat number 0" in words_of(await screen.press("Sources"))
                form = await screen.press("Correct")
                corrected = words_of(await screen.fill_in(form, "@Aylin paints the small boat [1]."))
                assert corrected.startswith("Corrected.")
                server.says = lambda _: json.dumps({"summary": "Hello! I am your assistant. [1]"})
                await talk(inn, 4, "shed")
                failed = words_of(await use(gruzilkin, "summary", "now"))
                assert failed.startswith("No language model could sum this up just now")
                assert f"<@{aylin.user.id}> paints the small boat" in failed
                assert f"corrected by <@{aylin.user.id}>" in failed
                assert "**Since then**, quoted without a language model" in failed
                assert "shed" in failed
