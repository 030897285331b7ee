"""The firehose, small: everything poured in comes out once and in order. Its speed is benchmarks/firehose.py's."""

from __future__ import annotations

from tests.local_guild.running import Served
from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness, eventually

MESSAGES = 2_000


async def test_every_message_arrives_once_and_in_order(local_guild: Served, scene: Scene, witness: Witness) -> None:
    answer = await local_guild.http.post("/local/firehose", json={"count": MESSAGES, "seed": 3})
    assert answer.json()["messages"] == MESSAGES
    await eventually(lambda: witness.count("message") >= MESSAGES, "all messages")
    arrived = [message.id for message in witness.all("message")]
    assert len(arrived) == len(set(arrived)) == MESSAGES
    assert arrived == sorted(arrived)
    assert {message.channel.id for message in witness.all("message")} == {scene.hall, scene.garden}
    assert {message.author.id for message in witness.all("message")} == {
        person.id for person in (scene.manager, scene.insider, scene.guest, scene.stranger)
    }
    kept = [
        [m.id async for m in scene.channel(witness, room).history(limit=None)] for room in (scene.hall, scene.garden)
    ]
    assert sorted(kept[0] + kept[1]) == arrived


async def test_some_are_edited_and_some_deleted(local_guild: Served, scene: Scene, witness: Witness) -> None:
    order = {"count": 400, "edits": 0.2, "deletes": 0.1, "channels": [scene.hall]}
    report = (await local_guild.http.post("/local/firehose", json=order)).json()
    assert 0 < report["deletes"] < report["edits"] < 400
    events = {"message": 400, "raw_message_edit": report["edits"], "raw_message_delete": report["deletes"]}
    await eventually(lambda: {name: witness.count(name) for name in events} == events, "all events")
    left = [message async for message in scene.channel(witness).history(limit=None)]
    assert len(left) == 400 - report["deletes"]


async def test_a_lost_socket_under_the_firehose_loses_nothing(local_guild: Served, witness: Witness) -> None:
    server = local_guild.server
    for _ in range(3):
        await local_guild.http.post("/local/firehose", json={"count": 300})
        await server.control.drop_sockets()
    await eventually(lambda: witness.count("message") >= 900, "all messages")
    arrived = [message.id for message in witness.all("message")]
    assert len(set(arrived)) == 900
    assert arrived == sorted(arrived)


async def test_an_unknown_channel_is_refused(local_guild: Served, scene: Scene) -> None:
    answer = await local_guild.http.post("/local/firehose", json={"count": 1, "channels": [1]})
    assert (answer.status_code, answer.json()["code"]) == (404, 10003)
    assert await scene.guest.history(scene.hall) == []
