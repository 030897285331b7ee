"""Guilds and their roles."""

from pydantic import BaseModel, Field

from local_guild.payloads.objects import role_payload
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import ApiError, MissingPermissionError, UnknownThingError
from local_guild.state.ids import Json
from local_guild.state.permissions import Permission
from local_guild.state.world import Guild, Member, Role

endpoints = Endpoints()


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
            raise UnknownThingError(errors.UNKNOWN_ROLE)
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
    return guild, member, role.id
