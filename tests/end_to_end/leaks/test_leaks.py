"""Promise 2, nothing leaked: whatever is asked, by whom and where, no reply holds what a reader of it could not read.

The seed is printed; LEAK_SEED=… repeats the guilds, the changes and the questions. SOAK=1 asks far more of them,
and draws others each time.
"""

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from ai_clients.base import Prompt, Purpose, Shaped, ShapeT, Usage
from ai_clients.build import Models
from ai_clients.errors import BadReply
from ai_clients.gemini import GeminiApi, GeminiModel
from local_guild.state.world import Channel, Guild
from memory.places.service import Places
from memory.places.view import Audience
from tests.end_to_end.cable import cable_to
from tests.end_to_end.careless import careless, kind_of, repeat
from tests.end_to_end.house import PATIENCE_SECONDS, eventually, until
from tests.end_to_end.leaks import commands, inside, spoken
from tests.end_to_end.leaks.canaries import TOKEN, Canaries, Canary, Kind
from tests.end_to_end.leaks.member import use
from tests.end_to_end.leaks.registry import SURFACES, Case, Door, Surface
from tests.end_to_end.leaks.scene import Scene, set_scene
from tests.end_to_end.leaks.upheaval import Upheaval
from tests.gemini_server import GeminiServer, data_of, gemini_server, rules_of
from tests.models import answering
from tests.replies import reply
from tests.soak import SOAK, seed_of

DRIVERS = (spoken, commands, inside)
"""Importing them registers their surfaces."""
ROUNDS, CASES = (4, 60) if SOAK else (1, 30)
"""Rounds of each of the two halves of an evening, and cases in each."""
QUOTED_CASES = CASES if SOAK else 15
"""Without a model. What a place shows is mostly the same then; what is quoted is asked for by words as often."""
MOST = 20 if SOAK else 8
"""How many canaries are asked for, of each kind that may be told."""
EVENINGS = 3 if SOAK else 1
USUAL = 7
"""The seed of every run that is no soak: what is new there is what was changed, not what was drawn."""
AT_ONCE = 8
ASKED_FOR = (
    Kind.FACT,
    Kind.EVERYWHERE,
    Kind.MESSAGE,
    Kind.EDITED,
    Kind.FILE_NAME,
    Kind.FILE_TEXT,
    Kind.EMBED,
    Kind.POLL,
)
BY_WORDS = [surface for surface in SURFACES.values() if surface.door is Door.WORDS]
BY_MODEL = [SURFACES[name] for name in ("a question by mention", "a reply to the bot", "ask")]
"""Without a model an answer may leave just before the bot hears of a change, and nobody can call it back."""
MAY_SEARCH = 'into "searches"'
"""Stands in the rules of a prompt whose model may name what it misses."""
QUESTION = "What is the {words} called?"

Ask = Callable[[Case], Awaitable[str]]


