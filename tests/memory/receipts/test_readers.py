"""Replies made from other channels, when somebody comes to read them who could not read those."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.core.provenance import DayKey, Evidence, Read
from memory.core.values import Member
from memory.language.detect import Language
from memory.places.model import Overwrite, Place, PlaceKind, Role, Seat
from memory.receipts import service as receipts_module
from memory.receipts.retractions import Replacement, Retractions
from tests.end_to_end.cable import cable_to
from tests.memory.facts.held_facts import told
from tests.memory.log.test_outages import world_at
from tests.memory.models.metered import until
from tests.memory.receipts.test_store import lay_day
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, LOUNGE, SEE, World, audience, room

KEEPERS = 700
ATTIC, NOOK, DEN = 1004, 2001, 2002
REPLY = 77_000


def opened_to(*members: Member, roles: Iterable[int] = ()) -> tuple[Overwrite, ...]:
    allowed = [(one.user_id, False) for one in members] + [(role, True) for role in roles]
    return (Overwrite(GUILD, True, 0, SEE), *(Overwrite(one, is_role, SEE, 0) for one, is_role in allowed))


class Inn:
    """Alice and Bob see the cellar and the attic; Gruzilkin, and the keepers, neither."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.place_mirror = world.memory.place_mirror
        self.retractions = world.memory.retractions
        self.place_mirror.begin(lambda: None)
        self.asked: list[int] = []
        self.look()

    def look(self, members: Iterable[Member] = (ALICE, BOB, GRUZILKIN)) -> None:
        """All of it anew, as at a start."""
        self.world.sees(
            *(room(HALL), room(LOUNGE), room(ATTIC, *opened_to(ALICE, BOB))),
            room(CELLAR, *opened_to(ALICE, BOB, roles=[KEEPERS])),
            Place(NOOK, PlaceKind.THREAD, CELLAR),
            Place(DEN, PlaceKind.PRIVATE_THREAD, HALL, members=frozenset((ALICE.user_id, BOB.user_id))),
            roles=[Role(KEEPERS, 0)],
            seats=[Seat(member.user_id, member.roles) for member in members],
        )

    async def reply(self, read: Read, place: int = CELLAR, *, at: datetime | None = None) -> int:
        asked = (await self.world.say(BOB, "Bot what is new?", place)).message_id
        receipts = self.world.memory.receipts
        receipt = receipts.receipt_of(audience(place), asked, BOB.user_id, Language.EN, Evidence(used=read))
        receipt = receipt if at is None else replace(receipt, made_at=at)
        await receipts.put(receipt)
        await receipts.note_sent(receipt, [REPLY + len(self.asked)])
        self.asked.append(asked)
        return asked

    async def heard_in(self, source: int) -> Read:
        return Read.of_messages([await self.world.say(ALICE, "the vault is open", source)])

    async def checked(self) -> set[int]:
        """What is to be taken back, now that readers have been looked at."""
        self.world.clock.move(timedelta(seconds=1))
        await self.retractions.check_readers(GUILD)
        async with self.retractions.due(GUILD) as due:
            assert {one.instead for one in due} <= {Replacement.NOT_FOR_ALL}
            return {one.asked_in for one in due}


@pytest.fixture
async def inn(world: World) -> Inn:
    inn = Inn(world)
    await inn.retractions.check_readers(GUILD)
    return inn


def give_the_role(inn: Inn) -> None:
    inn.place_mirror.seat(GUILD, Seat(GRUZILKIN.user_id, (KEEPERS,)))


MEMBERS = frozenset((ALICE.user_id, BOB.user_id, GRUZILKIN.user_id))
COMING: dict[str, tuple[int, Callable[[Inn], None]]] = {
    "who is given the role": (CELLAR, give_the_role),
    "everybody": (CELLAR, lambda inn: inn.place_mirror.place(GUILD, room(CELLAR))),
    "who is let in": (
        CELLAR,
        lambda inn: inn.place_mirror.place(GUILD, room(CELLAR, *opened_to(ALICE, BOB, GRUZILKIN))),
    ),
    "who joins the guild": (CELLAR, lambda inn: inn.place_mirror.seat(GUILD, Seat(5, (KEEPERS,)))),
    "who enters a private thread": (
        DEN,
        lambda inn: inn.place_mirror.place(GUILD, Place(DEN, PlaceKind.PRIVATE_THREAD, HALL, members=MEMBERS)),
    ),
    "who comes to the channel of a public thread": (NOOK, give_the_role),
}


@pytest.mark.parametrize(("place", "come"), COMING.values(), ids=COMING)
async def test_whoever_comes_and_could_not_read_the_source_takes_the_reply_away(
    inn: Inn, place: int, come: Callable[[Inn], None]
) -> None:
    asked = await inn.reply(await inn.heard_in(ATTIC), place)
    own = await inn.reply(await inn.heard_in(CELLAR))
    hall = await inn.reply(await inn.heard_in(HALL))
    inn.place_mirror.place(GUILD, Place(2003, PlaceKind.THREAD, CELLAR))
    assert await inn.checked() == set()
    come(inn)
    assert await inn.checked() == {asked}
    assert {own, hall}.isdisjoint(await inn.checked())


