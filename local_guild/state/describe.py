"""Reads worlds described in JSON: who is there, in which rooms, and what has been said. See docs/local-guild.md."""

import random
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from local_guild.state.ids import Clock, Snowflakes
from local_guild.state.messages import Message, Reaction
from local_guild.state.permissions import EVERYONE_DEFAULT, Permission
from local_guild.state.world import Channel, ChannelType, Facts, Guild, Member, Overwrite, Role, Thread, User, World

Thing = TypeVar("Thing")

# Making worlds: guilds, channels, roles and people with the permissions Discord would give them.


# What the bot's invite link asks for.
BOT_PERMISSIONS = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.USE_APPLICATION_COMMANDS
)
LOOK_IN = int(Permission.VIEW_CHANNEL)


class Builder:
    """Builds at one moment, a new world or more of a given one; the same random source builds the same."""

    def __init__(self, clock: Clock, rng: random.Random, born: datetime, world: World | None = None) -> None:
        self.world = World() if world is None else world
        self._rng = rng
        self._born = born
        self.ids = Snowflakes(clock, first_low=rng.getrandbits(20))

    def user(self, name: str, *, bot: bool = False, display_name: str | None = None) -> User:
        token = self._rng.randbytes(24).hex()
        user = User(self.ids.next(self._born), name, token, bot=bot, global_name=display_name)
        self.world.keep(user)
        return user

    def application(self, name: str) -> User:
        bot = self.user(name, bot=True)
        self.world.keep(Facts(bot_id=bot.id))
        return bot

    def guild(self, name: str, owner: User) -> Guild:
        guild = Guild(self.ids.next(self._born), name, owner.id)
        guild.roles[guild.id] = Role(guild.id, "@everyone", EVERYONE_DEFAULT, position=0)
        self.world.keep(guild)
        self.member(guild, owner)
        bot = self.world.bot
        role = self.role(guild, bot.name, BOT_PERMISSIONS, bot_id=bot.id)
        self.member(guild, bot, [role])
        return guild

    def role(self, guild: Guild, name: str, permissions: int = 0, *, bot_id: int | None = None) -> Role:
        role = Role(
            self.ids.next(self._born),
            name,
            permissions,
            position=len(guild.roles),
            managed=bot_id is not None,
            bot_id=bot_id,
        )
        guild.roles[role.id] = role
        self.world.keep(guild)
        return role

    def member(self, guild: Guild, user: User, roles: Iterable[Role] = ()) -> Member:
        member = Member(guild.id, user.id, self._born, role_ids=[role.id for role in roles])
        self.world.keep(member)
        return member

    def channel(
        self,
        guild: Guild,
        name: str,
        *,
        kind: ChannelType = ChannelType.TEXT,
        only: Iterable[Role | User] | None = None,
        parent: Channel | None = None,
        topic: str | None = None,
        nsfw: bool = False,
    ) -> Channel:
        """Add a channel for everyone, or for `only` these roles and users."""
        overwrites: dict[int, Overwrite] = {}
        if only is not None:
            overwrites[guild.id] = Overwrite(guild.id, for_member=False, deny=LOOK_IN)
            for one in only:
                overwrites[one.id] = Overwrite(one.id, for_member=isinstance(one, User), allow=LOOK_IN)
        channel = Channel(
            self.ids.next(self._born),
            kind,
            name,
            guild.id,
            parent.id if parent is not None else None,
            position=sum(1 for _ in self.world.channels_of(guild.id)),
            topic=topic,
            nsfw=nsfw,
            overwrites=overwrites,
        )
        self.world.keep(channel)
        return channel


ChannelKind = Literal["text", "voice", "category", "announcement", "stage", "forum"]


class _Described(BaseModel):
    model_config = ConfigDict(extra="forbid")


class MessageText(_Described):
    author: str
    content: str = ""
    at: AwareDatetime | None = None
    minutes_ago: float | None = Field(default=None, ge=0)
    reactions: dict[str, list[str]] = Field(default_factory=dict)


class ThreadText(_Described):
    name: str
    owner: str
    private: bool = False
    members: list[str] = Field(default_factory=list)
    messages: list[MessageText] = Field(default_factory=list)


