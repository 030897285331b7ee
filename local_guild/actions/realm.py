"""Holds what everything that acts on the world works with: the state, the time, the ids, and who is told."""

from dataclasses import dataclass

from local_guild.gateway.sessions import Event, Hub, Intent
from local_guild.payloads import Payloads
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
