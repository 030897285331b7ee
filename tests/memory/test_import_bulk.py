"""The bulk way into the log: ready for COPY, and judged no less than message by message."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.core.model import AuthorKind, Message
from memory.core.text import repair
from memory.store.bulk import add_packed, oldest_of_each_author
from memory.store.copy_format import Arrival, pack, unpack
from memory.store.log import own_log
from memory.store.messages import stored
from tests.memory.exports import SENT
from tests.memory.world import BOB, GUILD, HALL, World

LATER = SENT + timedelta(hours=1)


async def log_of(world: World) -> dict[int, Message]:
    async with world.database.connection("test") as connection:
        ids = [row["message_id"] for row in await connection.fetch("SELECT message_id FROM chat_history")]
        return {message.message_id: message for message in await stored(connection, GUILD, ids)}


numbers = st.integers(0, 2**63 - 1)
moments = st.datetimes(datetime(1999, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds


@given(
    st.lists(
        st.tuples(
            *(numbers, numbers, numbers, numbers, st.sampled_from(["person", "bot"]), st.text(), moments),
            *(st.none() | moments, st.none() | numbers, st.none() | numbers),
        ),
        min_size=1,
    )
)
def test_what_is_packed_for_copy_can_be_unpacked(arrivals: list[Arrival]) -> None:
    storable = [(*arrival[:5], repair(arrival[5]), *arrival[6:]) for arrival in arrivals]
    packed = pack(storable, {})
    assert unpack(packed) == storable
    assert (packed.first_id, packed.last_id) == (min(row[2] for row in storable), max(row[2] for row in storable))


async def test_what_is_packed_is_stored_as_it_was(world: World) -> None:
    arrivals: list[Arrival] = [
        (GUILD, HALL, 1, 1, "person", "größer\n\t\\ \N{PARTY POPPER}", SENT, None, None, None),
        (GUILD, HALL, 2**62, 2, "webhook", "", SENT.replace(microsecond=7), LATER, 1, 900),
    ]
    async with world.database.transaction("test") as connection:
        await own_log(connection, GUILD)
        added = await add_packed(connection, pack(arrivals, oldest_of_each_author(arrivals)), [])
    assert (added.stored, added.known) == (2, 0)
    assert await log_of(world) == {
        1: Message(GUILD, HALL, 1, 1, AuthorKind.PERSON, "größer\n\t\\ \N{PARTY POPPER}", SENT),
        2**62: Message(
            GUILD, HALL, 2**62, 2, AuthorKind.WEBHOOK, "", SENT.replace(microsecond=7), LATER, reply_to=1, parent_id=900
        ),
    }


async def test_one_id_of_two_kinds_is_judged_for_each(world: World) -> None:
    await world.memory.opt_out(GUILD, BOB.user_id)
    arrivals: list[Arrival] = [
        (GUILD, HALL, number, BOB.user_id, kind, "x", SENT, None, None, None)
        for number, kind in ((1, "webhook"), (2, "person"))
    ]
    async with world.database.transaction("test") as connection:
        await own_log(connection, GUILD)
        await add_packed(connection, pack(arrivals, oldest_of_each_author(arrivals)), [])
    assert sorted(await log_of(world)) == [1]
