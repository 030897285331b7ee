"""Where attacks are tried: a house with an obedient model for everything, and what is looked at afterwards."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from local_guild.actions.posting import Draft
from local_guild.state.messages import Attachment
from tests.databases import PostgresServer
from tests.end_to_end.asking import at_home
from tests.end_to_end.attacks.obedient import obey
from tests.end_to_end.house import GENERAL, UNLIMITED, House, Inn, Payload, Person, open_house
from tests.end_to_end.leaks.scenery import forwarded, poll_of
from tests.gemini_server import GeminiServer, gemini_server
from tests.memory.contexts.context_house import models_of

ANY_TIME = datetime(2026, 1, 1, 12, tzinfo=UTC)
MODELS_SECONDS = 120.0


@dataclass
class Stage:
    house: House
    gemini: GeminiServer

    async def inn(self) -> Inn:
        """A guild of one's own, where it is about noon, so that no day ends meanwhile."""
        inn = Inn(self.house, next(self.house.fresh))
        await at_home(inn)
        zone = f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"
        await self.house.memory.privacy.change_settings(inn.guild.id, lambda now: replace(now, time_zone=zone))
        return inn


@asynccontextmanager
async def open_stage(server: PostgresServer, folder: Path, *, guilds: int, **options: object) -> AsyncIterator[Stage]:
    name = await server.create(await server.template())
    async with gemini_server() as gemini:
        gemini.says = obey
        models, _ = models_of(gemini, seconds=MODELS_SECONDS)
        given = {**UNLIMITED, **options}
        url = server.url_of(name)
        async with open_house(folder, url, guilds=guilds, models=models, **given) as house, house.bot_running():
            yield Stage(house, gemini)
    await server.drop(name)


async def post(person: Person, body: Payload, channel: str = GENERAL) -> int:
    """A message with whatever a client could send along."""
    answer = await person.call("POST", f"/channels/{person.inn.channel(channel).id}/messages", body)
    message_id = int(answer.json()["id"])
    await person.inn.until_stored(message_id)
    return message_id


async def forward(person: Person, text: str) -> int:
    """Somebody's words, passed on by another."""
    return await _send(person, message_snapshots=[forwarded(text, ANY_TIME)])


async def attach(person: Person, name: str, description: str) -> int:
    """A file, by its name and what its sender says is in it."""
    file = Attachment(person.inn.house.server.ids.next(), name, 1, "image/png", description)
    return await _send(person, attachments=[file])


async def poll(person: Person, question: str, content: str = "What do you think?") -> int:
    return await _send(person, content=content, poll=poll_of(question, "yes", ANY_TIME))


async def _send(person: Person, **parts: Any) -> int:  # noqa: ANN401 - whatever hangs on a message
    draft = Draft(channel=person.inn.channel(GENERAL), author_id=person.user.id, **parts)
    message_id = person.inn.house.server.posting.send(draft).id
    await person.inn.until_stored(message_id)
    return message_id


async def say(person: Person, text: str, channel: str = GENERAL) -> int:
    message_id = await person.say(text, channel)
    await person.inn.until_stored(message_id)
    return message_id


async def facts_of(inn: Inn) -> list[Payload]:
    return await inn.house.rows("SELECT * FROM facts WHERE guild_id = $1 ORDER BY fact_id", inn.guild.id)


async def summaries_of(inn: Inn, person: Person) -> str:
    """All that was told of somebody's days."""
    query = "SELECT text FROM day_entries WHERE guild_id = $1 AND user_id = $2"
    return "\n".join(row["text"] for row in await inn.house.rows(query, inn.guild.id, person.user.id))
