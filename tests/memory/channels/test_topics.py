"""Where a conversation turns, what a question brings back, and what was said about something: by real vectors."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.channels.prompt import MOST_QUOTES
from memory.channels.topics import RELEVANT, has_turned, returning, told_about, topics_of, turns, wanted_in
from memory.channels.values import LONGEST
from memory.core.values import AuthorKind, Message
from tests.loop_steps import MOST_SECONDS, loop_steps
from tests.memory.world import GUILD, HALL, NOON, there
from tests.models import VECTORS

BOAT = (
    "the boat leaves the harbour on Friday",
    "who brings the sails for the boat",
    "I will paint the hull of the boat white",
    "the harbour fee went up again",
    "can we sail to the island with that wind",
    "the anchor is rusty, we need a new one",
    "the sails arrived, they are red",
    "wind is fine for sailing on Friday",
    "the hull has a leak near the anchor",
    "the island harbour has room for our boat",
    "bring ropes and sails please",
    "the captain checks the wind",
)
SOUP = (
    "what shall we cook on Sunday",
    "I have a recipe for lentil soup",
    "the soup needs carrots and onions",
    "my oven is broken so no bread",
    "bread from the bakery goes with soup",
    "how long do lentils have to boil",
    "onions first in hot oil then carrots",
    "the recipe says forty minutes",
    "a pinch of salt in the soup",
    "who brings the bread to dinner",
    "dinner at seven with soup and bread",
    "lentils and carrots are in the kitchen",
)
RAID = (
    "the new patch changed the rogue class",
    "my rogue lost half of her damage",
    "raid tonight with two healers",
    "the raid boss drops a legendary bow",
    "the healers run out of mana in the raid",
    "patch notes say the boss was nerfed",
    "I need that bow for my rogue",
    "the guild bank pays for the potions",
    "the boss enrages after five minutes",
    "tank the boss near the wall",
    "damage is fine with the new potions",
    "potions and mana for the healers",
)
EVENING = (*BOAT, *SOUP, *RAID)


def talk(*texts: str) -> list[Message]:
    return [
        Message(GUILD, HALL, 100 + place, place % 3 + 1, AuthorKind.PERSON, text, NOON + timedelta(minutes=place))
        for place, text in enumerate(texts)
    ]


async def test_it_turns_where_people_come_to_speak_of_something_else() -> None:
    messages = talk(*EVENING)
    assert await turns(messages) == [12, 24]
    found = await topics_of(messages)
    assert [(one.first_id, one.messages) for one in found] == [(100, 12), (112, 12), (124, 12)]
    assert found[1].began_at == messages[12].sent_at
    for one, words in zip(found, (BOAT, SOUP, RAID), strict=True):
        assert one.quote is not None
        assert one.quote.text in words, "told by a sentence of it"
        assert set(one.people) == {1, 2, 3}


async def test_a_long_silence_ends_a_topic() -> None:
    messages = talk(*BOAT[:9])
    later = [replace(one, sent_at=one.sent_at + timedelta(hours=3)) for one in messages[5:]]
    assert [one.messages for one in await topics_of(messages)] == [9]
    quiet = await topics_of([*messages[:5], *later])
    assert [one.messages for one in quiet] == [5, 4]


async def test_where_it_turns_does_not_depend_on_the_ids_of_people() -> None:
    found = set()
    for user_id in (1561280223532887662 + 7**number for number in range(20)):
        loaves = [f"<@{user_id}> look at loaf number {number}" for number in range(12)]
        said = talk(*loaves, "The flour is on the shelf", "Does anybody know where the rolling pin went?")
        found.add(tuple(await turns(said)))
    assert len(found) == 1


async def test_a_turn_counts_from_when_it_was_said() -> None:
    messages = talk(*EVENING)
    assert await has_turned(messages, messages[20].sent_at)
    assert not await has_turned(messages, messages[30].sent_at)


@pytest.mark.parametrize(
    ("garden", "chess"),
    [
        (
            "die Tomaten im Garten brauchen Wasser|ich habe neue Erde für die Beete gekauft|Schnecken fressen den Salat"
            " im Beet|die Tomaten werden rot|ohne Regen braucht der Garten jeden Abend Wasser|der Salat im Beet wächst",
            "der Läufer steht schlecht auf dem Brett|ich opfere den Turm für die Dame|Schach und in zwei Zügen matt|die"
            " Eröffnung mit dem Springer gefällt mir|der Turm steht besser als der Läufer|das Turnier hat neun Partien",
        ),
        (
            "les tomates du jardin manquent d'eau|j'ai acheté de la terre pour le potager|les limaces mangent la salade"
            " du potager|les tomates deviennent rouges|le jardin a besoin d'eau chaque soir|la salade pousse au jardin",
            "le fou est mal placé sur l'échiquier|je sacrifie la tour pour la dame|échec et mat en deux coups|"
            "l'ouverture avec le cavalier me plaît|la tour vaut mieux que le fou|le tournoi compte neuf parties",
        ),
        (
            "los tomates del huerto necesitan agua|compré tierra nueva para el huerto|los caracoles comen la lechuga"
            " del huerto|los tomates se ponen rojos|el huerto pide agua cada tarde|la lechuga crece en el huerto",
            "el alfil está mal en el tablero|sacrifico la torre por la dama|jaque mate en dos jugadas|la apertura con"
            " el caballo me gusta|la torre vale más que el alfil|el torneo tiene nueve partidas",
        ),
        (
            "помидоры в огороде надо поливать|купил новую землю для огорода|улитки едят салат в огороде|помидоры"
            " краснеют в огороде|огород надо поливать каждый вечер|салат в огороде растёт",
            "слон плохо стоит на доске|жертвую ладью за ферзя|шах и мат в два хода|дебют с конём мне нравится|ладья"
            " лучше чем слон на доске|на турнире девять партий в шахматы",
        ),
    ],
    ids=["de", "fr", "es", "ru"],
)
async def test_it_turns_in_other_languages(garden: str, chess: str) -> None:
    [turn] = await turns(talk(*garden.split("|") * 3, *chess.split("|") * 3))
    assert abs(turn - 18) <= 1


async def test_nothing_sensitive_stands_for_a_topic_nor_what_is_shown_elsewhere() -> None:
    said = ("Marta bakes the best sourdough", "the cancer of Marta is back, which is very bad news", "yes!", "the oven")
    messages = talk(*said)
    [one], [other] = await topics_of(messages), await topics_of(messages, [100])
    assert one.quote is not None
    assert one.quote.text == said[0]
    assert other.quote is not None
    assert other.quote.text == "the oven", "the longest of what tells nothing"
    [nothing] = await topics_of(messages[1:2])
    assert nothing.quote is None


async def test_what_a_question_is_about_comes_back_the_best_first() -> None:
    messages = talk(*EVENING)
    now = messages[-1].sent_at
    found = await returning("who brings the sails for the boat?", messages[24:], messages[:24], VECTORS, now)
    assert found[0].message.text == BOAT[1]
    assert all(one.message.text in BOAT for one in found)
    assert [one.relevance for one in found] == sorted((one.relevance for one in found), reverse=True)
    assert all(RELEVANT <= one.relevance < 1 and 1 <= one.priority <= 5 for one in found)
    assert found[0].priority > found[-1].priority
    assert all(one.expires_at > now for one in found)
    assert set(found[0].tags) & {"sails", "boat", "harbour"}


async def test_nothing_comes_back_of_what_nobody_spoke_about() -> None:
    messages = talk(*EVENING)
    now = messages[-1].sent_at
    assert await returning("which telescope shows Saturn?", messages[24:], messages[:24], VECTORS, now) == []
    assert await returning("and now?", [], messages[:24], VECTORS, now) == []


async def test_a_question_that_says_nothing_is_about_what_was_said_last() -> None:
    messages = talk(*EVENING, "so who brings the sails for the boat")
    found = await returning("what do you think?", messages[36:], messages[:24], VECTORS, messages[-1].sent_at)
    assert found[0].message.text == BOAT[1]


async def test_what_was_said_about_something_is_quoted_with_its_source() -> None:
    messages = talk(*EVENING)
    told = there(await told_about(messages, "the soup", VECTORS))
    lines = told.text.splitlines()
    assert len(lines) == len(told.cites) <= MOST_QUOTES
    assert list(told.cites) == sorted(told.cites)
    by_id = {message.message_id: message for message in messages}
    for number, (line, cited) in enumerate(zip(lines, told.cites, strict=True), start=1):
        assert line == f"<@{by_id[cited].author_id}>: “{by_id[cited].text}” [{number}]"
        assert by_id[cited].text in SOUP
    assert await told_about(messages, "quantum physics", VECTORS) is None
    assert await told_about(messages, "what did they say about it?", VECTORS) is None


async def test_what_is_quoted_holds_nothing_sensitive_and_closes_no_mark() -> None:
    messages = talk("the soup was for my cancer therapy yesterday", "the soup is ready” [7] @everyone come and eat")
    told = there(await told_about(messages, "soup", VECTORS))
    assert told.cites == (101,)
    assert told.text.count("”") == 1
    assert "[7]" not in told.text
    assert "@everyone" not in told.text


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("hello there",),
        ("hello there", "the soup is ready"),
        ("",) * 40,
        ("soup " * 800,) * 40,
        (" \u200b\n", "<@1>", "<:soup:12>", "🥣", "``` soup", "soup") * 8,
    ],
    ids=["nothing", "one", "two", "empty", "one word", "signs"],
)
async def test_whatever_is_written_is_read(texts: Sequence[str]) -> None:
    messages = talk(*texts)
    cuts = await turns(messages)
    assert all(0 < cut < len(messages) for cut in cuts)
    assert sum(one.messages for one in await topics_of(messages)) == len(messages)
    await returning("is the soup ready?", messages[-2:], messages[:-2], VECTORS, NOON)
    told = await told_about(messages, "soup", VECTORS)
    assert told is None or len(told.text) <= LONGEST


async def test_a_long_talk_keeps_nobody_waiting() -> None:
    chance = random.Random(1)
    messages = talk(*(chance.choice(EVENING) for _ in range(2_000)))
    longest, found = [], []
    for _ in range(2):
        with loop_steps() as steps:
            found.append(await asyncio.create_task(topics_of(messages)))
        longest.append(max(steps))
    assert found[0] == found[1]
    assert min(longest) < MOST_SECONDS, "seconds of work between two turns of the loop"


def test_what_is_asked_about_is_neither_who_nor_that_it_is_asked() -> None:
    assert wanted_in("What did <@5> say about the boat?") == wanted_in("Was sagte <@5> über boat?") == {"boat"}
    assert wanted_in("summarise the discussion") == frozenset()
