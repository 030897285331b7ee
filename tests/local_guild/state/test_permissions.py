"""Discord's permission rule, case by case. (test_audience compares whole guilds with discord.py's own.)"""

import pytest

from local_guild.state.permissions import (
    EVERYTHING,
    Permission,
    effective,
    guild_permissions,
    overwritten,
    thread_permissions,
)
from local_guild.state.world import Overwrite, Role

GUILD, MEMBER, ALICE = 100, 200, 300
VIEW, SEND = int(Permission.VIEW_CHANNEL), int(Permission.SEND_MESSAGES)
BOTH = VIEW | SEND


def granted(*role_ids: int, everyone: int = BOTH, owner: bool = False, roles: dict[int, int] | None = None) -> int:
    known = {GUILD: Role(GUILD, "@everyone", everyone)}
    for role_id, permissions in (roles or {}).items():
        known[role_id] = Role(role_id, f"role {role_id}", permissions)
    return guild_permissions(known, GUILD, role_ids, owner=owner)


def in_channel(base: int, *overwrites: Overwrite, role_ids: tuple[int, ...] = ()) -> int:
    by_id = {overwrite.id: overwrite for overwrite in overwrites}
    return effective(overwritten(base, by_id, guild_id=GUILD, user_id=ALICE, role_ids=role_ids))


def test_everyone_and_roles_add_up() -> None:
    assert granted() == BOTH
    assert granted(1, roles={1: 4}) == BOTH | 4
    assert granted(1, roles={}) == BOTH, "a role that is gone grants nothing"


def test_owner_and_administrator_may_do_everything() -> None:
    assert granted(owner=True, everyone=0) == EVERYTHING
    assert granted(1, everyone=0, roles={1: int(Permission.ADMINISTRATOR)}) == EVERYTHING


def test_an_administrator_is_above_overwrites() -> None:
    closed = Overwrite(GUILD, for_member=False, deny=VIEW)
    assert in_channel(EVERYTHING, closed) == EVERYTHING


@pytest.mark.parametrize(
    ("overwrites", "seen"),
    [
        ((), True),
        ((Overwrite(GUILD, False, deny=VIEW),), False),
        ((Overwrite(GUILD, False, deny=VIEW), Overwrite(1, False, allow=VIEW)), True),
        # One role allows, another denies: all denials go first, then all allowances.
        ((Overwrite(1, False, allow=VIEW), Overwrite(2, False, deny=VIEW)), True),
        # The member's own overwrite has the last word, either way.
        ((Overwrite(1, False, allow=VIEW), Overwrite(ALICE, True, deny=VIEW)), False),
        ((Overwrite(GUILD, False, deny=VIEW), Overwrite(ALICE, True, allow=VIEW)), True),
        # An overwrite of a role she does not have is none of hers.
        ((Overwrite(GUILD, False, deny=VIEW), Overwrite(9, False, allow=VIEW)), False),
    ],
)
def test_the_order_of_overwrites(overwrites: tuple[Overwrite, ...], seen: bool) -> None:
    assert bool(in_channel(BOTH, *overwrites, role_ids=(1, 2)) & VIEW) is seen


def test_who_cannot_look_in_can_do_nothing() -> None:
    assert in_channel(BOTH, Overwrite(GUILD, for_member=False, deny=VIEW)) == 0


def test_who_cannot_send_cannot_attach_or_mention_everyone() -> None:
    base = BOTH | int(Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE)
    assert in_channel(base, Overwrite(GUILD, for_member=False, deny=SEND)) == VIEW


def test_a_private_thread_needs_a_seat_or_the_right_to_manage() -> None:
    manage = int(Permission.MANAGE_THREADS)
    assert thread_permissions(VIEW, private=True, joined=False) == 0
    assert thread_permissions(VIEW, private=True, joined=True) & VIEW
    assert thread_permissions(VIEW | manage, private=True, joined=False) & VIEW
    assert thread_permissions(VIEW, private=False, joined=False) & VIEW


def test_a_seat_does_not_open_the_room_the_thread_hangs_off() -> None:
    assert thread_permissions(0, private=True, joined=True) == 0


def test_sending_in_a_thread_is_its_own_permission() -> None:
    in_threads = int(Permission.SEND_MESSAGES_IN_THREADS)
    assert not thread_permissions(BOTH, private=False, joined=True) & SEND
    assert thread_permissions(VIEW | in_threads, private=False, joined=True) & SEND
