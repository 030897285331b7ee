"""Files that members share, files that come with an answer, and the long histories that go into those."""

import gzip
import json
from datetime import timedelta
from typing import Any

from local_guild.actions.posting import Draft
from local_guild.server import LocalGuild
from local_guild.state.messages import Attachment
from tests.end_to_end.asking import outcome_of
from tests.end_to_end.house import Inn, Payload, Person, eventually


def uploaded(server: LocalGuild, name: str, text: str) -> Attachment:
    """A file as the local guild has it once somebody has uploaded it."""
    data = text.encode()
    file = Attachment(server.ids.next(), name, len(data), "text/plain")
    server.attachments_folder.mkdir(parents=True, exist_ok=True)
    (server.attachments_folder / str(file.id)).write_bytes(data)
    return file


async def files_of(inn: Inn, message_id: int) -> list[Payload]:
    row = await inn.until_stored(message_id)
    files: list[Payload] = json.loads(row["extras"])["attachments"]
    return files


async def until_read(inn: Inn, message_id: int) -> list[Payload]:
    """Until nothing of the message is still to be read: what was, and what could not be."""
    return await eventually(
        lambda: files_of(inn, message_id), lambda files: files and all("unread" not in one for one in files)
    )


async def downloads(person: Person, begun: Payload, count: int = 1) -> dict[str, bytes]:
    """By name, once so many have come with an answer and what follows it."""
    http = person.inn.house.http

    async def files() -> list[Payload]:
        outcome = await outcome_of(person, begun)
        messages = [outcome["message"], *(outcome.get("followups") or [])]
        return [file for message in messages for file in message["attachments"]]

    found = await eventually(files, lambda files: len(files) >= count)
    return {file["filename"]: (await http.get(file["url"])).raise_for_status().content for file in found}


async def document(person: Person, begun: Payload) -> dict[str, Any]:
    """The one JSON file that came with an answer, packed or not."""
    [(name, content)] = (await downloads(person, begun)).items()
    read: dict[str, Any] = json.loads(gzip.decompress(content) if name.endswith(".gz") else content)
    return read


def talk_long(inn: Inn, person: Person, channel: str, count: int) -> None:
    """A long history, which a bot that starts afterwards reads back."""
    server, began = inn.house.server, inn.house.server.clock.now() - timedelta(days=1)
    for number in range(1, count + 1):
        at = began + timedelta(seconds=number)
        draft = Draft(channel=inn.channel(channel), author_id=person.user.id, content=f"line {number}", at=at)
        server.posting.send(draft)


async def until_read_back(inn: Inn, person: Person, count: int) -> None:
    async def stored() -> int:
        query = "SELECT count(*) AS there FROM chat_history WHERE guild_id = $1 AND author_id = $2"
        return int((await inn.house.rows(query, inn.guild.id, person.user.id))[0]["there"])

    await eventually(stored, lambda there: there >= count)