class ChannelText(_Described):
    name: str
    type: ChannelKind = "text"
    category: str | None = None
    topic: str | None = None
    nsfw: bool = False
    only: list[str] | None = Field(default=None, description="names of roles and members; everyone if absent")
    messages: list[MessageText] = Field(default_factory=list)
    threads: list[ThreadText] = Field(default_factory=list)


class RoleText(_Described):
    name: str
    permissions: list[str] = Field(default_factory=list)


class MemberText(_Described):
    name: str
    display_name: str | None = None
    nick: str | None = None
    bot: bool = False
    roles: list[str] = Field(default_factory=list)


class GuildText(_Described):
    name: str
    owner: str
    system_channel: str | None = None
    roles: list[RoleText] = Field(default_factory=list)
    members: list[MemberText] = Field(default_factory=list)
    channels: list[ChannelText] = Field(default_factory=list)


class WorldText(_Described):
    bot: str = "Innkeeper"
    guilds: list[GuildText]


class WorldFileError(ValueError):
    """The file cannot be read, or names somebody or something that it does not introduce."""


def read_world(path: Path, clock: Clock) -> World:
    try:
        return build_world(WorldText.model_validate_json(path.read_bytes()), clock)
    except OSError as error:
        raise WorldFileError(f"{path} cannot be read ({error.strerror}).") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = "".join(f"{part}: " for part in first["loc"])
        raise WorldFileError(f"{path} describes no world: {where}{first['msg']}. See docs/local-guild.md.") from error
    except WorldFileError as error:
        raise WorldFileError(f"{path}: {error}.") from error


def build_world(text: WorldText, clock: Clock) -> World:
    builder = Builder(clock, random.Random(secrets.randbits(128)), _birth(text, clock))
    builder.application(text.bot)
    _add(builder, text, clock)
    return builder.world


def add_to_world(world: World, text: WorldText, clock: Clock) -> list[Guild]:
    """Bring the described guilds into a world that is there; who has a known name is that person."""
    return _add(Builder(clock, random.Random(secrets.randbits(128)), _birth(text, clock), world), text, clock)


def _add(builder: Builder, text: WorldText, clock: Clock) -> list[Guild]:
    return [_GuildBuilder(builder, guild, clock).build() for guild in text.guilds]


def _birth(text: WorldText, clock: Clock) -> datetime:
    """Find a moment before anything was said."""
    messages = [
        message
        for guild in text.guilds
        for channel in guild.channels
        for message in (*channel.messages, *(m for thread in channel.threads for m in thread.messages))
    ]
    moments = [moment for message in messages if (moment := _moment(message, clock)) is not None]
    return min([*moments, clock.now()]) - timedelta(days=30)


def _moment(message: MessageText, clock: Clock) -> datetime | None:
    if message.at is not None:
        return message.at
    return None if message.minutes_ago is None else clock.now() - timedelta(minutes=message.minutes_ago)


