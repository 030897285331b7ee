"""Guilds, their channels, overwrites, roles and members."""

from pydantic import BaseModel, Field

from local_guild.payloads import role_payload
from local_guild.rest.call import ApiError, Call, Endpoints, Refusal, invalid
from local_guild.rest.threads import change_thread
from local_guild.state.ids import Json
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Guild, Member, Overwrite, Role

endpoints = Endpoints()

MAKEABLE = frozenset(
    {
        ChannelType.TEXT,
        ChannelType.VOICE,
        ChannelType.CATEGORY,
        ChannelType.ANNOUNCEMENT,
        ChannelType.STAGE,
        ChannelType.FORUM,
    }
)


class OverwriteForm(BaseModel):
    id: int = 0
    type: int = Field(default=0, ge=0, le=1)
    allow: int = Field(default=0, ge=0)
    deny: int = Field(default=0, ge=0)

    def overwrite(self, overwrite_id: int) -> Overwrite:
        return Overwrite(overwrite_id, bool(self.type), self.allow, self.deny)


class ChannelForm(BaseModel):
    """Fields left out stay as they are."""

    name: str | None = Field(default=None, min_length=1, max_length=100)
    type: int = ChannelType.TEXT
    topic: str | None = Field(default=None, max_length=4096)
    position: int | None = None
    parent_id: int | None = None
    nsfw: bool | None = None
    permission_overwrites: list[OverwriteForm] | None = Field(default=None, max_length=1000)

    def apply(self, channel: Channel) -> None:
        given = self.model_fields_set
        if self.name is not None:
            channel.name = spelled(self.name, channel.type)
        if "topic" in given:
            channel.topic = self.topic
        if self.position is not None:
            channel.position = self.position
        if "parent_id" in given:
            channel.parent_id = self.parent_id
        if self.nsfw is not None:
            channel.nsfw = self.nsfw
        if self.permission_overwrites is not None:
            channel.overwrites = {form.id: form.overwrite(form.id) for form in self.permission_overwrites}


def spelled(name: str, kind: int) -> str:
    """Text channels are spelled without capitals and blanks."""
    if kind in (ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.FORUM):
        return "-".join(name.lower().split())
    return name


@endpoints("GET", "/channels/{channel_id}")
async def get_channel(call: Call) -> Json:
    return call.server.payloads.channel(call.channel(), call.caller.id)


@endpoints("GET", "/guilds/{guild_id}/channels")
async def list_channels(call: Call) -> Json:
    guild = call.guild()
    visible = (
        channel
        for channel in call.server.world.channels_of(guild.id)
        if call.is_application or call.server.access.may_view(channel, call.caller.id)
    )
    return [call.server.payloads.channel(channel, call.caller.id) for channel in visible]


@endpoints("POST", "/guilds/{guild_id}/channels")
async def create_channel(call: Call) -> Json:
    guild = call.guild()
    call.need(call.rights_over(guild), Permission.MANAGE_CHANNELS)
    form = await call.body(ChannelForm)
    if form.name is None:
        raise invalid("name", "This field is required")
    if form.type not in MAKEABLE:
        raise invalid("type", "Value must be a type of channel that can be created.")
    _check_parent(call, guild, form)
    count = sum(1 for _ in call.server.world.channels_of(guild.id))
    channel = Channel(call.server.ids.next(), form.type, guild_id=guild.id, position=count)
    form.apply(channel)
    parent = call.server.world.channels.get(channel.parent_id or 0)
    if parent is not None and form.permission_overwrites is None:
        # A new room in a category starts in step with it.
        channel.overwrites = {o.id: Overwrite(o.id, o.for_member, o.allow, o.deny) for o in parent.overwrites.values()}
    call.server.places.add_channel(channel)
    return call.server.payloads.channel(channel, call.caller.id)


@endpoints("PATCH", "/channels/{channel_id}")
async def change_channel(call: Call) -> Json:
    channel = call.channel()
    if channel.thread is not None:
        await change_thread(call, channel, channel.thread)
        return call.server.payloads.channel(channel, call.caller.id)
    guild = _guild_of(call, channel)
    call.need(call.rights_in(channel), Permission.MANAGE_CHANNELS)
    form = await call.body(ChannelForm)
    if form.permission_overwrites is not None:
        call.need(call.rights_in(channel), Permission.MANAGE_ROLES)
    _check_parent(call, guild, form)
    call.server.places.change_channel(channel, form.apply)
    return call.server.payloads.channel(channel, call.caller.id)


