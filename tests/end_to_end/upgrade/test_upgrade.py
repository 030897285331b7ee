"""The inns of earlier releases, opened by today's Innkeeper: nothing is lost, and every promise holds."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from memory.access import Door, KeyKind
from memory.core.version import VERSION
from memory.db.database import Database, ExternalPostgres
from memory.db.migrate import migrate
from tests.databases import MIGRATED_AT
from tests.end_to_end.asking import at_home, recall
from tests.end_to_end.choosing import becomes
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, open_house
from tests.end_to_end.reminding import hears
from tests.end_to_end.slash import press, use, words_of
from tests.end_to_end.taken_back import TAKEN_BACK, content_of, delete, says
from tests.end_to_end.upgrade.before import CELLAR_KEY, DRAGON, GONE, LAST_DAY
from tests.end_to_end.upgrade.kept import Kept, all_kept

HOUR = timedelta(hours=1)
REWRITTEN = frozenset(("index_state", name) for name in ("next_model", "next_through", "has_outdated"))
"""Tables and columns of which a later step changes what is in them, or that it takes away."""
MOVED = {
    "day_summaries": ("day_entries", {}),
    "context_starts": ("channel_progress", {"after_id": "starts_after"}),
    "stretches": ("conversations", {"stretch_id": "conversation_id"}),
    "message_index": ("message_index", {"stretch_id": "conversation_id"}),
    "index_channels": ("index_channels", {"stretches": "conversations"}),
}
"""Tables whose rows a later step keeps in another, and what their columns are called there."""
LET_GO = {
    "early_edits": "an edit before its message waits in memory, and comparing with Discord finds it",
    "gateway_leases": "no process of before runs any more",
    "vectors_again": "messages wait for the vectors of one model alone, and may wait no longer",
    "user_facts": "it is made of the facts again",
    "histories": "they are made of the days again",
    "contexts": "they are made of facts and days again",
    "asked_about": "what is made for whoever asks says when that was",
}
Rows = dict[str, list[dict[str, Any]]]

each_kept = pytest.mark.parametrize("kept", all_kept(), ids=lambda kept: kept.path.name)


def test_an_inn_of_this_release_is_kept() -> None:
    """Or no test would carry up what it brings. What only mends brings no tables."""
    kept = [one.notes["innkeeper"].rpartition(".")[0] for one in all_kept()]
    assert VERSION.rpartition(".")[0] in kept, "run python -m tests.end_to_end.upgrade"


@each_kept
async def test_all_of_it_is_carried_up_and_every_promise_holds(
    kept: Kept, empty_database_url: str, tmp_path: Path
) -> None:
    url = empty_database_url
    await kept.restore_database(url)
    kept.restore_guild(tmp_path / "local_guild")
    before = await rows_of(url)
    opened = await Database.open(ExternalPostgres(url), max_size=1)
    await migrate(opened, MIGRATED_AT)
    await opened.close()
    nothing_is_lost(before, await rows_of(url))

    async with open_house(tmp_path, url, LAST_DAY + HOUR, guilds=1) as house:
        inn = Inn(house, next(house.fresh))
        missed = await inn.person("aylin").say("Breakfast is at nine")
        async with house.bot_running():
            await at_home(inn)
            await inn.until_stored(missed)
            await what_was_said_is_found_where_it_may_be(inn)
            await what_was_told_is_known_where_it_may_be(inn)
            await what_was_decided_holds(inn)
            await what_was_open_goes_on(inn, kept.notes)
        kept_now = str(await rows_of(url))
        assert [word for word in GONE if word in kept_now] == []


def nothing_is_lost(before: Rows, after: Rows) -> None:
    """Every row is still there, with all that was in it; and each table had some."""
    assert [table for table, rows in before.items() if not rows] == []
    for table, rows in before.items():
        if table in LET_GO:
            continue
        there, renamed = MOVED.get(table, (table, {}))
        told = [name for name in rows[0] if (table, name) not in REWRITTEN]
        old = sorted(str([row[name] for name in told]) for row in rows)
        new = sorted(str([row[renamed.get(name, name)] for name in told]) for row in after[there])
        assert table == "schema_version" or (set(old) <= set(new) if table in MOVED else old == new), table


async def what_was_said_is_found_where_it_may_be(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    assert DRAGON in words_of(await recall(aylin, "dragon mill"))
    assert CELLAR_KEY not in words_of(await recall(aylin, "cellar key"))
    assert CELLAR_KEY in words_of(await recall(florent, "cellar key", BACK_ROOM))
    assert "We will paint the boat" in words_of(await use(aylin, "summary", "now"))
    assert "Florent wrote that We will paint the boat" in await aylin.ask("Bot, what did Florent do yesterday?")


async def what_was_told_is_known_where_it_may_be(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    of_aylin = await aylin.ask("Bot what do you know about me?")
    assert "coffee black" in of_aylin
    assert "Bremen" not in of_aylin, "it was forgotten"
    of_florent = await aylin.ask("Bot what do you know about Florent?")
    assert "cello" in of_florent
    assert "feast" not in of_florent, "it was told in the back room"
    assert "snores" not in of_florent
    assert "feast" in await florent.ask("Bot what do you know about me?", BACK_ROOM)
    assert "told me it's not true" in await aylin.ask("Bot remember that Florent snores")


async def what_was_decided_holds(inn: Inn) -> None:
    aylin, gruzilkin, maren = (inn.person(name) for name in ("aylin", "gruzilkin", "maren"))
    unwanted = [await gruzilkin.say("I have a new boat"), await aylin.say("The pantry is open", KITCHEN)]
    await inn.until_stored(await aylin.say("Good morning"))
    assert [await inn.stored(message) for message in unwanted] == [None, None]
    shown = words_of(await use(maren, "settings", "show"))
    assert "Europe/Berlin" in shown
    assert f"<#{inn.channel(KITCHEN).id}>" in shown
    assert f"<#{inn.channel(GENERAL).id}>" in words_of(await use(maren, "digest", "status"))


async def what_was_open_goes_on(inn: Inn, notes: dict[str, Any]) -> None:
    """What can be undone, a key, a reminder; and an answer goes with what it rests on."""
    aylin, house = inn.person("aylin"), inn.house
    for line in (notes["told"], notes["forgotten"]):
        await press(aylin, line, "Undo")
        await becomes(aylin, line, "Undone")
    known = await aylin.ask("Bot what do you know about me?")
    assert ("bees" in known, "quinces" in known) == (True, False)
    assert isinstance(await house.memory.access.door(notes["token"], KeyKind.TOKEN), Door)
    assert DRAGON in str(await content_of(aylin, notes["answer"]))
    found = "SELECT message_id FROM chat_history WHERE guild_id = $1 AND text = $2"
    [dragon] = await house.rows(found, inn.guild.id, DRAGON)
    await delete(aylin, dragon["message_id"])
    await says(aylin, notes["answer"], TAKEN_BACK)
    house.server.clock.set(LAST_DAY + 3 * HOUR)
    house.memory.reminders.wake()
    assert "the oven" in (await hears(aylin, "the oven"))["content"]


async def rows_of(url: str) -> Rows:
    """All that is in a database."""
    connection = await asyncpg.connect(url)
    try:
        tables = await connection.fetch(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return {name: [dict(row) for row in await connection.fetch(f"SELECT * FROM {name}")] for (name,) in tables}
    finally:
        await connection.close()