@dataclass
class Evening:
    """People talk, moderators change things, everybody asks the bot everything everywhere."""

    scene: Scene
    seed: int
    rng: random.Random = field(init=False)
    upheaval: Upheaval = field(init=False)
    driven: set[str] = field(default_factory=set)
    changes: list[str] = field(default_factory=list)
    closed: int = 0
    """How often a secret was asked for where it could be heard only a moment before."""
    exposed: int = 0
    """How often something stood where somebody came who could not read it."""
    _waiting: list[Surface] = field(default_factory=lambda: list(SURFACES.values()))

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.upheaval = Upheaval(self.scene.server, random.Random(self.rng.getrandbits(64)), self.scene.canaries)

    def change(self, times: int) -> None:
        for guild in self.scene.guilds:
            self.changes += self.upheaval.change(guild, times)
        self.changes.append("|")

    async def change_what_was_told(self, times: int) -> None:
        """Ask for secrets where they may be told, close doors, and ask for the same again: nothing may linger."""
        pairs: list[tuple[Canary, Channel]] = []
        facts = self.scene.canaries.of([Kind.FACT])
        for canary in self.rng.sample(facts, min(len(facts), 4 * AT_ONCE)):
            place = self._place_to_hear(canary, elsewhere=True) if len(pairs) < AT_ONCE else None
            pairs += [] if place is None else [(canary, place)]
        await self._ask_for(pairs)
        await self.scene.all_said()
        self.change(times)
        acts = (self.upheaval.close, self.upheaval.regroup, self.upheaval.let_in)
        self.changes += [acts[number % 3](one.source_id or 0, place) for number, (one, place) in enumerate(pairs)]
        self.exposed += len(self.scene.tap.exposed())
        oracle = self.scene.oracle
        closed = [(one, place) for one, place in pairs if not oracle.may_hold(one, place.id, oracle.viewers(place.id))]
        self.closed += await self._ask_for(
            [(one, place) for one, place in closed if oracle.may_speak(place, self.scene.bot.id)]
        )

    async def _ask_for(self, pairs: Sequence[tuple[Canary, Channel]]) -> int:
        asked = [(canary, place) for canary, place in pairs if self.scene.askers_in(place)]
        async with asyncio.TaskGroup() as group:
            for canary, place in asked:
                text = f"<@{self.scene.bot.id}> what is the {canary.words} called?"
                group.create_task(self.scene.ask(self.rng.choice(self.scene.askers_in(place)), place, text))
        self.scene.cases += len(asked)
        return len(asked)

    async def ask(self, count: int, surfaces: Collection[Surface] = ()) -> None:
        """From many places by many members at the same time. Surfaces that were not driven yet come first."""
        driven = [(self._surface(surfaces), case) for case in self._cases(count)]
        for is_inside in (False, True):
            room = asyncio.Semaphore(AT_ONCE)

            async def drive(surface: Surface, case: Case, room: asyncio.Semaphore = room) -> None:
                async with room:
                    await surface.drive(case)
                self.driven.add(surface.name)
                self.scene.cases += 1

            async with asyncio.TaskGroup() as group:
                for surface, case in driven:
                    if (surface.door is Door.INSIDE) is is_inside:
                        group.create_task(drive(surface, case))

    def _surface(self, surfaces: Collection[Surface]) -> Surface:
        if not surfaces and self._waiting:
            return self._waiting.pop()
        return self.rng.choice(list(surfaces or SURFACES.values()))

    def _cases(self, count: int) -> list[Case]:
        scene = self.scene
        places = [(guild, place) for guild in scene.guilds for place in scene.places_of(guild)]
        seats = [(guild, place, user) for guild, place in places for user in scene.askers_in(place)]
        picked = self.rng.sample(seats, min(count, len(seats)))
        return [
            Case(scene, guild, place, user, self._aim(guild), random.Random(self.rng.getrandbits(64)))
            for guild, place, user in picked
        ]

    def _aim(self, guild: Guild) -> Canary:
        """Mostly at a secret of this guild, at times at one of the other's."""
        wanted = self.scene.canaries.of(ASKED_FOR)
        canary = self.rng.choice(wanted)
        return canary if canary.guild_id == guild.id or self.rng.random() < 0.3 else self.rng.choice(wanted)

    async def must_find(self, what: str, wanted: Iterable[Canary], where: str, ask: Ask) -> None:
        """A bot that says nothing leaks nothing: what may be told has to be told."""
        found = asked = 0
        for canary in self.rng.sample(wanted := list(wanted), len(wanted)):
            case = None if asked == MOST else self._case_to_hear(canary, where)
            if case is not None:
                asked += 1
                found += canary in self.scene.canaries.within(await ask(case))
        announce(f"{what}: {found} of {asked} told")
        assert asked >= 5, f"{what}: too few could be heard"
        assert found >= asked * 0.6, f"{what}: only {found} of {asked} were told"

    def _case_to_hear(self, canary: Canary, where: str) -> Case | None:
        guild = next(guild for guild in self.scene.guilds if guild.id == canary.guild_id)
        if where == "alone":
            return self._private_case(guild, canary)
        place = self._place_to_hear(canary, elsewhere=where == "elsewhere")
        if place is None:
            return None
        return Case(self.scene, guild, place, self.rng.choice(self.scene.askers_in(place)), canary, self.rng)

    def _private_case(self, guild: Guild, canary: Canary) -> Case | None:
        """For one who can read it, where others cannot."""
        oracle, places = self.scene.oracle, self.scene.places_of(guild)
        for place in self.rng.sample(places, len(places)):
            if not oracle.may_hold(canary, place.id, oracle.viewers(place.id)):
                people = [one for one in self.scene.askers_in(place) if oracle.may_hold(canary, place.id, (one.id,))]
                if people:
                    return Case(self.scene, guild, place, self.rng.choice(people), canary, self.rng)
        return None

    def _place_to_hear(self, canary: Canary, *, elsewhere: bool) -> Channel | None:
        guild, oracle = next(guild for guild in self.scene.guilds if guild.id == canary.guild_id), self.scene.oracle
        places = [
            place
            for place in self.scene.places_of(guild)
            if (place.id != canary.source_id) == elsewhere
            and self.scene.askers_in(place)
            and oracle.may_hold(canary, place.id, oracle.viewers(place.id))
        ]
        return self.rng.choice(places) if places else None

    def must_have_kept_quiet(self) -> None:
        leaks = self.scene.tap.leaks
        shown = "\n".join(str(leak) for leak in leaks[:10])
        assert not leaks, f"LEAK_SEED={self.seed}: {len(leaks)} leaks, after {' '.join(self.changes)}\n{shown}"


