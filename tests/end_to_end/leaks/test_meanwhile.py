"""What changes while an answer is being made, or while the database is away, holds for that very answer."""

import asyncio
import os
import random
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from ai_clients.base import Prompt, Shaped, ShapeT, Usage
from ai_clients.errors import BadReply
from tests.end_to_end.cable import cable_to
from tests.end_to_end.house import PATIENCE_SECONDS, until
from tests.end_to_end.leaks.evening import Evening, announce, repeat
from tests.end_to_end.leaks.interacting import use
from tests.end_to_end.leaks.registry import SURFACES, Case
from tests.end_to_end.leaks.scene import Scene, set_scene
from tests.models import answering

SOAK = bool(os.environ.get("SOAK"))
ROUNDS, CASES = (60, 60) if SOAK else (3, 20)
USUAL = 7
# Each of these needs the model. Without one an answer may leave just before the bot hears of a change, and nobody can
# call it back.
ASKED = [SURFACES[name] for name in ("a question by mention", "a reply to the bot", "ask")]


@dataclass
class Pondering:
    """A model at the edge of the house that thinks until it is told to speak, and then repeats all it was given."""

    name: str = "pondering"
    may_speak: asyncio.Event = field(default_factory=asyncio.Event)
    thoughts: int = 0

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        if "searches" not in shape.model_fields:
            raise BadReply(f"{self.name} only repeats")
        self.thoughts += 1
        await self.may_speak.wait()
        said = {"kind": "general", "answer": repeat(prompt.data)}
        return Shaped(shape.model_validate(said), self.name, Usage(1, 1))

    async def close(self) -> None:
        self.may_speak.set()


def seed_of_this_run() -> int:
    seed = int(os.environ.get("LEAK_SEED") or (secrets.randbits(32) if SOAK else USUAL))
    announce(f"LEAK_SEED={seed}, meanwhile")
    return seed


async def test_what_changes_while_answers_are_made_holds_for_them(tmp_path: Path, database_url: str) -> None:
    seed, model = seed_of_this_run(), Pondering()
    async with set_scene(tmp_path, database_url, seed) as scene:
        scene.models = lambda: answering(model, seconds=PATIENCE_SECONDS)
        evening = Evening(scene, random.Random(seed))
        async with scene.open_for_business():
            await scene.ready()
            evening.talk()
            await evening.tell()
            for _ in range(ROUNDS):
                await change_under_their_hands(evening, model)
        assert scene.tap.leaks == [], f"LEAK_SEED={seed}, {evening.changes}\n" + "\n".join(map(str, scene.tap.leaks))
        assert len(scene.tap.found) > ROUNDS, "hardly anything was told at all"


async def change_under_their_hands(evening: Evening, model: Pondering) -> None:
    """The bot asks the model, then rights change, and only when the bot knows of that does the model speak."""
    model.may_speak.clear()
    before = model.thoughts
    asking = asyncio.create_task(evening.ask(CASES, ASKED))
    await until(lambda: model.thoughts >= before + evening.at_once // 2 or asking.done())
    evening.change(3)
    await all_heard(evening.scene)
    model.may_speak.set()
    await asking


async def all_heard(scene: Scene) -> None:
    """A command comes behind everything that happened before it, and waits for no question of the same person."""
    for guild in scene.scenery.guilds:
        place = next(place for place in scene.places_of(guild) if scene.speakers_in(place))
        canary = next(iter(scene.canaries))
        case = Case(scene, guild, place, scene.speakers_in(place)[0], canary, scene.rng)
        assert await use(case, "innkeeper", "about")


async def test_nothing_leaks_while_the_database_is_away(tmp_path: Path, database_url: str) -> None:
    """Answers come from what lies in memory, and rights go on changing."""
    seed = seed_of_this_run()
    async with cable_to(database_url) as cable, set_scene(tmp_path, cable.url, seed) as scene:
        evening = Evening(scene, random.Random(seed))
        words = [*ASKED, SURFACES["the ring of what was said last"]]
        async with scene.open_for_business():
            await scene.ready()
            evening.talk()
            await evening.tell()
            await evening.ask(CASES, ASKED)
            told = len(scene.tap.found)
            await cable.cut()
            for _ in range(2 if not SOAK else 20):
                evening.change(2)
                await evening.ask(CASES, words)
            away = len(scene.tap.found) - told
            await cable.mend()
        assert scene.tap.leaks == [], f"LEAK_SEED={seed}, {evening.changes}\n" + "\n".join(map(str, scene.tap.leaks))
        assert away > 0, "nothing was told while the database was away"
