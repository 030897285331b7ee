"""The digest through the front door: a guild that lives through ten days, under a clock that is moved."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from ai_clients.gemini import GeminiApi, GeminiModel
from bot.replies import retract
from local_guild.faults import RestTrouble
from local_guild.state.messages import Message
from memory.daily.values import Digest
from memory.health import PartState
from tests.end_to_end.asking import at_home
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, eventually, open_house, until
from tests.end_to_end.reminding import said_in, text_in
from tests.end_to_end.slash import press, use, words_of
from tests.gemini_server import data_of, gemini_server, rules_of
from tests.memory.summaries.diary_house import Scribe, summarising

TALK = (
    "The sourdough bread is rising in the warm oven",
    "My rye bread needs another hour in the oven",
    "We should bake more bread for the market stall",
)


def march(day: int, hour: int, minute: int = 0) -> datetime:
    """From a Wednesday, the 24th, on. On Sunday the 28th the clocks of Berlin go forward."""
    return datetime(2027, 3, day, hour, minute, tzinfo=UTC)


def dated(inn: Inn) -> list[date]:
    """Of the digests in the kitchen, in their order."""
    dates = [date(2027, 3, day) for day in range(24, 32)] + [date(2027, 4, day) for day in range(1, 6)]
    marks = {Digest(0, day, 0, 0, march(24, 0), 0, 0).mark: day for day in dates}
    return [day for post in posts(inn) for mark, day in marks.items() if mark in text_in(post)]


def posts(inn: Inn) -> list[Message]:
    return sorted(said_in(inn, inn.channel(KITCHEN).id, "📰"), key=lambda one: one.id)


def last_words(inn: Inn) -> str:
    return text_in(posts(inn)[-1])


async def talk(inn: Inn) -> list[int]:
    people = [inn.person(name) for name in ("aylin", "florent", "gruzilkin")]
    said = [await person.say(text) for person, text in zip(people, TALK, strict=True)]
    said.append(await inn.person("florent").say("The surprise for Aylin hides in the cellar", BACK_ROOM))
    for message_id in said:
        await inn.until_stored(message_id)
    return said


async def state_on(inn: Inn, day: date) -> str | None:
    rows = await inn.house.rows("SELECT state FROM digests WHERE guild_id = $1 AND local_date = $2", inn.guild.id, day)
    return rows[0]["state"] if rows else None


async def come(inn: Inn, at: datetime, day: date, state: str) -> None:
    """It is that time now, and what was due for that date comes to that end."""

    async def look() -> str | None:
        inn.house.memory.digests.wake()
        return await state_on(inn, day)

    inn.house.server.clock.set(at)
    await eventually(look, lambda found: found == state)


async def status(inn: Inn) -> str:
    return words_of(await use(inn.person("maren"), "digest", "status"))


async def test_ten_days_of_a_guild(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with gemini_server() as server:
        server.says = Scribe.writes
        model = GeminiModel("gemini-good", GeminiApi(server.options()))
        models = summarising(model)
        async with (
            open_house(tmp_path, database_url, march(23, 12), guilds=1, models=models) as house,
            house.bot_running(),
        ):
            inn = Inn(house, next(house.fresh))
            await at_home(inn)
            maren, aylin = inn.person("maren"), inn.person("aylin")
            kitchen, general = inn.channel(KITCHEN).id, inn.channel(GENERAL).id

            def asked() -> list[Any]:
                return [one for one in server.requests if "diary of a Discord server" in rules_of(one)]

            await maren.say("The house is open")
            house.server.clock.set(march(24, 12))
            await talk(inn)
            assert "no digest here yet" in words_of(await use(maren, "digest", "now"))
            await use(maren, "settings", "time-zone", zone="Europe/Berlin")
            set_up = await use(maren, "digest", "setup", channel=str(kitchen), least=3)
            assert f"• Digest channel: <#{kitchen}>\n• Minimum messages: 3" in words_of(set_up)
            seen = words_of(await use(maren, "digest", "preview"))
            assert ("bread" in seen, "surprise" in seen, asked()) == (True, False, [])

            # Thursday at nine, by a model in one call; newcomers spoke first on that day.
            await come(inn, march(25, 8, 1), date(2027, 3, 25), "posted")
            first = last_words(inn)
            assert "- Aylin wrote that The sourdough bread is rising in the warm oven. [↪](https://" in first
            assert "### Talked about" in first
            assert f"**New here:** <@{aylin.user.id}> [↪](" in first
            assert "surprise" not in first
            assert len(asked()) == 1
            assert "surprise" not in data_of(asked()[0])

            # Friday: nobody spoke. Saturday: Discord lets it be posted six hours later only.
            await come(inn, march(26, 8, 1), date(2027, 3, 26), "quiet")
            assert "too quiet for one" in await status(inn)
            house.server.clock.set(march(26, 12))
            await talk(inn)
            trouble = RestTrouble(kind="error", status=403, path=rf"POST .*/channels/{kitchen}/messages$", seconds=600)
            house.server.faults.trouble_rest(trouble)
            await come(inn, march(27, 8, 1), date(2027, 3, 27), "open")
            house.server.clock.set(march(27, 8, 40))
            house.memory.digests.wake()
            await until(lambda: house.state_of("digest") is PartState.FAILING)
            assert "did not come" in house.issues_of("digest")
            assert "⚠️ It's late" in await status(inn)
            house.server.faults.clear()
            await come(inn, march(27, 14), date(2027, 3, 27), "posted")
            await until(lambda: house.state_of("digest") is PartState.ACTIVE)
            assert len(asked()) == 2, "one call a day, however often it is tried"

            # Sunday: the clocks went forward, so nine is an hour earlier. Monday: it is 12 hours late, and left out.
            await talk(inn)
            await come(inn, march(28, 7, 1), date(2027, 3, 28), "posted")
            await talk(inn)
            house.server.faults.trouble_rest(trouble)
            await come(inn, march(29, 7, 1), date(2027, 3, 29), "open")
            await talk(inn)
            await come(inn, march(29, 19, 5), date(2027, 3, 29), "missed")
            house.server.faults.clear()
            assert "I skipped it" in await status(inn)
            assert house.state_of("digest") is PartState.FAILING

            # The guild moves to Tokyo, and then to New York, where it is the day before: no date comes twice.
            await use(maren, "settings", "time-zone", zone="Asia/Tokyo")
            await come(inn, march(30, 0, 1), date(2027, 3, 30), "posted")
            await use(maren, "settings", "time-zone", zone="America/New_York")
            house.server.clock.set(march(30, 13, 1))
            house.memory.digests.wake()
            last = await talk(inn)
            await come(inn, march(31, 13, 1), date(2027, 3, 31), "posted")

            # What is deleted or edited is out of it within a minute, and it stands where it stood.
            before = posts(inn)[-1]
            await aylin.call("DELETE", f"/channels/{general}/messages/{last[0]}")
            await until(lambda: "sourdough" not in last_words(inn))
            assert posts(inn)[-1].id == before.id
            assert "bread" in last_words(inn)
            florent, gruzilkin = inn.person("florent"), inn.person("gruzilkin")
            await florent.call("PATCH", f"/channels/{general}/messages/{last[1]}", {"content": "Never mind"})
            await gruzilkin.call("DELETE", f"/channels/{general}/messages/{last[2]}")
            await until(lambda: "bread" not in last_words(inn))

            # Today's, earlier than it is due; then nothing more on that day. And then weekly, and off.
            await talk(inn)
            house.server.clock.set(datetime(2027, 4, 1, 10, tzinfo=UTC))
            assert "Posted: https://" in words_of(await use(maren, "digest", "now"))
            assert "already there, or on its way" in words_of(await use(maren, "digest", "now"))
            house.server.clock.set(datetime(2027, 4, 1, 13, 5, tzinfo=UTC))
            house.memory.digests.wake()
            weekly = await use(maren, "digest", "setup", channel=str(kitchen), weekdays="Sat", weekly=True)
            assert "• Weekdays: Sat\n• Weekly: on" in words_of(weekly)
            await talk(inn)
            await come(inn, datetime(2027, 4, 3, 13, 1, tzinfo=UTC), date(2027, 4, 3), "posted")
            assert "The week up to" in last_words(inn)
            assert "16 messages" in last_words(inn)
            assert "no digest" in words_of(await use(maren, "digest", "off"))

            # Whoever is erased is out of all of them. Old ones are edited a few at a time; each stands where it stood.
            monkeypatch.setattr(retract, "OLD_EDITS_SECONDS", 0.1)
            stood = [one.id for one in posts(inn)]
            assert sum("sourdough" in text_in(one) for one in posts(inn)) > retract.MOST_OLD_EDITS
            await press(aylin, await use(aylin, "privacy", "erase"), 0)
            own = ("sourdough", f"<@{aylin.user.id}>")
            await until(lambda: not any(word in text_in(one) for one in posts(inn) for word in own))
            assert [one.id for one in posts(inn)] == stood
            days = [date(2027, 3, day) for day in (25, 27, 28, 30, 31)] + [date(2027, 4, day) for day in (1, 3)]
            assert dated(inn) == days
            assert len(asked()) <= 2 * len(days), "each day once, and once more from the rest"
        await model.close()