def announce(line: str) -> None:
    sys.stdout.write(f"leaks: {line}\n")


def announced_seed(number: int) -> int:
    seed = seed_of("LEAK_SEED", USUAL, number)
    announce(f"LEAK_SEED={seed}")
    return seed


@pytest.mark.soak
@pytest.mark.parametrize("number", range(EVENINGS))
async def test_nothing_leaks_by_quotation(tmp_path: Path, database_url: str, number: int) -> None:
    seed = announced_seed(number)
    async with set_scene(tmp_path, database_url, seed) as scene:
        await whole_evening(Evening(scene, seed), QUOTED_CASES)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(EVENINGS))
async def test_nothing_leaks_by_a_model_that_repeats_all_it_was_given(
    tmp_path: Path, database_url: str, number: int
) -> None:
    seed = announced_seed(number)
    async with gemini_server() as gemini, set_scene(tmp_path, database_url, seed) as scene:
        gemini.says = prying(gemini, scene.canaries, random.Random(seed))
        scene.models = lambda: repeating(gemini)
        evening = Evening(scene, seed)
        await gather_in_the_hall(scene, gemini)
        await whole_evening(evening, CASES)
        assert evening.driven == set(SURFACES), "a surface was never driven"
        kinds = {kind_of(data_of(request)) for request in gemini.requests}
        assert {"day", "channel", "intent", "context", "memories"} <= kinds, "something was never asked of the model"
        looks = [request for request in gemini.requests if "<question-" in data_of(request)]
        assert {MAY_SEARCH in rules_of(request) for request in looks} == {True, False}, "nobody looked twice"


def repeating(gemini: GeminiServer) -> Models:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()))
    return answering(model, others={Purpose.SUMMARISE: model, Purpose.SMALL: model})


def prying(gemini: GeminiServer, canaries: Canaries, rng: random.Random) -> Callable[[str], str]:
    """Misses everything at first, and has it looked for by what was said anywhere, in other guilds as well."""

    def says(data: str) -> str:
        if MAY_SEARCH in rules_of(gemini.requests[-1]):
            words = rng.sample([canary.words for canary in canaries], k=3)
            return reply("missing", repeat(data, TOKEN), *words)
        said = careless(data, TOKEN)
        return reply("general", said) if kind_of(data) == "answer" else said

    return says


