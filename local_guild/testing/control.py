"""The strings behind the scene, for tests in the same process and, through `control_api`, for any HTTP client."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from local_guild.actions.posting import REPLY, Draft
from local_guild.faults import RestTrouble
from local_guild.gateway.sessions import EventTrouble, StartRules
from local_guild.state.describe import WorldText, add_to_world
from local_guild.state.ids import JsonObject
from local_guild.state.messages import Message
from local_guild.state.world import Channel, Guild, User
from local_guild.testing.firehose import Firehose, FirehoseOrder, FirehoseReport

if TYPE_CHECKING:
    from local_guild.parts import Parts


# The bodies the control API takes.


SnowflakeId = Annotated[int, Field(ge=0)]


class _Form(BaseModel):
    # A misspelt field is an error: who plays with faults must know which are on.
    model_config = ConfigDict(extra="forbid")


class DropForm(_Form):
    code: int = Field(default=4000, ge=1000, le=4999)
    user_id: SnowflakeId | None = None


class RefuseForm(_Form):
    count: int = Field(default=1, ge=0)


class InvalidateForm(_Form):
    resumable: bool = False


class IntentsForm(_Form):
    privileged: bool


class RatesForm(_Form):
    limit: int = Field(ge=1)
    seconds: float = Field(gt=0)


class ClockForm(_Form):
    now: AwareDatetime | None = None
    advance_seconds: float | None = None
    frozen: bool = False


class JoinForm(_Form):
    """Somebody new by name, or somebody known by id (the bot, too)."""

    name: str | None = Field(default=None, min_length=2, max_length=32)
    user_id: SnowflakeId | None = None
    display_name: str | None = None
    bot: bool = False
    roles: list[SnowflakeId] = Field(default_factory=list)


class PostForm(_Form):
    author_id: SnowflakeId
    content: str = ""
    type: int = 0
    flags: int = 0
    at: AwareDatetime | None = None
    embeds: list[JsonObject] = Field(default_factory=list)
    components: list[JsonObject] = Field(default_factory=list)
    sticker_items: list[JsonObject] = Field(default_factory=list)
    poll: JsonObject | None = None
    message_snapshots: list[JsonObject] = Field(default_factory=list)


class PastAuthor(_Form):
    id: SnowflakeId
    name: str
    display_name: str | None = None
    bot: bool = False


class PastMessage(_Form):
    id: SnowflakeId
    author: PastAuthor
    content: str
    edited_at: AwareDatetime | None = None
    reply_to: SnowflakeId | None = None


class PastForm(_Form):
    messages: list[PastMessage]


class UnfurlForm(_Form):
    embeds: list[JsonObject] = Field(min_length=1)


class Control:
    def __init__(self, server: Parts) -> None:
        self._server = server

    async def world(self) -> JsonObject:
        world = self._server.world
        bot = world.bot
        return {
            "bot": {"id": str(bot.id), "name": bot.name, "token": bot.token},
            "guilds": [
                self._guild(guild) | {"sample_week_played": self._server.sample_week.is_played(guild)}
                for guild in world.guilds.values()
            ],
        }

    async def add_guilds(self, text: WorldText) -> list[Guild]:
        """Bring the described guilds into this world; its bot is a member of each from the start."""
        world = self._server.world
        guilds = add_to_world(world, text, self._server.clock)
        for guild in guilds:
            for session in self._server.sessions:
                if session.shard.holds(guild.id) and world.member(guild.id, session.reader.user_id):
                    self._server.greeter.introduce(session, guild, joined=True)
        return guilds

    # The gateway in trouble

    async def drop_sockets(self, *, code: int = 4000, user_id: int | None = None) -> int:
        """Close sockets as a failing network would: the sessions can be resumed."""
        return self._server.gateway.drop_sockets(code, user_id=user_id)

    async def refuse_resumes(self, count: int = 1) -> None:
        self._server.faults.refuse_resumes(count)

    async def ask_to_reconnect(self) -> int:
        return self._server.gateway.ask_to_reconnect()

    async def invalidate_sessions(self, *, resumable: bool = False) -> int:
        return self._server.gateway.invalidate_sessions(resumable=resumable)

    async def trouble_events(self, trouble: EventTrouble) -> None:
        self._server.event_faults.start(trouble)

    async def allow_privileged_intents(self, allowed: bool) -> None:
        """Whether the bot may ask for members, presences and message content; if not, it is closed with 4014."""
        facts = self._server.world.facts
        facts.privileged_intents = allowed
        self._server.world.keep(facts)

    # REST in trouble

    async def trouble_rest(self, trouble: RestTrouble) -> None:
        self._server.faults.trouble_rest(trouble)

    async def limit_starts(self, rules: StartRules) -> None:
        self._server.gateway.starts.set(rules)

    async def limit_rates(self, limit: int, seconds: float) -> None:
        self._server.rate_limits.set(limit, seconds)

    async def go_down(self) -> None:
        """Refuse everything until `come_back`; open sockets are closed."""
        self._server.faults.go_down()
        self._server.gateway.drop_sockets(1012)

    async def come_back(self) -> None:
        self._server.faults.come_back()

    async def clear_faults(self) -> None:
        self._server.faults.clear()
        self._server.event_faults.clear()
        self._server.rate_limits.set()
        self._server.gateway.starts.set(StartRules())

    # The life of guilds

    async def fall_out(self, guild: Guild) -> None:
        self._server.membership.fall_out(guild)

    async def recover(self, guild: Guild) -> None:
        self._server.membership.come_back(guild)

    async def new_user(self, name: str, *, bot: bool = False, display_name: str | None = None) -> User:
        user = User(self._server.ids.next(), name, secrets.token_hex(24), bot=bot, global_name=display_name)
        self._server.world.keep(user)
        return user

    async def join(self, guild: Guild, user: User, role_ids: list[int] | None = None) -> None:
        if self._server.world.member(guild.id, user.id) is None:
            self._server.membership.join(guild, user, role_ids)

    async def leave(self, guild: Guild, user_id: int) -> None:
        member = self._server.world.member(guild.id, user_id)
        if member is not None:
            self._server.membership.leave(guild, member)

    # Messages and time

    async def post(self, draft: Draft) -> Message:
        """A message of any kind by anybody, at any time: stickers, polls, forwards, system messages."""
        return self._server.posting.send(draft)

    async def add_past(self, channel: Channel, past: list[PastMessage]) -> int:
        """Messages with the ids and authors they had when they were exported; how many were not there.

        Nobody is told: to a bot they would be news. Whoever wrote them and is not known has left.
        """
        world = self._server.world
        fresh = [message for message in past if message.id not in world.log(channel.id)]
        for message in fresh:
            author = message.author
            if author.id not in world.users:
                token = secrets.token_hex(24)
                world.keep(User(author.id, author.name, token, bot=author.bot, global_name=author.display_name))
            world.keep(_past(channel, message))
        return len(fresh)

    async def unfurl(self, message: Message, embeds: list[JsonObject]) -> None:
        self._server.posting.unfurl(message, embeds)

    async def firehose(self, order: FirehoseOrder) -> FirehoseReport:
        server = self._server
        return await Firehose(server.realm, server.posting, server.sessions).run(order)

    async def set_clock(self, moment: datetime, *, frozen: bool = False) -> None:
        self._server.clock.set(moment, frozen=frozen)

    async def advance_clock(self, by: timedelta) -> None:
        self._server.clock.advance(by)

    async def reset_clock(self) -> None:
        self._server.clock.reset()

    def _guild(self, guild: Guild) -> JsonObject:
        world, access = self._server.world, self._server.access
        return {
            "id": str(guild.id),
            "name": guild.name,
            "channels": [
                {
                    "id": str(channel.id),
                    "name": channel.name,
                    "type": channel.type,
                    "private": access.is_private(channel),
                }
                for channel in world.channels_of(guild.id)
            ],
            "members": [
                {
                    "id": str(user.id),
                    "name": user.name,
                    "token": user.token,
                    "roles": [str(role_id) for role_id in member.role_ids],
                }
                for member in world.members(guild.id).values()
                if (user := world.users[member.user_id]).id != world.facts.bot_id
            ],
            "roles": [{"id": str(role.id), "name": role.name} for role in guild.roles.values()],
        }


def _past(channel: Channel, message: PastMessage) -> Message:
    said = Message(message.id, channel.id, message.author.id, message.content, edited_at=message.edited_at)
    if message.reply_to is not None:
        said.type = REPLY
        said.reference = {
            "type": 0,
            "message_id": str(message.reply_to),
            "channel_id": str(channel.id),
            "guild_id": str(channel.guild_id),
        }
    return said
