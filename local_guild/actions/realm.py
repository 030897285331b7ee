"""Holds what everything that acts on the world works with: the state, the time, the ids, and who is told.

That includes whoever gains or loses sight of a room when a role, an overwrite or a member changes.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from local_guild.gateway.events import Event, Intent
from local_guild.gateway.sessions import Hub, Session, Sessions
from local_guild.payloads import MessagePayloads, Payloads
from local_guild.state.ids import Clock, JsonObject, Snowflakes
from local_guild.state.permissions import Access
from local_guild.state.world import Channel, Guild, World


@dataclass(frozen=True, slots=True)
class Realm:
    world: World
    clock: Clock
    ids: Snowflakes
    access: Access
    hub: Hub
    payloads: Payloads
    messages: MessagePayloads

    def tell_channel(
        self,
        name: str,
        channel: Channel,
        data: JsonObject,
        intents: int,
        *,
        only: frozenset[int] | None = None,
        structural: bool = False,
        about: frozenset[int] = frozenset(),
    ) -> None:
        """Dispatch an event to whoever may view the channel, by the rules of `Event`."""
        self.hub.dispatch(
            Event(
                name=name,
                data=data,
                intents=intents,
                guild_id=channel.guild_id,
                channel_id=channel.id,
                only=only,
                structural=structural,
                whatever_intents=about,
            )
        )

    def tell_guild(
        self,
        name: str,
        guild: Guild,
        data: JsonObject,
        intents: int = Intent.GUILDS,
        *,
        only: frozenset[int] | None = None,
        about: frozenset[int] = frozenset(),
    ) -> None:
        """Dispatch an event, which names its guild, to the members of that guild."""
        self.hub.dispatch(
            Event(
                name=name,
                data={"guild_id": str(guild.id), **data},
                intents=intents,
                guild_id=guild.id,
                only=only,
                whatever_intents=about,
            )
        )


DIRECT_MESSAGES, GUILD_MESSAGES = int(Intent.DIRECT_MESSAGES), int(Intent.GUILD_MESSAGES)


def message_intent(channel: Channel) -> int:
    return DIRECT_MESSAGES if channel.guild_id is None else GUILD_MESSAGES


def place_of(channel: Channel) -> JsonObject:
    """Give the ids by which events and references name a channel, and its guild if it has one."""
    place: JsonObject = {"channel_id": str(channel.id)}
    return place if channel.guild_id is None else place | {"guild_id": str(channel.guild_id)}


def reference_to(channel: Channel, message_id: int) -> JsonObject:
    """Make the reference of a message that answers or names another one."""
    return {"type": 0, "message_id": str(message_id)} | place_of(channel)


class Visibility:
    def __init__(self, realm: Realm, sessions: Sessions) -> None:
        self._realm = realm
        self.sessions = sessions

    @contextlib.contextmanager
    def changing(self, guild: Guild) -> Iterator[None]:
        """Tell each session, after whatever happens inside, which rooms it gained and lost."""
        before = [(session, self._seen_by(session, guild)) for session in self.sessions]
        yield
        for session, seen in before:
            if self._realm.world.member(guild.id, session.reader.user_id) is None:
                continue
            now = self._seen_by(session, guild)
            for channel_id in seen - now:
                # An application knows of every channel anyway; a deleted one has been announced as such.
                channel = self._realm.world.channels.get(channel_id)
                if channel is not None and not session.application:
                    self._announce(session, "CHANNEL_DELETE", channel)
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

    def _gain(self, session: Session, channel: Channel) -> None:
        if not session.application:
            self._announce(session, "CHANNEL_CREATE", channel)
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

    def _announce(self, session: Session, name: str, channel: Channel) -> None:
        self._realm.hub.tell(session, Event(name=name, data=self._realm.payloads.channel(channel)))
