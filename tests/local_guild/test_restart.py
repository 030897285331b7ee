"""The local guild remembers its world over a restart, however it ended."""

from pathlib import Path

import httpx

from tests.local_guild.people import people_of
from tests.local_guild.running import alone, served


async def test_whatever_was_answered_is_there_after_the_process_died(tmp_path: Path) -> None:
    async with alone(tmp_path, "--without-page") as (process, http):
        before, people = await people_of(http)
        owner = next(iter(people.values()))
        hall = int(before["guilds"][0]["channels"][0]["id"])
        kept, gone, edited = [await owner.say(hall, text) for text in ("kept", "gone", "eddited")]
        await owner.delete(hall, gone["id"])
        await owner.edit(hall, edited["id"], "edited")
        await owner.react(hall, kept["id"], "👍")
        thread = await owner.call("POST", f"/channels/{hall}/threads", {"name": "aside", "type": 11})
        once = {"nonce": "7", "enforce_nonce": True}
        await owner.say(hall, "once", **once)
        said = await owner.history(hall)
        process.kill()
    async with alone(tmp_path, "--without-page") as (_, http):
        after, people = await people_of(http)
        owner = people[owner.name]
        assert after == before
        await owner.say(hall, "once", **once)
        again = await owner.history(hall)
        assert [message["content"] for message in again] == [message["content"] for message in said]
        assert [message["id"] for message in again] == [message["id"] for message in said]
        assert [message["edited_timestamp"] for message in again] == [message["edited_timestamp"] for message in said]
        assert again[-1]["reactions"][0]["emoji"]["name"] == "👍"
        assert (await owner.call("GET", f"/channels/{thread['id']}"))["name"] == "aside"


async def test_files_go_with_their_messages_and_what_is_left_over_goes_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "attachments"
    async with served(tmp_path) as running:
        aylin, general = running.person("aylin"), running.channel("general").id
        path, shared = f"{running.address.api_url}/channels/{general}/messages", {"files[0]": ("a.txt", b"words")}
        sent = [await running.http.post(path, files=shared, headers={"Authorization": aylin.token}) for _ in range(2)]
        kept, gone = [answer.json() for answer in sent]
        await aylin.delete(general, gone["id"])
        assert [file.name for file in folder.iterdir()] == [kept["attachments"][0]["id"]]
    (folder / "124").write_bytes(b"left over from a crash")
    async with served(tmp_path) as running:
        assert [file.name for file in folder.iterdir()] == [kept["attachments"][0]["id"]]
        assert (await running.http.get(httpx.URL(kept["attachments"][0]["url"]).path)).content == b"words"
