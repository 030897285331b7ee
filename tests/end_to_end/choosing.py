"""Being asked whom or what one means, and choosing, as a member does it over HTTP."""

import asyncio
from functools import partial

from tests.end_to_end.asking import at_home, buttons_of, outcome_of
from tests.end_to_end.house import GENERAL, PATIENCE_SECONDS, Inn, Payload, Person, eventually
from tests.end_to_end.slash import COMMAND, COMPONENT, words_of


async def call_by_nickname(inn: Inn, **nicknames: str) -> None:
    maren = inn.person("maren")
    for name, nickname in nicknames.items():
        user_id = inn.person(name).user.id
        await maren.call("PATCH", f"/guilds/{inn.guild.id}/members/{user_id}", {"nick": nickname})
        called = "SELECT 1 FROM members WHERE guild_id = $1 AND user_id = $2 AND nickname = $3"
        await eventually(partial(inn.house.rows, called, inn.guild.id, user_id, nickname))


async def two_chiefs(inn: Inn) -> Person:
    """Of whom different things are known; and somebody to ask about them."""
    await at_home(inn)
    await call_by_nickname(inn, gruzilkin="Chief", florent="Chief")
    aylin = inn.person("aylin")
    for name, likes in (("gruzilkin", "radishes"), ("florent", "quinces")):
        assert likes in await aylin.ask(f"Bot remember that <@{inn.person(name).user.id}> grows {likes}")
    return aylin


async def press(person: Person, message: Payload, label: str) -> Payload:
    button = next(one for one in buttons_of(message) if label in one["label"])
    body = {
        "type": COMPONENT,
        "channel_id": message["channel_id"],
        "message_id": message["id"],
        "data": {"component_type": button["type"], "custom_id": button["custom_id"]},
    }
    return await _begin(person, body)


async def tell(person: Person, command: str, **options: object) -> Payload:
    """By a command; the message that it is answered with."""
    given = [{"name": name, "value": value} for name, value in options.items()]
    channel_id = str(person.inn.channel(GENERAL).id)
    body = {"type": COMMAND, "channel_id": channel_id, "data": {"name": command, "options": given}}
    return shown(await _begin(person, body))


async def _begin(person: Person, body: Payload) -> Payload:
    """Once more where Discord gave up waiting, as a person would on a busy machine: nothing has been done then."""
    begun: Payload = {"failed": True}
    async with asyncio.timeout(PATIENCE_SECONDS):
        while begun.get("failed"):
            begun = (await person.call("POST", "/interactions?wait=true", body)).json()
    return begun


def shown(outcome: Payload) -> Payload:
    message: Payload = outcome["message"] or outcome["followups"][0]
    return message


async def message_of(person: Person, message: Payload) -> Payload:
    answer: Payload = (await person.call("GET", f"/channels/{message['channel_id']}/messages/{message['id']}")).json()
    return answer


async def becomes(person: Person, message: Payload, words: str) -> Payload:
    return await eventually(lambda: message_of(person, message), lambda now: words in now["content"])


async def heard(person: Person, pressed: Payload, words: str) -> str:
    """What followed a press that only its presser sees."""
    outcome = await eventually(lambda: outcome_of(person, pressed), lambda seen: words in words_of(seen))
    return words_of(outcome)


async def facts_of(inn: Inn) -> list[tuple[int | None, str]]:
    rows = await inn.house.rows("SELECT subject_id, text FROM facts WHERE guild_id = $1 ORDER BY fact_id", inn.guild.id)
    return [(row["subject_id"], row["text"]) for row in rows]
