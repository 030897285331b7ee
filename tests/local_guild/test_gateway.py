"""The gateway on the bare wire: whose session may be resumed, and with which codes sockets are closed."""

from __future__ import annotations

import pytest

from tests.local_guild.people import Body
from tests.local_guild.scene import Scene
from tests.local_guild.wire import IDENTIFY, INVALID_SESSION, REQUEST_MEMBERS, RESUME, dial, identity


@pytest.mark.parametrize(("code", "resumable"), [(1000, False), (1001, False), (4000, True), (3000, True)])
async def test_only_a_farewell_ends_the_session(scene: Scene, code: int, resumable: bool) -> None:
    async with dial(scene) as wire:
        await wire.send(IDENTIFY, identity(scene))
        ready = await wire.event("READY")
        await wire.socket.close(code=code)
    await scene.guest.say(scene.hall, "you missed this")
    token = scene.bot.token.removeprefix("Bot ")
    async with dial(scene) as wire:
        await wire.send(RESUME, {"token": token, "session_id": ready["d"]["session_id"], "seq": ready["s"]})
        if resumable:
            missed = await wire.event("MESSAGE_CREATE")
            assert missed["d"]["content"] == "you missed this"
            assert (await wire.event("RESUMED"))["s"] > missed["s"] > ready["s"]
        else:
            assert (await wire.answer(INVALID_SESSION))["d"] is False


async def test_a_session_is_resumed_only_by_its_owner(scene: Scene) -> None:
    async with dial(scene) as wire:
        await wire.send(IDENTIFY, identity(scene))
        ready = await wire.event("READY")
        async with dial(scene) as other:
            stolen = {"token": scene.guest.token, "session_id": ready["d"]["session_id"], "seq": 1}
            await other.send(RESUME, stolen)
            assert (await other.answer(INVALID_SESSION))["d"] is False


CLOSE_CODES: list[tuple[int, Body, int]] = [
    (IDENTIFY, {"token": "nonsense"}, 4004),
    (IDENTIFY, {"intents": 1 << 60}, 4013),
    (IDENTIFY, {"shard": [2, 2]}, 4010),
    (REQUEST_MEMBERS, {}, 4003),
    (99, {}, 4001),
]


@pytest.mark.parametrize(("op", "fields", "code"), CLOSE_CODES)
async def test_what_breaks_the_rules_is_closed_with_its_code(scene: Scene, op: int, fields: Body, code: int) -> None:
    async with dial(scene) as wire:
        await wire.send(op, identity(scene, **fields) | {"guild_id": str(scene.guild_id)})
        assert await wire.closed_with() == code


async def test_nonsense_and_a_second_identity_are_closed(scene: Scene) -> None:
    async with dial(scene) as wire:
        await wire.socket.send_str("{not json")
        assert await wire.closed_with() == 4002
    async with dial(scene) as wire:
        await wire.send(IDENTIFY, identity(scene))
        await wire.send(IDENTIFY, identity(scene))
        assert await wire.closed_with() == 4005
