"""Digests that stand on Discord: who is told where."""

from zoneinfo import ZoneInfo

from memory.daily.values import Schedule, State
from memory.places.view import Audience
from memory.policy.settings import DigestRules
from tests.memory.world import GUILD, HALL, LOUNGE, World


async def test_posted_ones_are_listed_for_those_who_can_read_them(world: World) -> None:
    digests = world.memory.digests
    digest = await digests.claim_now(Schedule(GUILD, ZoneInfo("UTC"), DigestRules(channel_id=HALL)))
    assert digest is not None
    reader, stranger = (Audience(GUILD, 0, frozenset({channel})) for channel in (HALL, LOUNGE))
    assert await digests.posted(reader, 9) == []
    assert await digests.settle(digest, State.POSTED, 77)
    assert [one.message_id for one in await digests.posted(reader, 9)] == [77]
    assert await digests.posted(stranger, 9) == []
