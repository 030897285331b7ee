"""Hears everything the bot lets anybody see, at the moment it is sent, and asks the oracle about it at once.

What stands in a place is asked about again when somebody comes there who has not read it yet. It sits where the local
guild tells people of things, so no message and no edit can pass it by, ephemeral ones neither.
"""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from launch.logs import LineFormatter
from local_guild.gateway.sessions import Event
from local_guild.server import LocalGuild
from memory.tasks import RequestIdFilter
from tests.end_to_end.house import PATIENCE_SECONDS
from tests.end_to_end.leaks.canaries import Canaries, Canary, Kind, Oracle

MESSAGES = frozenset(("MESSAGE_CREATE", "MESSAGE_UPDATE"))
REACTION = "MESSAGE_REACTION_ADD"
WORDS = ("content", "embeds", "components", "attachments", "poll", "message_snapshots", "sticker_items")
"""The parts of a message that are the bot's own; the rest the local guild adds, like what was replied to."""
JUMP_LINK = re.compile(r"(?<!ptb\.)discord(?:app)?\.com/channels/(\d+)/(\d+)")
"""A link that the bot makes. Members paste those of `PASTED`, and what they wrote may be repeated with it."""
PASTED = "https://ptb.discord.com/"
CHANNEL_MENTION = re.compile(r"<#(\d+)>")
LOUD = ("bot", "memory", "web", "launch", "ai_clients")


@dataclass(frozen=True)
class Overheard:
    event: str
    place_id: int
    readers: frozenset[int]
    text: str
    message_id: int = 0
    ephemeral: bool = False
    components: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Leak:
    what: str
    which: str
    why: str
    """Why its readers could not read it already."""
    where: Overheard

    def __str__(self) -> str:
        read_by = "one person" if self.where.ephemeral else f"{len(self.where.readers)} people"
        place = f"place {self.where.place_id} ({self.where.event}, read by {read_by})"
        at = max(self.where.text.find(self.which), 0)
        around = " ".join(self.where.text[max(at - 100, 0) : at + 100].split())
        return f"{self.what} {self.which} in {place}: {self.why}: {around}"


@dataclass
class Standing:
    """A message of the bot that holds canaries, as it stands in a place."""

    where: Overheard
    canaries: list[Canary]
    read_by: set[int]
    """Who saw it there while they could read where it comes from; they may have lost that since."""


