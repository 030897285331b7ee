"""Not even a hint: what lies behind closed doors changes no word of what is said in front of them.

Canaries find what is repeated. This finds what is betrayed by a number, a "perhaps", an order or a button: the same
questions are asked before and after secrets have been told elsewhere, and the replies must be the same.
"""

import random
import re
from collections.abc import Sequence
from pathlib import Path

from local_guild.state.world import Channel, User
from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.member import use
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
IS_INDEXED = "SELECT seq <= words_through FROM chat_history JOIN index_state USING (guild_id) WHERE message_id = $1"


def place_called(scene: Scene, label: str) -> Channel:
    places = scene.server.world.channels_of(scene.guilds[0].id)
    return next(one for one in places if one.name.startswith(f"{label}-"))


async def test_secrets_change_nothing_in_front_of_their_door(tmp_path: Path, database_url: str) -> None:
    async with set_scene(tmp_path, database_url, SEED) as scene:
        guild, hall = scene.guilds[0], place_called(scene, "general")
        people = scene.speakers_in(hall)[:3]
        async with scene.open_for_business():
            await scene.ready()
            for place in (hall, place_called(scene, "not-inherited")) * 3:
                await scene.tell_by(guild, place, scene.rng.choice(scene.speakers_in(place)))
            secrets = [scene.canaries.new(Kind.FACT, guild.id, 0).words for _ in range(3)]
            said = scene.say(people[0], hall, f"A {nearly(secrets[0])} stands in the hall, and it is green.")
            await scene.until_row(IS_INDEXED, said)  # what is in the index is ranked by more than what was just said
            before = await replies(scene, hall, people, secrets) + await searches(scene, hall, secrets)
            for words in secrets:
                await tell_behind_doors(scene, people, words)
            after = await replies(scene, hall, people, secrets) + await searches(scene, hall, secrets)
            # Telling changes what is known, so it is tried once, with words that were told there and with new ones.
            known = await told_again(scene, hall, people, secrets)
            new = await told_again(scene, hall, people, [scene.canaries.new(Kind.FACT, 0).words for _ in secrets])
        assert scene.tap.leaks == []
    assert before == after
    assert known == new


async def tell_behind_doors(scene: Scene, about: Sequence[User], words: str) -> None:
    for place in (place_called(scene, label) for label in BEHIND_DOORS):
        teller = scene.speakers_in(place)[0]
        for owner in (*(f"<@{user.id}> owns" for user in about), "I own"):
            await scene.ask(teller, place, f"Bot remember that {owner} a {words}")
        scene.say(teller, place, f"Whoever wants the {words} may have it.")


async def replies(scene: Scene, place: Channel, people: Sequence[User], secrets: Sequence[str]) -> list[str]:
    """What can be asked without changing anything, by those whom the secrets are about."""
    asked = [(user, "Bot what do you know about this server?") for user in people]
    asked += [(user, f"Bot what do you know about <@{other.id}>?") for user in people for other in people]
    asked += [
        (user, text)
        for user in people
        for words in secrets
        for text in (
            f"Bot what is the {words}?",
            f"Bot what do you know about {words}?",
            f"Bot forget that <@{user.id}> owns a {words}",
            f"Bot forget the {words}",
            f"<@{scene.bot.id}> does <@{user.id}> own a {words}?",
        )
    ]
    return [as_seen(await scene.ask(user, place, text)) for user, text in asked]


async def searches(scene: Scene, place: Channel, secrets: Sequence[str]) -> list[str]:
    """What somebody finds who sees none of the rooms behind doors."""
    insiders = frozenset().union(*(scene.oracle.viewers(place_called(scene, label).id) for label in BEHIND_DOORS[:2]))
    outsider = next(user for user in scene.speakers_in(place) if user.id not in insiders)
    case = Case(scene, scene.guilds[0], place, outsider, next(iter(scene.canaries)), random.Random(SEED))
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


async def told_again(scene: Scene, place: Channel, people: Sequence[User], things: Sequence[str]) -> list[str]:
    """What is said when somebody has it remembered, as if every thing had the same name."""
    return [
        as_seen(await scene.ask(teller, place, f"Bot remember that <@{people[0].id}> owns a {words}")).replace(
            words, "thing"
        )
        for words in things
        for teller in people
    ]


def as_seen(reply: Overheard | None) -> str:
    assert reply is not None
    return _CHANGING.sub("", reply.text)
