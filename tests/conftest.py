"""What every test may ask for: a database of its own on a real PostgreSQL, and hypothesis set up in one place."""

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from memory.answers import service as answers
from memory.db.database import Database
from tests.databases import RUN_VARIABLE, PostgresServer, begin_run, end_run
from tests.end_to_end.forked import share_forks
from tests.gemini_server import GeminiServer, gemini_server
from tests.no_real_models import keep_to_this_machine
from tests.openai_server import OpenAIServer, openai_server
from tests.side_by_side import SideBySide
from tests.soak import SOAK
from tests.statements import StatementWatch

SHARED_HOUSES = ("tests/end_to_end/attacks/", "tests/end_to_end/pages/", "tests/local_guild/page/")

THRESHOLDS = (100_000, 20, 20)
"""When the collector looks for garbage. As often as in the product, it took a tenth of the tests' time."""

CALM = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
# What is red in a run is what was changed, not what was drawn; `make soak` draws anew each time.
settings.register_profile(
    "default", max_examples=15, deadline=None, derandomize=True, print_blob=True, suppress_health_check=CALM
)
settings.register_profile("soak", max_examples=1_000, deadline=None, print_blob=True, suppress_health_check=CALM)
settings.load_profile("soak" if SOAK else "default")
if not SOAK:
    # It draws words and numbers that stand in the modules which are loaded at that moment: others with each order of
    # the tests. And reading all of them takes each worker of a fresh clone four seconds.
    providers._get_local_constants = lambda: providers._local_constants


def _is_long(item: pytest.Item) -> bool:
    return SOAK and item.get_closest_marker("soak") is not None


def _belongs_to(item: pytest.Item) -> str:
    """Its file, or the folder of all that share one house or browser: opening those takes longer than most tests.

    In a soak its long tests are shared out one by one.
    """
    if _is_long(item):
        return item.nodeid
    shared = (folder for folder in SHARED_HOUSES if item.nodeid.startswith(folder))
    return next(shared, item.nodeid.split("::", 1)[0])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=1, help="by how many processes at once (tests/side_by_side.py)")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()
    # Beside busy neighbours a search may take longer than members are made to wait, and its answer would go without it.
    answers.PATIENCE_SECONDS = 120.0  # type: ignore[attr-defined]
    keep_to_this_machine()
    config.pluginmanager.register(statements := StatementWatch())
    config.pluginmanager.register(SideBySide(workers := config.getoption("workers"), _belongs_to, statements.sent))
    begin_run()
    if workers > 1:
        with pytest.MonkeyPatch.context() as patch:
            # What killed processes leave behind is cleared away at the end of the run, without a word about it.
            patch.setenv("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
            share_forks()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a whole house wait more than they work, those of a room work: four that wait would leave the cores idle.

    So they take turns; rooms come last, because a long one at the end would run alone. For the same reason the long
    tests of a soak come first.
    """
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(_belongs_to(item), []).append(item)
    houses = [group for name, group in groups.items() if name.startswith("tests/end_to_end/")]
    rooms = [group for name, group in groups.items() if not name.startswith("tests/end_to_end/")]
    mixed = len(rooms) * 4 // 5 if houses else 0
    order = []
    for number, house in enumerate(houses):
        order += [house, *rooms[mixed * number // len(houses) : mixed * (number + 1) // len(houses)]]
    items[:] = [item for group in (*order, *rooms[mixed:]) for item in group]
    items.sort(key=_is_long, reverse=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported stays to the end: looking through all of it again and again took a tenth of a run."""
    if session.config.getoption("workers") > 1:
        import_module("tests.end_to_end.loaded")
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()


def pytest_unconfigure() -> None:
    end_run()


@pytest.fixture(scope="session")
async def loop_of_all() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


@pytest.fixture(autouse=True)
def tasks_end_with_their_test(loop_of_all: asyncio.AbstractEventLoop) -> Iterator[None]:
    """All tests of a worker have one event loop; what a test leaves running would go on beside the next one.

    The loop is entered only where something is left: each entry sets the handlers of signals anew.
    """
    before = asyncio.all_tasks(loop_of_all)
    yield
    if asyncio.all_tasks(loop_of_all) - before:
        loop_of_all.run_until_complete(_end_tasks_since(before))


async def _end_tasks_since(before: set[asyncio.Task[object]]) -> None:
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=10)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The PostgreSQL of this run: ours, or the one of TEST_DATABASE_URL."""
    server = PostgresServer(os.environ[RUN_VARIABLE])
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def empty_database_url(postgres_server: PostgresServer) -> AsyncIterator[str]:
    """The address of a database without any tables."""
    name = await postgres_server.create()
    yield postgres_server.url_of(name)
    await postgres_server.drop(name)


@pytest.fixture
async def database_url(request: pytest.FixtureRequest, postgres_server: PostgresServer) -> AsyncIterator[str]:
    """The address of a migrated database without rows, for tests that start real processes."""
    name = await postgres_server.lend(is_to_be_open="database" in request.fixturenames)
    yield postgres_server.url_of(name)
    await postgres_server.take_back(name)


@pytest.fixture
async def database(postgres_server: PostgresServer, database_url: str) -> AsyncIterator[Database]:
    """A migrated database without rows, open. On each connection every statement is planned anew, so these are few."""
    name = urlsplit(database_url).path.removeprefix("/")
    opened = await postgres_server.open(name)
    before = asyncio.all_tasks()
    yield opened
    await _end_tasks_since(before)  # before others have it
    await postgres_server.keep_open(name, opened)


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    """A model on loopback that speaks as Gemini does."""
    async with gemini_server() as server:
        yield server


@pytest.fixture
async def openai() -> AsyncIterator[OpenAIServer]:
    """A model on loopback that speaks as OpenAI's servers do."""
    async with openai_server() as server:
        yield server
