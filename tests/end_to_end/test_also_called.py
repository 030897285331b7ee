"""People are found by the names that others call them: noted at night, shown, removed, and gone with the message."""

import json
import re
from datetime import timedelta
from pathlib import Path

from ai_clients.gemini import GeminiApi, GeminiModel
from tests.end_to_end.asking import at_home
from tests.end_to_end.house import GENERAL, NOON, Inn, eventually, open_house
from tests.end_to_end.memory_screen import memory_of
from tests.gemini_server import gemini_server
from tests.memory.summaries.diary_house import Scribe, summarising

LINE = re.compile(r' n="(\d+)">([^<]*)</message>')
PERSON = re.compile(r'<person id="(\d+)" name="Florent"')
NAME = "Schorsch"


def writes(data: str) -> str:
    """A day, and that Florent is called so, wherever somebody says it."""
    reply = json.loads(Scribe.writes(data)) if "<messages-" in data else {"summary": "There was a day."}
    lines = [int(number) for number, text in LINE.findall(data) if NAME in text][:1]
    reply["also_called"] = [
        {"id": who, "name": NAME, "message": number} for who in PERSON.findall(data) for number in lines
    ]
    return json.dumps(reply)


async def next_morning(inn: Inn) -> None:
    """The night has told what was said until now."""
    now = inn.house.clock.now()
    inn.house.server.clock.set(now.replace(hour=3) + timedelta(days=1))
    made = "SELECT 1 FROM days WHERE guild_id = $1 AND day = $2 AND is_final AND model IS NOT NULL"

    async def look() -> object:
        await inn.house.memory.day_answers.nightly.round()
        return await inn.house.rows(made, inn.guild.id, now.date())

    await eventually(look)
    inn.house.server.clock.set(now + timedelta(days=1))


async def test_a_name_in_passing(tmp_path: Path, database_url: str) -> None:
    async with gemini_server() as server:
        server.says = writes
        model = GeminiModel("gemini-good", GeminiApi(server.options()))
        async with (
            open_house(tmp_path, database_url, NOON, guilds=1, models=summarising(model)) as house,
            house.bot_running(),
        ):
            inn = Inn(house, next(house.fresh))
            await at_home(inn)
            aylin, florent, maren = inn.person("aylin"), inn.person("florent"), inn.person("maren")
            me, known = f"<@{florent.user.id}>", f"Bot, what do you know about {NAME}?"
            assert "remember" in (await florent.ask("Bot, remember that I keep bees in the garden")).lower()

            async def calls(words: str) -> int:
                said = await aylin.say(words)
                await inn.until_stored(said)
                return said

            await calls(f"Has anybody seen {NAME}? He has the keys. {me}")
            assert "bees" not in await maren.ask(known)
            await next_morning(inn)
            assert "bees" in await maren.ask(known)
            screen = await memory_of(florent)
            assert re.search(rf"{me} is also called {NAME}\n-# ⚪ 3 · <@{aylin.user.id}> says so", screen.words)
            number = re.findall(rf"\*\*(\d)\.\*\* {me} is also called {NAME}", screen.words)[0]
            await screen.do(number, "says so")
            assert screen.labels() == ["Edit", "Not true", "Forget", "Back"]
            await screen.do("Forget", "Forgotten")
            assert "bees" not in await maren.ask(known)
            await calls(f"{NAME} will bring the wine tonight, will he not? {me}")
            await next_morning(inn)
            assert "bees" not in await maren.ask(known), "he wants no such name"
            assert NAME not in (await memory_of(florent)).words

            await florent.ask(f"Bot, remember that I am called {NAME}")
            await florent.ask(f"Bot, forget that I am called {NAME}")
            said = await calls(f"{NAME} has won the race, who would have thought so? {me}")
            await next_morning(inn)
            assert "bees" in await maren.ask(known), "by his own word it was his again"
            await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{said}")
            await inn.until_gone(said)
            assert "bees" not in await maren.ask(known)
            assert NAME not in (await memory_of(florent)).words
        await model.close()
