"""Rank: one can act on roles and members below one's own highest role; the owner stands above all."""

from local_guild.rest.call import Call
from local_guild.rest.errors import MissingPermissionError
from local_guild.world import Guild, Member, Role


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
