"""The files of messages are there as long as their messages are: deleted with them, and for one reader with the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.local_guild.people import Person
from tests.local_guild.running import Served, served


def files_in(folder: Path) -> list[str]:
    attachments = folder / "attachments"
    return sorted(path.name for path in attachments.iterdir()) if attachments.is_dir() else []


async def upload(local_guild: Served, name: str) -> dict[str, Any]:
    """A message with a file, by somebody of the guild."""
    answer = await local_guild.http.post(
        f"{local_guild.address.api_url}/channels/{local_guild.channel('general').id}/messages",
        files={"files[0]": (name, b"what is in it", "text/plain")},
        headers={"Authorization": local_guild.user("aylin").token},
    )
    message: dict[str, Any] = answer.raise_for_status().json()
    return message


async def test_a_file_goes_with_its_message(tmp_path: Path) -> None:
    async with served(tmp_path) as local_guild:
        kept, gone = await upload(local_guild, "kept.txt"), await upload(local_guild, "gone.txt")
        assert len(files_in(local_guild.server.attachments_folder.parent)) == 2
        aylin = local_guild.user("aylin")
        await Person(local_guild.http, aylin.id, aylin.name, aylin.token).delete(gone["channel_id"], gone["id"])
        folder = local_guild.server.attachments_folder.parent
        assert files_in(folder) == [kept["attachments"][0]["id"]]
        assert (await local_guild.http.get(gone["attachments"][0]["url"])).status_code == 404


async def test_what_no_message_has_is_gone_after_the_end_and_at_the_beginning(tmp_path: Path) -> None:
    async with served(tmp_path) as local_guild:
        folder = local_guild.server.attachments_folder.parent
        kept = await upload(local_guild, "kept.txt")
        (folder / "attachments" / "123").write_bytes(b"for one reader")
    assert files_in(folder) == [kept["attachments"][0]["id"]]
    (folder / "attachments" / "124").write_bytes(b"left over from a crash")
    async with served(tmp_path) as local_guild:
        assert files_in(folder) == [kept["attachments"][0]["id"]]
        path = httpx.URL(kept["attachments"][0]["url"]).path
        assert (await local_guild.http.get(path)).content == b"what is in it"
