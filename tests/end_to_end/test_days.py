"""What happened today, asked in Discord: told by a model, or quoted; and what is deleted is not told any more."""

from datetime import datetime
from pathlib import Path

import pytest

from ai_clients.gemini import GeminiApi, GeminiModel
from memory.answers import about_days
from tests.end_to_end.asking import at_home, close_to_everyone
from tests.end_to_end.house import GENERAL, KITCHEN, NOON, Inn, open_house
from tests.gemini_server import data_of, gemini_server
from tests.memory.summaries.diary_house import Scribe, summarising

AMPLE = 120.0
"""Seconds for a model beside busy neighbours; whoever asks waits no longer than eight, and is quoted to then."""
QUIZ = "The quiz on Tuesday was won by the red team after a long fight"
TABLE = "We found a new kitchen table for the common room of the inn"


@pytest.fixture(scope="module")
def at() -> datetime:
    return NOON


async def test_a_day_is_told_by_the_model_once_and_without_what_was_deleted(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(about_days, "WAIT", AMPLE)
    async with gemini_server() as server:
        server.says = Scribe.writes
        model = GeminiModel("gemini-good", GeminiApi(server.options()), seconds=AMPLE)
        models = summarising(model, seconds=AMPLE)
        async with (
            open_house(tmp_path, database_url, NOON, guilds=1, models=models) as house,
            house.bot_running(reply_seconds=600),
        ):
            inn = Inn(house, next(house.fresh))
            await at_home(inn)
            aylin, florent = inn.person("aylin"), inn.person("florent")
            await close_to_everyone(inn, KITCHEN)
            secret = await inn.person("maren").say("The treasure lies under the old stairs", KITCHEN)
            quiz = await aylin.say(QUIZ)
            for message in (secret, quiz, await florent.say(TABLE)):
                await inn.until_stored(message)
            told = await florent.ask(f"<@{house.bot.id}> what happened today?")
            assert "\n• Aylin wrote that The quiz on Tuesday was won by the red team after a. [↪](https://" in told
            assert "\n-# Active: <@" in told
            assert "stairs" not in told
            of_florent = await aylin.ask(f"Bot, what did <@{florent.user.id}> do today?")
            assert "kitchen table" in of_florent
            assert "quiz" not in of_florent
            assert len(server.requests) == 1, "one call, and nothing of what was said to us"
            assert "treasure" not in data_of(server.requests[0])
            await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{quiz}")
            await inn.until_gone(quiz)
            again = await florent.ask("Bot, what happened today?")
            assert "quiz" not in again
            assert again.startswith("From what was said here:\n• ")
            assert "kitchen table" in again
            assert len(server.requests) == 1, "not again within the hour"
        await model.close()
