"""The test of the test: wherever a canary is hidden, the search of that place finds it."""

import asyncio
import gc
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pytest

from local_guild.state.messages import Attachment
from tests.end_to_end.erasure import searching
from tests.end_to_end.erasure.canaries import Canaries, Canary, needles_in
from tests.end_to_end.erasure.living_objects import search
from tests.end_to_end.erasure.registry import PLACES
from tests.end_to_end.erasure.stage import Stage, set_stage
from tests.end_to_end.erasure.web_pages import ON_THE_PANEL

SEED = 5


@pytest.fixture(autouse=True)
def _set_aside_again() -> Iterator[None]:
    """To search all that lives, the collector takes back what was set aside (tests/conftest.py); the tests that come
    later would look through it with each collection."""
    yield
    if gc.get_freeze_count() == 0:
        gc.collect()
        gc.freeze()


@pytest.fixture
async def stage(tmp_path: Path, database_url: str) -> AsyncIterator[Stage]:
    async with set_stage(tmp_path, database_url, SEED) as opened:
        yield opened


def lost(stage: Stage) -> Canary:
    inn = stage.inns["inn"]
    canary = stage.canaries.new("hidden by the test", inn.guild.id, inn.channels[0].id, inn.people[0].id)
    canary.message_id, canary.gone = stage.server.ids.next(), True
    return canary


HIDDEN_IN_TABLES = {
    "words": "INSERT INTO guilds (guild_id, name, met_at) VALUES (1, 'the ' || $1 || ' inn', now())",
    "JSON": """INSERT INTO index_channels (guild_id, channel_id, messages, length, stretches, languages)
        VALUES (1, 1, 1, 1, 1, jsonb_build_object('in', jsonb_build_array($1)))""",
    "stems": """INSERT INTO message_index
        (guild_id, message_id, channel_id, author_id, sent_at, stretch_id, length, terms)
        VALUES (1, 1, 1, 1, now(), 1, 1, array_to_tsvector(ARRAY[$1]))""",
    "statistics of terms": "INSERT INTO term_counts (guild_id, term, channel_id, messages) VALUES (1, $1, 1, 1)",
    "a table that nobody knows of": "CREATE TABLE unheard_of AS SELECT ARRAY[convert_to($1, 'UTF8')] AS held",
    "bytes": "CREATE TABLE raw AS SELECT convert_to('x' || $1, 'UTF8') AS held",
}


async def test_in_a_table_in_whatever_form(stage: Stage) -> None:
    hidden = {form: lost(stage) for form in HIDDEN_IN_TABLES}
    for form, statement in HIDDEN_IN_TABLES.items():
        await stage.rows(statement.replace("$1", f"'{hidden[form].token}'::text"))
    found = await PLACES["tables"].search(stage)
    assert [form for form, canary in hidden.items() if canary.needle not in found] == []


async def test_a_row_of_a_message_that_is_gone(stage: Stage) -> None:
    canary = lost(stage)
    noted = "INSERT INTO addressed (guild_id, message_id, channel_id, intent) VALUES (1, $1, 1, 'question')"
    await stage.rows(noted, canary.message_id)
    assert canary.needle in await PLACES["what was made of messages"].search(stage)


async def test_in_a_file_and_in_its_name(stage: Stage) -> None:
    said, named = lost(stage), lost(stage)
    folder = stage.folder / "data" / "deep"
    folder.mkdir(parents=True)
    (folder / "scratch.bin").write_bytes(b"\x00\xff" + said.token.encode() + b"\x00")
    (folder / f"{named.token}.json").write_text("{}")
    assert {said.needle, named.needle} <= set(await PLACES["files"].search(stage))


async def test_on_a_page_of_the_panel(stage: Stage) -> None:
    """Here in what the processes tell of themselves."""
    await stage.beside.start(0)
    canary = lost(stage)
    noted = "INSERT INTO process_health (process, pid, started_at, beat_at, parts) VALUES ($1, 1, now(), now(), '[]')"
    await stage.rows(noted, canary.token)
    assert canary.needle in await PLACES[ON_THE_PANEL].search(stage)


async def test_in_a_line_of_the_log(stage: Stage) -> None:
    canary = lost(stage)
    stage.bot.log.write_text(f"2026 INFO memory.facts.service: said {canary.token}\n")
    assert canary.needle in await PLACES["log lines"].search(stage)


async def test_in_any_part_of_our_messages(stage: Stage) -> None:
    inn, hidden = stage.inns["inn"], [lost(stage) for _ in range(4)]
    said, embedded, labelled, attached = (canary.token for canary in hidden)
    button = {"type": 2, "style": 1, "custom_id": "x", "label": labelled}
    stage.say(
        stage.server.world.bot,
        inn.channels[0],
        f"Well, {said.upper()}",
        embeds=[{"fields": [{"name": "x", "value": embedded}]}],
        components=[{"type": 1, "components": [button]}],
        attachments=[Attachment(1, f"{attached}.txt", 1, "text/plain")],
    )
    assert {canary.needle for canary in hidden} <= set(await PLACES[searching.ON_DISCORD].search(stage))


async def test_whatever_a_process_of_the_inn_holds(stage: Stage) -> None:
    """And what is found of a canary that is gone is told, with who holds it."""
    await stage.beside.start(0)
    canary = lost(stage)
    await stage.beside.order("hold", text=f"a {canary.token}")
    assert set(await PLACES["living objects of the process beside it"].search(stage)) == {canary.needle}
    assert "InnProcess" in await stage.beside.order("explain", needle=canary.needle)
    await stage.beside.order("let_go")
    assert not await stage.beside.order("search")


@dataclass(slots=True)
class Slotted:
    held: object


@dataclass
class Nested:
    inner: dict[int, object] = field(default_factory=dict)


async def _frozen_in(text: str, until: asyncio.Event) -> None:
    local = text[:1] + text[1:]
    await until.wait()
    assert local


async def test_wherever_it_lives() -> None:
    """In slots, tuples, keys, bytes, closures, caches, frames that wait, and escaped as JSON has it; in any script."""
    canaries = Canaries(random.Random(SEED))
    tokens = [canaries.new("hidden by the test", 0, 0, 0).token for _ in range(7)]
    until = asyncio.Event()
    waiting = asyncio.create_task(_frozen_in(tokens[0], until))
    await asyncio.sleep(0)
    cached = lru_cache(lambda text: len(text))
    cached(f"a {tokens[1]}")
    closed_over = tokens[5].encode()
    held = (
        Slotted((1, (f"a {tokens[2]}",))),
        Nested({1: {f"a {tokens[3]}": 1}}),
        [bytearray(tokens[4].encode())],
        lambda: closed_over,
        {"json": "".join(f"\\u{ord(letter):04x}" for letter in tokens[6])},
    )
    needles = {needle for token in tokens for needle in needles_in(token)}
    del tokens, canaries
    assert held
    assert set(search()) >= needles
    until.set()
    await waiting
