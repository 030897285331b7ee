"""Whatever members do to what is told of somebody, in whatever order: what is withheld or denied stays silent."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest

from memory.core.outcomes import Remembered
from memory.core.values import Member, Rank
from memory.facts.matching import digest
from memory.policy.authority import Action, Actor, FactRules
from tests.memory.facts.held_facts import Holding
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, GUILD, HALL, World, audience
from tests.soak import SOAK

CASES = 100 if SOAK else 6
STEPS = 40
TOLD = (
    "gruzilkin likes green tea",
    "gruzilkin lives in Rome",
    "gruzilkin lives in Oslo",
    "gruzilkin and Florent are friends",
)
SAID = ("I like green tea", "I live in Rome", "I live in Oslo")
EVERYBODY = (ALICE, BOB, FLORENT, GRUZILKIN)


@dataclass
class Evening:
    """Members who do what they please, and all that they could still undo."""

    world: World
    rng: random.Random
    holding: Holding
    changes: list[tuple[UUID, Member]] = field(default_factory=list)
    told_in: list[int] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    async def step(self) -> None:
        ways: list[Callable[[Member, int], Awaitable[object]]] = [
            *(self.tell, self.tell, self.say, self.forget, self.edit, self.correct, self.decide, self.delete),
            *(self.look, self.look, self.look, self.undo, self.undo, self.undo),
        ]
        do = self.rng.choice(ways)
        who, channel = self.rng.choice(EVERYBODY), self.rng.choice((HALL, HALL, CELLAR))
        outcome = await do(who, channel)
        self.log.append(f"{do.__name__} {who.username} {channel}: {outcome}")
        change_id = getattr(outcome, "change_id", None)
        if change_id is not None:
            self.changes.append((change_id, who))
        if isinstance(outcome, Remembered):
            self.told_in.append(outcome.fact.message_id)

    @property
    def rank(self) -> Rank:
        return self.rng.choice((Rank.MEMBER, Rank.MEMBER, Rank.MANAGER))

    async def tell(self, who: Member, channel: int) -> object:
        return await self.world.remember(who, self.rng.choice(TOLD), channel)

    async def say(self, _: Member, channel: int) -> object:
        everywhere = self.rng.random() < 0.15
        return await self.world.remember(GRUZILKIN, self.rng.choice(SAID), channel, everywhere=everywhere)

    async def forget(self, who: Member, channel: int) -> object:
        if self.rng.random() < 0.2:
            return await self.world.forget(GRUZILKIN, "everything about me", channel)
        return await self.world.forget(who, f"that {self.rng.choice(TOLD)}", channel, rank=self.rank)

    async def edit(self, who: Member, channel: int) -> object:
        if not self.changes:
            return None
        change_id, by = self.rng.choice(self.changes)
        actor = Actor(self.rng.choice((who, by)).user_id)
        words = self.rng.choice(TOLD)
        return await self.world.memory.undos.edit(GUILD, change_id, actor, words, audience(channel))

    async def look(self, who: Member, _: int) -> object:
        """And do something about what one sees."""
        subject, rank = self.rng.choice((GRUZILKIN, GRUZILKIN, FLORENT)), self.rank
        by = self.rng.choice((subject, who))
        shown = await self.holding.shown(by, subject, CELLAR, rank=rank)
        if not shown:
            return None
        action = self.rng.choice([one for one in Action if one not in (Action.UNDO, Action.EDIT, Action.CORRECT)])
        outcome = await self.holding.do(action, by, self.rng.choice(shown).fact, CELLAR, rank=rank)
        change_id = getattr(outcome, "change_id", None)
        if change_id is not None:
            self.changes.append((change_id, by))
        return outcome

    async def correct(self, _: Member, _channel: int) -> object:
        shown = await self.holding.shown(GRUZILKIN, GRUZILKIN, CELLAR)
        if not shown:
            return None
        return await self.holding.correct(GRUZILKIN, self.rng.choice(shown).fact, self.rng.choice(SAID), CELLAR)

    async def undo(self, who: Member, channel: int) -> object:
        if not self.changes:
            return None
        change_id, by = self.rng.choice(self.changes)
        actor = Actor(self.rng.choice((by, by, who)).user_id, self.rank)
        return await self.world.memory.undos.undo(GUILD, change_id, actor, audience(channel))

    async def decide(self, _: Member, _channel: int) -> object:
        rules = FactRules(about_others=self.rng.random() < 0.7)
        return await self.world.memory.privacy.change_settings(GUILD, lambda now: replace(now, facts=rules))

    async def delete(self, _: Member, _channel: int) -> object:
        if not self.told_in:
            return None
        message_id = self.rng.choice(self.told_in)
        await self.world.delete(message_id)
        return message_id

    async def wrongly_told(self) -> list[str]:
        """Hearsay that would be told, and should not be."""
        async with self.world.database.connection("test") as connection:
            facts = await connection.fetch("SELECT * FROM facts WHERE guild_id = $1 AND subject_id IS NOT NULL", GUILD)
            vetoes = await connection.fetch("SELECT statement FROM vetoes WHERE guild_id = $1", GUILD)
        denied = {row["statement"] for row in vetoes}
        rules = (await self.world.memory.privacy.settings(GUILD)).facts
        told = [row for row in facts if not row["withheld"] and row["standing"] == "hearsay"]
        return [
            row["text"]
            for row in told
            if not rules.about_others or digest(GUILD, row["subject_id"], row["text"]) in denied
        ]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(CASES))
async def test_what_is_to_be_silent_stays_silent(world: World, seed: int) -> None:
    evening = Evening(world, random.Random(seed), Holding(world))
    for _ in range(STEPS):
        await evening.step()
        assert await evening.wrongly_told() == [], "\n".join(evening.log)
