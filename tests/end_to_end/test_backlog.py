"""What is said to the bot while it is away is carried out or answered when it is back: once, in order, if recent."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.history.catch_up import CLOCKS_DIFFER
from local_guild.actions.posting import Draft, Revision
from local_guild.faults import RestTrouble
from local_guild.gateway.sessions import StartRules
from memory.log.reading import MessageStore
from tests.end_to_end.absence import running_again, until_live
from tests.end_to_end.asking import at_home, opt_out, public_words
from tests.end_to_end.choosing import texts_of
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, eventually, until
from tests.end_to_end.taken_back import let_the_bot_see
from tests.end_to_end.test_being_addressed import sign_on, speak_only_in
from tests.end_to_end.test_reminders_once import two_bots

AWAY = "I was away for a moment.\n"


async def be_away(inn: Inn, **options: object) -> None:
    """It was there, has read everything, and is gone."""
    async with inn.house.bot_running(**options):
        await until_live(inn)


def say(inn: Inn, text: str, ago: timedelta, who: str = "aylin", channel: str = GENERAL) -> int:
    at = inn.house.server.clock.now() - ago
    author = inn.person(who).user.id
    sent = inn.house.server.posting.send(Draft(channel=inn.channel(channel), author_id=author, content=text, at=at))
    return sent.id


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


async def until_seen_to(inn: Inn) -> None:
    """Nothing that was said to it waits any longer."""

    async def waiting() -> int:
        (row,) = await inn.house.rows(
            "SELECT count(*) FILTER (WHERE unanswered) AS waiting, count(*) AS said FROM addressed WHERE guild_id = $1",
            inn.guild.id,
        )
        return int(row["waiting"]) if row["said"] else -1

    await eventually(waiting, lambda count: count == 0)


async def replies(inn: Inn, message_id: int, channel: str = GENERAL) -> list[str]:
    found = await inn.person("maren").replies_to(message_id, inn.channel(channel).id)
    return [str(reply["content"]) for reply in found]


async def conversation(inn: Inn) -> str:
    """All that a later prompt could quote as said among people."""
    audience = inn.house.memory.places.audience_of(inn.guild.id, inn.channel(GENERAL).id)
    recent = MessageStore(inn.house.memory._database).recent_conversation(audience, 100)
    return "\n".join(said.text for said in await recent)


async def test_after_a_restart_the_recent_is_done_and_the_old_gets_a_sign(own_inn: Inn) -> None:
    house, maren = own_inn.house, own_inn.person("maren")
    await be_away(own_inn)
    forgotten = say(own_inn, "Bot remember that gruzilkin yodels", timedelta(days=2))
    missed = say(own_inn, "Bot remember that gruzilkin snores", timedelta(hours=3))
    stale = say(own_inn, "Bot, where does the kettle stand?", timedelta(hours=2))
    say(own_inn, "The kettle stands on the stove.", minutes(50))
    told = say(own_inn, "Bot merk dir, dass gruzilkin summt", minutes(40), "florent")
    asked = say(own_inn, f"<@{house.bot.id}> what do you know about gruzilkin?", minutes(5))
    about_kettle = say(own_inn, "Bot, where does the kettle stand?", minutes(4))
    async with running_again(house):
        (confirmed,) = await eventually(lambda: replies(own_inn, told))
        (known,) = await eventually(lambda: replies(own_inn, asked))
        (answer,) = await eventually(lambda: replies(own_inn, about_kettle))
        assert confirmed.startswith("Ich war kurz weg.\n")
        assert "summt" in confirmed
        assert known.startswith(AWAY)
        assert "summt" in known
        assert answer.startswith(AWAY)
        assert "stove" in answer
        await until_seen_to(own_inn)
        assert await sign_on(maren, missed) == await sign_on(maren, stale) == ["💤"]
        assert await sign_on(maren, forgotten) == await sign_on(maren, told) == []
        assert not [*await replies(own_inn, missed), *await replies(own_inn, stale), *await replies(own_inn, forgotten)]
        assert len(await texts_of(own_inn)) == 1
        assert await conversation(own_inn) == "The kettle stands on the stove."
        # Live again, it is answered as ever.
        assert "away" not in await maren.ask("Bot what do you know about gruzilkin?")
    before = await public_words(own_inn)
    async with running_again(house):
        await until_live(own_inn)
        await own_inn.until_stored(say(own_inn, "Good night.", minutes(0)))
    assert await public_words(own_inn) == before


async def test_what_holds_when_it_is_back_counts(own_inn: Inn) -> None:
    house, maren, server = own_inn.house, own_inn.person("maren"), own_inn.house.server
    await be_away(own_inn)
    await speak_only_in(own_inn, GENERAL)
    edited = say(own_inn, "Bot remember that gruzilkin sings", minutes(20))
    taken_back = say(own_inn, "Bot remember that gruzilkin limps", minutes(19))
    deleted = say(own_inn, "Bot remember that gruzilkin stutters", minutes(18))
    left = say(own_inn, "Bot remember that gruzilkin cheats", minutes(17), "florent")
    silent = say(own_inn, "Bot remember that gruzilkin paints", minutes(16), channel=KITCHEN)
    silent_old = say(own_inn, "Bot remember that gruzilkin paints", timedelta(hours=5), channel=KITCHEN)
    for message_id, words in ((edited, "Bot remember that gruzilkin whistles"), (taken_back, "Never mind.")):
        message = server.world.message(own_inn.channel(GENERAL).id, message_id)
        assert message is not None
        server.posting.edit(message, Revision(content=words))
    doomed = server.world.message(own_inn.channel(GENERAL).id, deleted)
    assert doomed is not None
    server.posting.delete(doomed)
    server.membership.leave(own_inn.guild, server.world.members(own_inn.guild.id)[own_inn.person("florent").user.id])
    async with running_again(house):
        (confirmed,) = await eventually(lambda: replies(own_inn, edited))
        assert "whistles" in confirmed
        await eventually(lambda: sign_on(maren, silent, KITCHEN), lambda signs: signs == ["✅"])
        await until_seen_to(own_inn)
        assert sorted(await texts_of(own_inn)) == sorted(
            f"<@{own_inn.person('gruzilkin').user.id}> {does}" for does in ("whistles", "paints")
        )
        assert not [*await replies(own_inn, taken_back), *await replies(own_inn, left)]
        assert await sign_on(maren, silent_old, KITCHEN) == await sign_on(maren, left) == []
        assert not await replies(own_inn, silent, KITCHEN)


async def test_after_a_lost_session_it_answers_once(own_inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    house, aylin, control = own_inn.house, own_inn.person("aylin"), own_inn.house.server.control
    async with house.bot_running():
        await at_home(own_inn)
        await opt_out(own_inn.person("florent"))
        confirmed = await aylin.hear_reply(await aylin.say("Bot remember that gruzilkin whistles"))
        await until_live(own_inn)
        # From now on the API leaves `referenced_message` out.
        monkeypatch.setattr("local_guild.payloads.REPLY_TYPES", frozenset())
        await control.refuse_resumes(1)
        await control.limit_starts(StartRules(total=0, reset_seconds=1.0))  # it is away until all has been said
        await control.drop_sockets(user_id=house.bot.id)
        await until(lambda: not any(session.link for session in house.server.sessions.of_user(house.bot.id)))
        house.server.sessions.end_where(lambda session: session.reader.user_id == house.bot.id)
        told = await aylin.say("Bot remember that gruzilkin hums")
        asked = await aylin.say("Что ты знаешь о gruzilkin?", reply_to=int(confirmed["id"]))
        not_kept = await own_inn.person("florent").say("Bot que sais-tu de gruzilkin ?")
        await control.limit_starts(StartRules())
        (known,) = await eventually(lambda: replies(own_inn, asked))
        assert known.startswith("Меня какое-то время не было.\n")
        assert "hums" in known
        (told_to_florent,) = await eventually(lambda: replies(own_inn, not_kept))
        assert told_to_florent.startswith("Je me suis absenté un instant.\n")
        await until_seen_to(own_inn)
        assert await own_inn.stored(not_kept) is None
        assert len(await replies(own_inn, told)) == len(await replies(own_inn, asked)) == 1
        assert len(await texts_of(own_inn)) == 2


async def test_the_past_of_a_new_guild_is_read_and_nothing_done(own_inn: Inn) -> None:
    house, maren = own_inn.house, own_inn.person("maren")
    told = say(own_inn, "Bot remember that gruzilkin hums", minutes(3))
    asked = say(own_inn, f"<@{house.bot.id}> what do you know about gruzilkin?", minutes(2))
    async with house.bot_running():
        await until_live(own_inn)
        await until_seen_to(own_inn)
        # Nor is what was said out of its sight, long after it came: nobody was away.
        let_the_bot_see(own_inn, KITCHEN, yes=False)
        out_of_sight = say(own_inn, "Bot remember that gruzilkin snores", -2 * CLOCKS_DIFFER, channel=KITCHEN)
        let_the_bot_see(own_inn, KITCHEN, yes=True)
        await own_inn.until_stored(out_of_sight)
        assert not await own_inn.house.rows("SELECT 1 FROM addressed WHERE unanswered")
        assert not await replies(own_inn, told)
        assert not await replies(own_inn, asked)
        assert await sign_on(maren, told) == await sign_on(maren, asked) == []
        assert await conversation(own_inn) == ""
    assert not await texts_of(own_inn)


async def test_what_was_answered_before_it_ended_is_not_answered_again(own_inn: Inn) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    async with house.bot_running():
        told = await aylin.say("Bot remember that gruzilkin hums")
        await aylin.hear_reply(told)
        asked = await aylin.say("Bot what do you know about gruzilkin?")
        await aylin.hear_reply(asked)
        await until_seen_to(own_inn)
        await until_live(own_inn)
    # So it stands when it is killed right after the replies were sent.
    await house.rows("UPDATE addressed SET unanswered = true")
    await house.rows("UPDATE receipts SET message_ids = '{}'")
    async with running_again(house):
        await until_seen_to(own_inn)
        for message_id in (told, asked):
            (reply_once,) = await replies(own_inn, message_id)
            assert not reply_once.startswith(AWAY)
        assert len(await texts_of(own_inn)) == 1


async def test_killed_between_doing_and_saying_so_it_says_so_once(own_inn: Inn, tmp_path: Path) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")
    await be_away(own_inn)
    post = f"POST .*/channels/{own_inn.channel(GENERAL).id}/messages$"
    await house.server.control.trouble_rest(RestTrouble(kind="hang", path=post, seconds=600, hang_seconds=600))
    async with two_bots(house, tmp_path) as (first, second):
        await first.start(0)
        await until(lambda: house.server.sessions.of_user(house.bot.id))
        told = say(own_inn, "Bot remember that gruzilkin hums", minutes(0))
        await eventually(lambda: texts_of(own_inn))
        await first.kill()
        await house.server.control.clear_faults()
        await second.start(0)
        (confirmed,) = await eventually(lambda: replies(own_inn, told))
        assert confirmed.startswith(AWAY)
        assert "hums" in confirmed
        assert "already" not in confirmed
        await until_seen_to(own_inn)
        assert await aylin.ask("Bot what do you know about gruzilkin?")
    assert len(await texts_of(own_inn)) == 1
    assert len(await replies(own_inn, told)) == 1


async def test_a_command_whose_reply_was_refused_is_not_carried_out_again(own_inn: Inn) -> None:
    house, aylin = own_inn.house, own_inn.person("aylin")

    async def refused(command: str) -> int:
        before = house.health.part("replies").snapshot().counts.get("not taken", 0)
        said = say(own_inn, command, minutes(0))
        await until(lambda: house.health.part("replies").snapshot().counts.get("not taken", 0) > before)
        return said

    async def reminders() -> list[str]:
        rows = await house.rows("SELECT state FROM reminders WHERE guild_id = $1", own_inn.guild.id)
        return [row["state"] for row in rows]

    async with house.bot_running():
        await until_live(own_inn)
        await aylin.ask("Bot remember that gruzilkin whistles", KITCHEN)
        path = f"POST .*/channels/{own_inn.channel(GENERAL).id}/messages$"
        await house.server.control.trouble_rest(RestTrouble(kind="error", status=503, path=path, seconds=600))
        told = await refused("Bot remember that gruzilkin hums")
        forgotten = await refused("Bot forget that gruzilkin whistles")
        kept = await refused("Bot remember that gruzilkin paints")
        reminded = await refused("Bot remind me tomorrow at 9 to water the plants")
        await aylin.ask("Bot forget that gruzilkin hums", KITCHEN)
        await aylin.ask("Bot remember that gruzilkin whistles", KITCHEN)
        before = sorted(await texts_of(own_inn))
        assert len(before) == 2
    await house.server.control.clear_faults()
    async with running_again(house):
        await until_seen_to(own_inn)
        assert sorted(await texts_of(own_inn)) == before
        assert await reminders() == ["open"]
        assert await replies(own_inn, told) == await replies(own_inn, forgotten) == []
        for message_id in (kept, reminded):
            (owed,) = await replies(own_inn, message_id)
            assert owed.startswith(AWAY)
