"""Not even a hint: what lies behind closed doors changes no word of what is said in front of them.

Canaries find what is repeated. This finds what is betrayed by a number, a "perhaps", an order or a button: the same
questions are asked before and after secrets have been told elsewhere, and the replies must be the same.
"""

import random
import re
from collections.abc import Sequence
from pathlib import Path

import asyncpg

from local_guild.state.world import Channel, Guild, User
from tests.end_to_end.house import eventually
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.interacting import use
from tests.end_to_end.leaks.planting import Planting
from tests.end_to_end.leaks.registry import Case
from tests.end_to_end.leaks.scene import Scene, set_scene
from tests.end_to_end.leaks.wiretap import Overheard

SEED = 23
BEHIND_DOORS = ("red-room", "two-colours", "grown-ups")
_CHANGING = re.compile(
    r"<t:\d+:\w>|\b\d{15,20}\b|\b(?:answer-only-to|everyone-may-know):\S+"
    r"|\b(?:undo|edit|not-true):[a-z]{2}:[0-9a-f]{32}\b"
)
"""Times and ids are new in every message; a button's own name, which nobody is shown, is made of them."""
IS_INDEXED = """
SELECT seq <= words_through FROM chat_history JOIN index_state USING (guild_id)
WHERE message_id = $1
"""


async def test_secrets_change_nothing_in_front_of_their_door(tmp_path: Path, database_url: str) -> None:
    async with set_scene(tmp_path, database_url, SEED) as scene:
        guild = scene.scenery.guilds[0]
        hall = place_called(scene, guild, "general")
        people = scene.speakers_in(hall)[:3]
        async with scene.open_for_business():
            await scene.ready()
            planting = Planting(scene, random.Random(SEED))
            for place in (hall, place_called(scene, guild, "not-inherited")):
                for _ in range(3):
                    await planting.tell(guild, place)
            secrets = [scene.canaries.new(Kind.FACT, guild.id, 0).words for _ in range(3)]
            said = scene.say(people[0], hall, f"A {nearly(secrets[0])} stands in the hall, and it is green.")
            await until_indexed(scene, said)  # what is in the index is ranked by more than what has just been said
            before = await replies(scene, hall, people, secrets) + await searches(scene, guild, hall, secrets)
            for words in secrets:
                await tell_behind_doors(scene, guild, people, words)
            after = await replies(scene, hall, people, secrets) + await searches(scene, guild, hall, secrets)
            # Telling changes what is known, so it is tried once, with words that were told there and with new ones.
            known = await told_again(scene, hall, people, secrets)
            new = await told_again(scene, hall, people, [scene.canaries.new(Kind.FACT, 0).words for _ in secrets])
        assert scene.tap.leaks == []
    assert before == after
    assert known == new


async def until_indexed(scene: Scene, message_id: int) -> None:
    connection = await asyncpg.connect(scene.database_url)
    try:
        await eventually(lambda: connection.fetchval(IS_INDEXED, message_id), bool)
    finally:
        await connection.close()


async def tell_behind_doors(scene: Scene, guild: Guild, about: Sequence[User], words: str) -> None:
    for label in BEHIND_DOORS:
        place = place_called(scene, guild, label)
        teller = scene.speakers_in(place)[0]
        for user in about:
            await scene.ask(teller, place, f"Bot remember that <@{user.id}> owns a {words}")
        await scene.ask(teller, place, f"Bot remember that I own a {words}")
        scene.say(teller, place, f"Whoever wants the {words} may have it.")


async def replies(scene: Scene, place: Channel, people: Sequence[User], secrets: Sequence[str]) -> list[str]:
    """What can be asked without changing anything, by those whom the secrets are about."""
    asked = [(user, "Bot what do you know about this server?") for user in people]
    asked += [(user, f"Bot what do you know about <@{other.id}>?") for user in people for other in people]
    asked += [
        (user, text.format(words=words, user=user.id, bot=scene.bot.id))
        for user in people
        for words in secrets
        for text in (
            "Bot what is the {words}?",
            "Bot what do you know about {words}?",
            "Bot forget that <@{user}> owns a {words}",
            "Bot forget the {words}",
            "<@{bot}> does <@{user}> own a {words}?",
        )
    ]
    return [as_seen(await scene.ask(user, place, text)) for user, text in asked]


async def searches(scene: Scene, guild: Guild, place: Channel, secrets: Sequence[str]) -> list[str]:
    """What somebody finds who sees none of the rooms behind doors."""
    behind = {place_called(scene, guild, label).id for label in BEHIND_DOORS if label != "grown-ups"}
    outsider = next(user for user in scene.speakers_in(place) if not behind & seen_by(scene, guild, user))
    case = Case(scene, guild, place, outsider, next(iter(scene.canaries)), random.Random(SEED))
    heard = []
    asked = (f"where does the {words} stand?" for words in secrets)
    for words in (*secrets, *map(nearly, secrets), *asked, "green hall"):
        outcome = await use(case, "recall", text=words)
        assert outcome is not None
        heard.append(_CHANGING.sub("", outcome["message"]["content"]))
    return heard


def nearly(words: str) -> str:
    """As somebody writes it who mistypes it."""
    return f"{words[:3]}{words[4:]}"


def seen_by(scene: Scene, guild: Guild, user: User) -> set[int]:
    return {place.id for place in scene.places_of(guild) if user.id in scene.oracle.viewers(place.id)}


async def told_again(scene: Scene, place: Channel, people: Sequence[User], things: Sequence[str]) -> list[str]:
    """What is said when somebody has it remembered, as if every thing had the same name."""
    heard = []
    for words in things:
        for teller in people:
            reply = await scene.ask(teller, place, f"Bot remember that <@{people[0].id}> owns a {words}")
            heard.append(as_seen(reply).replace(words, "thing"))
    return heard


def as_seen(reply: Overheard | None) -> str:
    assert reply is not None
    return _CHANGING.sub("", reply.text)


def place_called(scene: Scene, guild: Guild, label: str) -> Channel:
    return next(one for one in scene.server.world.channels_of(guild.id) if one.name.startswith(f"{label}-"))
