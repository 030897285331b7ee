"""Guilds and their roles."""

from pydantic import BaseModel, Field

from local_guild.payloads import role_payload
from local_guild.permissions import Permission
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import MissingPermissionError, UnknownThingError
from local_guild.rest.ranks import need_rank_above
from local_guild.wire import Json
from local_guild.world import Guild, Role

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
