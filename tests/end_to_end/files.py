"""Files that came with an answer, downloaded by the one who got it."""

import gzip
import json
from typing import Any

from tests.end_to_end.house import Inn, Payload, Person


async def downloads(person: Person, outcome: Payload) -> dict[str, bytes]:
    """By name; those of follow-ups too."""
    http = person.inn.house.http
    messages = [outcome["message"], *(outcome.get("followups") or [])]
    files = [file for message in messages for file in message["attachments"]]
    return {file["filename"]: (await http.get(file["url"])).raise_for_status().content for file in files}


async def document(person: Person, outcome: Payload) -> dict[str, Any]:
    """The one JSON file that came with an answer, packed or not."""
    [(name, content)] = (await downloads(person, outcome)).items()
    read: dict[str, Any] = json.loads(gzip.decompress(content) if name.endswith(".gz") else content)
    return read


async def fill_log(inn: Inn, person: Person, channel: str, count: int) -> None:
    """Messages from long ago, as a history that was read back would have left them."""
    await inn.house.rows(
        """
        INSERT INTO chat_history (guild_id, message_id, channel_id, author_id, author_kind, text, sent_at)
        SELECT $1, number, $2, $3, 'person', 'line ' || number, now() - interval '1 day'
        FROM generate_series(1, $4::bigint) AS number
        """,
        inn.guild.id,
        inn.channel(channel).id,
        person.user.id,
        count,
    )
