"""Serves guilds: their channels, overwrites, roles and members."""

from pydantic import BaseModel, Field

from local_guild.payloads import role_payload
from local_guild.rest.call import ApiError, Call, Endpoints, Refusal, invalid
from local_guild.rest.threads import change_thread
from local_guild.state.ids import Json
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Guild, Member, Overwrite, Role

endpoints = Endpoints()

MAKEABLE = frozenset(ChannelType) - {
    *(ChannelType.DM, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD, ChannelType.ANNOUNCEMENT_THREAD)
}
# Spelled without capitals and blanks.
TEXTUAL = (ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.FORUM)


class OverwriteForm(BaseModel):
    id: int = 0
    type: int = Field(default=0, ge=0, le=1)
    allow: int = Field(default=0, ge=0)
    deny: int = Field(default=0, ge=0)

    def overwrite(self, overwrite_id: int) -> Overwrite:
        return Overwrite(overwrite_id, bool(self.type), self.allow, self.deny)


class TagForm(BaseModel):
    name: str = Field(min_length=1, max_length=20)


class ChannelForm(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    type: int = ChannelType.TEXT
    topic: str | None = Field(default=None, max_length=4096)
    parent_id: int | None = None
    nsfw: bool = False
    permission_overwrites: list[OverwriteForm] | None = Field(default=None, max_length=1000)
    available_tags: list[TagForm] = Field(default_factory=list, max_length=20)


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
    guild, world = call.guild(), call.server.world
    call.need(call.rights_over(guild), Permission.MANAGE_CHANNELS)
    form = await call.body(ChannelForm)
    parent = world.channels.get(form.parent_id or 0)
    if form.type not in MAKEABLE:
        raise invalid("type", "Value must be a type of channel that can be created.")
    if form.parent_id is not None and (parent is None or parent.type != ChannelType.CATEGORY):
        raise invalid("parent_id", "Category does not exist")
    # A new room in a category starts in step with it.
    overwrites = [] if parent is None else list(parent.overwrites.values())
    if form.permission_overwrites is not None:
        overwrites = [one.overwrite(one.id) for one in form.permission_overwrites]
    channel = Channel(
        call.server.ids.next(),
        form.type,
        "-".join(form.name.lower().split()) if form.type in TEXTUAL else form.name,
        guild.id,
        form.parent_id,
        position=sum(1 for _ in world.channels_of(guild.id)),
        topic=form.topic,
        nsfw=form.nsfw,
        overwrites={one.id: Overwrite(one.id, one.for_member, one.allow, one.deny) for one in overwrites},
        available_tags=[
            {
                "id": str(call.server.ids.next()),
                "name": tag.name,
                "moderated": False,
                "emoji_id": None,
                "emoji_name": None,
            }
            for tag in form.available_tags
        ],
    )
    call.server.places.add_channel(channel)
    return call.server.payloads.channel(channel, call.caller.id)


@endpoints("PATCH", "/channels/{channel_id}")
async def change_channel(call: Call) -> Json:
    """Change a thread: nothing but threads is changed by a call."""
    channel = call.channel()
    if channel.thread is None:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    await change_thread(call, channel, channel.thread)
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


def _guild_of(call: Call, channel: Channel) -> Guild:
    if channel.guild_id is None:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    return call.server.world.guilds[channel.guild_id]


class RoleForm(BaseModel):
    name: str = Field(default="new role", max_length=100)
    permissions: int | None = Field(default=None, ge=0)


@endpoints("POST", "/guilds/{guild_id}/roles")
async def create_role(call: Call) -> Json:
    """Create a role just above @everyone; it can be given only what its giver has."""
    guild = call.guild()
    form = await call.body(RoleForm)
    rights = call.rights_over(guild)
    call.need(rights, Permission.MANAGE_ROLES)
    permissions = guild.roles[guild.id].permissions if form.permissions is None else form.permissions
    if (form.permissions or 0) & ~rights and not rights & Permission.ADMINISTRATOR:
        raise ApiError(Refusal.MISSING_PERMISSION)
    for other in guild.roles.values():
        if other.id != guild.id:
            other.position += 1
    role = Role(call.server.ids.next(), form.name, permissions, position=1)
    call.server.places.add_role(guild, role)
    return role_payload(role)


class MemberForm(BaseModel):
    """Changes a member: a nick of null or "" takes the nickname away; fields left out stay."""

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
@endpoints("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
async def give_or_take_role(call: Call) -> Json:
    guild = call.guild()
    member, role_id = _member(call, guild), call.id("role_id")
    call.need(call.rights_over(guild), Permission.MANAGE_ROLES)
    if role_id not in guild.roles:
        raise ApiError(Refusal.UNKNOWN_ROLE)
    others = [known for known in member.role_ids if known != role_id]
    role_ids = [*others, role_id] if call.request.method == "PUT" else others
    if len(role_ids) != len(member.role_ids):
        call.server.membership.change(guild, member, role_ids=role_ids)
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
