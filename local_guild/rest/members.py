"""Members of a guild: finding them, changing them, showing them out."""

from pydantic import BaseModel, Field

from local_guild.permissions import Permission
from local_guild.rest import errors
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.errors import ApiError, UnknownThingError, invalid
from local_guild.rest.guilds import role_of
from local_guild.rest.ranks import need_rank_above
from local_guild.wire import Json
from local_guild.world import Guild, Member

endpoints = Endpoints()


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
