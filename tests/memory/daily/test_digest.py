"""Digests that stand on Discord: who is told where."""

from zoneinfo import ZoneInfo

from memory.core.provenance import Evidence
from memory.core.values import ERASED
from memory.daily.digest_values import Schedule, State
from memory.language.detect import Language
from memory.places.view import Audience
from memory.policy.settings import DigestRules
from tests.memory.world import GUILD, HALL, LOUNGE, World, audience


async def test_posted_ones_are_listed_for_those_who_can_read_them(world: World) -> None:
    digests = world.memory.digests
    digest = await digests.claim_now(Schedule(GUILD, ZoneInfo("UTC"), DigestRules(channel_id=HALL)))
    assert digest is not None
    reader, stranger = (Audience(GUILD, 0, frozenset({channel})) for channel in (HALL, LOUNGE))
    assert await digests.posted(reader, 9) == []
    assert await digests.settle(digest, State.POSTED, 77)
    assert [one.message_id for one in await digests.posted(reader, 9)] == [77]
    assert await digests.posted(stranger, 9) == []


async def test_one_is_marked_to_be_made_anew_where_it_can_be_read_and_not_while_others_wait(world: World) -> None:
    digests, receipts = world.memory.digests, world.memory.receipts
    digest = await digests.claim_now(Schedule(GUILD, ZoneInfo("UTC"), DigestRules(channel_id=HALL)))
    assert digest is not None
    await digests.settle(digest, State.POSTED, 77)
    reader, stranger = (Audience(GUILD, 0, frozenset({channel})) for channel in (HALL, LOUNGE))
    assert not await digests.have_made_anew(reader, digest), "nobody knows any more what it rests on"
    for asked_in in (digest.digest_id, 1, 2, 3):
        receipt = receipts.receipt_of(audience(), asked_in, ERASED, Language.EN, Evidence())
        assert receipt is not None
        await receipts.put(receipt)
        await receipts.note_sent(receipt, [asked_in + 76])
    assert not await digests.have_made_anew(stranger, digest)
    async with world.database.connection("test") as connection:
        await connection.execute("SELECT take_back($1, $2, 'source')", GUILD, [1, 2, 3])
        assert not await digests.have_made_anew(reader, digest), "they come first"
        await connection.execute("DELETE FROM receipts WHERE asked_in = 1")
    assert await digests.have_made_anew(reader, digest)
    assert not await digests.have_made_anew(reader, digest), "it is under way"
