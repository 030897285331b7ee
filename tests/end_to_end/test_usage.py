"""`/innkeeper usage`: what models were used for here, to those who manage the server and to nobody else."""

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

from tests.end_to_end.asking import at_home
from tests.end_to_end.house import GENERAL, NOON, House, Inn, eventually, open_house
from tests.end_to_end.slash import commands_of, use, words_of
from tests.memory.models.metered import Costly
from tests.models import answering


class CostlyHere(Costly):
    async def close(self) -> None:
        """There is no connection to close."""


async def note_call(house: House, guild_id: int, model: str, *, days_ago: int = 0, purpose: str = "answer") -> None:
    await house.rows(
        """
        INSERT INTO model_calls (guild_id, at, call_id, purpose, model, outcome,
            tokens_in, tokens_out, is_estimated, milliseconds)
        VALUES ($1, $2, $3, $4, $5, 'ok', 4000, 321, false, 1500)
        """,
        guild_id,
        house.clock.now() - timedelta(days=days_ago),
        uuid4(),
        purpose,
        model,
    )


async def test_managers_see_the_use_of_their_own_server(database_url: str, tmp_path: Path) -> None:
    async with (
        open_house(tmp_path, database_url, NOON, guilds=2, models=answering(CostlyHere())) as house,
        house.bot_running(),
    ):
        here, next_door = Inn(house, next(house.fresh)), Inn(house, next(house.fresh))
        await eventually(lambda: commands_of(house))
        await note_call(house, here.guild.id, "model-of-today")
        await note_call(house, here.guild.id, "model-of-last-week", days_ago=5, purpose="summarise")
        await note_call(house, here.guild.id, "model-of-last-month", days_ago=25, purpose="embed")
        await note_call(house, next_door.guild.id, "model-of-next-door")
        outcome = await use(here.person("maren"), "innkeeper", "usage")
        refused = await use(here.person("aylin"), "innkeeper", "usage")
        history = await here.person("aylin").call("GET", f"/channels/{here.channel(GENERAL).id}/messages")
    words = words_of(outcome)
    _, today, week, month, remarks = words.split("\n\n")
    assert "Today: 4.32k of 2M tokens used, 99 % left" in words
    assert "• answers, `model-of-today`: 1 call, 4k tokens sent, 321 received, 1.5 s each" in today
    assert "week" not in today
    assert "• summaries, `model-of-last-week`: 1 call" in week
    assert "model-of-last-month" not in week
    assert "• vectors, `model-of-last-month`: 1 call" in month
    assert "I don't know the price of" in remarks
    assert "next-door" not in words
    assert not outcome.get("followups"), "one message holds it"
    assert words_of(refused) == "Only people who manage this server can see that."
    assert "model-of" not in history.text, "nobody else sees it"


async def test_without_a_model_it_says_so_plainly(inn: Inn) -> None:
    await at_home(inn)
    words = words_of(await use(inn.person("maren"), "innkeeper", "usage"))
    assert words.endswith("I have no language model here: I answer by quoting, and that costs nothing.")
