"""Making worlds: guilds, channels, roles and people with the permissions Discord would give them."""

import random
from collections.abc import Iterable
from datetime import datetime

from local_guild.permissions import EVERYONE_DEFAULT, Permission
from local_guild.snowflake import Clock, Snowflakes
from local_guild.world import Channel, ChannelType, Facts, Guild, Member, Overwrite, Role, User, World

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
        """A channel for everyone, or for `only` these roles and users."""
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
