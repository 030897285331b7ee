"""Replies of the bot that quote something, and what becomes of them, as a member sees it over HTTP."""

from bot.words import Phrase, Voice
from local_guild.state.permissions import Permission
from local_guild.state.world import Overwrite
from memory.language.detect import Language
from tests.end_to_end.house import GENERAL, Inn, Payload, Person, eventually

ENGLISH = Voice(Language.EN, "Bot")
TAKEN_BACK, NOT_FOR_ALL = (ENGLISH.say(phrase) for phrase in (Phrase.TAKEN_BACK, Phrase.NOT_FOR_ALL))


async def answered(person: Person, question: str, repeated: str, channel: str = GENERAL) -> Payload:
    """The answer to a question, which repeats this, when it is known what it was made from and which message it is."""
    asked = await person.say(question, channel)
    reply = await person.hear_reply(asked, channel)
    assert repeated in reply["content"], reply["content"]
    await noted(person.inn, asked, int(reply["id"]))
    return reply


async def noted(inn: Inn, asked: int, reply: int) -> None:
    await eventually(
        lambda: inn.house.rows(
            "SELECT 1 FROM receipts WHERE guild_id = $1 AND asked_in = $2 AND $3 = ANY (message_ids)",
            inn.guild.id,
            asked,
            reply,
        )
    )


async def content_of(person: Person, message: Payload) -> str | None:
    """None once it is gone."""
    answer = await person.try_call("GET", f"/channels/{message['channel_id']}/messages/{message['id']}")
    if answer.status_code == 404:
        return None
    answer.raise_for_status()
    return str(answer.json()["content"])


async def says(person: Person, message: Payload, words: str) -> Payload:
    """Waits until the message says this and nothing else; as it is then."""
    await eventually(lambda: content_of(person, message), lambda now: now == words)
    answer: Payload = (await person.call("GET", f"/channels/{message['channel_id']}/messages/{message['id']}")).json()
    return answer


async def is_gone(person: Person, message: Payload) -> None:
    await eventually(lambda: content_of(person, message), lambda now: now is None)


async def nothing_left_to_do(inn: Inn) -> None:
    due = "SELECT 1 FROM receipts WHERE guild_id = $1 AND take_back_at <= now()"
    await eventually(lambda: inn.house.rows(due, inn.guild.id), lambda rows: not rows)


async def delete(person: Person, message_id: int, channel: str = GENERAL) -> None:
    await person.call("DELETE", f"/channels/{person.inn.channel(channel).id}/messages/{message_id}")


async def edit(person: Person, message_id: int, words: str, channel: str = GENERAL) -> None:
    path = f"/channels/{person.inn.channel(channel).id}/messages/{message_id}"
    await person.call("PATCH", path, {"content": words})


def let_the_bot_see(inn: Inn, channel: str, *, yes: bool) -> None:
    bit = int(Permission.VIEW_CHANNEL)
    overwrite = Overwrite(inn.house.bot.id, for_member=True, allow=bit if yes else 0, deny=0 if yes else bit)
    inn.house.server.places.put_overwrite(inn.channel(channel), overwrite)
