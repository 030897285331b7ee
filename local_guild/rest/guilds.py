"""Guilds and their roles."""

from pydantic import BaseModel, Field

from local_guild.payloads.objects import role_payload
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import ApiError, MissingPermissionError, UnknownThingError, invalid
from local_guild.state.ids import Json
from local_guild.state.permissions import Permission
from local_guild.state.world import Guild, Member, Role

# Rank: one can act on roles and members below one's own highest role; the owner stands above all.


def rank(guild: Guild, member: Member | None) -> int:
    if member is None:
        return -1
    if member.user_id == guild.owner_id:
        return 1 << 30
    return max((guild.roles[r].position for r in member.role_ids if r in guild.roles), default=0)


def need_rank_above(call: Call, guild: Guild, subject: Role | Member) -> None:
    own = rank(guild, call.server.world.member(guild.id, call.caller.id))
    other = subject.position if isinstance(subject, Role) else rank(guild, subject)
    if own <= other:
        raise MissingPermissionError


endpoints = Endpoints()


class GuildForm(BaseModel):
    name: str | None = Field(default=None, min_length=2, max_length=100)
    system_channel_id: int | None = None
    preferred_locale: str | None = Field(default=None, max_length=10)


class RoleForm(BaseModel):
    name: str | None = Field(default=None, max_length=100)
    permissions: int | None = Field(default=None, ge=0)
    color: int | None = Field(default=None, ge=0, le=0xFFFFFF)
    hoist: bool | None = None
    mentionable: bool | None = None

    def apply(self, role: Role) -> None:
        for name, value in self.model_dump(exclude_none=True).items():
            setattr(role, name, value)


class RolePosition(BaseModel):
    id: int
    position: int = Field(ge=0)

    def apply(self, role: Role) -> None:
        role.position = self.position


@endpoints("GET", "/guilds/{guild_id}")
async def get_guild(call: Call) -> Json:
    guild = call.guild()
    payload = call.server.payloads.guild(guild)
    if call.request.query_params.get("with_counts") in ("1", "true", "True"):
        count = len(call.server.world.members(guild.id))
        payload |= {"approximate_member_count": count, "approximate_presence_count": count}
    return payload


@endpoints("PATCH", "/guilds/{guild_id}")
async def change_guild(call: Call) -> Json:
    guild = call.guild()
    call.need(call.rights_over(guild), Permission.MANAGE_GUILD)
    form = await call.body(GuildForm)
    if form.name is not None:
        guild.name = form.name
    if form.preferred_locale is not None:
        guild.preferred_locale = form.preferred_locale
    if "system_channel_id" in form.model_fields_set:
        guild.system_channel_id = form.system_channel_id
    call.server.places.announce_guild(guild)
    return call.server.payloads.guild(guild)


@endpoints("GET", "/guilds/{guild_id}/roles")
async def list_roles(call: Call) -> Json:
    return [role_payload(role) for role in call.guild().roles.values()]


@endpoints("GET", "/guilds/{guild_id}/roles/{role_id}")
async def get_role(call: Call) -> Json:
    return role_payload(role_of(call, call.guild()))


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


@endpoints("PATCH", "/guilds/{guild_id}/roles")
async def move_roles(call: Call) -> Json:
    guild = call.guild()
    call.need(call.rights_over(guild), Permission.MANAGE_ROLES)
    for form in await call.bodies(RolePosition):
        role = guild.roles.get(form.id)
        if role is None:
            raise UnknownThingError(errors.UNKNOWN_ROLE)
        need_rank_above(call, guild, role)
        call.server.places.change_role(guild, role, form.apply)
    return [role_payload(role) for role in guild.roles.values()]


@endpoints("PATCH", "/guilds/{guild_id}/roles/{role_id}")
async def change_role(call: Call) -> Json:
    guild = call.guild()
    role = role_of(call, guild)
    form = await call.body(RoleForm)
    _check_grants(call, guild, form)
    need_rank_above(call, guild, role)
    call.server.places.change_role(guild, role, form.apply)
    return role_payload(role)


