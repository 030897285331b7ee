"""Plays a week of chat among a guild's own members, dated over the seven days up to today.

It ends with what the bot makes of it, if it is there: a digest for all, and a catch-up for whoever wanted the week.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from functools import cache
from itertools import cycle
from pathlib import Path

from local_guild.actions.interactions import CHAT_INPUT, ApplicationCommands, Interactions, Kind, Resolved
from local_guild.actions.posting import REPLY, Draft, Posting
from local_guild.actions.realm import Realm, reference_to
from local_guild.state.ids import JsonObject
from local_guild.state.messages import Message
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Guild, Record

# Reads the script of the sample week: who says what in which room at what time, and what happens to it.
#
# The format is described at the head of sample_week.txt.


SCRIPT = Path(__file__).with_name("sample_week.txt")

_SPEECH = re.compile(r"^(\d\d):(\d\d) (\w+)((?: [*^]\w+)*): (.+)$")
# Lines of the same minute follow one another at this distance.
_BREATH = timedelta(seconds=11)


@dataclass(frozen=True, slots=True)
class Line:
    days_ago: int
    room: str
    at: timedelta
    part: str
    text: str
    mark: str | None = None
    answers: str | None = None
    acts: tuple[tuple[str, str], ...] = ()
    """What happens to it, by a verb and the rest of its line."""


def read_script(text: str) -> list[Line]:
    """Read all lines in the order in which they were said."""
    lines: list[Line] = []
    days_ago, room = 0, ""
    for raw in text.splitlines():
        words = raw.split()
        if not words or raw.startswith("#"):
            continue
        if raw.startswith("  "):
            verb, _, rest = raw.strip().partition(" ")
            lines[-1] = replace(lines[-1], acts=(*lines[-1].acts, (verb, rest)))
        elif words[0] == "day" and len(words) == 2:
            days_ago = int(words[1])
        elif words[0] == "in" and len(words) == 2:
            room = words[1]
        else:
            lines.append(_line(raw, days_ago, room))
    return _spaced(lines)


def _line(raw: str, days_ago: int, room: str) -> Line:
    found = _SPEECH.match(raw)
    if found is None:
        raise ValueError(f"a line of the sample week cannot be read: {raw!r}")
    hour, minute, part, marks, text = found.groups()
    signs = {mark[0]: mark[1:] for mark in marks.split()}
    at = time(int(hour), int(minute))
    since_midnight = timedelta(hours=at.hour, minutes=at.minute)
    return Line(days_ago, room, since_midnight, part, text, signs.get("*"), signs.get("^"))


def _spaced(lines: list[Line]) -> list[Line]:
    """Order lines by time, with seconds between those of one minute."""
    ordered = sorted(lines, key=lambda line: (-line.days_ago, line.at))
    spaced: list[Line] = []
    for line in ordered:
        before = spaced[-1] if spaced else None
        if before is not None and before.days_ago == line.days_ago and before.at >= line.at:
            line = replace(line, at=before.at + _BREATH)
        spaced.append(line)
    return spaced


# Where the sample week is played, and by whom: a guild's own rooms and people, whatever it has of them.


PARTS = ("maren", "tom", "aylin", "jonas")
FIRST, SECOND, PRIVATE = "first", "second", "private"
SPEAK = Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES


class NoStageError(Exception):
    """The guild lacks what a conversation needs: two people and a room."""


@dataclass(frozen=True, slots=True)
class Room:
    """Holds a channel and who speaks each part in it: the person cast, or a stand-in who may be there."""

    channel: Channel
    speakers: dict[str, int]


@dataclass(frozen=True, slots=True)
class Stage:
    guild: Guild
    cast: dict[str, int]
    rooms: dict[str, Room]

    @classmethod
    def set_in(cls, realm: Realm, guild: Guild) -> Stage:
        """Find for each room the first channel that would do, with a stand-in for whoever may not be there."""
        people = _people(realm, guild)
        cast = dict(zip(PARTS, cycle(people), strict=False))
        texts = [one for one in realm.world.channels_of(guild.id) if one.type == ChannelType.TEXT and not one.nsfw]
        texts.sort(key=lambda channel: (channel.position, channel.id))
        private = [channel for channel in texts if realm.access.is_private(channel)]
        public = [channel for channel in texts if channel not in private]
        rooms: dict[str, Room] = {}
        for name, channels in {FIRST: public, SECOND: [*public[1:], *public[:1]], PRIVATE: private}.items():
            for channel in channels:
                present = [one for one in people if realm.access.in_channel(channel, one) & SPEAK == SPEAK]
                if len(present) >= 2 and name not in rooms:
                    stand_ins = cycle([one for one in present if one not in cast.values()] or present)
                    speakers = {part: one if one in present else next(stand_ins) for part, one in cast.items()}
                    rooms[name] = Room(channel, speakers)
        if FIRST not in rooms:
            raise NoStageError
        return cls(guild, cast, rooms)


def _people(realm: Realm, guild: Guild) -> list[int]:
    """List people, no bots; the owner first, the others by the time they joined."""
    members = [m for m in realm.world.members(guild.id).values() if not realm.world.users[m.user_id].bot]
    members.sort(key=lambda member: (member.user_id != guild.owner_id, member.joined_at, member.user_id))
    return [member.user_id for member in members]


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Long enough to watch the rooms fill, short enough to be over in a few seconds.
PAUSE_SECONDS = 0.012
ANSWER_SECONDS = 15.0
SUBCOMMAND, TEXT_OPTION, CHANNEL_OPTION = 1, 3, 7
# Today's lines end this long before now.
JUST_NOW = timedelta(seconds=30)

_PLACEHOLDER = re.compile(r"@\{(?P<mention>\w+)\}|\{day(?P<day>\d)\}|\{(?P<name>\w+)\}")


class AlreadyPlayedError(Exception):
    pass


@cache
def _script() -> list[Line]:
    return read_script(SCRIPT.read_text("utf-8"))


class SampleWeek:
    def __init__(
        self,
        realm: Realm,
        posting: Posting,
        commands: ApplicationCommands,
        interactions: Interactions,
    ) -> None:
        self._realm = realm
        self._posting = posting
        self._commands = commands
        self._interactions = interactions
        self.pause_seconds = PAUSE_SECONDS

    def is_played(self, guild: Guild) -> bool:
        """Say whether somebody had the week played there, even if the process ended before it did."""
        return f"sample-week:{guild.id}" in self._realm.world.records

    async def play(self, guild: Guild, viewer_id: int | None = None) -> int:
        """Play the week once, for one of its members to see; return the number of messages sent."""
        script = await asyncio.to_thread(_script)
        if self.is_played(guild):
            raise AlreadyPlayedError
        stage = Stage.set_in(self._realm, guild)
        self._realm.world.keep(Record(f"sample-week:{guild.id}", {}))
        sent, now = 0, self._realm.clock.now()
        marked: dict[str, Message] = {}
        today = max((line.at for line in script if line.days_ago == 0), default=timedelta())
        for line in script:
            if line.room in stage.rooms:
                self._speak(line, stage, moment_of(line, now, today), marked)
                sent += 1
            await asyncio.sleep(self.pause_seconds)
        await self._end(stage, viewer_id)
        return sent

    async def _end(self, stage: Stage, viewer_id: int | None) -> None:
        owner_id, hall = stage.guild.owner_id, stage.rooms[FIRST].channel
        place: JsonObject = {"type": CHANNEL_OPTION, "name": "channel", "value": str(hall.id)}
        since: JsonObject = {"type": TEXT_OPTION, "name": "since", "value": "7 days"}
        set_up: JsonObject = {"type": SUBCOMMAND, "name": "setup", "options": [place]}
        now: JsonObject = {"type": SUBCOMMAND, "name": "now", "options": []}
        is_there = await self._use(owner_id, hall, "digest", set_up) and await self._use(owner_id, hall, "digest", now)
        if is_there and viewer_id is not None:
            await self._use(viewer_id, hall, "catchup", since)

    async def _use(self, user_id: int, channel: Channel, name: str, option: JsonObject) -> bool:
        """Use a command of the bot; say whether it has such a one and answered it."""
        guild = self._realm.world.guilds[channel.guild_id or 0]
        command = self._commands.find(CHAT_INPUT, name)
        if command is None or self._realm.world.member(guild.id, user_id) is None:
            return False
        resolved = Resolved(self._realm, channel, user_id)
        resolved.channel(channel.id)
        data: JsonObject = {"id": command["id"], "name": name, "type": CHAT_INPUT, "options": [option]}
        data |= resolved.part()
        called = f"{name} {option['name']}" if option["type"] == SUBCOMMAND else name
        interaction = self._interactions.begun(user_id, channel, Kind.COMMAND, data, called)
        self._interactions.open(interaction)
        with suppress(TimeoutError):
            await asyncio.wait_for(interaction.settled.wait(), ANSWER_SECONDS)
        return not interaction.failed

    def _speak(self, line: Line, stage: Stage, at: datetime, marked: dict[str, Message]) -> None:
        room = stage.rooms[line.room]
        draft = Draft(
            channel=room.channel,
            author_id=room.speakers[line.part],
            content=self._worded(line.text, stage),
            at=at,
        )
        answered = marked.get(line.answers or "")
        if answered is not None:
            draft.type, draft.replied_user_id = REPLY, answered.author_id
            draft.reference = reference_to(room.channel, answered.id)
        message = self._posting.send(draft)
        if line.mark is not None:
            marked[line.mark] = message
        self._act(line, stage, message)

    def _act(self, line: Line, stage: Stage, message: Message) -> None:
        for verb, rest in line.acts:
            match verb:
                case "react":
                    emoji, *parts = rest.split()
                    for part in parts:
                        self._posting.react(message, emoji, stage.rooms[line.room].speakers[part])
                case "edit":
                    minutes, _, text = rest.partition(" ")
                    message.content = self._worded(text, stage)
                    edited_at = message.created_at + timedelta(minutes=int(minutes))
                    message.edited_at = min(edited_at, self._realm.clock.now())
                    self._posting.announce_change(message)
                case "unfurl":
                    url, title, description = (part.strip() for part in rest.split("|"))
                    embed: JsonObject = {"type": "link", "url": url, "title": title, "description": description}
                    self._posting.unfurl(message, [embed])
                case "delete":
                    self._posting.delete(message)
                case _:
                    raise ValueError(f"a line of the sample week cannot be read: {verb!r}")

    def _worded(self, text: str, stage: Stage) -> str:
        def word(found: re.Match[str]) -> str:
            if found["day"] is not None:
                return WEEKDAYS[(self._realm.clock.now() - timedelta(days=int(found["day"]))).weekday()]
            if found["mention"] is not None:
                return f"<@{stage.cast[found['mention']]}>"
            return self._name(stage.guild, stage.cast[found["name"]])

        return _PLACEHOLDER.sub(word, text)

    def _name(self, guild: Guild, user_id: int) -> str:
        user = self._realm.world.users[user_id]
        member = self._realm.world.member(guild.id, user_id)
        return (member.nick if member is not None else None) or user.global_name or user.name


def moment_of(line: Line, now: datetime, today: timedelta) -> datetime:
    """Say when a line was said. Early in the day, today's lines move together so that none is in the future."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if line.days_ago:
        return midnight - timedelta(days=line.days_ago) + line.at
    elapsed = max(now - midnight - JUST_NOW, timedelta())
    return midnight + (line.at if today <= elapsed else line.at * (elapsed / today))