async def gather_in_the_hall(scene: Scene, gemini: GeminiServer) -> None:
    """What is known of somebody is merged only of what was said and told in the hall, and today is told once an hour.

    Behind a gate there is no hall before a manager names its role; and what is asked while today is being told takes
    that away again. So at one of the inns people meet early, in the hall, talk, and ask one after the other until one
    of them is merged. What was said before the bot came may not have been read yet when the first of them asks.
    """
    guild = scene.guilds[0]

    def has_merged() -> bool:
        return any(kind_of(data_of(request)) == "context" for request in gemini.requests)

    scene.talk()
    async with scene.open_for_business():
        await scene.ready()
        places = scene.memory.places
        await eventually(scene.memory.people.known_guilds, lambda known: guild.id in known)
        await until(lambda: places.proposed_hall(guild.id).role_id is not None)
        if not places.hall(guild.id):
            role_id = places.proposed_hall(guild.id).role_id
            await scene.memory.privacy.change_settings(
                guild.id, lambda settings: replace(settings, hall_role_id=role_id)
            )
        for place in (place for place in scene.places_of(guild) if place.id in places.hall(guild.id)):
            for user in scene.speakers_in(place):
                if not has_merged():
                    scene.say(user, place, "The first herons of the year are back")
                    for birds in ("herons", "ducks"):  # more than stands beside a day without a model
                        seen = ", ".join(f"{number} {birds} at mile {number}" for number in range(1, 24))
                        await scene.ask(user, place, f"Bot remember that I counted {user.id % 97} {birds}: {seen}")
                    await scene.ask(user, place, f"<@{scene.bot.id}> how was my day?")
        await until(has_merged)


async def whole_evening(evening: Evening, cases: int) -> None:
    scene = evening.scene
    scene.talk()
    async with scene.open_for_business():
        await evening.ask(20, BY_WORDS)  # before it can know who sees what
        await scene.ready()
        scene.talk()
        await scene.tell()
        for _ in range(ROUNDS):
            await evening.change_what_was_told(3)
            await evening.ask(cases)
        await while_out_of_touch(evening, cases)
        await scene.tap.taken_back()
    evening.change(4)
    scene.talk()
    async with scene.open_for_business(), inside.web_running(scene):
        await evening.ask(20, BY_WORDS)
        await scene.ready()
        for _ in range(ROUNDS):
            await evening.change_what_was_told(2)
            await evening.ask(cases)
        await must_still_tell(evening)
        await scene.tap.taken_back()
    announce(f"{scene.cases} cases, {len(scene.canaries)} canaries; {evening.closed} asked for behind closed doors")
    evening.must_have_kept_quiet()
    assert evening.closed, "no secret was asked for that could be heard just before"
    assert evening.exposed, "nobody came who could not read what was told before"


async def must_still_tell(evening: Evening) -> None:
    """What is new, so that nobody has had it forgotten yet."""
    scene, before = evening.scene, set(evening.scene.canaries)
    scene.talk()
    await scene.tell()
    facts = [one for one in scene.canaries.of([Kind.FACT]) if one not in before]
    said = [one for one in scene.canaries.of([Kind.MESSAGE, Kind.EDITED]) if one not in before]

    async def mention(case: Case) -> str:
        answer = await scene.ask(case.asker, case.place, case.filled("{bot} what is the {words} called?"))
        return "" if answer is None else answer.text

    async def ask(case: Case) -> str:
        return str(await use(case, "ask", question=case.filled(QUESTION)))

    async def recall(case: Case) -> str:
        return str(await use(case, "recall", text=case.canary.words))

    await evening.must_find("facts where all may read them", facts, "elsewhere", mention)
    await evening.must_find("messages in their own place", said, "there", mention)
    await evening.must_find("facts by /ask", facts, "alone", ask)
    await evening.must_find("messages by /recall", said, "alone", recall)


async def while_out_of_touch(evening: Evening, cases: int) -> None:
    """Discord loses the bot's session, and what changes meanwhile is never told."""
    server = evening.scene.server
    await evening.scene.all_said()
    before = [session for session in server.sessions if session.application]
    await server.control.refuse_resumes()
    await server.control.drop_sockets(user_id=evening.scene.bot.id)
    evening.change(4)
    await until(lambda: any(session.application and session not in before for session in server.sessions))
    await evening.ask(cases)


