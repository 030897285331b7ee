"""What everything that acts on the world works with: the state, the time, the ids, and who is told."""

from dataclasses import dataclass

from local_guild.gateway.events import Intent
from local_guild.gateway.sessions import (
    Hub,  # moved
)
from local_guild.payloads.messages import MessagePayloads
from local_guild.payloads.objects import Payloads
from local_guild.state.ids import Clock, Snowflakes
from local_guild.state.permissions import Access
from local_guild.state.world import Channel, World


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
