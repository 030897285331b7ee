"""Trouble on demand, through the control API: lost sockets, late, doubled and overtaken events."""

from __future__ import annotations

import time

from tests.local_guild.people import Body
from tests.local_guild.running import Served
from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness, eventually


async def control(local_guild: Served, method: str, path: str, body: Body = None) -> Body:
    answer = await local_guild.http.request(method, f"/local{path}", json=body)
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


async def test_sockets_are_dropped_from_outside(local_guild: Served, scene: Scene, witness: Witness) -> None:
    assert await control(local_guild, "POST", "/faults/sockets", {"code": 4000}) == {"closed": 1}
    await witness.saw("resumed")
    assert await control(local_guild, "POST", "/faults/reconnect", {}) == {"asked": 1}
    await eventually(lambda: witness.count("resumed") == 2, "a second RESUME")
    assert await control(local_guild, "POST", "/faults/sessions", {"resumable": True}) == {"invalidated": 1}
    await eventually(lambda: witness.count("resumed") == 3, "a third RESUME")
    await control(local_guild, "POST", "/faults/resumes", {"count": 1})
    await control(local_guild, "POST", "/faults/sockets", {})
    await eventually(lambda: witness.count("ready") == 2, "a new session")
    await scene.guest.say(scene.hall, "after all that")
    await witness.heard("after all that")
    assert witness.count("message") == 1


async def test_events_come_late(local_guild: Served, scene: Scene, witness: Witness) -> None:
    await control(local_guild, "POST", "/faults/events", {"delay_seconds": 0.3})
    started = time.monotonic()
    await scene.guest.say(scene.hall, "slow post")
    await witness.heard("slow post")
    assert time.monotonic() - started >= 0.3
    await control(local_guild, "DELETE", "/faults")


async def test_events_come_twice(local_guild: Served, scene: Scene, witness: Witness) -> None:
    await control(local_guild, "POST", "/faults/events", {"duplicate": 1.0})
    posted = await scene.guest.say(scene.hall, "echo")
    await eventually(lambda: witness.count("message") == 2, "the message twice")
    assert {message.id for message in witness.all("message")} == {int(posted["id"])}
    await control(local_guild, "DELETE", "/faults")
    await scene.guest.say(scene.hall, "no echo")
    await scene.guest.say(scene.hall, "end")
    await witness.heard("end")
    assert [message.content for message in witness.all("message")] == ["echo", "echo", "no echo", "end"]


async def test_events_overtake_each_other(local_guild: Served, scene: Scene, witness: Witness) -> None:
    await control(local_guild, "POST", "/faults/events", {"reorder": 0.5, "seed": 7})
    sent = [f"line {number}" for number in range(30)]
    for line in sent:
        await scene.guest.say(scene.hall, line)
    await eventually(lambda: witness.count("message") == 30, "all lines")
    heard = [message.content for message in witness.all("message")]
    assert sorted(heard) == sorted(sent)
    assert heard != sent


async def test_troubles_pass_by_themselves(local_guild: Served, scene: Scene, witness: Witness) -> None:
    await control(local_guild, "POST", "/faults/events", {"duplicate": 1.0, "seconds": 0.05})

    async def doubled() -> bool:
        posted = await scene.guest.say(scene.hall, "marker")
        await witness.heard("marker")
        await scene.guest.say(scene.hall, f"after {posted['id']}")
        await witness.heard(f"after {posted['id']}")
        return [message.id for message in witness.all("message")].count(int(posted["id"])) > 1

    deadline = time.monotonic() + 60
    while await doubled():
        assert time.monotonic() < deadline


async def test_a_mistaken_order_is_refused(local_guild: Served, scene: Scene) -> None:
    mistakes: list[tuple[str, Body]] = [
        ("/faults/events", {"duplicate": 2}),
        ("/faults/events", {"delay": 1}),
        ("/faults/rest", {"kind": "explode"}),
        ("/faults/rest", {"kind": "error", "path": "("}),
        ("/faults/sockets", {"code": 1}),
    ]
    for path, body in mistakes:
        answer = await local_guild.http.post(f"/local{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, 50035), (path, body)
