"""A guild counts as complete only with its whole member list; what discord.py overlooks in it is put right."""

import asyncio
from typing import Any

import discord
import pytest

from bot.mirror import members
from bot.mirror.guilds import mend_cache
from bot.mirror.members import MemberLists
from tests.bot.discord_objects import ANNA, GUILD, HALL, INNKEEPER, Payload, channel, guild, thread, user
from tests.end_to_end.house import until


def member(user_id: int, name: str) -> Payload:
    return {"user": user(user_id, name), "roles": [], "joined_at": None, "flags": 0}


class Asked:
    """A client whose questions for member lists are noted instead of being sent."""

    def __init__(self) -> None:
        self.discord = discord.Client(intents=discord.Intents(guilds=True, members=True))
        self.state = self.discord._connection
        self.guild = guild([channel(HALL)], threads=[thread(4000, HALL)], known_to=self.state)
        self.state._add_guild(self.guild)
        self.nonces: list[str] = []
        self.state.chunker = self._note  # type: ignore[method-assign,assignment]  # the socket, which nobody opened

    @classmethod
    async def client(cls) -> "Asked":
        asked = cls()
        await asked.discord._async_setup_hook()
        return asked

    async def _note(self, _guild_id: int, *_: object, nonce: str, **__: object) -> None:
        self.nonces.append(nonce)

    def answer(self, *user_ids: int) -> None:
        data: Any = {
            "guild_id": str(GUILD),
            "members": [member(user_id, f"guest-{user_id}") for user_id in user_ids],
            "chunk_index": 0,
            "chunk_count": 1,
            "nonce": self.nonces[-1],
        }
        self.state.parse_guild_members_chunk(data)


async def test_a_list_that_does_not_come_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "LIST_SECONDS", 0.1)
    asked, arrived = await Asked.client(), asyncio.Event()
    lists = MemberLists(lambda _: arrived.set())
    working = asyncio.create_task(lists.tasks.run())
    assert not lists.has_everyone(asked.guild)
    lists.ask(asked.guild)
    await until(lambda: len(asked.nonces) >= 2)
    monkeypatch.setattr(members, "LIST_SECONDS", 30)
    await until(lambda: len(asked.nonces) >= 3)
    assert not arrived.is_set()
    asked.answer(ANNA, INNKEEPER, 9, 10)  # more than Discord had counted
    async with asyncio.timeout(30):
        await arrived.wait()
    assert lists.has_everyone(asked.guild)
    lists.forget_guild(GUILD)
    assert not lists.has_everyone(asked.guild)
    working.cancel()


async def test_a_member_whom_discord_py_takes_in_silently_is_announced() -> None:
    asked = await Asked.client()
    joined: list[int] = []

    async def on_member_join(newcomer: discord.Member) -> None:
        joined.append(newcomer.id)

    asked.discord.event(on_member_join)
    mend_cache(asked.discord)
    for _ in range(2):
        asked.state.parsers["GUILD_MEMBER_UPDATE"](member(77, "unheard") | {"guild_id": str(GUILD)})
    await asyncio.sleep(0)
    assert joined == [77]
