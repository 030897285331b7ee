"""A lost socket loses nothing: RESUME replays what was missed, once and in order, to the owner of the session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

import discord
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from local_guild.actions.posting import Draft, Revision
from local_guild.server import LocalGuild
from local_guild.state.messages import Message
from tests.local_guild.running import Served
from tests.local_guild.scene import Scene
from tests.local_guild.wire import IDENTIFY, INVALID_SESSION, RESUME, dial, identity
from tests.local_guild.witness import Witness, eventually


def cut_the_cable(witness: Witness) -> None:
    """End the client's TCP connection at once, with whatever is still under way in it."""
    response = witness.ws.socket._response
    if response.connection is not None and response.connection.transport is not None:
        response.connection.transport.abort()


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


@dataclass(slots=True)
class Chatter:
    """Does things in the hall, and keeps account of what must be heard of it."""

    server: LocalGuild
    channel_id: int
    author_id: int
    witness: Witness
    expected: list[tuple[str, int]] = field(default_factory=list)
    alive: list[Message] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def say(self) -> None:
        channel = self.server.world.channels[self.channel_id]
        draft = Draft(channel=channel, author_id=self.author_id, content=f"number {next(self.numbers)}")
        message = self.server.posting.send(draft)
        self.alive.append(message)
        self.expected.append(("message", message.id))

    def edit(self) -> None:
        if self.alive:
            message = self.server.posting.edit(self.alive[-1], Revision(content=f"edit {next(self.numbers)}"))
            self.expected.append(("raw_message_edit", message.id))

    def delete(self) -> None:
        if self.alive:
            message = self.alive.pop()
            self.server.posting.delete(message)
            self.expected.append(("raw_message_delete", message.id))

    def heard(self) -> list[tuple[str, int]]:
        found = []
        for event, args in self.witness.seen:
            match args:
                case (discord.Message() as message,) if event == "message":
                    found.append((event, message.id))
                case (discord.RawMessageUpdateEvent() | discord.RawMessageDeleteEvent() as raw,):
                    found.append((event, raw.message_id))
        return found


@dataclass(frozen=True, slots=True)
class Step:
    """Something is done some times; then the event loop turns some times, so that things interleave."""

    what: str
    times: int
    turns: int


def steps() -> st.SearchStrategy[list[Step]]:
    chatter = st.builds(Step, st.sampled_from(["say", "say", "edit", "delete"]), st.integers(1, 20), st.integers(0, 5))
    losses = st.sampled_from(["drop", "cut", "reconnect", "invalidate"])
    loss = st.builds(Step, losses, st.just(1), st.integers(0, 30))
    return st.lists(st.one_of(chatter, loss), min_size=2, max_size=12)


# One server and one client live through all the cases, so a failing one cannot be shrunk by playing it again.
@settings(
    max_examples=max(25, settings().max_examples // 4),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(script=steps())
async def test_each_event_arrives_once_and_in_order_whatever_happens_to_the_socket(
    local_guild: Served, scene: Scene, witness: Witness, script: list[Step]
) -> None:
    server = local_guild.server
    chatter = Chatter(server, scene.hall, scene.guest.id, witness)
    witness.seen.clear()
    doings: dict[str, Callable[[], object]] = {
        "say": chatter.say,
        "edit": chatter.edit,
        "delete": chatter.delete,
        "drop": lambda: server.gateway.drop_sockets(4000),
        "cut": lambda: cut_the_cable(witness),
        "reconnect": server.gateway.ask_to_reconnect,
        "invalidate": lambda: server.gateway.invalidate_sessions(resumable=True),
    }
    for step in script:
        for _ in range(step.times):
            doings[step.what]()
        for _ in range(step.turns):
            await asyncio.sleep(0)
    chatter.say()
    await eventually(lambda: chatter.heard()[-1:] == chatter.expected[-1:], "the last message")
    assert chatter.heard() == chatter.expected
    assert not witness.count("ready"), "a session was lost"
