"""Serves guilds with their channels, roles and members, and users with their guilds and direct messages."""

from pydantic import BaseModel, Field

from local_guild.payloads import role_payload, user_payload
from local_guild.rest.call import ApiError, Call, Endpoints, Refusal
from local_guild.rest.threads import change_thread
from local_guild.sample_week import AlreadyPlayedError, NoStageError
from local_guild.state.ids import Json
from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Guild, Member, Overwrite, Role

endpoints = Endpoints()
local_endpoints = Endpoints()

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
    return call.described(call.channel())


@endpoints("POST", "/guilds/{guild_id}/channels")
async def create_channel(call: Call) -> Json:
    guild, world = call.guild(Permission.MANAGE_CHANNELS), call.server.world
    form = await call.body(ChannelForm)
    parent = world.channels.get(form.parent_id or 0)
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
    return call.described(channel)


@endpoints("PATCH", "/channels/{channel_id}")
async def change_channel(call: Call) -> Json:
    """Change a thread: nothing but threads is changed by a call."""
    channel = call.channel()
    if channel.thread is None:
        raise ApiError(Refusal.WRONG_CHANNEL_TYPE)
    await change_thread(call, channel, channel.thread)
    return call.described(channel)


@endpoints("DELETE", "/channels/{channel_id}")
async def delete_channel(call: Call) -> Json:
    channel = call.channel()
    payload = call.described(channel)
    if channel.thread is not None:
        call.need(call.rights_in(channel), Permission.MANAGE_THREADS)
        call.server.threads.delete(channel)
    else:
        call.need(call.rights_in(channel), Permission.MANAGE_CHANNELS)
        call.server.places.delete_channel(channel)
    return payload


@endpoints("PUT", "/channels/{channel_id}/permissions/{overwrite_id}")
async def put_overwrite(call: Call) -> Json:
    channel = call.channel(Permission.MANAGE_ROLES)
    overwrite = (await call.body(OverwriteForm)).overwrite(call.id("overwrite_id"))
    # Nobody can grant or take what they do not have themselves.
    if (overwrite.allow | overwrite.deny) & ~call.rights_in(channel):
        raise ApiError(Refusal.MISSING_PERMISSION)
    call.server.places.put_overwrite(channel, overwrite)
    return None


class RoleForm(BaseModel):
    name: str = Field(default="new role", max_length=100)
    permissions: int | None = Field(default=None, ge=0)


@endpoints("POST", "/guilds/{guild_id}/roles")
async def create_role(call: Call) -> Json:
    """Create a role just above @everyone; it can be given only what its giver has."""
    guild = call.guild(Permission.MANAGE_ROLES)
    form, rights = await call.body(RoleForm), call.rights_over(guild)
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
    guild = call.guild(Permission.MANAGE_ROLES)
    member, role_id = _member(call, guild), call.id("role_id")
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


# Users: what they are in, whom they write to, and what an application asks about itself.

INTENT_FLAGS = 1 << 15 | 1 << 19


class Recipient(BaseModel):
    recipient_id: int


@endpoints("GET", "/gateway/bot")
async def gateway_for_bot(call: Call) -> Json:
    if not call.caller.bot:
        raise ApiError(Refusal.MISSING_PERMISSION)
    starts = call.server.gateway.starts
    return {"url": call.server.gateway_url, "shards": starts.shards, "session_start_limit": starts.described()}


@endpoints("GET", "/users/{user_id}")
async def get_user(call: Call) -> Json:
    user = call.server.world.users.get(call.id("user_id"))
    if user is None:
        raise ApiError(Refusal.UNKNOWN_USER)
    return user_payload(user)


@endpoints("GET", "/users/@me/guilds")
async def my_guilds(call: Call) -> Json:
    limit = call.number("limit", 200, low=1, high=200)
    after = call.snowflake("after") or 0
    guilds = sorted(call.server.world.guilds_of(call.caller.id), key=lambda guild: guild.id)
    return [
        {
            "id": str(guild.id),
            "name": guild.name,
            "owner": guild.owner_id == call.caller.id,
            "permissions": str(call.rights_over(guild)),
            "features": [],
        }
        for guild in guilds
        if guild.id > after
    ][:limit]


@endpoints("POST", "/users/@me/channels")
async def open_dm(call: Call) -> Json:
    recipient = call.server.world.users.get((await call.body(Recipient)).recipient_id)
    if recipient is None:
        raise ApiError(Refusal.UNKNOWN_USER)
    if recipient.id == call.caller.id:
        raise ApiError(Refusal.CANNOT_MESSAGE_USER)
    return call.described(_dm_between(call, call.caller.id, recipient.id))


def _dm_between(call: Call, one: int, other: int) -> Channel:
    world = call.server.world
    for channel in world.channels.values():
        if channel.type == ChannelType.DM and set(channel.recipient_ids) == {one, other}:
            return channel
    channel = Channel(call.server.ids.next(), ChannelType.DM, recipient_ids=[one, other])
    world.keep(channel)
    return channel


@endpoints("GET", "/users/@me/channels")
async def my_dms(call: Call) -> Json:
    mine = [
        channel
        for channel in call.server.world.channels.values()
        if channel.guild_id is None and call.caller.id in channel.recipient_ids
    ]
    return [call.described(channel) for channel in mine]


@endpoints("GET", "/oauth2/applications/@me")
async def application_info(call: Call) -> Json:
    if not call.is_application:
        raise ApiError(Refusal.MISSING_PERMISSION)
    world = call.server.world
    owners = [guild.owner_id for guild in world.guilds_of(world.bot.id)]
    owner = call.server.payloads.user(owners[0] if owners else world.bot.id)
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": owner,
        "verify_key": "0" * 64,
        "flags": INTENT_FLAGS if world.facts.privileged_intents else 0,
    }


# The button that fills a guild with a week of chat.


class WeekForm(BaseModel):
    guild_id: int


@local_endpoints("POST", "/sample-week")
async def play(call: Call) -> Json:
    guild = call.server.world.guilds.get((await call.body(WeekForm)).guild_id)
    if guild is None:
        raise ApiError(Refusal.UNKNOWN_GUILD)
    try:
        viewer = call.caller_or_none
        return {"messages": await call.server.sample_week.play(guild, None if viewer is None else viewer.id)}
    except AlreadyPlayedError:
        raise ApiError(Refusal.WEEK_IS_PLAYED) from None
    except NoStageError:
        raise ApiError(Refusal.NO_STAGE) from None
