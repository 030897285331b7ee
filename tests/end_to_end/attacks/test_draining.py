"""Prompt bombs that would drain the budget: many questions, and long ones, cost a guild no more than it has."""

from collections.abc import AsyncIterator

import pytest

from tests.databases import PostgresServer
from tests.end_to_end.attacks.stage import Stage, open_stage, say
from tests.end_to_end.house import Inn, Person

BUDGET = 18_000
"""Tokens of a day. Nobody tells what a call took, so it is counted as what it may have taken: more than a thousand."""
BY_MODEL = "The model says so."


def answers(data: str) -> str:
    return BY_MODEL if "<question-" in data else "{}"


@pytest.fixture(scope="module")
async def stage(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    limits = {"member_hourly_questions": 3, "guild_daily_tokens": BUDGET}
    async with open_stage(postgres_server, tmp_path_factory.mktemp("attacks"), guilds=4, **limits) as opened:
        opened.gemini.counts = False
        yield opened


async def test_one_who_asks_too_often_waits_and_the_others_do_not(stage: Stage, inn: Inn, eve: Person) -> None:
    stage.gemini.says = answers
    await say(inn.person("aylin"), "The kettle stands on the stove")
    replies = [await eve.ask(f"Bot where is kettle {number}, {'really ' * 200}?") for number in range(6)]
    assert sum(BY_MODEL in reply for reply in replies) == 3
    assert all(reply.strip() for reply in replies), "nobody is left without an answer"
    assert BY_MODEL in await inn.person("florent").ask("Bot where is the kettle?")


async def test_a_guild_that_is_drained_is_answered_by_quotation_and_no_other_pays(stage: Stage, inn: Inn) -> None:
    stage.gemini.says = answers
    await say(inn.person("aylin"), "The kettle stands on the stove")
    stage.gemini.requests.clear()
    replies: list[str] = []
    for name in ("gruzilkin", "florent", "aylin", "maren"):
        person = inn.person(name)
        replies += [await person.ask(f"Bot where does the kettle stand, {'really ' * 200}?") for _ in range(3)]
    by_model = sum(BY_MODEL in reply for reply in replies)
    assert 0 < by_model < len(replies)
    assert "stove" in replies[-1]
    assert BY_MODEL not in replies[-1]
    spent = await inn.house.rows("SELECT * FROM model_calls WHERE guild_id = $1", inn.guild.id)
    assert spent
    other = await stage.inn()
    assert BY_MODEL in await other.person("aylin").ask("Bot where is the kettle?")
