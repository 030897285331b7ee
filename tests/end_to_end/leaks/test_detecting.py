"""The test of the test: a bot that leaks has to be caught, in whatever way it does."""

import logging
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from local_guild.actions.posting import Draft
from local_guild.state.messages import Attachment
from local_guild.state.world import Channel, Guild, Overwrite, User
from memory.places.service import Places
from memory.places.view import Audience
from tests.end_to_end.leaks import wiretap
from tests.end_to_end.leaks.canaries import Canary, Kind
from tests.end_to_end.leaks.evening import Evening
from tests.end_to_end.leaks.oracle import LOOK_IN, READ_BACK
from tests.end_to_end.leaks.registry import SURFACES
from tests.end_to_end.leaks.scene import Scene, set_scene

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
    evening = Evening(scene, random.Random(SEED))
    async with scene.open_for_business():
        await scene.ready()
        await evening.tell()
        await evening.ask(60, QUESTIONS)
    assert any(leak.what == Kind.FACT for leak in scene.tap.leaks)
    assert any(leak.what == "a link" for leak in scene.tap.leaks)


def secret_of(scene: Scene, kind: Kind = Kind.MESSAGE) -> tuple[Guild, Canary]:
    """A canary of a room that not everybody sees."""
    guild = scene.scenery.guilds[0]
    return guild, scene.canaries.new(kind, guild.id, place_called(scene, guild, "red-room").id)


def place_called(scene: Scene, guild: Guild, label: str) -> Channel:
    return next(one for one in scene.server.world.channels_of(guild.id) if one.name.startswith(f"{label}-"))


def as_the_bot(scene: Scene, place: Channel, **parts: object) -> None:
    scene.server.posting.send(Draft(channel=place, author_id=scene.bot.id, **parts))  # type: ignore[arg-type] # any part


PARTS = ("content", "hidden", "embed", "button", "file", "link", "channel", "edit")


async def test_whatever_part_of_a_message_it_stands_in_it_is_heard(scene: Scene) -> None:
    for part in PARTS:
        say_in_part(scene, part)
        (leak,) = scene.tap.leaks
        assert len(str(leak)) > 40, part
        scene.tap.leaks.clear()


def say_in_part(scene: Scene, part: str) -> None:
    guild, canary = secret_of(scene)
    hall = place_called(scene, guild, "general")
    match part:
        case "content":
            as_the_bot(scene, hall, content=f"Well, {canary.sentence}.")
        case "hidden":
            as_the_bot(scene, hall, content="**" + "\u200b".join(canary.token.upper()) + "**")
        case "embed":
            as_the_bot(scene, hall, embeds=[{"fields": [{"name": "x", "value": canary.token}]}])
        case "button":
            button = {"type": 2, "style": 1, "custom_id": "x", "label": canary.token}
            as_the_bot(scene, hall, content="?", components=[{"type": 1, "components": [button]}])
        case "file":
            as_the_bot(scene, hall, attachments=[Attachment(1, f"{canary.token}.txt", 1, "text/plain")])
        case "link":
            as_the_bot(scene, hall, content=f"https://discord.com/channels/{guild.id}/{canary.source_id}/1")
        case "channel":
            as_the_bot(scene, hall, content=f"Perhaps in <#{canary.source_id}>?")
        case "edit":
            as_the_bot(scene, hall, content="Nothing.")
            assert scene.tap.leaks == []
            (message,) = scene.server.world.log(hall.id).before(None, 1)
            message.content = canary.sentence
            scene.server.posting.announce_change(message)


async def test_what_its_readers_may_read_is_no_leak(scene: Scene) -> None:
    guild, canary = secret_of(scene)
    as_the_bot(scene, place_called(scene, guild, "red-room"), content=canary.sentence)
    assert scene.tap.leaks == []
    assert (canary.source_id, canary.token) in scene.tap.found


async def test_what_stands_is_exposed_by_whoever_comes_and_cannot_read_its_source(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody takes it back here, so it leaks."""
    monkeypatch.setattr(wiretap, "PATIENCE_SECONDS", 0)
    guild, canary = secret_of(scene)
    places, red_room = scene.server.places, scene.server.world.channels[canary.source_id or 0]
    hall = place_called(scene, guild, "general")
    people = {one.id for one in scene.people_of(guild)}
    reader = min(scene.oracle.viewers(red_room.id) - {guild.owner_id})
    outsider = min(people - scene.oracle.viewers(red_room.id))
    for one in sorted(people - {reader}):
        places.put_overwrite(hall, Overwrite(one, for_member=True, deny=LOOK_IN))
    as_the_bot(scene, hall, content=canary.sentence)
    places.put_overwrite(red_room, Overwrite(reader, for_member=True, deny=LOOK_IN))
    await scene.tap.taken_back()
    assert scene.tap.leaks == [], "who has read it may lose its source"
    places.put_overwrite(hall, Overwrite(outsider, for_member=True, allow=READ_BACK))
    await scene.tap.taken_back()
    assert [leak.which for leak in scene.tap.leaks] == [canary.token]


async def test_an_ephemeral_reply_is_judged_by_its_one_reader(scene: Scene) -> None:
    guild, canary = secret_of(scene)
    hall, red_room = place_called(scene, guild, "general"), place_called(scene, guild, "red-room")
    inside = scene.oracle.viewers(red_room.id)
    outside = scene.oracle.viewers(hall.id) - inside
    as_the_bot(scene, hall, content=canary.sentence, reader_id=min(inside))
    assert scene.tap.leaks == []
    as_the_bot(scene, hall, content=canary.sentence, reader_id=min(outside))
    assert len(scene.tap.leaks) == 1


async def test_the_other_guild_may_hear_nothing_of_this_one(scene: Scene) -> None:
    guild, _ = secret_of(scene)
    other = scene.scenery.guilds[1]
    for kind in (Kind.NICKNAME, Kind.EVERYWHERE, Kind.ROLE_NAME):
        canary = scene.canaries.new(kind, guild.id)
        as_the_bot(scene, place_called(scene, guild, "general"), content=canary.token)
        assert scene.tap.leaks == []
        as_the_bot(scene, place_called(scene, other, "general"), content=canary.token)
        assert scene.tap.leaks.pop().what == kind


async def test_text_that_was_taken_back_is_nobodys(scene: Scene) -> None:
    _, canary = secret_of(scene)
    canary.gone = True
    as_the_bot(scene, scene.server.world.channels[canary.source_id or 0], content=canary.token)
    assert len(scene.tap.leaks) == 1


async def test_age_restricted_text_stays_where_an_age_is_asked_for(scene: Scene) -> None:
    guild, _ = secret_of(scene)
    canary = scene.canaries.new(Kind.MESSAGE, guild.id, place_called(scene, guild, "grown-ups").id)
    reader: User = scene.server.world.users[guild.owner_id]
    as_the_bot(scene, place_called(scene, guild, "grown-up-reds"), content=canary.token, reader_id=reader.id)
    assert scene.tap.leaks == []
    as_the_bot(scene, place_called(scene, guild, "general"), content=canary.token, reader_id=reader.id)
    assert len(scene.tap.leaks) == 1


async def test_a_line_in_the_log_is_heard(scene: Scene) -> None:
    _, canary = secret_of(scene)
    logging.getLogger("bot.answering.answer").debug("asked", extra={"about": canary.token})
    logging.getLogger("memory.facts.service").info("said %s", canary.sentence)
    assert [leak.where.event for leak in scene.tap.leaks] == ["log line", "log line"]
