"""Starts, archives, locks, renames and deletes threads."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from local_guild.actions.posting import Draft, Posting, ThreadSeats
from local_guild.actions.realm import Realm, place_of, reference_to
from local_guild.gateway.events import Intent
from local_guild.state.ids import JsonObject
from local_guild.state.messages import HAS_THREAD, Message
from local_guild.state.world import Channel, ChannelType, Thread

THREAD_CREATED = 18
THREAD_STARTER = 21


class ThreadChange(BaseModel):
    """Says what a change of a thread sets; None leaves it."""

    name: str | None = Field(default=None, min_length=1, max_length=100)
    archived: bool | None = None
    locked: bool | None = None
    applied_tags: list[int] | None = Field(default=None, max_length=5)


class Threads:
    def __init__(self, realm: Realm, posting: Posting, seats: ThreadSeats) -> None:
        self._realm = realm
        self._posting = posting
        self._seats = seats

    def start_from(self, message: Message, name: str, owner_id: int, auto_archive_minutes: int) -> Channel:
        """Start a thread on a message: it has the message's id, and opens with a pointer back to it."""
        parent = self._realm.world.channels[message.channel_id]
        announcement = parent.type == ChannelType.ANNOUNCEMENT
        kind = ChannelType.ANNOUNCEMENT_THREAD if announcement else ChannelType.PUBLIC_THREAD
        channel = self._open(message.id, parent, name, kind, owner_id, auto_archive_minutes)
        message.flags |= HAS_THREAD
        self._posting.announce_change(message)
        reference = reference_to(parent, message.id)
        self._posting.send(Draft(channel=channel, author_id=owner_id, type=THREAD_STARTER, reference=reference))
        return channel

    def start(
        self,
        parent: Channel,
        name: str,
        owner_id: int,
        *,
        private: bool,
        invitable: bool = True,
        auto_archive_minutes: int = 1440,
        applied_tags: Sequence[int] = (),
    ) -> Channel:
        if private:
            kind = ChannelType.PRIVATE_THREAD
        elif parent.type == ChannelType.ANNOUNCEMENT:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        else:
            kind = ChannelType.PUBLIC_THREAD
        thread_id = self._realm.ids.next()
        channel = self._open(thread_id, parent, name, kind, owner_id, auto_archive_minutes, invitable, applied_tags)
        if not private and parent.type != ChannelType.FORUM:
            told = Draft(channel=parent, author_id=owner_id, content=name, type=THREAD_CREATED)
            told.reference = {"type": 0} | place_of(channel)
            self._posting.send(told)
        return channel

    def change(self, channel: Channel, thread: Thread, change: ThreadChange) -> None:
        if change.name is not None:
            channel.name = change.name
        if change.archived is not None and change.archived != thread.archived:
            thread.archived = change.archived
            thread.archived_at = self._realm.clock.now()
        if change.locked is not None:
            thread.locked = change.locked
        if change.applied_tags is not None:
            thread.applied_tags = change.applied_tags
        self._realm.world.keep(channel)
        self._realm.hub.dispatch(self._seats.announcement("THREAD_UPDATE", channel))

    def delete(self, channel: Channel) -> None:
        data: JsonObject = {
            "id": str(channel.id),
            "guild_id": str(channel.guild_id),
            "parent_id": str(channel.parent_id),
            "type": channel.type,
        }
        self._realm.tell_channel("THREAD_DELETE", channel, data, Intent.GUILDS)
        self._realm.world.drop(channel)

    def _open(
        self,
        thread_id: int,
        parent: Channel,
        name: str,
        kind: ChannelType,
        owner_id: int,
        auto_archive_minutes: int,
        invitable: bool = True,
        applied_tags: Sequence[int] = (),
    ) -> Channel:
        now = self._realm.clock.now()
        thread = Thread(
            owner_id,
            archived_at=now,
            invitable=invitable,
            auto_archive_minutes=auto_archive_minutes,
            member_since={owner_id: now},
            applied_tags=list(applied_tags),
        )
        channel = Channel(thread_id, kind, name, parent.guild_id, parent.id, nsfw=parent.nsfw, thread=thread)
        self._realm.world.keep(channel)
        self._realm.hub.dispatch(self._seats.announcement("THREAD_CREATE", channel, newly_created=True))
        return channel
