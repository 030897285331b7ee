"""The people of a local guild, played with a plain HTTP client, as anybody with curl could."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

# JSON as it came over the wire: a test reads it field by field and says itself what it expects there.
Body = Any


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a token of their own."""

    http: httpx.AsyncClient
    id: int
    name: str
    token: str

    async def call(self, method: str, path: str, body: Body = None, **query: str | int) -> Body:
        """What Discord's REST API answers this person; an error answer is raised."""
        answer = await self.http.request(
            method, f"/api/v10{path}", json=body, params=query or None, headers={"Authorization": self.token}
        )
        answer.raise_for_status()
        return answer.json() if answer.content else None

    async def say(self, channel_id: int, content: str, **fields: Body) -> Body:
        return await self.call("POST", f"/channels/{channel_id}/messages", {"content": content, **fields})

    async def edit(self, channel_id: int, message_id: int | str, content: str) -> Body:
        return await self.call("PATCH", f"/channels/{channel_id}/messages/{message_id}", {"content": content})

    async def delete(self, channel_id: int, message_id: int | str) -> None:
        await self.call("DELETE", f"/channels/{channel_id}/messages/{message_id}")

    async def history(self, channel_id: int, **query: str | int) -> Body:
        return await self.call("GET", f"/channels/{channel_id}/messages", **query)

    async def react(self, channel_id: int, message_id: int | str, emoji: str) -> None:
        await self.call("PUT", f"/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me")


async def people_of(http: httpx.AsyncClient) -> tuple[Body, dict[str, Person]]:
    """What is told of the world, and who is in its first guild, by their names."""
    world = (await http.get("/local/world")).json()
    told = world["guilds"][0]["members"]
    return world, {who["name"]: Person(http, int(who["id"]), who["name"], who["token"]) for who in told}