@dataclass
class Wiretap:
    server: LocalGuild
    oracle: Oracle
    canaries: Canaries
    leaks: list[Leak] = field(default_factory=list)
    found: set[tuple[int, str]] = field(default_factory=set)
    """Which canary was told where: what shows that this test could hear a leak at all."""
    standing: dict[int, Standing] = field(default_factory=dict)
    ephemeral: dict[int, Overheard] = field(default_factory=dict)
    _answers: dict[int, Overheard] = field(default_factory=dict)
    _acknowledged: set[int] = field(default_factory=set)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def attach(self) -> None:
        dispatch = self.server.hub.dispatch

        def tapped(event: Event) -> None:
            self._hear(event)
            dispatch(event)

        self.server.hub.dispatch = tapped  # type: ignore[method-assign] # the wire is tapped where it leaves the guild

    def judge(self, overheard: Overheard, typed: str = "") -> None:
        """Whatever was heard, wherever: note the leaks. What the asker typed is no news to those who can read it."""
        own = {canary.token for canary in self.canaries.within(typed)}
        for canary in self.canaries.within(overheard.text):
            if canary.token in own:
                continue
            objection = self.oracle.objection(canary, overheard.place_id, overheard.readers)
            if objection is None:
                self.found.add((overheard.place_id, canary.token))
            else:
                self.leaks.append(Leak(canary.kind.value, canary.token, objection, overheard))
        for guild_id, channel_id in JUMP_LINK.findall(overheard.text):
            place_id, readers = overheard.place_id, overheard.readers
            objection = self.oracle.objection_to_link(int(guild_id), int(channel_id), place_id, readers)
            if objection is not None:
                self.leaks.append(Leak("a link", str(channel_id), objection, overheard))
        # A manager may be told of the channels they set something for; Discord shows those they cannot see as such.
        for channel_id in () if overheard.ephemeral else CHANNEL_MENTION.findall(overheard.text):
            hidden = overheard.readers - self.oracle.viewers(int(channel_id))
            if hidden and f"<#{channel_id}>" not in typed:
                self.leaks.append(Leak("a channel", channel_id, f"{len(hidden)} do not see it", overheard))

    def judge_for_anybody(self, event: str, text: str) -> None:
        """What whoever reaches the machine may read holds no canary at all, of whatever kind, and not the token."""
        if self.server.world.bot.token in text:
            self.leaks.append(
                Leak("a secret", "the token", "anybody may read it", Overheard(event, 0, frozenset(), ""))
            )
        for canary in self.canaries.within(text):
            where = Overheard(event, 0, frozenset(), text)
            self.leaks.append(Leak(canary.kind.value, canary.token, "anybody may read it", where))

    def exposed(self, rooms: Collection[int] = ()) -> list[Leak]:
        """What stands in a place, one of these if there are any, for somebody who came later and may not read it.

        Where the bot was shut out meanwhile it cannot take anything back."""
        leaks = []
        for one in self.standing.values():
            place = self.server.world.channels.get(one.where.place_id)
            if place is None or (rooms and place.id not in rooms):
                continue
            newcomers = self.oracle.viewers(place.id) - one.read_by
            if not newcomers or not self.oracle.may_speak(place, self.server.world.facts.bot_id):
                continue
            for canary in one.canaries:
                objection = None if canary.gone else self.oracle.objection(canary, place.id, newcomers)
                if objection is not None:
                    leaks.append(Leak(canary.kind.value, canary.token, f"for a newcomer {objection}", one.where))
        return leaks

    async def taken_back(self, rooms: Collection[int] = ()) -> None:
        """Until nothing is exposed any more, which may take the bot a minute; what is then has leaked."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (leaks := self.exposed(rooms)) and time.monotonic() < deadline:  # noqa: ASYNC110 - another program's state
            await asyncio.sleep(0.1)
        self.leaks += leaks

    async def answer_to(self, message_id: int) -> Overheard | None:
        """The reply to a message; None if the bot only put a sign under it, or was shut out of the place meanwhile."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while message_id not in self._answers and message_id not in self._acknowledged:
            world = self.server.world
            places = [place for place in world.channels.values() if message_id in world.log(place.id)]
            if not any(self.oracle.may_speak(place, world.facts.bot_id) for place in places):
                return None
            if time.monotonic() > deadline:
                asked = [world.message(place.id, message_id) for place in places]
                raise AssertionError(f"nobody answered: {asked}")
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), 1)
        return self._answers.get(message_id)

    def _hear(self, event: Event) -> None:
        data: dict[str, Any] = event.data
        bot_id = self.server.world.facts.bot_id
        if event.name == REACTION and int(data["user_id"]) == bot_id:
            self._acknowledged.add(int(data["message_id"]))
            self._news.set()
        if event.name.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
            self._note_readers()
        for message_id in [data.get("id"), *data.get("ids", ())] if event.name.startswith("MESSAGE_DELETE") else ():
            self.standing.pop(int(message_id or 0), None)
        if event.name in MESSAGES and int(data["author"]["id"]) == bot_id:
            self._hear_message(event)

    def _hear_message(self, event: Event) -> None:
        data: dict[str, Any] = event.data
        bot_id = self.server.world.facts.bot_id
        place_id, readers = int(data["channel_id"]), self.oracle.viewers(int(data["channel_id"]))
        overheard = Overheard(
            event=event.name,
            place_id=place_id,
            readers=readers if event.only is None else frozenset(event.only - {bot_id}),
            text="\n".join(line for part in WORDS for line in strings_in(data.get(part))),
            message_id=int(data["id"]),
            ephemeral=event.only is not None,
            components=tuple(data.get("components") or ()),
        )
        answered = int((data.get("message_reference") or {}).get("message_id") or 0)
        question = self.server.world.message(place_id, answered)
        typed = "" if question is None or question.author_id == bot_id else question.content
        self.judge(overheard, typed)
        if overheard.ephemeral:
            self.ephemeral[overheard.message_id] = overheard
        else:
            own = self.canaries.within(typed)
            told = [one for one in self.canaries.within(overheard.text) if one not in own]
            self.standing[overheard.message_id] = Standing(overheard, told, set(readers))
            if answered:
                self._answers.setdefault(answered, overheard)
        self._news.set()

    def _note_readers(self) -> None:
        """Who sees what has just changed: whoever comes and may read what stands there has read it from now on."""
        known: dict[tuple[int, int, int | None, Kind], bool] = {}

        def may_read(person: int, place_id: int, canary: Canary) -> bool:
            key = (person, place_id, canary.source_id, canary.kind)
            if key not in known:
                known[key] = self.oracle.may_hold(canary, place_id, (person,))
            return known[key]

        for one in (one for one in self.standing.values() if one.canaries):
            place_id, told = one.where.place_id, [canary for canary in one.canaries if not canary.gone]
            newcomers = self.oracle.viewers(place_id) - one.read_by
            one.read_by |= {who for who in newcomers if all(may_read(who, place_id, canary) for canary in told)}


def strings_in(value: object) -> Iterator[str]:
    """Every text in a payload, however deep: labels, placeholders, file names, descriptions, links."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_in(inner)


class _Reading(logging.Handler):
    """Whoever reads the log may be anybody."""

    def __init__(self, tap: Wiretap) -> None:
        super().__init__()
        self.addFilter(RequestIdFilter())
        self.setFormatter(LineFormatter(as_json=False))
        self._tap = tap

    def emit(self, record: logging.LogRecord) -> None:
        self._tap.judge_for_anybody("log line", self.format(record))


@contextlib.contextmanager
def log_read_by_anybody(tap: Wiretap) -> Iterator[None]:
    reading, root = _Reading(tap), logging.getLogger()
    before = {name: logging.getLogger(name).level for name in ("", *LOUD)}
    root.addHandler(reading)
    for name in LOUD:
        logging.getLogger(name).setLevel(logging.DEBUG)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(reading)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
