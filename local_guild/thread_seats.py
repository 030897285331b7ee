"""Who sits in a thread: joining, leaving, and a thread waking up when somebody speaks in it."""

from local_guild.events import Event, Intent, PersonalEvent
from local_guild.payloads import thread_member_payload
from local_guild.realm import Realm
from local_guild.wire import JsonObject
from local_guild.world import Channel, Thread


class ThreadSeats:
    def __init__(self, realm: Realm) -> None:
        self._realm = realm

    def join(self, channel: Channel, user_id: int) -> None:
        thread = _thread_of(channel)
        if user_id in thread.member_since:
            return
        could_view = self._realm.access.may_view(channel, user_id)
        thread.member_since[user_id] = self._realm.clock.now()
        self._realm.world.keep(channel)
        if not could_view:
            self._realm.hub.dispatch(self.announcement("THREAD_CREATE", channel, only=user_id))
        self._tell_members(channel, thread, added=[user_id], removed=[])
        self._tell_own_seat(channel, thread, user_id)

    def leave(self, channel: Channel, user_id: int) -> None:
        thread = _thread_of(channel)
        if user_id not in thread.member_since:
            return
        # Told before the seat is gone: who leaves a private thread may not look in afterwards.
        self._tell_members(channel, thread, added=[], removed=[user_id])
        del thread.member_since[user_id]
        self._realm.world.keep(channel)

    def wake(self, channel: Channel, speaker_id: int) -> None:
        """Speaking in a thread takes it out of the archive and gives the speaker a seat."""
        thread = _thread_of(channel)
        if thread.archived:
            thread.archived = False
            thread.archived_at = self._realm.clock.now()
            self._realm.world.keep(channel)
            self._realm.hub.dispatch(self.announcement("THREAD_UPDATE", channel))
        self.join(channel, speaker_id)

    def invite(self, channel: Channel, user_ids: list[int]) -> None:
        """Who is mentioned in a thread gets a seat, if the room it hangs off is open to them."""
        parent = self._realm.world.channels.get(channel.parent_id or 0)
        for user_id in user_ids:
            if parent is not None and self._realm.access.may_view(parent, user_id):
                self.join(channel, user_id)

    def announcement(
        self, name: str, channel: Channel, *, only: int | None = None, newly_created: bool = False
    ) -> Event:
        def personal(reader_id: int) -> JsonObject:
            payload = self._realm.payloads.channel(channel, reader_id)
            return payload | {"newly_created": True} if newly_created else payload

        return PersonalEvent(
            name=name,
            personal=personal,
            intents=Intent.GUILDS,
            guild_id=channel.guild_id,
            channel_id=channel.id,
            only=None if only is None else frozenset({only}),
        )

    def _tell_members(self, channel: Channel, thread: Thread, *, added: list[int], removed: list[int]) -> None:
        data: JsonObject = {
            "id": str(channel.id),
            "guild_id": str(channel.guild_id),
            "member_count": min(len(thread.member_since) - len(removed), 50),
            "added_members": [self._seat(channel, thread, user_id) for user_id in added],
            "removed_member_ids": [str(user_id) for user_id in removed],
        }
        # Those with the Server Members intent hear of everybody, others only of themselves.
        self._realm.hub.dispatch(
            Event(
                name="THREAD_MEMBERS_UPDATE",
                data=data,
                intents=Intent.GUILD_MEMBERS,
                guild_id=channel.guild_id,
                channel_id=channel.id,
                whatever_intents=frozenset({*added, *removed}),
            )
        )

    def _seat(self, channel: Channel, thread: Thread, user_id: int) -> JsonObject:
        payload = thread_member_payload(channel.id, user_id, thread)
        member = self._realm.world.member(channel.guild_id or 0, user_id)
        if member is not None:
            payload |= {"member": self._realm.payloads.member(member), "presence": None}
        return payload

    def _tell_own_seat(self, channel: Channel, thread: Thread, user_id: int) -> None:
        data = thread_member_payload(channel.id, user_id, thread) | {"guild_id": str(channel.guild_id)}
        self._realm.hub.dispatch(
            Event(
                name="THREAD_MEMBER_UPDATE",
                data=data,
                intents=Intent.GUILDS,
                guild_id=channel.guild_id,
                channel_id=channel.id,
                only=frozenset({user_id}),
            )
        )


def _thread_of(channel: Channel) -> Thread:
    if channel.thread is None:
        raise ValueError(f"channel {channel.id} is not a thread")
    return channel.thread
