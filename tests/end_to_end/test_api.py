"""The REST API as programs meet it: over HTTP, with a web process's own memory beside a bot that runs."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import seed as seeded
from pydantic import SecretStr
from schemathesis import GenerationMode

from memory.access.values import Door, KeyKind
from memory.core.clock import SystemClock
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.end_to_end.house import BACK_ROOM, GENERAL, House, Inn, Person, eventually
from web.api.app import Api
from web.api.caller import Buckets
from web.door import Doors
from web.guard import Guard

pytestmark = pytest.mark.asyncio(loop_scope="module")

TABLE = Path("docs/panel.md")
PROBLEM = "application/problem+json"


@dataclass(frozen=True)
class Web:
    """The web process: it sees Discord through the database alone."""

    memory: MemoryManager
    api: Api
    http: httpx.AsyncClient

    async def session(self, person: Person, guild_id: int | None = None) -> str:
        return await self.memory.access.sign_in(guild_id or person.inn.guild.id, person.user.id)

    async def token(self, person: Person, *, may_write: bool = True) -> str:
        secret = await self.session(person)
        door = await eventually(
            lambda: self.memory.access.door(secret, KeyKind.SESSION), lambda door: isinstance(door, Door)
        )
        assert isinstance(door, Door)
        token = await self.memory.access.make_token(door, "test", 1, may_write=may_write)
        assert token is not None
        return token

    async def call(self, token: str | None, method: str, path: str, json: object = None) -> httpx.Response:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = await self.http.request(method, path, headers=headers, json=json)
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == PROBLEM
            assert set(answer.json()) == {"type", "title", "status", "detail"}
        return answer


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def web(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Web]:
    options = MemoryOptions(data_dir=tmp_path_factory.mktemp("web"), database_url=SecretStr(house.database_url))
    clock = SystemClock()
    memory = await MemoryManager.open(options, clock=clock, health=Health("web", clock))
    api = Api(Doors(lambda: memory, is_tls=False), Buckets(burst=100_000))
    transport = httpx.ASGITransport(Guard(api.app))
    async with httpx.AsyncClient(transport=transport, base_url="http://inn.example", timeout=60) as http:
        yield Web(memory, api, http)
    await memory.close()


def under(inn: Inn, rest: str) -> str:
    return f"/api/v1/guilds/{inn.guild.id}/{rest}"


async def told(inn: Inn, web: Web, who: str, text: str, channel: str = GENERAL) -> str:
    """Something that somebody told of themselves; its id."""
    person = inn.person(who)
    sent = {"text": text, "channel_id": str(inn.channel(channel).id)}
    answer = await web.call(await web.token(person), "POST", under(inn, "memories"), sent)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["memory"]["id"])


async def test_a_memory_is_told_found_corrected_deleted_and_brought_back(inn: Inn, web: Web) -> None:
    aylin = inn.person("aylin")
    token = await web.token(aylin)
    sent = {"text": "I prefer tea", "channel_id": str(inn.channel(GENERAL).id), "category": "preference"}
    made = (await web.call(token, "POST", under(inn, "memories"), {**sent, "importance": 8, "tags": ["Tea"]})).json()
    memory = made["memory"]
    assert (memory["category"], memory["importance"], memory["tags"]) == ("preference", 8, ["tea"])
    assert (memory["about"], memory["names"][memory["about"]]) == (str(aylin.user.id), "Aylin")
    listed = await web.call(token, "GET", under(inn, "memories?words=tea&category=preference&kind=memory"))
    assert [one["id"] for one in listed.json()["items"]] == [memory["id"]]
    assert (await web.call(token, "GET", under(inn, "facts"))).json()["items"] == []

    path = under(inn, f"memories/{memory['id']}")
    one = await web.call(token, "GET", path)
    assert one.headers["etag"] == f'"{memory["version"]}"'
    stale = await web.http.put(
        path, headers={"Authorization": f"Bearer {token}", "If-Match": '"0123"'}, json={"text": "I prefer coffee"}
    )
    assert stale.status_code == 412
    fresh = {"Authorization": f"Bearer {token}", "If-Match": one.headers["etag"]}
    changed = await web.http.put(path, headers=fresh, json={"text": "I prefer coffee"})
    corrected = changed.json()["memory"]
    assert (corrected["category"], corrected["importance"]) == ("preference", 8), changed.text
    assert "coffee" in corrected["text"]
    assert (await web.call(token, "PUT", path, {"text": "I prefer milk"})).status_code in (404, 403)

    deleted = await web.call(token, "DELETE", under(inn, f"memories/{corrected['id']}"))
    assert (await web.call(token, "GET", under(inn, f"memories/{corrected['id']}"))).status_code == 404
    undone = await web.call(token, "POST", under(inn, f"undo/{deleted.json()['change_id']}"))
    assert [one["id"] for one in undone.json()["back"]] == [corrected["id"]]
    again = await web.call(token, "POST", under(inn, f"undo/{deleted.json()['change_id']}"))
    assert again.status_code == 404
    of_old = f"/api/memories?guild_id={inn.guild.id}&member={aylin.user.id}"
    assert len((await web.call(token, "GET", of_old)).json()["items"]) >= 1


async def test_what_is_told_in_a_room_stays_with_its_readers_and_who_looks_is_written_down(inn: Inn, web: Web) -> None:
    secret = await told(inn, web, "florent", "I hide the key under the stairs", BACK_ROOM)
    aylin, florent, maren = [await web.token(inn.person(name)) for name in ("aylin", "florent", "maren")]
    assert (await web.call(aylin, "GET", under(inn, f"memories/{secret}"))).status_code == 404
    assert (await web.call(aylin, "GET", under(inn, "memories"))).json() == {"items": [], "next": None}
    room = inn.channel(BACK_ROOM).id
    assert (await web.call(aylin, "GET", under(inn, f"channels/{room}/summary"))).status_code == 404
    told_there = {"text": "I am here", "channel_id": str(room)}
    assert (await web.call(aylin, "POST", under(inn, "memories"), told_there)).status_code == 404
    assert (await web.call(florent, "GET", under(inn, f"memories/{secret}"))).json()["channel_id"] == str(room)
    for path in (f"memories/{secret}", "memories"):
        assert (await web.call(maren, "GET", under(inn, path))).status_code == 200
    noted = await inn.house.rows("SELECT actor_id, action FROM audit WHERE guild_id = $1", inn.guild.id)
    assert [row["action"] for row in noted] == ["looked", "looked"]
    assert {row["actor_id"] for row in noted} == {inn.person("maren").user.id}


async def test_lists_come_in_pages_and_everything_else_is_there(inn: Inn, web: Web) -> None:
    aylin = inn.person("aylin")
    said = await aylin.say("The lighthouse keeper paints the gallery blue on Friday")
    await inn.until_stored(said)
    for thing in ("tea", "rain", "chess"):
        await told(inn, web, "aylin", f"I like {thing}")
    token = await web.token(aylin)
    seen: list[str] = []
    rest: str | None = ""
    while rest is not None:
        page = (await web.call(token, "GET", under(inn, f"memories?limit=2&cursor={rest}"))).json()
        seen += [one["text"] for one in page["items"]]
        rest = page["next"]
    assert len(seen) == len(set(seen)) == 3
    members = (await web.call(token, "GET", under(inn, "members?limit=2"))).json()
    others = (await web.call(token, "GET", under(inn, f"members?cursor={members['next']}"))).json()
    assert len(members["items"]) == 2
    assert {one["name"] for one in members["items"] + others["items"]} >= {"Aylin", "Florent", "Maren"}
    assert [one["name"] for one in (await web.call(token, "GET", under(inn, "members?name=ayl"))).json()["items"]] == [
        "Aylin"
    ]
    found = (await web.call(token, "GET", under(inn, "recall?q=lighthouse gallery"))).json()["items"]
    assert found[0]["message"]["id"] == str(said)
    nowhere = under(inn, f"recall?q=lighthouse&in={inn.channel(BACK_ROOM).id}")
    assert (await web.call(token, "GET", nowhere)).json()["items"] == []
    names = {one["name"] for one in (await web.call(token, "GET", under(inn, "channels"))).json()["items"]}
    assert GENERAL in names
    assert BACK_ROOM not in names
    summary = await web.call(token, "GET", under(inn, f"channels/{inn.channel(GENERAL).id}/summary"))
    assert "lighthouse" in summary.text
    today = SystemClock().now().date()
    day = (await web.call(token, "GET", under(inn, f"days/{today}"))).json()
    assert "lighthouse" in str(day)
    assert (await web.call(token, "GET", under(inn, "days"))).status_code == 200

    sent = {"when": "tomorrow at 9", "what": "water the plants", "channel_id": str(inn.channel(GENERAL).id)}
    reminder = (await web.call(token, "POST", under(inn, "reminders"), sent)).json()
    path = under(inn, f"reminders/{reminder['id']}")
    assert (await web.call(token, "PUT", path, {"what": "water the roses"})).json()["text"] == "water the roses"
    assert (await web.call(token, "DELETE", path)).status_code == 200
    assert (await web.call(token, "GET", under(inn, "reminders"))).json()["items"] == []
    assert (await web.call(token, "POST", f"{path}/restore")).json()["due_at"] == reminder["due_at"]
    maren = await web.token(inn.person("maren"))
    assert (await web.call(maren, "DELETE", path)).status_code == 404


async def test_an_erasure_gives_a_receipt_and_ends_the_token(inn: Inn, web: Web) -> None:
    aylin = inn.person("aylin")
    said = await aylin.say("I was here")
    await inn.until_stored(said)
    token = await web.token(aylin)
    assert (await web.call(token, "POST", under(inn, "erasures"), {"erase": "all"})).status_code == 422
    receipt = (await web.call(token, "POST", under(inn, "erasures"), {"erase": "everything of mine"})).json()
    assert receipt["counts"]["messages"] == 1
    await inn.until_gone(said)
    assert (await web.call(token, "GET", under(inn, "members"))).status_code == 401


async def test_requests_that_are_not_as_they_should_be(inn: Inn, web: Web) -> None:
    aylin = inn.person("aylin")
    token, session = await web.token(aylin), await web.session(aylin)
    path, bearer = under(inn, "memories"), {"Authorization": f"Bearer {token}"}
    for headers in ({}, {"Authorization": "Basic abc"}, {"Authorization": "Bearer x"}):
        assert (await web.http.get(path, headers=headers)).status_code == 401
    text = {"Content-Type": "text/plain"} | bearer
    assert (await web.http.post(path, headers=text, content="{}")).status_code == 415
    assert (await web.http.get(f"{path}?limit=101", headers=bearer)).status_code == 422
    assert (await web.http.patch(path, headers=bearer)).status_code == 405
    assert (await web.http.get("/api/v1/elsewhere", headers=bearer)).headers["content-type"] == PROBLEM
    cookie = {"Cookie": f"innkeeper={session}"}
    assert (await web.http.get(path, headers=cookie)).status_code == 200
    # A header of that name opens the way past the question where a request comes from: the cookie is nothing then.
    assert (await web.http.post(path, headers=cookie | {"Authorization": "Bearer "}, json={})).status_code == 401
    foreign = {"Origin": "http://evil.example"} | cookie
    assert (await web.http.post(path, headers=foreign, json={})).status_code == 403
    ours = {"Origin": "http://inn.example"} | cookie
    assert (await web.http.post(path, headers=ours, json={})).status_code == 422
    for page in ("/api/docs", "/api/openapi.json"):
        shown = await web.http.get(page)
        assert shown.status_code == 200
        assert not re.search(r"<script|https?://", shown.text)


async def test_who_asks_too_often_waits() -> None:
    now = 0.0
    buckets = Buckets(burst=2, a_second=0.5, now=lambda: now)
    assert [buckets.wait("a"), buckets.wait("a"), buckets.wait("a")] == [0, 0, 2.0]
    assert buckets.wait("b") == 0
    now = 2.0
    assert [buckets.wait("a"), buckets.wait("a")] == [0, 2.0]


# Every route, as everybody.


COLUMNS = ("nobody", "ex-member", "manager elsewhere", "member, token that reads", "member", "manager", "owner")


def table() -> dict[tuple[str, str], list[int]]:
    """What the page on the panel says, by method and path."""
    rows = re.findall(r"^\| `(\w+) ([^`]+)`(.*?)\|(.+)\|$", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        (method, f"{path}{note}".strip()): [int(one) for one in said.split("|")] for method, path, note, said in rows
    }


async def test_every_route_answers_everybody_as_the_documentation_says(inn: Inn, web: Web) -> None:
    house = inn.house
    maren, florent, aylin, gruzilkin = [inn.person(name) for name in ("maren", "florent", "aylin", "gruzilkin")]
    keeper = next(role for role in house.server.world.roles_of(inn.guild.id) if role.name == "Keeper")
    await maren.call("PUT", f"/guilds/{inn.guild.id}/members/{florent.user.id}/roles/{keeper.id}")
    next_door = Inn(house, next(house.fresh))
    gone = await web.token(gruzilkin)
    await maren.call("DELETE", f"/guilds/{inn.guild.id}/members/{gruzilkin.user.id}")
    await eventually(lambda: web.call(gone, "GET", under(inn, "health")), lambda answer: answer.status_code == 404)
    holders: list[tuple[Person, str | None]] = [
        (aylin, None),
        (aylin, gone),
        (aylin, await web.token(next_door.person("maren"))),
        (aylin, await web.token(aylin, may_write=False)),
        (aylin, await web.token(aylin)),
        (florent, await web.token(florent)),
        (maren, await web.token(maren)),
    ]
    manages = web.memory.access
    await eventually(
        lambda: manages.door(holders[5][1] or "", KeyKind.TOKEN),
        lambda door: isinstance(door, Door) and door.is_manager,
    )
    walked = {}
    for method, path in table():
        walked[method, path] = [await _status(inn, web, method, path, *holder) for holder in holders]
    assert walked == table()
    documented = {
        (method.upper(), path) for path, methods in web.api.app.openapi()["paths"].items() for method in methods
    }
    in_table = {
        (method, re.sub(r"^", "/api/v1/guilds/{guild_id}", path.split(" ")[0]) if path[:5] != "/api/" else path)
        for method, path in walked
    }
    assert {(method, path.split(" ")[0]) for method, path in in_table} == documented


_TOLD = 0


async def _status(inn: Inn, web: Web, method: str, path: str, person: Person, token: str | None) -> int:
    """Of a request that lacks nothing but perhaps the right."""
    global _TOLD  # noqa: PLW0603 - words that nobody told before
    _TOLD += 1
    of_whom = "gruzilkin_was_here"
    bare, _, note = path.partition(" ")
    owner = inn.person("aylin" if "another" in note and person.user.name != "aylin" else person.user.name)
    if "another" in note and person.user.name == "aylin":
        owner = inn.person("florent")
    given = {"guild_id": str(inn.guild.id), "channel_id": str(inn.channel(GENERAL).id), "day": "2026-03-01"}
    if "{memory_id}" in bare:
        given["memory_id"] = await told(inn, web, owner.user.name, f"I like dish number {_TOLD}x{_TOLD * 7}")
    if "{change_id}" in bare:
        memory_id = await told(inn, web, owner.user.name, f"I like song number {_TOLD}x{_TOLD * 7}")
        deleted = await web.call(await web.token(owner), "DELETE", under(inn, f"memories/{memory_id}"))
        given["change_id"] = deleted.json()["change_id"]
    if "{reminder_id}" in bare:
        sent = {"when": "tomorrow at 9", "what": of_whom, "channel_id": given["channel_id"]}
        holder = await web.token(owner)
        made = (await web.call(holder, "POST", under(inn, "reminders"), sent)).json()
        given["reminder_id"] = made["id"]
        if "restore" in bare:
            await web.call(holder, "DELETE", under(inn, f"reminders/{made['id']}"))
    bodies: dict[tuple[str, str], object] = {
        ("POST", "memories"): {"text": f"I like game number {_TOLD}", "channel_id": given["channel_id"]},
        ("PUT", "memories"): {"text": f"I like book number {_TOLD}"},
        ("POST", "reminders"): {"when": "tomorrow at 9", "what": "tea", "channel_id": given["channel_id"]},
        ("PUT", "reminders"): {"what": "coffee"},
        ("POST", "erasures"): {"erase": "everything of mine"},
    }
    url = (bare if bare.startswith("/api/") else f"/api/v1/guilds/{{guild_id}}{bare}").format(**given)
    kind = next((one for one in ("memories", "reminders", "erasures") if one in bare), "")
    body = None if "restore" in bare else bodies.get((method, kind))
    if "erasures" in bare and token is not None:
        door = await web.memory.access.door(token, KeyKind.TOKEN)
        if isinstance(door, Door) and door.guild_id == inn.guild.id and door.key.may_write:
            # Carried out once, by a token of its own: it ends with what it opened.
            body = {"erase": "something"}
    if not bare.startswith("/api/"):
        url += "?q=tea" if bare == "/recall" else ""
    else:
        url += f"?guild_id={inn.guild.id}"
    return (await web.call(token, method, url, body)).status_code


# The document, taken at its word.


async def test_the_api_keeps_to_its_own_document(inn: Inn, web: Web) -> None:
    token = await web.token(inn.person("aylin"))
    schema = schemathesis.openapi.from_dict(web.api.app.openapi())
    loop = asyncio.get_running_loop()

    def answer(case: schemathesis.Case) -> httpx.Response:
        kwargs = case.as_transport_kwargs(base_url="http://inn.example")
        sent = requests.Request(
            **{name: kwargs[name] for name in kwargs if name not in ("timeout", "verify")}
        ).prepare()
        headers = {name: value for name, value in sent.headers.items() if name.lower() != "authorization"}
        request = httpx.Request(
            sent.method or "", sent.url or "", headers=headers | {"Authorization": f"Bearer {token}"}, content=sent.body
        )
        return asyncio.run_coroutine_threadsafe(web.http.send(request), loop).result(60)

    def examine(operation: Any, mode: GenerationMode) -> None:  # noqa: ANN401 - schemathesis has no type to name
        @seeded(7)
        @settings(
            max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def holds(case: schemathesis.Case) -> None:
            if mode is GenerationMode.POSITIVE:
                for held in (case.path_parameters, case.query):
                    if held and "guild_id" in held:
                        held["guild_id"] = str(inn.guild.id)
            case.validate_response(answer(case))

        holds()

    def examine_all() -> None:
        for found in schema.get_all_operations():
            operation = found.ok()
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                if "erasures" not in operation.path or mode is GenerationMode.NEGATIVE:
                    with contextlib.suppress(schemathesis.errors.SerializationNotPossible):
                        examine(operation, mode)

    await asyncio.to_thread(examine_all)
