"""What everything that acts on the world works with: the state, the time, the ids, and who is told."""

from dataclasses import dataclass

from local_guild.gateway.events import Event, Intent
from local_guild.gateway.sessions import EventFaults, Session, Sessions
from local_guild.payloads.messages import MessagePayloads
from local_guild.payloads.objects import Payloads
from local_guild.state.ids import Clock, Snowflakes
from local_guild.state.permissions import Access
from local_guild.state.world import Channel, World

# Who is told what: each event goes to the sessions whose reader may view its place and asked for its kind.


class Hub:
    def __init__(self, world: World, access: Access, sessions: Sessions, faults: EventFaults) -> None:
        self._world = world
        self._access = access
        self._sessions = sessions
        self._faults = faults

    def dispatch(self, event: Event) -> None:
        for session in self._sessions:
            if self._concerns(event, session):
                self.tell(session, event)

    def tell(self, session: Session, event: Event) -> None:
        """Send to this one session, whoever else the event may concern."""
        self._faults.deliver(session, event.name, event.body(session.reader))

    def tell_bot(self, event: Event) -> None:
        """To the application: the session whose shard holds the event's guild."""
        for session in self._sessions:
            if session.application and session.shard.holds(event.guild_id):
                self.tell(session, event)

    def tell_user(self, user_id: int, event: Event) -> None:
        for session in self._sessions.of_user(user_id):
            if session.shard.holds(event.guild_id):
                self.tell(session, event)

    def _concerns(self, event: Event, session: Session) -> bool:
        user_id = session.reader.user_id
        asked_for = not event.intents or bool(event.intents & session.reader.intents)
        if not asked_for and user_id not in event.whatever_intents:
            return False
        if event.only is not None and user_id not in event.only:
            return False
        if not session.shard.holds(event.guild_id):
            return False
        guild = None if event.guild_id is None else self._world.guilds.get(event.guild_id)
        if guild is not None and (guild.unavailable or user_id not in self._world.members(guild.id)):
            return False
        if event.channel_id is not None and not (event.structural and session.application):
            channel = self._world.channels.get(event.channel_id)
            return channel is not None and self._access.may_view(channel, user_id)
        return event.guild_id is None or guild is not None


@dataclass(frozen=True, slots=True)
class Realm:
    world: World
    clock: Clock
    ids: Snowflakes
    access: Access
    hub: Hub
    payloads: Payloads
    messages: MessagePayloads


DIRECT_MESSAGES, GUILD_MESSAGES = int(Intent.DIRECT_MESSAGES), int(Intent.GUILD_MESSAGES)


def message_intent(channel: Channel) -> int:
    return DIRECT_MESSAGES if channel.guild_id is None else GUILD_MESSAGES
