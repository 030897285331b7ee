"""What happens by itself: old things go, and what the bot's own roles let it read is read."""

from datetime import timedelta

import pytest

from bot import background
from local_guild.state.world import Role
from memory.policy.settings import LogSettings
from tests.end_to_end.absence import until_live
from tests.end_to_end.house import Inn, eventually
from tests.memory.log.logbook import decide_log

LEFT_LONG_AGO = 77_000


def role(inn: Inn, name: str, permissions: int = 0) -> Role:
    made = Role(inn.house.server.ids.next(), name, permissions)
    inn.house.server.places.add_role(inn.guild, made)
    return made


def give_roles(inn: Inn, user_id: int, *roles: Role, instead_of: Role | None = None) -> None:
    member = inn.house.server.world.members(inn.guild.id)[user_id]
    kept = [role_id for role_id in member.role_ids if instead_of is None or role_id != instead_of.id]
    role_ids = [*kept, *(role.id for role in roles)]
    inn.house.server.membership.change(inn.guild, member, role_ids=role_ids)


async def test_the_purge_comes_by_itself(own_inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever gains an excluded role, and guilds that were left more than a week ago."""
    house, aylin = own_inn.house, own_inn.person("aylin")
    monkeypatch.setattr(background, "AFTER_START", timedelta(0))
    monkeypatch.setattr(background, "EVERY", timedelta(seconds=0.2))
    guest = role(own_inn, "Guest")
    async with house.bot_running():
        await until_live(own_inn)
        await decide_log(house.memory, own_inn.guild.id, LogSettings(excluded_roles=frozenset({guest.id})))
        before = await aylin.say("before the role")
        kept = await own_inn.person("florent").say("without it")
        await own_inn.until_stored(before)
        await own_inn.until_stored(kept)
        give_roles(own_inn, aylin.user.id, guest)
        await own_inn.until_gone(before)
        assert await own_inn.stored(kept)
        await house.rows(
            """
            INSERT INTO guilds (guild_id, name, met_at, left_at)
            VALUES ($1, 'Elsewhere', now() - interval '9 days', now() - interval '8 days')
            """,
            LEFT_LONG_AGO,
        )
        await eventually(
            lambda: house.rows("SELECT 1 FROM guilds WHERE guild_id = $1", LEFT_LONG_AGO), lambda rows: not rows
        )
        assert await own_inn.stored(kept)
