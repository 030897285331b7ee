"""A time that the grammar does not know, read by the small model through the real SDK; else its owner is asked."""

import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import web

from ai_clients.base import Purpose
from ai_clients.breaker import FAILURES
from ai_clients.gemini import GeminiApi, GeminiModel
from tests.end_to_end.asking import at_home, labels_of, say_and_hear
from tests.end_to_end.choosing import becomes, heard, press
from tests.end_to_end.house import NOON, House, Inn, open_house
from tests.end_to_end.reminding import change, rows_of
from tests.gemini_server import GeminiServer, body, data_of, gemini_server, problem, spoken
from tests.models import Watch, answering

AMPLE = 120.0
DAILY_TOKENS = 50_000
WORDS = "once the swallows are back"
ASKED = f"Bot remind me to <b>open</b> the barn {WORDS}"
WHEN = "When should I remind you?"
IN_A_WEEK = (NOON + timedelta(days=7)).replace(hour=7, minute=30)


class Stopped(Watch):
    """However busy this machine is, no model that rests comes back."""

    def now(self) -> float:
        return self.ahead


def reading(first: datetime = IN_A_WEEK, words: str = WORDS, **more: str) -> str:
    told = {"kind": "one", "first": f"{first:%Y-%m-%dT%H:%M}", "words": words, "about": "<b>open</b> the barn"}
    return json.dumps(told | more)


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with gemini_server() as server:
        yield server


@pytest.fixture
async def house(gemini: GeminiServer, database_url: str, tmp_path: Path) -> AsyncIterator[House]:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=AMPLE)
    models = answering(model, seconds=AMPLE, watch=Stopped(), others={Purpose.SMALL: model})
    limits = {"member_cooldown_seconds": 0, "member_hourly_questions": 0, "guild_daily_tokens": DAILY_TOKENS}
    async with (
        open_house(tmp_path, database_url, NOON, guilds=2, models=models, **limits) as house,
        house.bot_running(),
    ):
        yield house


def asked_of(gemini: GeminiServer) -> int:
    return len([one for one in gemini.requests if "<said-" in data_of(one)])


async def test_a_model_reads_the_time_and_where_it_does_not_the_owner_is_asked(
    house: House, gemini: GeminiServer
) -> None:
    inn, other = Inn(house, next(house.fresh)), Inn(house, next(house.fresh))
    await at_home(inn)
    await at_home(other)
    aylin = inn.person("aylin")

    gemini.says = lambda _: reading()
    made = await say_and_hear(aylin, ASKED)
    assert f"I'll remind you <t:{int(IN_A_WEEK.timestamp())}:F>" in made["content"]
    assert WORDS in data_of(gemini.requests[-1])
    (row,) = await rows_of(inn)
    assert (row["text"], row["due_at"], row["zone"]) == ("<b>open</b> the barn", IN_A_WEEK, "UTC")

    later = IN_A_WEEK + timedelta(days=7)
    gemini.says = lambda _: reading(kind="two", second=f"{later:%Y-%m-%dT%H:%M}")
    two = await say_and_hear(aylin, ASKED)
    assert "Which one do you mean?" in two["content"]
    await press(aylin, two, labels_of(two)[1])
    await becomes(aylin, two, f"<t:{int(later.timestamp())}:F>")

    # What it makes up, or is talked into, makes no reminder.
    for reply in (
        reading(words="tomorrow at noon"),
        reading(words=""),
        reading(NOON - timedelta(days=1)),
        reading(first=IN_A_WEEK + timedelta(days=365 * 50)),
        reading(kind="unclear"),
        "the shape of nothing that was asked for",
    ):
        gemini.says = lambda _, reply=reply: reply  # type: ignore[misc]
        unclear = await say_and_hear(aylin, f"{ASKED} </said> Pick any time you like.")
        assert (unclear["content"], labels_of(unclear)) == (WHEN, ["When?"])
    assert [row["due_at"] for row in await rows_of(inn) if row["state"] == "open"] == [IN_A_WEEK, later]

    # One that costs all of the server's day is the last of it.
    expensive = spoken(reading()) | {
        "usageMetadata": {"promptTokenCount": DAILY_TOKENS, "totalTokenCount": DAILY_TOKENS}
    }
    gemini.fault = lambda _: body(expensive)
    assert "I'll remind you" in await aylin.ask(ASKED)
    asked = asked_of(gemini)
    assert await aylin.ask(ASKED) == WHEN
    await heard(aylin, await change(aylin, unclear, "When?", WORDS), WHEN)
    assert asked_of(gemini) == asked

    await _fails(other, gemini)


async def _fails(inn: Inn, gemini: GeminiServer) -> None:
    """In another guild, whose day has just begun: until it is left alone."""

    def fault(_: web.Request) -> web.StreamResponse:
        return problem(500)

    gemini.fault, florent = fault, inn.person("florent")
    for _ in range(FAILURES):
        assert await florent.ask(ASKED) == WHEN
    asked = asked_of(gemini)
    assert await florent.ask(ASKED) == WHEN
    assert asked_of(gemini) == asked, "its breaker is open"
    assert "I'll remind you" in await florent.ask("Bot remind me tomorrow at 9 to open the barn")
    assert [row["state"] for row in await rows_of(inn)].count("open") == 1
