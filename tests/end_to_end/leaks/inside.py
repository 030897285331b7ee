"""Surfaces inside: memory asked directly for an audience, the API by a token, and the pages of the web process.

What a read returns for a place is what a reply there could say, so it is held against the same readers.
"""

import contextlib
import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from uuid import uuid4
from weakref import WeakKeyDictionary

import httpx

from memory.access import Door as Entrance
from memory.access import KeyKind
from memory.core.values import Question, Rank, last_id_of
from memory.facts.values import FactFilter
from memory.language.detect import Language
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.policy.authority import Actor
from memory.recall.results import Bookmark
from tests.end_to_end.forked import Forked
from tests.end_to_end.house import PATIENCE_SECONDS, eventually
from tests.end_to_end.innkeeper import free_port
from tests.end_to_end.leaks.commands import own_words
from tests.end_to_end.leaks.registry import Case, Door, surface
from tests.end_to_end.leaks.scene import Scene
from tests.end_to_end.leaks.wiretap import Overheard
from tests.launch.commands import clean_environment
from tests.models import BY
from web.api.app import Api
from web.app import LEAVES
from web.guard import Buckets, Doors, Guard

INSIDE = Door.INSIDE
Read = Callable[[Case, MemoryManager, Audience], Awaitable[object]]
MOST = 50


def asked_of_memory(name: str, *readers: str, covers: tuple[str, ...] = ()) -> Callable[[Read], Read]:
    """For `place`: all who see it; for `viewer`: one of them, there; for `reader`: somebody by themselves, in no place.

    What it covers stands in its source: whatever it calls of `memory`."""

    def register(read: Read) -> Read:
        covered = {f"read:{one}" for one in re.findall(r"\bmemory\.([a-z_]+(?:\.[a-z_]+)?)\(", inspect.getsource(read))}

        def add(who: str) -> None:
            @surface(f"{name}, for a {who}", INSIDE, *covered, *covers)
            async def drive(case: Case) -> None:
                memory, asker_id = case.scene.memory, case.asker.id
                match who:
                    case "place":
                        audience = memory.places.audience_of(case.guild.id, case.place.id)
                    case "viewer":
                        audience = memory.places.audience_for(case.guild.id, case.place.id, asker_id)
                    case _:
                        audience = memory.places.reader(case.guild.id, asker_id)
                here = case.scene.oracle.viewers(case.place.id)
                heard_by = here if who == "place" else frozenset((asker_id,))
                said = str(await read(case, memory, audience))
                overheard = Overheard(name, case.place.id, heard_by, said, ephemeral=who != "place")
                case.scene.tap.judge(overheard)

        for who in readers:
            add(who)
        return read

    return register


@asked_of_memory("memories and answers", "place", "viewer")
async def memories(case: Case, memory: MemoryManager, audience: Audience) -> object:
    asked = _question(case, case.filled("What is the {words} called?"))
    return [
        await memory.get_memories(audience, case.subject.id, BY),
        await memory.contexts.text_for(audience, case.subject.id, BY),
        await memory.answers.answer(asked, audience),
        await memory.answers.what_is_known(_question(case, case.filled("{subject}")), audience),
    ]


def _question(case: Case, text: str) -> Question:
    """As if it had been asked just now; the message itself is nowhere."""
    server = case.scene.server
    now, message_id = server.clock.now(), server.ids.next()
    return Question(case.guild.id, case.place.id, message_id, case.asker.id, text, now)


@asked_of_memory("the ring of what was said last", "place", covers=("cache:ring",))
async def ring(_case: Case, memory: MemoryManager, audience: Audience) -> object:
    """It serves while the database is away; what it would serve then is the same as now."""
    return memory.answers._ring.recent_conversation(audience, MOST)


@asked_of_memory("names of places", "place")
async def names(case: Case, memory: MemoryManager, audience: Audience) -> object:
    named = memory.places.names(audience).keys() - {case.place.id}
    readers = case.scene.oracle.viewers(case.place.id)
    assert all(readers <= case.scene.oracle.viewers(channel) for channel in named), "a channel by its name"
    return named