class _GuildBuilder:
    def __init__(self, builder: Builder, text: GuildText, clock: Clock) -> None:
        self._builder = builder
        self._text = text
        self._clock = clock
        self._people: dict[str, User] = {user.name: user for user in builder.world.users.values()}
        self._roles: dict[str, Role] = {}
        self._channels: dict[str, Channel] = {}

    def build(self) -> Guild:
        for member in self._text.members:
            if member.name not in self._people:
                self._people[member.name] = self._builder.user(
                    member.name, bot=member.bot, display_name=member.display_name
                )
        guild = self._builder.guild(self._text.name, self._person(self._text.owner))
        for role in self._text.roles:
            self._roles[role.name] = self._builder.role(guild, role.name, _bits(role.permissions))
        for member in self._text.members:
            roles = [self._known(self._roles, "role", name) for name in member.roles]
            joined = self._builder.member(guild, self._person(member.name), roles)
            joined.nick = member.nick
            self._builder.world.keep(joined)
        # Categories first: rooms refer to them by name.
        for channel in sorted(self._text.channels, key=lambda channel: channel.type != "category"):
            self._channel(guild, channel)
        if self._text.system_channel is not None:
            guild.system_channel_id = self._known(self._channels, "channel", self._text.system_channel).id
            self._builder.world.keep(guild)
        return guild

    def _channel(self, guild: Guild, text: ChannelText) -> None:
        parent = None if text.category is None else self._known(self._channels, "category", text.category)
        channel = self._builder.channel(
            guild,
            text.name,
            kind=ChannelType[text.type.upper()],
            only=None if text.only is None else [self._role_or_person(name) for name in text.only],
            parent=parent,
            topic=text.topic,
            nsfw=text.nsfw,
        )
        self._channels[text.name] = channel
        for message in text.messages:
            self._message(channel, message)
        for thread in text.threads:
            self._thread(guild, channel, thread)

    def _thread(self, guild: Guild, parent: Channel, text: ThreadText) -> None:
        now = self._clock.now()
        owner = self._person(text.owner)
        seats = [owner, *(self._person(name) for name in text.members)]
        kind = ChannelType.PRIVATE_THREAD if text.private else ChannelType.PUBLIC_THREAD
        thread = Thread(owner.id, archived_at=now, member_since={user.id: now for user in seats})
        thread_id = self._builder.ids.next(now)
        channel = Channel(thread_id, kind, text.name, guild.id, parent.id, thread=thread)
        self._builder.world.keep(channel)
        for message in text.messages:
            self._message(channel, message)

    def _message(self, channel: Channel, text: MessageText) -> None:
        message_id = self._builder.ids.next(_moment(text, self._clock) or self._clock.now())
        reactions = [
            Reaction(emoji, [self._person(name).id for name in names]) for emoji, names in text.reactions.items()
        ]
        author_id = self._person(text.author).id
        self._builder.world.keep(Message(message_id, channel.id, author_id, text.content, reactions=reactions))

    def _person(self, name: str) -> User:
        return self._known(self._people, "member", name)

    def _role_or_person(self, name: str) -> Role | User:
        return self._roles[name] if name in self._roles else self._person(name)

    def _known(self, things: Mapping[str, Thing], what: str, name: str) -> Thing:
        if name not in things:
            raise WorldFileError(f"{self._text.name!r} has no {what} {name!r}")
        return things[name]


def _bits(names: list[str]) -> int:
    bits = 0
    for name in names:
        try:
            bits |= Permission[name.upper()]
        except KeyError:
            raise WorldFileError(f"{name!r} is not a permission") from None
    return bits


# The worlds to start in: the default one of a newcomer's first hour, or one described in a file.


KEEPER_PERMISSIONS = int(
    Permission.MANAGE_GUILD
    | Permission.MANAGE_CHANNELS
    | Permission.MANAGE_ROLES
    | Permission.MANAGE_MESSAGES
    | Permission.MANAGE_THREADS
    | Permission.KICK_MEMBERS
    | Permission.MANAGE_NICKNAMES
)


def default_world(clock: Clock) -> World:
    """Describe one guild with two public channels and a private one, four members (Maren runs it), and the bot."""
    return build_world(DEFAULT_WORLD, clock)


DEFAULT_WORLD = WorldText(
    bot="Innkeeper",
    guilds=[
        GuildText(
            name="The Lantern Inn",
            owner="maren",
            system_channel="general",
            roles=[
                RoleText(
                    name="Keeper", permissions=[right.name or "" for right in Permission if right & KEEPER_PERMISSIONS]
                ),
                RoleText(name="Cellar"),
            ],
            members=[
                MemberText(name="maren", display_name="Maren", roles=["Keeper"]),
                MemberText(name="tom", display_name="Tom", roles=["Cellar"]),
                MemberText(name="aylin", display_name="Aylin"),
                MemberText(name="jonas", display_name="Jonas"),
            ],
            channels=[
                ChannelText(name="general", topic="Whatever is on your mind"),
                ChannelText(name="kitchen-table", topic="Food, plans, who brings what"),
                ChannelText(name="back-room", topic="Not for the hall", only=["Cellar", "Keeper", "Innkeeper"]),
                ChannelText(
                    name="house-ideas", type="forum", topic="A post for each idea; its first line is the title"
                ),
            ],
        )
    ],
)