@endpoints("DELETE", "/guilds/{guild_id}/roles/{role_id}")
async def delete_role(call: Call) -> Json:
    guild = call.guild()
    role = role_of(call, guild)
    call.need(call.rights_over(guild), Permission.MANAGE_ROLES)
    need_rank_above(call, guild, role)
    if role.managed or role.id == guild.id:
        raise errors.invalid("role_id", "ROLE_NOT_DELETABLE", "This role cannot be deleted.")
    call.server.places.delete_role(guild, role)
    return None


def role_of(call: Call, guild: Guild) -> Role:
    role = guild.roles.get(call.id("role_id"))
    if role is None:
        raise UnknownThingError(errors.UNKNOWN_ROLE)
    return role


def _check_grants(call: Call, guild: Guild, form: RoleForm) -> None:
    """A role can be given only what its giver has."""
    rights = call.rights_over(guild)
    call.need(rights, Permission.MANAGE_ROLES)
    if (form.permissions or 0) & ~rights and not rights & Permission.ADMINISTRATOR:
        raise MissingPermissionError


# Members of a guild: finding them, changing them, showing them out.


class MemberForm(BaseModel):
    """A nick of null or "" takes the nickname away; fields left out stay."""

    nick: str | None = Field(default=None, max_length=32)
    roles: list[int] | None = None


@endpoints("GET", "/guilds/{guild_id}/members")
async def list_members(call: Call) -> Json:
    guild = call.guild()
    limit = call.number("limit", 1, low=1, high=1000)
    after = call.snowflake("after") or 0
    if call.is_application and not call.server.world.facts.privileged_intents:
        raise errors.MissingAccessError
    members = call.server.world.members(guild.id)
    found = sorted(user_id for user_id in members if user_id > after)[:limit]
    return [call.server.payloads.member(members[user_id]) for user_id in found]


@endpoints("GET", "/guilds/{guild_id}/members/search")
async def search_members(call: Call) -> Json:
    guild = call.guild()
    query = call.request.query_params.get("query", "").casefold()
    if not query:
        raise invalid("query", "BASE_TYPE_REQUIRED", "This field is required")
    limit = call.number("limit", 1, low=1, high=1000)
    found = []
    for member in call.server.world.members(guild.id).values():
        user = call.server.world.users[member.user_id]
        names = (user.name, user.global_name or "", member.nick or "")
        if any(name.casefold().startswith(query) for name in names):
            found.append(call.server.payloads.member(member))
    return found[:limit]


@endpoints("GET", "/guilds/{guild_id}/members/{user_id}")
async def get_member(call: Call) -> Json:
    return call.server.payloads.member(_member(call, call.guild()))


@endpoints("GET", "/users/@me/guilds/{guild_id}/member")
async def my_member(call: Call) -> Json:
    member = call.server.world.member(call.guild().id, call.caller.id)
    return None if member is None else call.server.payloads.member(member)


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
        _check_roles(call, guild, set(form.roles) ^ set(member.role_ids))
    elif not own:
        need_rank_above(call, guild, member)
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
    need_rank_above(call, guild, member)
    call.server.membership.leave(guild, member)
    return None


@endpoints("DELETE", "/users/@me/guilds/{guild_id}")
async def leave(call: Call) -> Json:
    guild = call.guild()
    member = call.server.world.member(guild.id, call.caller.id)
    if guild.owner_id == call.caller.id or member is None:
        raise ApiError(400, errors.GENERAL, "The owner cannot leave the guild")
    call.server.membership.leave(guild, member)
    return None


def _member(call: Call, guild: Guild) -> Member:
    member = call.server.world.member(guild.id, call.id("user_id"))
    if member is None:
        raise UnknownThingError(errors.UNKNOWN_MEMBER)
    return member


def _role_change(call: Call) -> tuple[Guild, Member, int]:
    guild = call.guild()
    member = _member(call, guild)
    role = role_of(call, guild)
    call.need(call.rights_over(guild), Permission.MANAGE_ROLES)
    need_rank_above(call, guild, role)
    return guild, member, role.id


def _check_roles(call: Call, guild: Guild, changed: set[int]) -> None:
    for role_id in changed:
        role = guild.roles.get(role_id)
        if role is None:
            raise UnknownThingError(errors.UNKNOWN_ROLE)
        need_rank_above(call, guild, role)