@endpoints("DELETE", "/channels/{channel_id}")
async def delete_channel(call: Call) -> Json:
    channel = call.channel()
    payload = call.server.payloads.channel(channel, call.caller.id)
    if channel.thread is not None:
        call.need(call.rights_in(channel), Permission.MANAGE_THREADS)
        call.server.threads.delete(channel)
    else:
        _guild_of(call, channel)
        call.need(call.rights_in(channel), Permission.MANAGE_CHANNELS)
        call.server.places.delete_channel(channel)
    return payload


@endpoints("PUT", "/channels/{channel_id}/permissions/{overwrite_id}")
async def put_overwrite(call: Call) -> Json:
    channel = call.channel()
    guild = _guild_of(call, channel)
    rights = call.rights_in(channel)
    call.need(rights, Permission.MANAGE_ROLES)
    overwrite = (await call.body(OverwriteForm)).overwrite(call.id("overwrite_id"))
    known = call.server.world.users if overwrite.for_member else guild.roles
    if overwrite.id not in known:
        raise ApiError(Refusal.UNKNOWN_OVERWRITE)
    # Nobody can grant or take what they do not have themselves.
    if (overwrite.allow | overwrite.deny) & ~rights:
        raise ApiError(Refusal.MISSING_PERMISSION)
    call.server.places.put_overwrite(channel, overwrite)
    return None


@endpoints("DELETE", "/channels/{channel_id}/permissions/{overwrite_id}")
async def delete_overwrite(call: Call) -> Json:
    channel = call.channel()
    _guild_of(call, channel)
    call.need(call.rights_in(channel), Permission.MANAGE_ROLES)
    overwrite_id = call.id("overwrite_id")
    if overwrite_id not in channel.overwrites:
        raise ApiError(Refusal.UNKNOWN_OVERWRITE)
    call.server.places.remove_overwrite(channel, overwrite_id)
    return None


def _guild_of(call: Call, channel: Channel) -> Guild:
    if channel.guild_id is None:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    return call.server.world.guilds[channel.guild_id]


def _check_parent(call: Call, guild: Guild, form: ChannelForm) -> None:
    if form.parent_id is None:
        return
    parent = call.server.world.channels.get(form.parent_id)
    if parent is None or parent.guild_id != guild.id or parent.type != ChannelType.CATEGORY:
        raise invalid("parent_id", "Category does not exist")


# Guilds and their roles.


class RoleForm(BaseModel):
    name: str | None = Field(default=None, max_length=100)
    permissions: int | None = Field(default=None, ge=0)
    color: int | None = Field(default=None, ge=0, le=0xFFFFFF)
    hoist: bool | None = None
    mentionable: bool | None = None

    def apply(self, role: Role) -> None:
        for name, value in self.model_dump(exclude_none=True).items():
            setattr(role, name, value)


@endpoints("GET", "/guilds/{guild_id}")
async def get_guild(call: Call) -> Json:
    return call.server.payloads.guild(call.guild())


@endpoints("GET", "/guilds/{guild_id}/roles")
async def list_roles(call: Call) -> Json:
    return [role_payload(role) for role in call.guild().roles.values()]


@endpoints("POST", "/guilds/{guild_id}/roles")
async def create_role(call: Call) -> Json:
    guild = call.guild()
    form = await call.body(RoleForm)
    _check_grants(call, guild, form)
    everyone = guild.roles[guild.id]
    for other in guild.roles.values():
        # A new role starts just above @everyone.
        if other.id != guild.id:
            other.position += 1
    role = Role(call.server.ids.next(), "new role", everyone.permissions, position=1)
    form.apply(role)
    call.server.places.add_role(guild, role)
    return role_payload(role)


