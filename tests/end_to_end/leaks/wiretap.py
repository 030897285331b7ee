"""Hears everything the bot lets anybody see, at the moment it is sent, and asks the oracle about it at once.

What stands in a place is asked about again when somebody comes there who has not read it yet.

It sits where the local guild tells people of things, so nothing that reaches a person can pass it by: messages and
their edits, ephemeral ones too, choices, modals.
"""

import asyncio
import contextlib
import re
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from local_guild.gateway.events import Event
from local_guild.server import LocalGuild
from local_guild.state.ids import snowflake_at
from tests.end_to_end.house import PATIENCE_SECONDS
from tests.end_to_end.leaks.canaries import Canaries, Canary, Kind
from tests.end_to_end.leaks.oracle import Oracle

MESSAGES = frozenset(("MESSAGE_CREATE", "MESSAGE_UPDATE"))
FOR_ONE = frozenset(("APPLICATION_COMMAND_AUTOCOMPLETE_RESPONSE", "INTERACTION_MODAL_CREATE"))
REACTION = "MESSAGE_REACTION_ADD"
WORDS = ("content", "embeds", "components", "attachments", "poll", "message_snapshots", "sticker_items")
"""The parts of a message that are the bot's own; the rest the local guild adds, like what was replied to."""
JUMP_LINK = re.compile(r"discord(?:app)?\.com/channels/(\d+)/(\d+)")

CHANNEL_MENTION = re.compile(r"<#(\d+)>")


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
        return f"{self.what} {self.which} in {place}: {self.why}: {_around(self.which, self.where.text)}"


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
    heard: int = 0
    found: set[tuple[int, str]] = field(default_factory=set)
    """Which canary was told where: what shows that this test could hear a leak at all."""
    standing: dict[int, Standing] = field(default_factory=dict)
    _answers: dict[int, Overheard] = field(default_factory=dict)
    _ephemeral: dict[int, Overheard] = field(default_factory=dict)
    _acknowledged: set[int] = field(default_factory=set)
    _withdrawn: dict[int, int] = field(default_factory=dict)
    """Members who had themselves erased or opted out, and up to which message."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def attach(self) -> None:
        hub = self.server.hub
        dispatch, tell_user = hub.dispatch, hub.tell_user

        def tapped(event: Event) -> None:
            self._public(event)
            dispatch(event)

        def tapped_for_one(user_id: int, event: Event) -> None:
            if event.name in FOR_ONE:
                self._for_one(user_id, event)
            tell_user(user_id, event)

        hub.dispatch = tapped  # type: ignore[method-assign] # the wire is tapped where it leaves the guild
        hub.tell_user = tapped_for_one  # type: ignore[method-assign] # the same

    def judge(self, overheard: Overheard, typed: str = "") -> None:
        """Whatever was heard, wherever: note the leaks. What the asker typed is no news to those who can read it."""
        self.heard += 1
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
        """The reply to a message; None if the bot only put a sign under it, or was shut out of the place meanwhile, or
        if whoever asked has withdrawn it: nothing more is said to a question that was erased while it was answered."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while message_id not in self._answers and message_id not in self._acknowledged:
            if not self._can_be_answered(message_id):
                return None
            if time.monotonic() > deadline:
                raise AssertionError(f"nobody answered: {self._question(message_id)}")
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), 1)
        return self._answers.get(message_id)

    @contextlib.contextmanager
    def withdrawing(self, user_id: int) -> Iterator[None]:
        """While a member takes back all that they said so far."""
        self._withdrawn[user_id] = sys.maxsize
        try:
            yield
        finally:
            self._withdrawn[user_id] = snowflake_at(self.server.clock.now())
            self._news.set()

    def _can_be_answered(self, message_id: int) -> bool:
        world = self.server.world
        places = [place for place in world.channels.values() if message_id in world.log(place.id)]
        askers = {message.author_id for place in places if (message := world.log(place.id).get(message_id)) is not None}
        if any(message_id <= self._withdrawn.get(asker, 0) for asker in askers):
            return False
        return any(self.oracle.may_speak(place, world.facts.bot_id) for place in places)

    def _question(self, message_id: int) -> str:
        world = self.server.world
        found = ((place, world.log(place.id).get(message_id)) for place in list(world.channels.values()))
        place, message = next((place, message) for place, message in found if message is not None)
        return f"{world.users[message.author_id].name} in {place.name} ({place.type}), {message.content!r}"

    def ephemeral(self, message_id: int) -> Overheard | None:
        """What an ephemeral message says now."""
        return self._ephemeral.get(message_id)

    def _public(self, event: Event) -> None:
        data: dict[str, Any] = event.data
        bot_id = self.server.world.facts.bot_id
        if event.name == REACTION and int(data["user_id"]) == bot_id:
            self._acknowledged.add(int(data["message_id"]))
            self._news.set()
        if event.name.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
            self._note_readers()
        for message_id in [data.get("id"), *data.get("ids", ())] if event.name.startswith("MESSAGE_DELETE") else ():
            self.standing.pop(int(message_id or 0), None)
        if event.name not in MESSAGES or int(data["author"]["id"]) != bot_id:
            return
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
        if event.only is None:
            own = self.canaries.within(typed)
            told = [one for one in self.canaries.within(overheard.text) if one not in own]
            self.standing[overheard.message_id] = Standing(overheard, told, set(readers))
        if event.only is not None:
            self._ephemeral[overheard.message_id] = overheard
        elif answered:
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

    def _for_one(self, user_id: int, event: Event) -> None:
        data: dict[str, Any] = event.data
        place_id = int(data.get("channel_id") or 0) or self._somewhere_of(event.guild_id)
        text = "\n".join(strings_in(data))
        self.judge(Overheard(event.name, place_id, frozenset((user_id,)), text, ephemeral=True))

    def _somewhere_of(self, guild_id: int | None) -> int:
        """Choices say only which guild they were asked for in. One reader reads the same anywhere in it, but for what
        asks for an age; whoever has choices offered knows the place, and judges that."""
        places = self.server.world.channels_of(guild_id or 0)
        return max(places, key=lambda place: (self.oracle.asks_for_age(place), -place.id)).id


def _around(which: str, text: str) -> str:
    at = max(text.find(which), 0)
    return " ".join(text[max(at - 100, 0) : at + 100].split())


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