@asked_of_memory("recall", "place")
async def recall(case: Case, memory: MemoryManager, audience: Audience) -> object:
    """What was found for one reader is asked for again in the name of all who see the place."""
    asked, now = case.filled("What is the {words} called?"), case.scene.server.clock.now()
    alone = memory.places.audience_for(case.guild.id, case.place.id, case.asker.id)
    found = await memory.recall.search(asked, audience, case.asker.id, now, 10)
    own = await memory.recall.search(asked, alone, case.asker.id, now, 10)
    said, reader = str([one.messages for one in own]), frozenset((case.asker.id,))
    case.scene.tap.judge(Overheard("recall for one", case.place.id, reader, said, ephemeral=True))
    again = await memory.recall.read_again(audience, [Bookmark(one.message.message_id, True, True) for one in own])
    with_files = await memory.recall.with_files(audience, [said for one in again for said in one.messages], asked)
    return [*(one.messages for one in (*found, *again)), with_files]


@asked_of_memory("days", "place", "viewer")
async def days(case: Case, memory: MemoryManager, audience: Audience) -> object:
    today = case.scene.server.clock.now().date()
    return [await memory.day_answers.day(audience, today - timedelta(days=back), BY) for back in (0, 1)]


@asked_of_memory("channels", "place", "viewer")
async def channels(case: Case, memory: MemoryManager, audience: Audience) -> object:
    if case.rng.random() < 0.5:
        await memory.channels.now(audience, BY)
    everywhere = case.rng.sample(sorted(case.scene.server.world.channels), 4)
    texts = [await memory.channels.text(audience, channel_id, BY) for channel_id in (case.place.id, *everywhere)]
    read: list[object] = [
        *texts,
        await memory.channels.brought_up_to_date(audience, 5.0, BY),
        await memory.channels.status(audience),
        await memory.channels.views(audience),
        await memory.channels.history(audience, BY),
        await memory.channels.analyze(audience, case.rng.choice((None, "canary"))),
        await memory.channels.for_answer(audience),
        await memory.channels.returning(case.canary.words, audience, 2**62, case.scene.server.clock.now()),
    ]
    for summary in [one for text in texts if text is not None for one in text.summaries]:
        read.append(await memory.channels.by_id(audience, summary.summary_id))
        read.append(await memory.channels.rests_on(audience, summary))
        await memory.channels.may_correct(audience, summary, case.asker.id, is_manager=False)
    guessed = case.rng.randrange(1, 200)
    read.append(await memory.channels.by_id(audience, guessed))
    await memory.channels.correct(audience, guessed, "Corrected by hand", case.asker.id)
    if case.rng.random() < 0.1:
        await memory.channels.restart(audience)
    return read


@asked_of_memory("what is coming up", "place", "viewer", "reader")
async def coming(_case: Case, memory: MemoryManager, audience: Audience) -> object:
    return await memory.events.coming(audience)


@asked_of_memory("what somebody missed", "viewer")
async def missed(case: Case, memory: MemoryManager, audience: Audience) -> object:
    until = last_id_of(case.scene.server.clock.now())
    everywhere, roles = sorted(case.scene.server.world.channels), sorted(case.guild.roles)
    boundary = await memory.catch_ups.boundary_at(audience, "14 days", Language.EN)
    boundary = boundary or await memory.catch_ups.boundary(audience, None, until)
    read: list[object] = [
        await memory.catch_ups.catch_up(audience, boundary, until, channel_id, roles)
        for channel_id in (None, case.rng.choice(everywhere))
    ]
    read.append(await memory.catch_ups.talk(audience, everywhere, boundary.after_id, until))
    read.append(await memory.catch_ups.boundary(audience, case.rng.choice(everywhere), until))
    read.append(sorted(memory.places.with_threads(audience, case.place.id)))
    if case.rng.random() < 0.1:
        await memory.catch_ups.mark(audience, None, until)
    return read


@asked_of_memory("a digest", "place")
async def digest(case: Case, memory: MemoryManager, audience: Audience) -> object:
    schedule = await memory.digests.schedule(case.guild.id)
    if schedule is None:
        return None
    posted = await memory.digests.preview(schedule)
    return await memory.digests.make(posted, schedule, audience, by_model=case.rng.random() < 0.3)


@asked_of_memory("the panel", "reader")
async def panel(case: Case, memory: MemoryManager, reader: Audience) -> object:
    """Managers are no exception: to manage a server is no key to what one cannot read."""
    actor = Actor(case.asker.id, case.rng.choice((Rank.MEMBER, Rank.OWNER)))
    subject_id = case.rng.choice((None, case.asker.id, case.subject.id))
    by_day = memory.day_answers.days
    today = await by_day.today(case.guild.id)
    told, happened = await by_day.told(reader, today, today), await by_day.happened(reader, today, today)
    return [
        await memory.hearsay.browse(reader, actor, FactFilter(subject_id=subject_id), most=MOST),
        await memory.get_memories(reader, case.subject.id, BY),
        await memory.digests.posted(reader, MOST),
        told,
        happened,
        await by_day.told_by_model(reader, [message_id for one in happened for message_id in one.cites]),
        [await by_day.rests_on(reader, one, MOST) for one in told],
    ]


