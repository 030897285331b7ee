"""Promise 4, never silent: database, Discord or permissions away, it says so, and comes back by itself."""

import asyncio
import logging
import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.connection import Endpoint, TokenRefusedError, speaking_to
from bot.run import run_bot
from memory.core.clock import SystemClock
from memory.health import PartState
from tests.end_to_end.absence import until_live
from tests.end_to_end.asking import ask_privately, held_up, opt_out, say_and_hear
from tests.end_to_end.cable import cable_to
from tests.end_to_end.choosing import becomes
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, House, Inn, eventually, open_house, until
from tests.end_to_end.slash import commands_of, use, words_of
from tests.end_to_end.test_backlog import AWAY


async def test_without_its_database_it_says_so_and_does_later_what_it_was_told(
    database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with cable_to(database_url) as cable, open_house(tmp_path, cable.url, guilds=1) as house, house.bot_running():
        inn = Inn(house, next(house.fresh))
        house.database_url = database_url
        aylin, maren = inn.person("aylin"), inn.person("maren")
        await until_live(inn)
        await aylin.ask("Bot remember that gruzilkin whistles")
        await eventually(lambda: commands_of(house))
        await aylin.say("The kettle stands on the stove.")
        await aylin.ask("Bot where does the kettle stand?")
        await cable.cut(house.memory)
        told = await say_and_hear(aylin, "Bot remember that gruzilkin hums")
        assert "haven't saved" in told["content"]
        asked = await say_and_hear(aylin, "Bot what do you know about gruzilkin?")
        assert "can't reach my" in asked["content"]
        assert "komme gerade nicht an mein Gedächtnis" in await aylin.ask("Bot was weißt du über gruzilkin?")
        heard = await aylin.ask("Bot where does the kettle stand?")
        assert "only from what I heard and read last" in heard
        assert "stove" in heard
        assert house.state_of("log") is PartState.FAILING
        assert "Not working since" in words_of(await use(maren, "innkeeper", "status"))
        assert "nothing was changed" in words_of(await opt_out(aylin))
        assert "nothing was changed" in words_of(await use(maren, "settings", "show"))
        for command in ("show", "export"):
            assert "can't reach my" in words_of(await use(aylin, "privacy", command))
        await cable.mend()
        known = await becomes(aylin, asked, "hums")
        assert known["content"].startswith(AWAY)
        assert "whistles" in known["content"]
        assert (await becomes(aylin, told, "hums"))["content"].startswith(AWAY)
        assert len(await inn.house.rows("SELECT 1 FROM facts")) == 2
        await inn.until_stored(await aylin.say("Everything is back."))
        await until(lambda: house.state_of("log") is PartState.ACTIVE)
    logged = [record.getMessage() for record in caplog.records if record.name == "memory.log.outage"]
    assert logged == ["cannot write the message log: DatabaseAway", "message log writable again"]


async def test_a_reply_that_takes_too_long_is_given_up(own_inn: Inn) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    async with house.bot_running(reply_seconds=1):
        async with held_up(house):
            assert "too long" in await aylin.ask("Bot what do you know about gruzilkin?")
        # A busy machine takes its second over an answer, too.
        await eventually(lambda: aylin.ask("Bot remember that gruzilkin whistles"), lambda said: "whistles" in said)


async def test_what_nobody_thought_of_is_said_with_the_requests_id(
    own_inn: Inn, caplog: pytest.LogCaptureFixture
) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    async with house.bot_running():
        assert "whistles" in await aylin.ask("Bot remember that gruzilkin whistles")
        await house.rows("ALTER TABLE facts RENAME COLUMN text TO words")
        said = await aylin.ask("Bot what do you know about gruzilkin?")
        assert re.search(r"went wrong on my side.*\(Request message-[0-9a-f]{6}\)", said)
        assert "reply failed" in [record.message for record in caplog.records]
        await house.rows("ALTER TABLE facts RENAME COLUMN words TO text")
        assert "whistles" in await aylin.ask("Bot what do you know about gruzilkin?")


async def test_a_message_that_cannot_be_stored_is_answered_all_the_same(own_inn: Inn) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    async with house.bot_running():
        await aylin.ask("Bot remember that gruzilkin whistles")
        await house.rows("ALTER TABLE chat_history RENAME TO lost")
        assert await aylin.ask("Bot what do you know about gruzilkin?")
        assert house.state_of("log") is PartState.FAILING
        await house.rows("ALTER TABLE lost RENAME TO chat_history")
        await own_inn.until_stored(await aylin.say("And on it goes."))
        await until(lambda: house.state_of("log") is PartState.ACTIVE)


async def test_a_refused_token_is_one_sentence(own_house: House) -> None:
    with pytest.raises(TokenRefusedError, match="DISCORD_TOKEN was refused"):
        async with own_house.bot_running(token=SecretStr("not.a.token")):
            pass


async def test_without_privileged_intents_it_answers_a_mention_and_every_place_keeps_to_itself(
    own_inn: Inn, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "bot")
    house, aylin = own_inn.house, own_inn.person("aylin")
    house.server.world.facts.privileged_intents = False
    async with house.bot_running():
        assert house.state_of("message content intent") is PartState.FAILING
        assert house.state_of("server members intent") is PartState.FAILING
        assert "developer portal" in house.issues_of("message content intent")
        plain = await aylin.say("Bot remember that gruzilkin hums")
        mention = f"<@{house.bot.id}>"
        assert "whistles" in await aylin.ask(f"{mention} remember that aylin whistles", KITCHEN)
        assert (await own_inn.until_stored(plain))["text"] == ""
        assert "whistles" in await aylin.ask(f"{mention} what do you know about me?", KITCHEN)
        assert "whistles" not in await aylin.ask(f"{mention} what do you know about me?")
        places, guild_id = house.memory.places, own_inn.guild.id
        general, kitchen = own_inn.channel(GENERAL).id, own_inn.channel(KITCHEN).id
        assert places.audience_of(guild_id, general).sources == {general}
        own = places.audience_for(guild_id, general, aylin.user.id, role_ids=[])
        assert own.sources == {general, kitchen}

        # For who asks alone their own roles suffice.
        florent, question = own_inn.person("florent"), f"what do you know about <@{aylin.user.id}>?"
        told = await florent.say(f"{mention} remember that <@{aylin.user.id}> hums", BACK_ROOM)
        await florent.hear_reply(told, BACK_ROOM)
        assert "hums" in words_of(await ask_privately(florent, question))
        assert "hums" not in words_of(await ask_privately(aylin, question))

        said = words_of(await use(own_inn.person("maren"), "innkeeper", "status"))
        assert "The person who runs me can fix it; my log says what's wrong." in said
        issues = " ".join(issue for part in house.health.snapshot().parts for issue in part.issues)
        assert "only from the channel" in issues
        assert "Server Members Intent" in issues
    warnings = [record.getMessage() for record in caplog.records if "Intent is off" in record.getMessage()]
    assert len(warnings) == 2


async def test_discord_away_at_the_start_or_in_between_is_waited_for_and_it_can_stop_meanwhile(own_inn: Inn) -> None:
    house, aylin, stop = own_inn.house, own_inn.person("aylin"), asyncio.Event()
    await house.server.control.go_down()
    with speaking_to(Endpoint.current()):
        running = asyncio.create_task(run_bot(house.options(), house.memory, house.health, SystemClock(), stop))
        await until(lambda: "cannot be reached" in house.issues_of("gateway"))
        for said in ("whistles", "hums"):
            await house.server.control.come_back()
            await until(lambda: house.state_of("gateway") is PartState.ACTIVE)
            assert said in await aylin.ask(f"Bot remember that gruzilkin {said}")
            await house.server.control.go_down()
            await until(lambda: house.state_of("gateway") is PartState.FAILING)
        stop.set()
        await asyncio.wait_for(running, 30)
