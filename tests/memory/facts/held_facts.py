"""What tests of facts do and look at: the ledger, what came of telling, what is shown, and changes undone."""

from typing import Any
from uuid import UUID

from memory.core.outcomes import (
    AlreadyKnown,
    ForgetOutcome,
    Forgotten,
    ForgottenAll,
    NothingToRemember,
    Remembered,
    RememberOutcome,
    SubjectOptedOut,
    TooLong,
)
from memory.core.values import Fact, Member, Rank
from memory.facts.values import Done, HearsayAction, HearsayOutcome, ListedFact, UndoOutcome
from memory.places.view import Audience
from memory.policy.authority import Action, Actor
from tests.memory.world import ALICE, GUILD, HALL, PUBLIC, World, audience


def kept(outcome: RememberOutcome) -> Remembered:
    assert isinstance(outcome, Remembered), outcome
    return outcome


def told(outcome: RememberOutcome) -> Fact:
    return kept(outcome).fact


def change_of(outcome: RememberOutcome | ForgetOutcome) -> UUID:
    assert isinstance(outcome, Remembered | AlreadyKnown | Forgotten | ForgottenAll), outcome
    assert outcome.change_id is not None
    return outcome.change_id


def done(outcome: object) -> Done:
    assert isinstance(outcome, Done), outcome
    return outcome


async def undo(
    world: World, change: UUID | None, by: Member = ALICE, channel: int = HALL, rank: Rank = Rank.MEMBER
) -> UndoOutcome:
    assert change is not None
    return await world.memory.undos.undo(GUILD, change, Actor(by.user_id, rank), audience(channel))


async def ledger(world: World) -> list[dict[str, Any]]:
    """All of it, with the names that it gives."""
    async with world.database.connection("test") as connection:
        rows: list[dict[str, Any]] = []
        for table, order in (("facts", "fact_id"), ("fact_aliases", "name_key, fact_id")):
            found = await connection.fetch(f"SELECT to_jsonb({table}) AS row FROM {table} ORDER BY {order}")
            rows += [row["row"] for row in found]
        return rows


async def texts(world: World, member: Member | None = None) -> list[str]:
    """What holds, of somebody or of all."""
    query = "SELECT text FROM facts WHERE ($1::bigint IS NULL OR subject_id = $1) AND valid_to IS NULL ORDER BY fact_id"
    return [row["text"] for row in await world.database.read("test", query, None if member is None else member.user_id)]


def alone(member: Member, *more: int) -> Audience:
    """What a member can read, who reads a reply alone."""
    return Audience(GUILD, HALL, PUBLIC | set(more), viewer_id=member.user_id)


class Holding:
    """Looks at what is held about members of the small guild, and does something about it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._last_id = 90_000

    async def shown(self, viewer: Member, subject: Member, *more: int, rank: Rank = Rank.MEMBER) -> list[ListedFact]:
        actor = Actor(viewer.user_id, rank)
        page = await self._world.memory.hearsay.page(alone(viewer, *more), actor, subject.user_id, skip=0, most=100)
        return list(page.held)

    async def texts(self, viewer: Member, subject: Member, *more: int, rank: Rank = Rank.MEMBER) -> list[str]:
        return [one.fact.text for one in await self.shown(viewer, subject, *more, rank=rank)]

    async def do(self, action: Action, by: Member, fact: Fact, *more: int, rank: Rank = Rank.MEMBER) -> HearsayOutcome:
        return await self._world.memory.hearsay.do(action, self._wish(by, fact, more, rank))

    async def correct(
        self, by: Member, fact: Fact, words: str, *more: int
    ) -> HearsayOutcome | TooLong | NothingToRemember | SubjectOptedOut:
        self._last_id += 1
        wish = self._wish(by, fact, more, Rank.MEMBER)
        return await self._world.memory.hearsay.correct(wish, words, self._last_id)

    def _wish(self, by: Member, fact: Fact, more: tuple[int, ...], rank: Rank) -> HearsayAction:
        return HearsayAction(alone(by, *more), Actor(by.user_id, rank), fact.subject_id, fact.message_id)
