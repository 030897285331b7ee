"""Some weeks of three guilds on both sides of UTC, lived through hour by hour: what it costs, and that nothing is kept.

Clocks change on the way, messages come late, a channel is read back, people edit and delete, the process starts anew.
"""

import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from memory.core.values import AuthorKind, Member, Message
from memory.db.database import Database
from memory.summaries.calendar import day_on, hour_of
from tests.memory.summaries.diary_house import DiaryHouse, rooms
from tests.memory.summaries.diary_house import diary_house as opened
from tests.memory.world import there
from tests.models import BY
from tests.soak import SOAK

ZONES = {2000: "Pacific/Auckland", 3000: "Europe/Berlin", 4000: "America/Los_Angeles"}
START = datetime(2026, 3, 26, 12, tzinfo=UTC)
"""Clocks change in Berlin on the 29th, in Auckland on 5 April."""
DAYS = 30 if SOAK else 12
RESTART_AFTER = 8
BACKFILL_AFTER = 5
HOUR = timedelta(hours=1)

_DAY = re.compile(r'day="([\d-]+)"')
_ANYBODY = re.compile(r'<person id="(\d+)"')

GuildDay = tuple[int, date]


@dataclass
class Season:
    house: DiaryHouse
    dice: random.Random = field(default_factory=lambda: random.Random(7))
    members: dict[int, list[Member]] = field(default_factory=dict)
    said: dict[GuildDay, list[Message]] = field(default_factory=lambda: defaultdict(list))
    calls: dict[GuildDay, list[datetime]] = field(default_factory=lambda: defaultdict(list))
    asked: set[tuple[int, datetime]] = field(default_factory=set)
    """In which hours somebody asked for today."""
    upset: dict[GuildDay, list[datetime]] = field(default_factory=lambda: defaultdict(list))
    """When something changed about a day that was over, or came late to it."""
    gone: set[str] = field(default_factory=set)
    """Words that nobody may find any more."""

    async def begin(self) -> None:
        self.house.clock.move(START - self.house.clock.now())
        for guild_id, zone in ZONES.items():
            people = [Member(guild_id, guild_id + 100 + n, f"guest{guild_id}x{n}") for n in range(20)]
            self.members[guild_id] = people
            await self.house.open_guild(guild_id, zone, people)
        self.house.scribe.server.says = self._writes

    def _writes(self, data: str) -> str:
        day, somebody = _DAY.search(data), _ANYBODY.search(data)
        assert day is not None
        assert somebody is not None
        guild_id = int(somebody[1]) // 1000 * 1000
        self.calls[guild_id, date.fromisoformat(day[1])].append(self.house.clock.now())
        return self.house.scribe.writes(data)

    def here(self, guild_id: int) -> datetime:
        return self.house.clock.now().astimezone(ZoneInfo(ZONES[guild_id]))

    async def say(self, guild_id: int, on: date, at: time) -> Message:
        """Something nobody else ever says; late, if that time has passed."""
        moment = datetime.combine(on, at, ZoneInfo(ZONES[guild_id])).astimezone(UTC)
        author = self.dice.choice(self.members[guild_id])
        word = f"word{self.dice.getrandbits(48):012x}"
        message = await self.house.say(
            author,
            f"The {word} was shown to everybody in the garden",
            rooms(guild_id)[self.dice.randrange(2)],
            at=moment,
        )
        self.said[guild_id, on].append(message)
        natural = there(day_on(ZONES[guild_id], on))
        if self.house.clock.now() >= natural.ends_at:
            self.upset[guild_id, on].append(self.house.clock.now())
        return message

    async def hour(self, guild_id: int, plans: dict[GuildDay, list[int]]) -> None:
        here = self.here(guild_id)
        today = here.date()
        if (guild_id, today) not in plans:
            is_quiet = self.dice.random() < 0.25
            plans[guild_id, today] = [] if is_quiet else [*sorted(self.dice.choices(range(8, 20), k=5)), 22]
        for _ in range(plans[guild_id, today].count(here.hour)):
            await self.say(guild_id, today, time(here.hour, self.dice.randrange(here.minute + 1)))
        if here.hour in (10, 15, 16) and self.dice.random() < 0.4:
            self.asked.add((guild_id, hour_of(ZONES[guild_id], self.house.clock.now())))
            for _ in range(2):
                await self.ask(guild_id, today)
        if here.hour == 12 and here.day % 3 == 0:
            await self.disturb(guild_id, today - timedelta(days=self.dice.randrange(1, 4)))

    async def ask(self, guild_id: int, day: date) -> None:
        memory = self.house.memory
        await memory.day_answers.day(memory.places.audience_of(guild_id, rooms(guild_id)[0]), day, BY)

    async def disturb(self, guild_id: int, on: date) -> None:
        """Somebody edits, deletes, or comes late."""
        said = self.said[guild_id, on]
        what = self.dice.choice(["edit", "delete", "late"])
        if what == "late" or len(said) < 3:
            await self.say(guild_id, on, time(18, 30))
            return
        message = said.pop(self.dice.randrange(len(said)))
        self.gone.add(message.text.split()[1])
        self.upset[guild_id, on].append(self.house.clock.now())
        if what == "delete":
            await self.house.delete(message)
        else:
            await self.house.edit(message, "On second thoughts there was nothing to see in the garden")
            said.append(message)
        assert not await self.found()

    async def found(self) -> set[str]:
        """Of the words that are gone, those that are still told."""
        rows = await self.house.database.read("test", "SELECT text FROM day_entries")
        return {word for word in self.gone for row in rows if word in row["text"]}

    async def restart(self) -> None:
        before = {key: list(calls) for key, calls in self.calls.items()}
        await self.house.stop(self.house.memory)
        self.house.memory = self.house.start()
        for guild_id, people in self.members.items():
            self.house.look(self.house.memory, guild_id, people)
        await self.house.memory.day_answers.nightly.round()
        for guild_id in ZONES:
            for back in range(1, 7):
                await self.ask(guild_id, self.here(guild_id).date() - timedelta(days=back))
        for key, calls in self.calls.items():
            was_due = any(upset >= before[key][-1] for upset in self.upset[key]) if key in before else False
            assert calls == before.get(key) or was_due, "what cost a call is kept"

    async def backfill(self, guild_id: int) -> None:
        """A bot's message, and those of a few people of the last days."""
        today = self.here(guild_id).date()
        for back in (2, 3):
            for _ in range(3):
                await self.say(guild_id, today - timedelta(days=back), time(11, 15))
        bot = self.members[guild_id][0]
        await self.house.say(bot, "beep", rooms(guild_id)[0], kind=AuthorKind.BOT)

    async def live(self) -> None:
        plans: dict[GuildDay, list[int]] = {}
        for hours in range(24 * DAYS):
            for guild_id in ZONES:
                await self.hour(guild_id, plans)
            if hours == 24 * BACKFILL_AFTER:
                await self.backfill(3000)
            await self.house.memory.day_answers.nightly.round()
            if hours == 24 * RESTART_AFTER + 6:  # in no zone soon after midnight
                await self.restart()
            self.house.clock.move(HOUR)


