"""Looking at what is held about members of the small guild, and doing something about it."""

from memory.core.outcomes import NothingToRemember, Remembered, RememberOutcome, SubjectOptedOut, TooLong
from memory.core.values import Fact, Member, Rank
from memory.facts.values import Done, HearsayAction, HearsayOutcome, ListedFact
from memory.places.view import Audience
from memory.policy.authority import Action, Actor
from tests.memory.world import GUILD, HALL, PUBLIC, World

PLENTY = 100


def alone(member: Member, *more: int) -> Audience:
    """What a member can read, who reads a reply alone."""
    return Audience(GUILD, HALL, PUBLIC | set(more), viewer_id=member.user_id)


def told(outcome: RememberOutcome) -> Fact:
    assert isinstance(outcome, Remembered), outcome
    return outcome.fact


class Holding:
    def __init__(self, world: World) -> None:
        self._world = world
        self._last_id = 90_000

    async def shown(
        self, viewer: Member, subject: Member, *more: int, rank: Rank = Rank.MEMBER, skip: int = 0, most: int = PLENTY
    ) -> list[ListedFact]:
        actor = Actor(viewer.user_id, rank)
        page = await self._world.memory.hearsay.page(alone(viewer, *more), actor, subject.user_id, skip=skip, most=most)
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


def done(outcome: object) -> Done:
    assert isinstance(outcome, Done), outcome
    return outcome