# The API: every path, asked by a member with a token of their own, for others' secrets by name and id.

GUILD = "/api/v1/guilds/{guild_id}"
READ = ("facts", "members", "days", "channels", "events", "reminders", "settings", "usage", "health")
OF_A_GUILD = (
    *READ,
    "memories",
    "memories/{memory_id}",
    "undo/{change_id}",
    "erasures",
    "days/{day}",
    "days/{day}/members/{member_id}",
    "channels/{channel_id}/summary",
    "recall",
    "ask",
    "catch-up",
    "reminders/{reminder_id}",
    "reminders/{reminder_id}/restore",
)
ROUTES = (*(f"{GUILD}/{path}" for path in OF_A_GUILD), "/api/memories", "/api/memories/{memory_id}", "/api/users")
_served: WeakKeyDictionary[MemoryManager, Guard] = WeakKeyDictionary()
"""Made once for each run of the bot: describing itself takes it longer than answering."""


@surface("the API", INSIDE, *(f"route:{path}" for path in ROUTES), "read:hearsay.browse")
async def api(case: Case) -> None:
    token = await _token(case, case.asker.id)
    if token is None:
        return  # not known yet who may read what, or shut out meanwhile
    here, words, room = GUILD.format(guild_id=case.guild.id), case.canary.words, str(case.source_id)
    other = next(guild for guild in case.scene.guilds if guild is not case.guild)
    today, reminder = case.scene.server.clock.now().date(), {"when": "tomorrow at 9", "what": words, "channel_id": room}
    made = await _ask(case, token, "POST", f"{here}/reminders", reminder)
    reminded = f"{here}/reminders/{made.json().get('id', 1)}"
    asked: list[tuple[str, str, object]] = [
        *(("GET", f"{here}/{path}", None) for path in READ),
        ("GET", f"{here}/memories?words={words}&limit=100", None),
        ("GET", f"{here}/memories?member={case.subject.id}&limit=100", None),
        ("GET", f"/api/memories?guild_id={case.guild.id}&limit=100", None),
        ("GET", f"/api/users?guild_id={case.guild.id}&name={words[:4]}", None),
        ("GET", f"{here}/days/{today}", None),
        ("GET", f"{here}/channels/{room}/summary", None),
        ("GET", f"{here}/recall?q={words}&in={room}", None),
        ("GET", f"{here}/recall?q={words}", None),
        ("GET", f"{here}/ask?q=What is the {words} called%3F", None),
        ("GET", f"{here}/ask?q=What is the {words} called%3F&in={room}", None),
        ("GET", f"{here}/catch-up?since=14 days", None),
        ("GET", f"{GUILD.format(guild_id=other.id)}/memories", None),
        *(("GET", path, None) for path in await _known_to_another(case)),
        # Changes nothing that others would miss.
        *(("PUT", path, {"text": words}) for path in await _known_to_another(case)),
        ("POST", f"{here}/memories", {"text": f"I saw the {words}", "channel_id": room}),
        ("DELETE", f"/api/memories/1-1-1?guild_id={case.guild.id}", None),
        ("POST", f"{here}/undo/{uuid4()}", None),
        ("PUT", f"{here}/days/{today}/members/{case.subject.id}", {"text": "They were here."}),
        ("POST", f"{here}/erasures", {"erase": "nothing"}),
        ("PUT", reminded, {"when": "in 2 days"}),
        ("DELETE", reminded, None),
        ("POST", f"{reminded}/restore", None),
    ]
    for method, path, body in asked:
        await _ask(case, token, method, path, body)


async def _known_to_another(case: Case) -> list[str]:
    """What the one whom the secret is about is shown of it by its id, which the asker tries."""
    token = None if case.subject.id == case.asker.id else await _token(case, case.subject.id)
    if token is None:
        return []
    memories_of = f"{GUILD.format(guild_id=case.guild.id)}/memories"
    listed = await _call(case, token, "GET", f"{memories_of}?limit=5")
    return [f"{memories_of}/{one['id']}" for one in listed.json().get("items", ())]


async def _token(case: Case, user_id: int) -> str | None:
    access = case.scene.memory.access
    door = await access.door(await access.sign_in(case.guild.id, user_id), KeyKind.SESSION)
    if not isinstance(door, Entrance):
        return None
    for key in await access.tokens(door):
        await access.revoke(door, key.key_id)  # one may have a few
    return await access.make_token(door, "", 1, may_write=True)


