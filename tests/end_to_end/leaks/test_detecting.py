"""The test of the test: a bot that leaks has to be caught, in whatever way it does."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from local_guild.actions.posting import Draft
from local_guild.state.messages import Attachment
from local_guild.state.world import Channel, Overwrite
from memory.places.service import Places
from memory.places.view import Audience
from tests.end_to_end.leaks import wiretap
from tests.end_to_end.leaks.canaries import LOOK_IN, READ_BACK, Canary, Kind
from tests.end_to_end.leaks.registry import SURFACES
from tests.end_to_end.leaks.scene import Scene, set_scene
from tests.end_to_end.leaks.test_leaks import Evening

SEED = 11
QUESTIONS = [SURFACES[name] for name in ("a question by mention", "what is known of somebody")]


@pytest.fixture
async def scene(tmp_path: Path, database_url: str) -> AsyncIterator[Scene]:
    async with set_scene(tmp_path, database_url, SEED) as opened:
        yield opened


async def test_an_audience_that_hears_everything_is_caught(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else as it is: the store filters, the reply is checked once more, all by a wrong audience."""

    def all_ears(_places: Places, guild_id: int, channel_id: int) -> Audience:
        world = scene.server.world
        everything = {place.id for place in (*world.channels_of(guild_id), *world.threads_of(guild_id))}
        return Audience(guild_id, channel_id, frozenset(everything | {channel_id}))

    monkeypatch.setattr(Places, "audience_of", all_ears)
    async with scene.open_for_business():
        await scene.ready()
        await scene.tell()
        await Evening(scene, SEED).ask(60, QUESTIONS)
    assert {Kind.FACT, "a link"} <= {leak.what for leak in scene.tap.leaks}


def place_called(scene: Scene, label: str, guild: int = 0) -> Channel:
    places = scene.server.world.channels_of(scene.guilds[guild].id)
    return next(one for one in places if one.name.startswith(f"{label}-"))


def secret_of(scene: Scene, label: str = "red-room", kind: Kind = Kind.MESSAGE) -> Canary:
    """A canary of a room that not everybody sees."""
    return scene.canaries.new(kind, scene.guilds[0].id, place_called(scene, label).id)


def say(scene: Scene, place: Channel, content: str = "", **parts: object) -> list[str]:
    """What leaks when the bot says it there."""
    draft = Draft(channel=place, author_id=scene.bot.id, content=content, **parts)  # type: ignore[arg-type] # any part
    scene.server.posting.send(draft)
    leaks, scene.tap.leaks = scene.tap.leaks, []
    return [leak.what for leak in leaks]


async def test_whatever_part_of_a_message_it_stands_in_it_is_heard(scene: Scene) -> None:
    canary, hall, guild_id = secret_of(scene), place_called(scene, "general"), scene.guilds[0].id
    button = {"type": 2, "style": 1, "custom_id": "x", "label": canary.token}
    parts: list[dict[str, object]] = [
        {"content": f"Well, {canary.sentence}."},
        {"content": "**" + "\u200b".join(canary.token.upper()) + "**"},
        {"embeds": [{"fields": [{"name": "x", "value": canary.token}]}]},
        {"content": "?", "components": [{"type": 1, "components": [button]}]},
        {"attachments": [Attachment(1, f"{canary.token}.txt", 1, "text/plain")]},
        {"content": f"https://discord.com/channels/{guild_id}/{canary.source_id}/1"},
        {"content": f"Perhaps in <#{canary.source_id}>?"},
    ]
    assert [len(say(scene, hall, **part)) for part in parts] == [1] * len(parts)  # type: ignore[arg-type] # any part
    assert say(scene, hall, "Nothing.") == []
    (message,) = scene.server.world.log(hall.id).before(None, 1)
    message.content = canary.sentence
    scene.server.posting.announce_change(message)
    assert len(scene.tap.leaks) == 1


async def test_what_its_readers_may_read_is_no_leak_and_what_was_taken_back_is(scene: Scene) -> None:
    canary = secret_of(scene)
    red_room = place_called(scene, "red-room")
    assert say(scene, red_room, canary.sentence) == []
    assert (red_room.id, canary.token) in scene.tap.found
    canary.gone = True
    assert say(scene, red_room, canary.sentence) == [Kind.MESSAGE]


async def test_what_stands_is_exposed_by_whoever_comes_and_cannot_read_its_source(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody takes it back here, so it leaks."""
    monkeypatch.setattr(wiretap, "PATIENCE_SECONDS", 0)
    canary = secret_of(scene)
    places, red_room, hall = scene.server.places, place_called(scene, "red-room"), place_called(scene, "general")
    users = scene.server.world.users
    people = {one for one in scene.server.world.members(scene.guilds[0].id) if not users[one].bot}
    reader = min(scene.oracle.viewers(red_room.id) - {scene.guilds[0].owner_id})
    outsider = min(people - scene.oracle.viewers(red_room.id))
    for one in sorted(people - {reader}):
        places.put_overwrite(hall, Overwrite(one, for_member=True, deny=LOOK_IN))
    assert say(scene, hall, canary.sentence) == []
    places.put_overwrite(red_room, Overwrite(reader, for_member=True, deny=LOOK_IN))
    await scene.tap.taken_back()
    assert scene.tap.leaks == [], "who has read it may lose its source"
    places.put_overwrite(hall, Overwrite(outsider, for_member=True, allow=READ_BACK))
    await scene.tap.taken_back()
    assert [leak.which for leak in scene.tap.leaks] == [canary.token]


async def test_an_ephemeral_reply_is_judged_by_its_one_reader(scene: Scene) -> None:
    canary, hall = secret_of(scene), place_called(scene, "general")
    inside = scene.oracle.viewers(canary.source_id or 0)
    assert say(scene, hall, canary.sentence, reader_id=min(inside)) == []
    assert len(say(scene, hall, canary.sentence, reader_id=min(scene.oracle.viewers(hall.id) - inside))) == 1


async def test_the_other_guild_may_hear_nothing_of_this_one(scene: Scene) -> None:
    for kind in (Kind.NICKNAME, Kind.EVERYWHERE, Kind.ROLE_NAME):
        canary = scene.canaries.new(kind, scene.guilds[0].id)
        assert say(scene, place_called(scene, "general"), canary.token) == []
        assert say(scene, place_called(scene, "general", guild=1), canary.token) == [kind]


async def test_age_restricted_text_stays_where_an_age_is_asked_for(scene: Scene) -> None:
    canary, reader_id = secret_of(scene, "grown-ups"), scene.guilds[0].owner_id
    assert say(scene, place_called(scene, "grown-up-reds"), canary.token, reader_id=reader_id) == []
    assert len(say(scene, place_called(scene, "general"), canary.token, reader_id=reader_id)) == 1


async def test_a_line_in_the_log_is_heard(scene: Scene) -> None:
    canary = secret_of(scene)
    logging.getLogger("bot.answering.answer").debug("asked", extra={"about": canary.token})
    logging.getLogger("memory.facts.service").info("said %s", canary.sentence)
    logging.getLogger("bot.connection").info("signed in with %s", scene.bot.token)
    assert [leak.where.event for leak in scene.tap.leaks] == ["log line"] * 3
