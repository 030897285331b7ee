"""Each fault of a model that shall summarise a day: whoever asks gets the day quoted, and it is made up for later."""

import asyncio
from datetime import timedelta

import pytest

from ai_clients.gemini import GeminiApi, GeminiModel
from memory.db.database import Database
from memory.summaries.store import DayStore
from tests.gemini_faults import TROUBLES, Trouble
from tests.gemini_server import gemini_server
from tests.memory.summaries.diary_house import ALICE, BOB, GUILD, DiaryHouse, Scribe, summarising
from tests.models import Watch

SAID = "The quiz on Tuesday was won by the red team after a long fight"
SECONDS = 8.0


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=list(TROUBLES))
async def test_a_day_is_quoted_whatever_the_model_does(
    database: Database, trouble: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    async with gemini_server() as server:
        server.says = Scribe.writes
        model = GeminiModel("gemini-good", GeminiApi(server.options()), seconds=SECONDS)
        watch = Watch()
        house = DiaryHouse(database, summarising(model, seconds=SECONDS, watch=watch))
        await house.open_guild()
        await house.say(ALICE, SAID)
        house.clock.move(timedelta(days=1))
        server.fault = trouble.fault
        answer = await house.ask(BOB, "what happened yesterday?")
        assert answer.text.startswith("From what was said here:\n• ")
        assert "red team" in answer.text
        assert server.requests
        await _done(house)
        now = house.clock.now()
        (row,) = await DayStore(database).rows(GUILD, [0], now - timedelta(days=2), now)
        assert row.is_quoted
        assert row.tries == 1
        assert row.retry_at is not None
        assert row.retry_at > house.clock.now()
        server.fault = None
        watch.ahead += 100_000
        house.clock.move(timedelta(days=1))
        await house.memory.day_answers.nightly.round()
        answer = await house.ask(BOB, "what happened on 10 March?")
        assert "• Alice wrote that The quiz on Tuesday was won by the red team" in answer.text
        await house.stop(house.memory)
        await model.close()
    assert "red team" not in caplog.text, "what was said stands in the log"


async def _done(house: DiaryHouse) -> None:
    """Whoever asked does not wait for a model that hangs."""
    await asyncio.gather(*house.memory.day_answers.days._maker._running.values(), return_exceptions=True)