async def test_who_loses_the_source_has_read_the_reply(inn: Inn) -> None:
    """Or whoever hides one channel from themselves would take away most of what was ever answered."""
    await inn.reply(await inn.heard_in(LOUNGE), HALL)
    assert await inn.checked() == set(), "nobody has come or gone since the last look"
    inn.place_mirror.place(GUILD, room(LOUNGE, Overwrite(GRUZILKIN.user_id, False, 0, SEE)))
    assert await inn.checked() == set()
    inn.place_mirror.place(GUILD, room(LOUNGE, *opened_to(ALICE, BOB)))
    assert await inn.checked() == set(), "turned private"
    inn.place_mirror.seat(GUILD, Seat(5, ()))
    assert len(await inn.checked()) == 1, "who joins now could never read it"


async def test_nobody_can_read_what_is_gone(inn: Inn) -> None:
    asked = await inn.reply(await inn.heard_in(LOUNGE), HALL)
    inn.place_mirror.place(GUILD, Place(2003, PlaceKind.THREAD, HALL))
    assert await inn.checked() == set()
    inn.place_mirror.no_place(GUILD, LOUNGE)
    assert await inn.checked() == set()
    inn.place_mirror.seat(GUILD, Seat(5, ()))
    assert await inn.checked() == {asked}


@pytest.mark.parametrize("shut_out", [(), (Overwrite(GRUZILKIN.user_id, False, 0, SEE),)], ids=["", "somebody left"])
async def test_what_asks_for_an_age_does_not_stand_where_none_is_asked(
    inn: Inn, shut_out: tuple[Overwrite, ...]
) -> None:
    asked = await inn.reply(await inn.heard_in(LOUNGE), HALL)
    assert await inn.checked() == set()
    inn.place_mirror.place(GUILD, room(LOUNGE, *shut_out))
    assert await inn.checked() == set()
    inn.place_mirror.place(GUILD, replace(room(LOUNGE, *shut_out), age_restricted=True))
    assert await inn.checked() == {asked}


async def test_facts_days_and_our_own_replies_have_their_sources_too(inn: Inn) -> None:
    fact = told(await inn.world.remember(BOB, "I like cheese", ATTIC))
    everyones = told(await inn.world.remember(BOB, "I like ham", ATTIC, everywhere=True))
    monday = DayKey(ATTIC, datetime(2026, 2, 23, tzinfo=UTC))
    await lay_day(inn.world, monday, ATTIC)
    repeating = await inn.reply(Read(facts={fact.fact_id: b""}))
    day = await inn.reply(Read(days={monday: 0}))
    repeated = await inn.reply(Read(messages={REPLY: None}))
    gone = await inn.reply(Read.of_facts([replace(fact, fact_id=999)]))
    open_to_all = await inn.reply(Read.of_facts([everyones]))
    give_the_role(inn)
    assert await inn.checked() == {repeating, day, repeated, gone}
    assert open_to_all not in await inn.checked()


async def test_nothing_is_judged_while_nobody_knows_who_sees_what(inn: Inn) -> None:
    asked = await inn.reply(await inn.heard_in(ATTIC))
    give_the_role(inn)
    inn.place_mirror.lose_sight(GUILD)
    assert await inn.checked() == set()
    inn.look(members=(ALICE, BOB, replace(GRUZILKIN, roles=(KEEPERS,))))
    assert await inn.checked() == {asked}


async def test_who_came_and_went_between_two_looks_was_not_there(inn: Inn) -> None:
    """A reply made meanwhile may hold what they cannot read: of what is newer than the last look nobody is excused."""
    give_the_role(inn)
    assert await inn.checked() == set()
    inn.place_mirror.seat(GUILD, Seat(GRUZILKIN.user_id, ()))
    asked = await inn.reply(await inn.heard_in(ATTIC))
    give_the_role(inn)
    assert await inn.checked() == {asked}


async def test_a_receipt_that_comes_late_is_held_against_its_readers(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts_module, "RETRY_SECONDS", 0.05)
    async with cable_to(database_url) as cable, world_at(cable.url) as world:
        inn = Inn(world)
        await inn.retractions.check_readers(GUILD)
        read = await inn.heard_in(ATTIC)
        receipts = world.memory.receipts
        asked = (await world.say(BOB, "Bot what is new?", CELLAR)).message_id
        receipt = receipts.receipt_of(audience(CELLAR), asked, BOB.user_id, Language.EN, Evidence(used=read))
        await cable.cut(world.memory)
        await receipts.put(receipt)
        give_the_role(inn)
        world.clock.move(timedelta(seconds=1))
        async with world_at(database_url) as beside:  # readers are looked at before the receipt is written
            await Retractions(beside.database, world.clock, inn.place_mirror, beside.health).check_readers(GUILD)
        inn.retractions._checked[GUILD] = inn.place_mirror.view(GUILD).version
        world.clock.move(timedelta(seconds=1))
        await cable.mend()
        await until(lambda: world.health.part("receipts").snapshot().counts.get("written late"))
        assert await inn.checked() == {asked}
