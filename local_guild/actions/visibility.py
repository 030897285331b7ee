"""Rooms that come into sight, or out of it, when a role, an overwrite or a member changes."""

import contextlib
from collections.abc import Iterator

from local_guild.actions.realm import Realm
from local_guild.gateway.events import Event, Intent
from local_guild.gateway.sessions import Session, Sessions
from local_guild.state.ids import JsonObject
from local_guild.state.world import Channel, Guild


class Visibility:
    def __init__(self, realm: Realm, sessions: Sessions) -> None:
        self._realm = realm
        self._sessions = sessions

    @contextlib.contextmanager
    def changing(self, guild: Guild) -> Iterator[None]:
        """Whatever happens inside, each session learns afterwards which rooms it gained and lost."""
        before = [(session, self._seen_by(session, guild)) for session in self._sessions]
        yield
        for session, seen in before:
            if self._realm.world.member(guild.id, session.reader.user_id) is None:
                continue
            now = self._seen_by(session, guild)
            for channel_id in seen - now:
                self._lose(session, self._realm.world.channels.get(channel_id))
            for channel_id in now - seen:
                self._gain(session, self._realm.world.channels[channel_id])

    def _seen_by(self, session: Session, guild: Guild) -> set[int]:
        user_id = session.reader.user_id
        if not session.shard.holds(guild.id) or self._realm.world.member(guild.id, user_id) is None:
            return set()
        return {
            channel.id
            for channel in self._realm.world.channels_of(guild.id)
            if self._realm.access.may_view(channel, user_id)
        }

    def _lose(self, session: Session, channel: Channel | None) -> None:
        # An application knows of every channel anyway; a deleted one has been announced as such.
        if channel is not None and not session.application:
            self._tell(session, "CHANNEL_DELETE", channel)

    def _gain(self, session: Session, channel: Channel) -> None:
        if not session.application:
            self._tell(session, "CHANNEL_CREATE", channel)
        reader_id = session.reader.user_id
        threads = [
            thread
            for thread in self._realm.payloads.active_threads(channel.guild_id or 0, reader_id)
            if thread.parent_id == channel.id
        ]
        if not session.reader.intents & Intent.GUILDS:
            return
        payloads = [self._realm.payloads.channel(thread, reader_id) for thread in threads]
        data: JsonObject = {
            "guild_id": str(channel.guild_id),
            "channel_ids": [str(channel.id)],
            "threads": payloads,
            "members": [payload["member"] for payload in payloads if "member" in payload],
        }
        self._realm.hub.tell(session, Event(name="THREAD_LIST_SYNC", data=data))

    def _tell(self, session: Session, name: str, channel: Channel) -> None:
        self._realm.hub.tell(session, Event(name=name, data=self._realm.payloads.channel(channel)))