@dataclass
class Pondering:
    """A model at the edge of the house that thinks until it is told to speak, and then repeats all it was given."""

    name: str = "pondering"
    may_speak: asyncio.Event = field(default_factory=asyncio.Event)
    thoughts: int = 0

    def ponders_enough(self, asking: "asyncio.Task[None]") -> bool:
        return self.thoughts >= AT_ONCE // 2 or asking.done()

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        if "searches" not in shape.model_fields:
            raise BadReply(f"{self.name} only repeats")
        self.thoughts += 1
        await self.may_speak.wait()
        said = {"kind": "general", "answer": repeat(prompt.data, TOKEN)}
        return Shaped(shape.model_validate(said), self.name, Usage(1, 1))

    async def close(self) -> None:
        self.may_speak.set()


@pytest.mark.soak
async def test_what_changes_while_answers_are_made_holds_for_them(tmp_path: Path, database_url: str) -> None:
    """The bot asks the model, then rights change, and only when the bot knows of that does the model speak."""
    seed, model = announced_seed(0), Pondering()
    async with set_scene(tmp_path, database_url, seed) as scene:
        scene.models = lambda: answering(model, seconds=PATIENCE_SECONDS)
        evening = Evening(scene, seed)
        async with scene.open_for_business():
            await scene.ready()
            scene.talk()
            await scene.tell()
            for _ in range(20 if SOAK else 3):
                model.may_speak.clear()
                model.thoughts = 0
                asking = asyncio.create_task(evening.ask(20, BY_MODEL))
                await until(partial(model.ponders_enough, asking))
                evening.change(3)
                await all_heard(scene)
                model.may_speak.set()
                await asking
        evening.must_have_kept_quiet()
        assert len(scene.tap.found) > 3, "hardly anything was told at all"


async def all_heard(scene: Scene) -> None:
    """A command comes behind everything that happened before it, and waits for no question of the same person."""
    for guild in scene.guilds:
        place = next(place for place in scene.places_of(guild) if scene.speakers_in(place))
        case = Case(scene, guild, place, scene.speakers_in(place)[0], next(iter(scene.canaries)), scene.rng)
        assert await use(case, "innkeeper about")


@pytest.mark.soak
async def test_nothing_leaks_while_the_database_is_away(tmp_path: Path, database_url: str) -> None:
    """Answers come from what lies in memory, and rights go on changing."""
    seed = announced_seed(0)
    async with cable_to(database_url) as cable, set_scene(tmp_path, cable.url, seed) as scene:
        evening = Evening(scene, seed)
        from_memory = [*BY_MODEL, SURFACES["the ring of what was said last, for a place"]]
        async with scene.open_for_business():
            await scene.ready()
            scene.talk()
            await scene.tell()
            await evening.ask(20, BY_MODEL)
            told = len(scene.tap.found)
            await cable.cut()
            for _ in range(8 if SOAK else 2):
                evening.change(2)
                await evening.ask(20, from_memory)
            away = len(scene.tap.found) - told
            await cable.mend()
        evening.must_have_kept_quiet()
        assert away > 0, "nothing was told while the database was away"


@pytest.mark.skipif(not SOAK, reason="SOAK=1")
async def test_an_audience_that_hears_everything_is_caught(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything else as it is: the store filters, the reply is checked once more, all by a wrong audience."""
    async with set_scene(tmp_path, database_url, 11) as scene:

        def all_ears(_places: Places, guild_id: int, channel_id: int) -> Audience:
            world = scene.server.world
            everything = {place.id for place in (*world.channels_of(guild_id), *world.threads_of(guild_id))}
            return Audience(guild_id, channel_id, frozenset(everything | {channel_id}))

        monkeypatch.setattr(Places, "audience_of", all_ears)
        questions = [SURFACES[name] for name in ("a question by mention", "what is known of somebody")]
        async with scene.open_for_business():
            await scene.ready()
            await scene.tell()
            await Evening(scene, 11).ask(60, questions)
        assert {Kind.FACT, "a link"} <= {leak.what for leak in scene.tap.leaks}