@endpoints("PATCH", "/guilds/{guild_id}/roles/{role_id}")
async def change_role(call: Call) -> Json:
    guild = call.guild()
    role = role_of(call, guild)
    form = await call.body(RoleForm)
    _check_grants(call, guild, form)
    call.server.places.change_role(guild, role, form.apply)
    return role_payload(role)


@endpoints("DELETE", "/guilds/{guild_id}/roles/{role_id}")
async def delete_role(call: Call) -> Json:
    guild = call.guild()
    role = role_of(call, guild)
    call.need(call.rights_over(guild), Permission.MANAGE_ROLES)
    if role.managed or role.id == guild.id:
        raise invalid("role_id", "This role cannot be deleted.")
    call.server.places.delete_role(guild, role)
    return None


def role_of(call: Call, guild: Guild) -> Role:
    role = guild.roles.get(call.id("role_id"))
    if role is None:
        raise ApiError(Refusal.UNKNOWN_ROLE)
    return role


def _check_grants(call: Call, guild: Guild, form: RoleForm) -> None:
    """A role can be given only what its giver has."""
    rights = call.rights_over(guild)
    call.need(rights, Permission.MANAGE_ROLES)
    if (form.permissions or 0) & ~rights and not rights & Permission.ADMINISTRATOR:
        raise ApiError(Refusal.MISSING_PERMISSION)


# Members of a guild: finding them, changing them, showing them out.


class MemberForm(BaseModel):
    """A nick of null or "" takes the nickname away; fields left out stay."""

    nick: str | None = Field(default=None, max_length=32)
    roles: list[int] | None = None


@endpoints("GET", "/guilds/{guild_id}/members/{user_id}")
async def get_member(call: Call) -> Json:
    return call.server.payloads.member(_member(call, call.guild()))


@endpoints("PATCH", "/guilds/{guild_id}/members/{user_id}")
async def change_member(call: Call) -> Json:
    guild = call.guild()
    member = _member(call, guild)
    form = await call.body(MemberForm)
    rights = call.rights_over(guild)
    own = member.user_id == call.caller.id
    nick = None
    if "nick" in form.model_fields_set:
        call.need(rights, Permission.CHANGE_NICKNAME if own else Permission.MANAGE_NICKNAMES)
        nick = form.nick or ""
    if form.roles is not None:
        call.need(rights, Permission.MANAGE_ROLES)
        if not guild.roles.keys() >= set(form.roles):
            raise ApiError(Refusal.UNKNOWN_ROLE)
    call.server.membership.change(guild, member, nick=nick, role_ids=form.roles)
    return call.server.payloads.member(member)


@endpoints("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
async def give_role(call: Call) -> Json:
    guild, member, role_id = _role_change(call)
    if role_id not in member.role_ids:
        call.server.membership.change(guild, member, role_ids=[*member.role_ids, role_id])
    return None


@endpoints("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
async def take_role(call: Call) -> Json:
    guild, member, role_id = _role_change(call)
    if role_id in member.role_ids:
        left = [known for known in member.role_ids if known != role_id]
        call.server.membership.change(guild, member, role_ids=left)
    return None


@endpoints("DELETE", "/guilds/{guild_id}/members/{user_id}")
async def kick(call: Call) -> Json:
    guild = call.guild()
    member = _member(call, guild)
    call.need(call.rights_over(guild), Permission.KICK_MEMBERS)
    call.server.membership.leave(guild, member)
    return None


@endpoints("DELETE", "/users/@me/guilds/{guild_id}")
async def leave(call: Call) -> Json:
    guild = call.guild()
    member = call.server.world.member(guild.id, call.caller.id)
    if guild.owner_id == call.caller.id or member is None:
        raise ApiError(Refusal.OWNER_STAYS)
    call.server.membership.leave(guild, member)
    return None


def _member(call: Call, guild: Guild) -> Member:
    member = call.server.world.member(guild.id, call.id("user_id"))
    if member is None:
        raise ApiError(Refusal.UNKNOWN_MEMBER)
    return member


def _role_change(call: Call) -> tuple[Guild, Member, int]:
    guild = call.guild()
    member = _member(call, guild)
    role = role_of(call, guild)
    call.need(call.rights_over(guild), Permission.MANAGE_ROLES)
    return guild, member, role.id
