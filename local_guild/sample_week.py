"""Plays a week of chat among a guild's own members, dated over the seven days up to today."""

import asyncio
import re
from datetime import datetime, timedelta

from pydantic import BaseModel, Field

from local_guild.message_log import Message
from local_guild.posting import REPLY, Draft, Posting
from local_guild.reacting import Reacting
from local_guild.realm import Realm
from local_guild.sample_week_script import SCRIPT, Deletion, Edit, Line, Reactions, Unfurl, read_script
from local_guild.sample_week_stage import Stage
from local_guild.world import Guild, Record

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Long enough to watch the rooms fill, short enough to be over in a few seconds.
PAUSE_SECONDS = 0.012
# Today's lines end this long before now.
JUST_NOW = timedelta(seconds=30)

_PLACEHOLDER = re.compile(r"@\{(?P<mention>\w+)\}|\{day(?P<day>\d)\}|\{(?P<name>\w+)\}")


class AlreadyPlayedError(Exception):
    pass


class Progress(BaseModel):
    """How far the week was played, so that an interrupted one goes on instead of starting over."""

    lines: int = 0
    marks: dict[str, tuple[int, int]] = Field(default_factory=dict)


class SampleWeek:
    def __init__(self, realm: Realm, posting: Posting, reacting: Reacting) -> None:
        self._realm = realm
        self._posting = posting
        self._reacting = reacting
        self.pause_seconds = PAUSE_SECONDS
        self._playing: set[int] = set()

    async def play(self, guild: Guild) -> int:
        """Play what was not played before; the number of messages sent."""
        script = read_script(await asyncio.to_thread(SCRIPT.read_text, "utf-8"))
        key = f"sample-week:{guild.id}"
        progress = self._progress(key)
        if guild.id in self._playing or progress.lines >= len(script):
            raise AlreadyPlayedError
        stage = Stage.set_in(self._realm, guild)
        self._playing.add(guild.id)
        try:
            return await self._play(script, stage, key, progress)
        finally:
            self._playing.discard(guild.id)

    async def _play(self, script: list[Line], stage: Stage, key: str, progress: Progress) -> int:
        sent, now = 0, self._realm.clock.now()
        today = max((line.at for line in script if line.days_ago == 0), default=timedelta())
        for line in script[progress.lines :]:
            if line.room in stage.rooms:
                self._speak(line, stage, moment_of(line, now, today), progress)
                sent += 1
            progress.lines += 1
            self._realm.world.keep(Record(key, progress.model_dump(mode="json")))
            await asyncio.sleep(self.pause_seconds)
        return sent

    def _speak(self, line: Line, stage: Stage, at: datetime, progress: Progress) -> None:
        room = stage.rooms[line.room]
        draft = Draft(
            channel=room.channel,
            author_id=room.speakers[line.part],
            content=self._worded(line.text, stage),
            at=at,
        )
        answered = self._marked(progress, line.answers)
        if answered is not None:
            draft.type, draft.replied_user_id = REPLY, answered.author_id
            draft.reference = {
                "type": 0,
                "message_id": str(answered.id),
                "channel_id": str(answered.channel_id),
                "guild_id": str(room.channel.guild_id),
            }
        message = self._posting.send(draft)
        if line.mark is not None:
            progress.marks[line.mark] = (message.channel_id, message.id)
        self._act(line, stage, message)

    def _act(self, line: Line, stage: Stage, message: Message) -> None:
        for act in line.acts:
            match act:
                case Reactions(emoji, parts):
                    for part in parts:
                        self._reacting.add(message, emoji, None, stage.rooms[line.room].speakers[part])
                case Edit(later, text):
                    message.content = self._worded(text, stage)
                    message.edited_at = min(message.created_at + later, self._realm.clock.now())
                    self._posting.announce_change(message)
                case Unfurl(url, title, description):
                    self._posting.unfurl(
                        message, [{"type": "link", "url": url, "title": title, "description": description}]
                    )
                case Deletion():
                    self._posting.delete(message)

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

    def _marked(self, progress: Progress, mark: str | None) -> Message | None:
        if mark is None or mark not in progress.marks:
            return None
        return self._realm.world.message(*progress.marks[mark])

    def _progress(self, key: str) -> Progress:
        record = self._realm.world.records.get(key)
        return Progress() if record is None else Progress.model_validate(record.body)


def moment_of(line: Line, now: datetime, today: timedelta) -> datetime:
    """When the line was said. Early in the day, today's lines move together so that none is in the future."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if line.days_ago:
        return midnight - timedelta(days=line.days_ago) + line.at
    elapsed = max(now - midnight - JUST_NOW, timedelta())
    return midnight + (line.at if today <= elapsed else line.at * (elapsed / today))