async def _ask(case: Case, token: str, method: str, path: str, body: object = None) -> httpx.Response:
    answer = await _call(case, token, method, path, body)
    _judge_alone(case, f"{method} {path}", answer.text)
    return answer


def _judge_alone(case: Case, event: str, text: str) -> None:
    """Read by somebody by themselves, in no place: one without an age limit sets none."""
    place = next((one for one in case.scene.places_of(case.guild) if case.scene.oracle.asks_for_age(one)), case.place)
    case.scene.tap.judge(Overheard(event, place.id, frozenset((case.asker.id,)), text, ephemeral=True))


async def _call(case: Case, token: str, method: str, path: str, body: object = None) -> httpx.Response:
    memory = case.scene.memory
    if memory not in _served:
        _served[memory] = Guard(Api(Doors(lambda: case.scene.memory, is_tls=False), Buckets(burst=100_000)).app)
    transport = httpx.ASGITransport(_served[memory])
    async with httpx.AsyncClient(transport=transport, base_url="http://inn.example", timeout=60) as client:
        answer = await client.request(method, path, headers={"Authorization": f"Bearer {token}"}, json=body)
    assert answer.status_code < 500 or answer.status_code == 503, f"{method} {path}: {answer.text}"
    return answer


# The web process: what whoever reaches the machine may read, and what somebody sees who is signed in.

EXPORT = "/panel/export"
PANEL = (*(leaf.path for leaf in LEAVES), EXPORT)
OF_ITSELF = ("/", "/status", "/healthz", "/readyz", "/api/health", "/api/openapi.json", "/metrics")
PATHS = (*OF_ITSELF, "/panel/enter/{link}", *PANEL)


@surface(
    "pages",
    INSIDE,
    *(f"route:{path}" for path in PATHS),
    "read:overview.held",
    "read:overview.messages",
    "read:overview.memories",
    "read:undos.recently_forgotten",
    "read:places.rooms",
)
async def pages(case: Case) -> None:
    """What stands on a page is in it when it is sent."""
    scene = case.scene
    if scene.web_url is None:
        return
    for path in PATHS:
        answer = await scene.http.get(f"{scene.web_url}{path}")
        scene.tap.judge_for_anybody(path, f"{answer.text}\n{answer.headers}")
    secret = await scene.memory.access.sign_in(case.guild.id, case.asker.id)
    for path in case.rng.sample(PANEL, 3):
        answer = await scene.http.get(f"{scene.web_url}{path}", headers={"cookie": f"innkeeper={secret}"})
        heard = Overheard(path, case.place.id, frozenset((case.asker.id,)), answer.text, ephemeral=True)
        scene.tap.judge(heard, typed=own_words(case) if path == EXPORT else "")


@surface("tools for other assistants", INSIDE, "route:McpRoute")
async def tools(case: Case) -> None:
    """Each by a member's token, as an assistant of theirs would use it."""
    token = None if case.scene.web_url is None else await _token(case, case.asker.id)
    if token is None:
        return
    words, headers = case.canary.words, {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    calls: dict[str, dict[str, str]] = {
        **{name: {} for name in ("days", "events", "reminders", "channels", "members")},
        "ask": {"question": f"What is the {words} called?"},
        "recall": {"words": words},
        "facts": {"words": words},
        "catch_up": {"since": "14 days"},
    }
    for name, arguments in calls.items():
        called = {"name": name, "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
        answer = await case.scene.http.post(f"{case.scene.web_url}/mcp", json=asked, headers=headers)
        assert answer.status_code == 200, answer.text
        _judge_alone(case, name, answer.text)


@contextlib.asynccontextmanager
async def web_running(scene: Scene) -> AsyncIterator[None]:
    """The web process beside the bot, on the same store."""
    port, log = free_port(), scene.folder / "web.log"
    given = {"DATA_DIR": str(scene.folder / "web"), "DATABASE_URL": scene.database_url}
    environment = clean_environment(DISCORD_TOKEN=scene.bot.token, PORT=str(port), **given)
    process = Forked("main", ["web"], folder=scene.folder, environment=environment, log=log)
    scene.web_url = f"http://127.0.0.1:{port}"

    async def answers() -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return (await scene.http.get(f"{scene.web_url}/api/health")).status_code == 200
        return False

    try:
        await eventually(answers)
        yield
    finally:
        scene.web_url = None
        process.terminate()
        await process.wait(PATIENCE_SECONDS)
        scene.tap.judge_for_anybody("the web process's log", log.read_text(encoding="utf-8"))
