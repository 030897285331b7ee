"""Being asked whom or what one means, and choosing, as a member does it over HTTP."""

from functools import partial

from local_guild.actions.components import ComponentType, walk
from tests.end_to_end.asking import at_home, outcome_of
from tests.end_to_end.house import Inn, Payload, Person, eventually
from tests.end_to_end.slash import press, shown, use, words_of


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


async def tell(person: Person, command: str, **options: object) -> Payload:
    """By a command; the message that it is answered with."""
    return shown(await use(person, command, **options))


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


async def texts_of(inn: Inn) -> list[str]:
    return [text for _, text in await facts_of(inn)]


async def form_of(person: Person, message: Payload, label: str = "Edit") -> Payload:
    """The form that a press shows; a refusal fails here."""
    pressed = await press(person, message, label)
    outcome = await eventually(lambda: outcome_of(person, pressed), lambda seen: seen.get("modal") or words_of(seen))
    assert outcome.get("modal"), words_of(outcome)
    return outcome


def field_of(opened: Payload) -> Payload:
    components = opened["modal"]["components"]
    (field,) = [one for _, one in walk(components) if one.get("type") == ComponentType.TEXT_INPUT]
    return field
