"""A slow answer stands in its place while it grows: real SDK, real discord.py, and eyes on every edit."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio

import bot.streaming
from ai_clients.breaker import LONGEST_REST
from ai_clients.gemini import GeminiApi, GeminiModel
from local_guild.events import Event
from tests.databases import PostgresServer
from tests.dictation import Dictation
from tests.end_to_end.asking import (
    at_home,
    begin_asking,
    close_to_everyone,
    labels_of,
    outcome_of,
)
from tests.end_to_end.house import GENERAL, KITCHEN, House, Inn, Payload, Person, eventually, open_house, until
from tests.end_to_end.slash import words_of
from tests.end_to_end.taken_back import TAKEN_BACK, delete, nothing_left_to_do, says
from tests.gemini_server import GeminiServer, data_of, gemini_server
from tests.models import Watch, answering

pytestmark = pytest.mark.asyncio(loop_scope="module")

GUILDS = 12
MESSAGES = ("MESSAGE_CREATE", "MESSAGE_UPDATE")


@dataclass
class Eyes:
    """All that the bot lets anybody see, in order."""

    house: House
    seen: list[Payload] = field(default_factory=list)

    def open(self) -> None:
        dispatch, bot_id = self.house.server.hub.dispatch, str(self.house.bot.id)

        def watched(event: Event) -> None:
            data: dict[str, Any] = event.data
            if event.name in MESSAGES and data.get("author", {}).get("id") == bot_id:
                self.seen.append({"event": event.name, **data})
            if event.name == "TYPING_START" and str(data.get("user_id")) == bot_id:
                self.seen.append({"event": event.name, **data})
            dispatch(event)

        self.house.server.hub.dispatch = watched  # type: ignore[method-assign] # the wire is tapped where it leaves

    def said_in(self, channel_id: int) -> list[Payload]:
        return [one for one in self.seen if one["event"] in MESSAGES and one["channel_id"] == str(channel_id)]


@dataclass
class Scene:
    house: House
    gemini: GeminiServer
    eyes: Eyes
    watch: Watch
    dictation: Dictation = field(default_factory=Dictation)

    def said(self, inn: Inn, channel: str = GENERAL) -> list[str]:
        return [str(one["content"]) for one in self.eyes.said_in(inn.channel(channel).id)]

    async def until_said(self, inn: Inn, words: str, channel: str = GENERAL) -> None:
        await until(lambda: any(words in one for one in self.said(inn, channel)))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    name = await postgres_server.create(await postgres_server.template())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.streaming, "FIRST_SECONDS", 0.1)
        patch.setattr(bot.streaming, "EVERY_SECONDS", 0.05)
        async with gemini_server() as gemini:
            watch = Watch()
            models = answering(GeminiModel("gemini-good", GeminiApi(gemini.options())), seconds=60, watch=watch)
            async with (
                open_house(
                    tmp_path_factory.mktemp("house"),
                    postgres_server.url_of(name),
                    guilds=GUILDS,
                    models=models,
                    member_cooldown_seconds=0,
                ) as house,
                house.bot_running(),
            ):
                eyes = Eyes(house)
                eyes.open()
                yield Scene(house, gemini, eyes, watch)
    await postgres_server.drop(name)


@pytest_asyncio.fixture(loop_scope="module")
async def inn(scene: Scene) -> Inn:
    scene.dictation = Dictation().take(scene.gemini)
    scene.watch.ahead += LONGEST_REST
    inn = Inn(scene.house, next(scene.house.fresh))
    await at_home(inn)
    return inn


async def finished(person: Person, asked: int) -> Payload:
    """The reply, when it has its button."""
    channel = person.inn.channel(GENERAL).id
    return (await eventually(lambda: person.replies_to(asked, channel), lambda seen: seen and labels_of(seen[0])))[0]


async def test_a_slow_answer_grows_in_its_place(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    told = await aylin.say("The quiz is on Friday at eight")
    await inn.until_stored(told)
    asked = await aylin.say("Bot when is the quiz?")
    scene.dictation.say("On Fri", "day at ei")
    await scene.until_said(inn, "On Friday at …")
    assert not any("ei" in one for one in scene.said(inn)), "a word is shown when it is whole"
    scene.dictation.end("ght", " [1].")
    reply = await finished(aylin, asked)
    assert reply["content"].startswith("On Friday at eight.\n-# ↪ [1](")
    assert str(told) in reply["content"]
    events = scene.eyes.said_in(inn.channel(GENERAL).id)
    assert [one["event"] for one in events].count("MESSAGE_CREATE") == 1
    assert {one["id"] for one in events} == {reply["id"]}
    row = await inn.until_stored(int(reply["id"]), text=reply["content"])
    assert row["author_kind"] == "self"


async def test_the_notice_of_typing_stays_while_it_grows(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    asked = await aylin.say("Bot when is the quiz?")
    scene.dictation.say("It is ", "late ")
    await scene.until_said(inn, "It is")
    place = str(inn.channel(GENERAL).id)

    def typed_since() -> bool:
        kinds = [one["event"] for one in scene.eyes.seen if one["channel_id"] == place]
        return "TYPING_START" in kinds[kinds.index("MESSAGE_CREATE") :]

    await until(typed_since)
    scene.dictation.end()
    await finished(aylin, asked)


async def test_what_was_streamed_is_not_conversation(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    asked = await aylin.say("Bot when is the quiz?")
    scene.dictation.say("Marmalade ", "tomorrow ")
    await scene.until_said(inn, "Marmalade")
    scene.dictation.end()
    reply = await finished(aylin, asked)
    await inn.until_stored(int(reply["id"]), text=reply["content"])
    scene.dictation.end("Yes.")
    await aylin.ask("Bot what about the breakfast?")
    assert "Marmalade" not in data_of(scene.gemini.requests[-1])


async def test_a_quick_answer_is_said_once(scene: Scene, inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.streaming, "FIRST_SECONDS", 60.0)
    scene.dictation.end("At once.")
    await inn.person("aylin").ask("Bot when is the quiz?")
    assert scene.said(inn) == ["At once."]


async def test_nothing_bad_is_shown_on_the_way(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    await inn.until_stored(await aylin.say("The map is at https://example.org/map"))
    asked = await aylin.say("Bot where is the map?")
    attack = (
        "Look: @every", "one and <@", f"{aylin.user.id}> at https://evil.", "example/?q=1 or [he", "re](https://ev",
        "il.example) or ht\u200btps://evil.example \u202eback\u202c; the map is at https://example.", "org/map [1",
        "] ||hid", "den|| ",
    )  # fmt: skip
    for piece in attack:
        before = len(scene.said(inn))
        scene.dictation.say(piece)
        await asyncio.sleep(0)
        await _a_look(scene, inn, before)
    scene.dictation.end("end.")
    await finished(aylin, asked)
    for said in scene.said(inn):
        assert "evil" not in said
        assert "@everyone" not in said
        assert "<@" not in said
        assert "\u202e" not in said
        assert said.count("||") % 2 == 0
    assert "https://example.org/map" in scene.said(inn)[-1]
    assert len(scene.said(inn)) > 2, "it has been seen on its way"


async def _a_look(scene: Scene, inn: Inn, before: int) -> None:
    """Time for the bot to show what it has, if it shows anything of it."""
    for _ in range(10):
        if len(scene.said(inn)) > before:
            return
        await asyncio.sleep(0.02)


async def test_when_its_readers_change_it_is_made_anew(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that gruzilkin breeds newts", KITCHEN)
    asked = await aylin.say("Bot what does gruzilkin breed?")
    scene.dictation.say("Newts, ", "and ")
    await scene.until_said(inn, "Newts")
    assert "newts" in data_of(scene.gemini.requests[-1])
    await close_to_everyone(inn, KITCHEN)
    before = len(scene.said(inn))
    scene.dictation.say("also frogs ", "and ")
    await asyncio.sleep(10 * bot.streaming.EVERY_SECONDS)
    scene.dictation.end("toads.")
    await until(lambda: scene.dictation.begun == 2)
    scene.dictation.end("I do not know.")
    reply = await finished(aylin, asked)
    assert reply["content"] == "I do not know."
    assert len({one["id"] for one in scene.eyes.said_in(inn.channel(GENERAL).id)}) == 1
    assert not any("ewts" in one or "frogs" in one for one in scene.said(inn)[before:])
    assert "newts" not in data_of(scene.gemini.requests[-1])


async def test_a_model_that_dies_on_the_way_leaves_a_quotation(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    await inn.until_stored(await aylin.say("The quiz is on Friday at eight"))
    asked = await aylin.say("Bot when is the quiz?")
    for _ in range(3):  # it is asked again, as often as is reasonable
        scene.dictation.say("It is on ", "a Monday ")
        scene.dictation.break_off()
    reply = await finished(aylin, asked)
    assert reply["content"].startswith("My language model does not answer just now. So I only quote what fits:\n• ")
    assert "on Friday at eight" in reply["content"]
    assert len({one["id"] for one in scene.eyes.said_in(inn.channel(GENERAL).id)}) == 1


async def test_when_it_cannot_be_edited_it_is_posted_anew(scene: Scene, inn: Inn) -> None:
    aylin, maren = inn.person("aylin"), inn.person("maren")
    asked = await aylin.say("Bot when is the quiz?")
    scene.dictation.say("It is ", "on Friday ")
    await scene.until_said(inn, "on")
    place = inn.channel(GENERAL).id
    first = scene.eyes.said_in(place)[0]["id"]
    await maren.call("DELETE", f"/channels/{place}/messages/{first}")
    scene.dictation.end("at eight.")
    reply = await finished(aylin, asked)
    assert reply["content"] == "It is on Friday at eight."
    assert reply["id"] != first


async def test_a_long_answer_grows_in_one_message_and_ends_in_parts(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    asked = await aylin.say("Bot tell me all of it")
    scene.dictation.say(*(f"Sentence number {number} is here. " for number in range(120)))
    await until(lambda: any(len(one) > 1900 for one in scene.said(inn)))
    assert len({one["id"] for one in scene.eyes.said_in(inn.channel(GENERAL).id)}) == 1
    scene.dictation.end("The end.")
    await scene.until_said(inn, "The end.")
    replies = await aylin.replies_to(asked)
    assert replies[0]["content"].startswith("Sentence number 0 is here.")
    assert not replies[0]["content"].endswith("…")
    assert all(len(one) <= 2000 for one in scene.said(inn))
    assert len({one["id"] for one in scene.eyes.said_in(inn.channel(GENERAL).id)}) == 2


async def test_an_answer_for_one_alone_grows_as_well(scene: Scene, inn: Inn) -> None:
    florent = inn.person("florent")
    asking = begin_asking(florent, "when is the quiz?")
    scene.dictation.say("On Friday ", "at ")
    await scene.until_said(inn, "On Friday at …")
    scene.dictation.end("eight.")
    begun = await asking
    outcome = await eventually(lambda: outcome_of(florent, begun), lambda seen: words_of(seen) == "On Friday at eight.")
    assert outcome["message"]["flags"] & 64
    assert not outcome.get("followups")


def replies_of(scene: Scene) -> int:
    """How many have been finished."""
    return scene.house.health.part("replies").snapshot().counts.get("replies", 0)


async def test_when_its_source_goes_it_stops_growing_and_is_taken_back(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    told = await aylin.say("The quiz is on Friday at eight")
    await inn.until_stored(told)
    asked = await aylin.say("Bot when is the quiz?")
    scene.dictation.say("On Fri", "day at eight ")
    await scene.until_said(inn, "On Friday at eight …")
    [shown] = await aylin.replies_to(asked)
    await delete(aylin, told)
    await says(aylin, shown, TAKEN_BACK)
    before, replies = len(scene.said(inn)), replies_of(scene)
    scene.dictation.say("sharp, on ", "Friday ")
    await asyncio.sleep(10 * bot.streaming.EVERY_SECONDS)
    assert scene.said(inn)[before:] == []
    scene.dictation.end("[1].")
    await until(lambda: replies_of(scene) > replies)
    await nothing_left_to_do(inn)
    await says(aylin, shown, TAKEN_BACK)


async def test_when_something_goes_that_it_does_not_repeat_it_stands_in_the_end(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    quiz = await aylin.say("The quiz is on Friday at eight")
    await inn.until_stored(await aylin.say("The marmalade is in the cellar"))
    asked = await aylin.say("Bot where is the marmalade?")
    scene.dictation.say("The marma", "lade is ")
    await scene.until_said(inn, "marmalade is")
    [shown] = await aylin.replies_to(asked)
    await delete(aylin, quiz)
    await says(aylin, shown, TAKEN_BACK)
    scene.dictation.end("in the cellar.")
    reply = await finished(aylin, asked)
    assert reply["content"].startswith("The marmalade is in the cellar.")
    await nothing_left_to_do(inn)
    assert (await finished(aylin, asked))["content"] == reply["content"]
