"""Asking so that nobody else sees the answer, and the buttons under replies, used by a member over HTTP."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg

from local_guild.gateway.sessions import Event
from local_guild.state.permissions import Permission
from tests.end_to_end.house import GENERAL, House, Inn, Payload, Person, eventually, until
from tests.end_to_end.slash import commands_of, press, shown, use, words_of

VIEW_CHANNEL = 1 << 10
ASK = "ask question"


async def at_home(inn: Inn) -> None:
    """Until the commands are known, and the guild with who may see what in it."""
    await eventually(lambda: commands_of(inn.house), lambda names: ASK in names)
    await until(lambda: inn.house.memory.place_mirror.view(inn.guild.id).is_open)
    await eventually(lambda: inn.house.rows("SELECT 1 FROM guilds WHERE guild_id = $1", inn.guild.id))


async def ask_privately(person: Person, question: str, channel: str = GENERAL) -> Payload:
    return await use(person, "ask", where=channel, question=question)


async def outcome_of(person: Person, begun: Payload) -> Payload:
    """What has come of an interaction by now: later parts of an answer follow the first."""
    house = person.inn.house
    path = f"{house.address.api_url.removesuffix('/api/v10')}/local/interactions/{begun['id']}"
    answer = await house.http.get(path, headers={"Authorization": person.user.token})
    answer.raise_for_status()
    outcome: Payload = answer.json()
    return outcome


async def opt_out(person: Person) -> Payload:
    """Asked for and confirmed, and what came of it in the end."""
    pressed = await press(person, await use(person, "privacy", "opt-out"), 0)
    return await eventually(
        lambda: outcome_of(person, pressed), lambda now: not words_of(now).startswith(("Should I", "Deleting:"))
    )


async def say_and_hear(person: Person, text: str, channel: str = GENERAL, *, reply_to: int | None = None) -> Payload:
    """The whole reply, not only its words."""
    return await person.hear_reply(await person.say(text, channel, reply_to=reply_to), channel)


async def public_words(inn: Inn, channel: str = GENERAL) -> str:
    """All that the bot has said in a channel, as somebody who manages the guild reads it."""
    answer = await inn.person("maren").call("GET", f"/channels/{inn.channel(channel).id}/messages?limit=100")
    return "\n".join(one["content"] for one in answer.json() if one["author"]["id"] == str(inn.house.bot.id))


async def close_to_everyone(inn: Inn, channel: str) -> None:
    """Only the bot, and those who manage the guild, can see it from now on."""
    maren, channel_id = inn.person("maren"), inn.channel(channel).id
    for target, kind, allow, deny in ((inn.house.bot.id, 1, VIEW_CHANNEL, 0), (inn.guild.id, 0, 0, VIEW_CHANNEL)):
        body = {"type": kind, "allow": str(allow), "deny": str(deny)}
        await maren.call("PUT", f"/channels/{channel_id}/permissions/{target}", body)
    general = inn.channel(GENERAL).id
    await until(lambda: channel_id not in inn.house.memory.places.audience_of(inn.guild.id, general).sources)


async def give_right(person: Person, permission: Permission) -> None:
    """By a role of its own, which is all that they have then."""
    maren, guild = person.inn.person("maren"), f"/guilds/{person.inn.guild.id}"
    form = {"name": permission.name, "permissions": str(int(permission))}
    role = (await maren.call("POST", f"{guild}/roles", form)).json()["id"]
    await maren.call("PATCH", f"{guild}/members/{person.user.id}", {"roles": [role]})


async def open_to_everyone(inn: Inn, channel: str) -> None:
    maren, channel_id = inn.person("maren"), inn.channel(channel).id
    body = {"type": 0, "allow": str(VIEW_CHANNEL), "deny": "0"}
    await maren.call("PUT", f"/channels/{channel_id}/permissions/{inn.guild.id}", body)
    general = inn.channel(GENERAL).id
    await until(lambda: channel_id in inn.house.memory.places.audience_of(inn.guild.id, general).sources)


@asynccontextmanager
async def held_up(house: House, table: str = "facts") -> AsyncIterator[asyncpg.Connection]:
    """Whoever reads facts (or another table) meanwhile waits in the middle of it, until the block ends."""
    holding = await asyncpg.connect(house.database_url)
    try:
        async with holding.transaction():
            await holding.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            yield holding
    finally:
        await holding.close()


async def until_someone_waits(holding: asyncpg.Connection) -> None:
    """For what `held_up` holds."""

    async def waiting() -> int:
        query = "SELECT count(*) FROM pg_locks WHERE relation = 'facts'::regclass AND NOT granted"
        count: int = await holding.fetchval(query)
        return count

    await eventually(waiting)


async def recall(person: Person, text: str, channel: str = GENERAL, **limits: str) -> Payload:
    return await use(person, "recall", where=channel, text=text, **limits)


async def turn(person: Person, outcome: Payload, label: str) -> Payload:
    """Presses a button under a page, and gives what stands there then, or what was said instead."""
    before = shown(outcome)["content"]
    begun = await press(person, outcome, label)
    return await eventually(
        lambda: outcome_of(person, begun), lambda seen: seen["message"]["content"] != before or seen.get("followups")
    )


@contextmanager
def overhearing(house: House) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """What the guild tells its clients, one thing after the other: its name, and what is told."""
    hub, heard = house.server.hub, []
    dispatch = hub.dispatch

    def tapped(event: Event) -> None:
        heard.append((event.name, event.data))
        dispatch(event)

    hub.dispatch = tapped  # type: ignore[method-assign] # the wire is tapped where it leaves the guild
    try:
        yield heard
    finally:
        hub.dispatch = dispatch  # type: ignore[method-assign] # as it was
