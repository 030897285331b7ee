"""What somebody looks for, as they typed it into `/recall`, and what we understand by it."""

from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

import discord

from bot.asked_days import days_meant, shown
from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from bot.readable_places import named
from memory.language.stems import words_of
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.recall.values import Limits

LONGEST_SHOWN = 120


class NotUnderstood(Exception):
    """Its text says to the one who typed it what is wrong."""


@dataclass(frozen=True, slots=True)
class Wanted:
    text: str
    author_id: int | None = None
    place: str | None = None
    before: str | None = None
    after: str | None = None

    @property
    def query(self) -> str:
        """What was looked for, short enough to stand above what was found."""
        return one_line(self.text, LONGEST_SHOWN)


@dataclass(frozen=True, slots=True)
class Understood:
    limits: Limits
    words: str
    """The limits as we understood them, to be read behind the query."""


class Understanding:
    """For one interaction, and for what its asker can read at this moment."""

    def __init__(
        self, memory: MemoryManager, interaction: discord.Interaction, readers: Audience, voice: Voice
    ) -> None:
        self._memory = memory
        self._interaction = interaction
        self._readers = readers
        self._voice = voice

    async def of(self, wanted: Wanted) -> Understood:
        """Raises `NotUnderstood`. Where one cannot read is the same as where nothing is."""
        if not words_of(wanted.text):
            raise NotUnderstood(self._voice.say(Phrase.RECALL_NO_WORDS))
        limits, said = Limits(), []
        if wanted.author_id is not None:
            limits = replace(limits, author_ids=frozenset((wanted.author_id,)))
            said.append(self._voice.say(Phrase.RECALL_FROM, who=f"<@{wanted.author_id}>"))
        if wanted.place is not None:
            places = self._places(wanted.place)
            view = self._memory.seeing.view(self._readers.guild_id)
            threads = (view.with_threads(self._readers, place) for place in places)
            limits = replace(limits, channel_ids=frozenset(places).union(*threads))
            said.append(self._voice.say(Phrase.RECALL_IN, place=" ".join(f"<#{place}>" for place in places)))
        if wanted.before is not None or wanted.after is not None:
            after, before = await self._days(wanted)
            limits = replace(limits, after=after and after[0], before=before and before[0])
            said += [] if after is None else [self._voice.say(Phrase.RECALL_AFTER, day=after[1])]
            said += [] if before is None else [self._voice.say(Phrase.RECALL_BEFORE, day=before[1])]
        return Understood(limits, "".join(f" · {one}" for one in said))

    def _places(self, typed: str) -> list[int]:
        guild = self._interaction.guild
        meant = sorted(named(guild, self._readers, typed)) if guild is not None else []
        if not meant:
            raise NotUnderstood(self._voice.say(Phrase.RECALL_NO_PLACE))
        return meant

    async def _days(self, wanted: Wanted) -> tuple[tuple[datetime, str] | None, tuple[datetime, str] | None]:
        """The moments with which these days begin in the guild's zone, and the days themselves."""
        zone = ZoneInfo((await self._memory.settings(self._readers.guild_id)).time_zone)
        after, before = (self._day(typed, zone) for typed in (wanted.after, wanted.before))
        if after is not None and before is not None and before <= after:
            raise NotUnderstood(self._voice.say(Phrase.RECALL_NO_TIME, before=before[1], after=after[1]))
        return after, before

    def _day(self, typed: str | None, zone: ZoneInfo) -> tuple[datetime, str] | None:
        if typed is None:
            return None
        days = days_meant(typed, self._interaction.created_at, zone, self._voice.language)
        if days is None:
            raise NotUnderstood(self._voice.say(Phrase.RECALL_NO_DAY, typed=one_line(typed, LONGEST_SHOWN)))
        return days.start, shown(days.start, zone)