@pytest.mark.soak
async def test_weeks_cost_what_was_promised(database: Database) -> None:
    async with opened(database) as house:
        season = Season(house)
        await season.begin()
        await season.live()
        over = {key for key in season.said if season.said[key] and _is_over(season, key)}
        assert len(over) > 20
        assert {key for key in season.calls if _is_over(season, key)} == over, "quiet days cost nothing"
        nights: Counter[GuildDay] = Counter()
        for (guild_id, day), calls in season.calls.items():
            zone = ZONES[guild_id]
            today = [at for at in calls if at < _ends((guild_id, day))]
            assert len({hour_of(zone, at) for at in today}) == len(today), "at most one an hour"
            assert {(guild_id, hour_of(zone, at)) for at in today} <= season.asked, "and only when asked for"
            later = [at for at in calls if at >= _ends((guild_id, day))]
            for last, again in pairwise(later):
                nights[guild_id, again.astimezone(ZoneInfo(zone)).date()] += 1
                assert any(last <= upset <= again for upset in season.upset[guild_id, day]), "never without a reason"
        for key in over:
            assert any(at >= _ends(key) for at in season.calls[key]), f"{key} was never finished"
        assert nights, "something was mended"
        assert max(nights.values()) == 1, "at most once a night"
        assert sum(len([at for at in calls if at < _ends(key)]) for key, calls in season.calls.items()) > 4
        assert len(season.gone) > 2
        assert await season.found() == set()


def _ends(key: GuildDay) -> datetime:
    return there(day_on(ZONES[key[0]], key[1])).ends_at


def _is_over(season: Season, key: GuildDay) -> bool:
    """Long enough for the night's work to have come by."""
    return _ends(key) + timedelta(hours=4) <= season.house.clock.now()
