"""Whoever opted out may still talk to the bot, and whoever erases themselves may have asked it something just before:
they are answered, or not any more, and nothing of either is kept."""

import asyncio
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from ai_clients.build import Models
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.db.table_declarations import Erasing, Holds, Stays
from memory.privacy.tables import ALL_TABLES
from tests.end_to_end.asking import opt_out, overhearing
from tests.end_to_end.house import GENERAL, Inn, eventually, until
from tests.end_to_end.screen import Screen
from tests.end_to_end.taken_back import content_of, nothing_left_to_do
from tests.gemini_server import GeminiServer, spoken
from tests.models import answering
from tests.replies import in_shape

CANARY = "Quetzalcoatlus"


@dataclass
class Dictation:
    """To be put where a fault of the server goes. Speaks for one request after the other."""

    replies: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    begun: int = 0

    def say(self, reply: str) -> None:
        self.replies.put_nowait(reply)

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        self.begun += 1
        return web.json_response(spoken(in_shape(await self.replies.get(), await request.json())))


@pytest.fixture(scope="module")
def models(gemini: GeminiServer) -> Models:
    return answering(GeminiModel("gemini-good", GeminiApi(gemini.options())), seconds=60)


@pytest.fixture
def dictation(gemini: GeminiServer) -> Dictation:
    gemini.fault = dictation = Dictation()
    return dictation


async def places_of(inn: Inn, words: str) -> set[tuple[str, str]]:
    """Every column of every table in which something of this guild holds these words, whatever their case."""
    found = set()
    for held in ALL_TABLES:
        of_the_guild = "guild_id = $2" if "guild_id" in held.columns else "$2::bigint IS NOT NULL"
        rows = await inn.house.rows(
            f"SELECT DISTINCT key FROM {held.table} AS row, jsonb_each_text(to_jsonb(row))"
            f" WHERE value ILIKE $1 AND {of_the_guild}",
            f"%{words}%",
            inn.guild.id,
        )
        found |= {(held.table, row["key"]) for row in rows}
    return found


def replies_seen_to(inn: Inn) -> int:
    """Also of those that are not said any more."""
    return inn.house.health.part("replies").snapshot().counts.get("replies", 0)


async def test_nothing_is_kept_of_a_question_of_somebody_who_opted_out(inn: Inn, dictation: Dictation) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    cake = await florent.say("There is cake on Friday")
    await inn.until_stored(cake)
    await opt_out(aylin)
    dictation.say(f"The {CANARY} gets cake on Friday.")
    asked = await aylin.say(f"Bot does the {CANARY} get any cake?")
    [reply] = await eventually(lambda: aylin.replies_to(asked))
    await eventually(lambda: content_of(aylin, reply), lambda said: "cake on Friday" in (said or ""))
    await eventually(
        lambda: inn.house.rows("SELECT 1 FROM receipts WHERE asked_in = $1 AND message_ids <> '{}'", asked)
    )
    await inn.until_stored(await florent.say("Nothing more to be said."))
    assert await places_of(inn, CANARY) == set()
    allowed = {
        (held.table, column)
        for held in ALL_TABLES
        if isinstance(held.fate(Erasing.OPTING_OUT), Stays)
        for column, holds in held.columns.items()
        if holds is Holds.PERSON
    }
    assert await places_of(inn, str(aylin.user.id)) <= allowed
    # It quotes somebody who is stored, so it can still be taken back.
    await florent.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{cake}")
    await eventually(lambda: content_of(aylin, reply), lambda said: "cake" not in (said or ""))


async def test_nothing_is_said_when_the_asker_is_erased_meanwhile(inn: Inn, dictation: Dictation) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    await inn.until_stored(await florent.say("There is cake on Friday"))
    with overhearing(inn.house) as heard:
        said = f"Bot does the {CANARY} get any cake?"
        asked = await aylin.say(said)
        await until(lambda: dictation.begun == 1)
        screen = await Screen.open(aylin, "privacy", "erase")
        await screen.press("Delete")
        await screen.until("Deleted.")
        seen_to = replies_seen_to(inn)
        dictation.say(f"The {CANARY} gets cake on Friday.")
        await until(lambda: replies_seen_to(inn) > seen_to)
        await nothing_left_to_do(inn)
        await inn.until_stored(await florent.say("Nothing more to be said."))
    assert await aylin.replies_to(asked) == []
    assert not [data for _, data in heard if CANARY in str(data.get("content")) and data["content"] != said]
    assert await places_of(inn, CANARY) == set()
    assert not {table for table, _ in await places_of(inn, str(aylin.user.id))} & {"receipts", "chat_history"}
