"""The test of the test: wherever a canary is hidden, the search of that place finds it."""

import asyncio
import gc
import random
from collections.abc import AsyncIterator, Iterator
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from local_guild.state.messages import Attachment
from tests.end_to_end.erasure.canaries import Canaries, Canary, needles_in
from tests.end_to_end.erasure.deletions import BESIDE_IT, ON_DISCORD, TABLES
from tests.end_to_end.erasure.layout import DRIVERS
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


async def test_in_tables_files_and_logs(stage: Stage) -> None:
    hidden = {form: lost(stage) for form in HIDDEN_IN_TABLES}
    for form, statement in HIDDEN_IN_TABLES.items():
        await stage.rows(statement.replace("$1", f"'{hidden[form].token}'::text"))
    found = await PLACES[TABLES](stage)
    assert [form for form, canary in hidden.items() if canary.needle not in found] == []
    message, said, named, logged = (lost(stage) for _ in range(4))
    noted = "INSERT INTO addressed (guild_id, message_id, channel_id, intent) VALUES (1, $1, 1, 'question')"
    await stage.rows(noted, message.message_id)
    assert message.needle in await PLACES["what was made of messages"](stage)
    folder = stage.folder / "data" / "deep"
    folder.mkdir(parents=True)
    (folder / "scratch.bin").write_bytes(b"\x00\xff" + said.token.encode() + b"\x00")
    (folder / f"{named.token}.json").write_text("{}")
    assert {said.needle, named.needle} <= set(await PLACES["files"](stage))
    stage.bot.log.write_text(f"2026 INFO memory.facts.service: said {logged.token}\n")
    assert logged.needle in await PLACES["log lines"](stage)


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
    assert {canary.needle for canary in hidden} <= set(await PLACES[ON_DISCORD](stage))


async def test_whatever_a_process_of_the_inn_shows_and_holds(stage: Stage) -> None:
    """And what is found of a canary that is gone is told, with who holds it."""
    assert DRIVERS
    await stage.beside.start(0)
    shown, held = lost(stage), lost(stage)
    noted = "INSERT INTO process_health (process, pid, started_at, beat_at, parts) VALUES ($1, 1, now(), now(), '[]')"
    await stage.beside.order("hold", text=f"a {held.token}")
    assert set(await PLACES[BESIDE_IT](stage)) == {held.needle}
    assert "InnProcess" in await stage.beside.order("explain", needle=held.needle)
    await stage.beside.order("let_go")
    assert not await stage.beside.order("search")
    await stage.rows(noted, shown.token)
    assert shown.needle in await PLACES[ON_THE_PANEL](stage)


class Slotted:
    __slots__ = ("held",)

    def __init__(self, held: object) -> None:
        self.held = held


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
        SimpleNamespace(inner={1: {f"a {tokens[3]}": 1}}),
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
