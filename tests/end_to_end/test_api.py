"""The REST API as programs meet it: over HTTP, with a web process's own memory beside a bot that runs."""

import asyncio
import contextlib
import itertools
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import seed as seeded
from prometheus_client.parser import text_string_to_metric_families

from memory.access import Door, KeyKind
from memory.core.values import time_of
from memory.manager import MemoryManager
from tests.end_to_end.house import BACK_ROOM, GENERAL, House, Inn, Payload, Person, eventually
from tests.end_to_end.web_process import token_of, web_memory
from web.api.app import Api
from web.guard import Buckets, Doors, Guard
from web.metrics import FIGURES, TOTALS, metrics_routes

TABLE, OPERATIONS = Path("docs/panel.md"), Path("docs/operations.md")
PROBLEM = "application/problem+json"
PAST_DAY = """
WITH past AS (
    INSERT INTO days (guild_id, scope, starts_at, ends_at, day, is_final, source_channels, people, messages, read_seq,
        seen_seq, version, model, made_at, tried_at, tries)
    SELECT $1, 0, midnight, midnight + interval '1 day', midnight::date, true, $3, $4, 2, 0,
        0, 1, 'a model', now(), now(), 1
    FROM (SELECT date_trunc('day', now(), 'UTC') - make_interval(days => $2) AS midnight) AS night
    ON CONFLICT DO NOTHING RETURNING guild_id, scope, starts_at)
INSERT INTO day_entries (guild_id, scope, starts_at, position, kind, user_id, text)
SELECT guild_id, scope, starts_at, place, 'member', user_id, text
FROM past, unnest($4::bigint[], $5::text[]) WITH ORDINALITY AS told (user_id, text, place)
"""
"""Yesterday, as a night leaves it."""


@dataclass(frozen=True)
class Web:
    """The web process: it sees Discord through the database alone."""

    memory: MemoryManager
    api: Api
    http: httpx.AsyncClient

    async def token(self, person: Person, *, may_write: bool = True) -> str:
        return await token_of(self.memory, person, may_write=may_write)

    async def call(self, token: str | None, method: str, path: str, json: object = None) -> httpx.Response:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = await self.http.request(method, path, headers=headers, json=json)
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == PROBLEM
            assert set(answer.json()) == {"type", "title", "status", "detail"}
        return answer


@pytest.fixture(scope="module")
async def web(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Web]:
    async with web_memory(house.database_url, data_dir=tmp_path_factory.mktemp("web")) as memory:
        api = Api(Doors(lambda: memory, is_tls=False), Buckets(burst=100_000))
        transport = httpx.ASGITransport(Guard(api.app))
        async with httpx.AsyncClient(transport=transport, base_url="http://inn.example", timeout=60) as http:
            yield Web(memory, api, http)


def under(inn: Inn, rest: str) -> str:
    return f"/api/v1/guilds/{inn.guild.id}/{rest}"


async def told(inn: Inn, web: Web, who: str, text: str, channel: str = GENERAL) -> str:
    """Something that somebody told of themselves; its id."""
    person = inn.person(who)
    sent = {"text": text, "channel_id": str(inn.channel(channel).id)}
    answer = await web.call(await web.token(person), "POST", under(inn, "memories"), sent)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["memory"]["id"])


async def test_a_memory_is_told_found_corrected_deleted_and_brought_back(inn: Inn, aylin: Person, web: Web) -> None:
    token = await web.token(aylin)
    sent = {"text": "I prefer tea", "channel_id": str(inn.channel(GENERAL).id), "category": "preference"}
    made = (await web.call(token, "POST", under(inn, "memories"), {**sent, "importance": 8, "tags": ["Tea"]})).json()
    memory = made["memory"]
    assert (memory["category"], memory["importance"], memory["tags"]) == ("preference", 8, ["tea"])
    assert (memory["about"], memory["names"][memory["about"]]) == (str(aylin.user.id), "Aylin")
    listed = await web.call(token, "GET", under(inn, "memories?words=tea&category=preference&kind=memory"))
    assert [one["id"] for one in listed.json()["items"]] == [memory["id"]]
    assert (await web.call(token, "GET", under(inn, "memories?kind=told"))).json()["items"] == []

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
    told_there = {"text": "I'm here", "channel_id": str(room)}
    assert (await web.call(aylin, "POST", under(inn, "memories"), told_there)).status_code == 404
    assert (await web.call(florent, "GET", under(inn, f"memories/{secret}"))).json()["channel_id"] == str(room)
    for path in (f"memories/{secret}", "memories", "memories"):
        assert (await web.call(maren, "GET", under(inn, path))).status_code == 200
    noted = await inn.house.rows("SELECT actor_id, action FROM audit WHERE guild_id = $1", inn.guild.id)
    assert [row["action"] for row in noted] == ["looked"], "once a day, however often"
    assert {row["actor_id"] for row in noted} == {inn.person("maren").user.id}


async def test_lists_come_in_pages_and_everything_else_is_there(inn: Inn, aylin: Person, web: Web) -> None:
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

    async def recalled() -> list[Payload]:
        found: list[Payload] = (await web.call(token, "GET", under(inn, "recall?q=lighthouse gallery"))).json()["items"]
        return found

    found = await eventually(recalled)  # the bot has to have indexed it
    assert found[0]["message"]["id"] == str(said)
    nowhere = under(inn, f"recall?q=lighthouse&in={inn.channel(BACK_ROOM).id}")
    assert (await web.call(token, "GET", nowhere)).json()["items"] == []
    names = {one["name"] for one in (await web.call(token, "GET", under(inn, "channels"))).json()["items"]}
    assert GENERAL in names
    assert BACK_ROOM not in names
    summary = await web.call(token, "GET", under(inn, f"channels/{inn.channel(GENERAL).id}/summary"))
    assert "lighthouse" in summary.text
    day = (await web.call(token, "GET", under(inn, f"days/{time_of(said).date()}"))).json()
    assert "lighthouse" in str(day)
    assert (await web.call(token, "GET", under(inn, "days"))).status_code == 200

    maren = await web.token(inn.person("maren"))
    settings = [(await web.call(key, "GET", under(inn, "settings"))).json() for key in (token, maren)]
    assert settings[0]["log.consent"] == settings[1]["log.consent"] == "opt_out"
    assert ("answers.persona" in settings[0], "answers.persona" in settings[1]) == (False, True)
    unlogged = {"log.excluded_channels": [str(inn.channel(GENERAL).id)]}
    for wanted, status in (({"log.retention_days": -1}, 422), (unlogged, 409)):
        assert (await web.call(maren, "PATCH", under(inn, "settings"), wanted)).status_code == status
    zone = await web.call(maren, "PATCH", under(inn, "settings"), {"time_zone": "Europe/Berlin"})
    assert zone.json()["time_zone"] == "Europe/Berlin"

    sent = {"when": "tomorrow at 9", "what": "water the plants", "channel_id": str(inn.channel(GENERAL).id)}
    reminder = (await web.call(token, "POST", under(inn, "reminders"), sent)).json()
    path = under(inn, f"reminders/{reminder['id']}")
    assert reminder["by_direct_message"] is False
    assert (await web.call(token, "PUT", path, {"what": "water the roses"})).json()["text"] == "water the roses"
    assert (await web.call(token, "DELETE", path)).status_code == 200
    assert (await web.call(token, "GET", under(inn, "reminders"))).json()["items"] == []
    assert (await web.call(token, "POST", f"{path}/restore")).json()["due_at"] == reminder["due_at"]
    assert (await web.call(maren, "DELETE", path)).status_code == 404


async def test_an_erasure_gives_a_receipt_and_ends_the_token(inn: Inn, aylin: Person, web: Web) -> None:
    said = await aylin.say("I was here")
    await inn.until_stored(said)
    token = await web.token(aylin)
    assert (await web.call(token, "POST", under(inn, "erasures"), {"erase": "all"})).status_code == 422
    receipt = (await web.call(token, "POST", under(inn, "erasures"), {"erase": "everything of mine"})).json()
    assert receipt["counts"]["messages"] == 1
    await inn.until_gone(said)
    assert (await web.call(token, "GET", under(inn, "members"))).status_code == 401


async def test_requests_that_are_not_as_they_should_be(inn: Inn, aylin: Person, web: Web) -> None:
    token, session = await web.token(aylin), await web.memory.access.sign_in(inn.guild.id, aylin.user.id)
    path, bearer = under(inn, "memories"), {"Authorization": f"Bearer {token}"}
    for headers in ({}, {"Authorization": "Basic abc"}, {"Authorization": "Bearer x"}):
        assert (await web.http.get(path, headers=headers)).status_code == 401
    text = {"Content-Type": "text/plain"} | bearer
    assert (await web.http.post(path, headers=text, content="{}")).status_code == 415
    assert (await web.http.get(f"{path}?limit=101", headers=bearer)).status_code == 422
    mistyped = await web.http.get(f"{path}?memeber=1", headers=bearer)
    assert (mistyped.status_code, "category, cursor, kind, limit, member, words" in mistyped.text) == (422, True)
    assert (await web.http.get(under(inn, f"members?cursor={'9' * 60}"), headers=bearer)).json()["items"] == []
    odd = {"text": "I like \x00 \u202e tea", "channel_id": str(inn.channel(GENERAL).id), "importance": 3}
    assert (await web.http.post(path, headers=bearer, json=odd)).json()["memory"]["category"] == "other"
    for far in ("0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"):
        assert (await web.http.post(path, headers=bearer, json={**odd, "expires_at": far})).status_code == 422
    maren = {"Authorization": f"Bearer {await web.token(inn.person('maren'))}", "Content-Type": "application/json"}
    for endless in ('{"speaks_in": [Infinity]}', '{"answers.memories": NaN}', '{"digest.weekdays": [1e999]}'):
        changed = await web.http.patch(under(inn, "settings"), headers=maren, content=endless)
        assert (changed.status_code, endless) == (422, endless)
    for day in ("0001-01-01", "9999-12-31"):
        for asked in (f"days/{day}", f"days?last={day}", f"recall?q=tea&after={day}&before={day}"):
            assert (await web.http.get(under(inn, asked), headers=bearer)).status_code == 200
    assert (await web.http.patch(path, headers=bearer)).status_code == 405
    assert (await web.http.get("/api/v1/elsewhere", headers=bearer)).headers["content-type"] == PROBLEM
    cookie = {"Cookie": f"innkeeper={session}", "Origin": "http://inn.example"}
    assert (await web.http.get(path, headers=cookie)).status_code == 401, "a browser sends its cookie by itself"
    assert (await web.http.post(path, headers=cookie, json={})).status_code == 401
    assert (await web.http.post(path, headers=cookie | {"Authorization": "Bearer "}, json={})).status_code == 401
    assert (await web.http.get("/api/openapi.json")).status_code == 200


async def test_who_asks_too_often_waits(inn: Inn, web: Web) -> None:
    now = 0.0
    buckets = Buckets(burst=2, a_second=0.5, now=lambda: now)
    assert [buckets.wait("a"), buckets.wait("a"), buckets.wait("a")] == [0, 0, 2.0]
    assert buckets.wait("b") == 0
    now = 2.0
    assert [buckets.wait("a"), buckets.wait("a")] == [0, 2.0]
    api = Api(Doors(lambda: web.memory, is_tls=False), Buckets(burst=1, a_second=0.5, now=lambda: now))
    token = await web.token(inn.person("aylin"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(Guard(api.app)), base_url="http://inn.example") as http:
        answers = [await http.get(under(inn, "health"), headers={"Authorization": f"Bearer {token}"}) for _ in range(2)]
    assert [one.status_code for one in answers] == [200, 429]
    assert (answers[1].headers["retry-after"], answers[1].headers["content-type"]) == ("2", PROBLEM)


# Every route, as everybody.


ROW = re.compile(r"^\| `(\w+) (/[^`]+)`([^|]*)\| (\d.+) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """A route as the page on the panel tells of it, and what it answers to each of seven."""

    method: str
    path: str
    note: str
    said: tuple[int, ...]


def table() -> list[Row]:
    """An erasure comes last: it ends the tokens."""
    rows = [
        Row(method, path if path.startswith("/api/") else f"/api/v1/guilds/{{guild_id}}{path}", note, _numbers(said))
        for method, path, note, said in ROW.findall(TABLE.read_text(encoding="utf-8"))
    ]
    return sorted(rows, key=lambda row: "erasures" in row.path)


def _numbers(said: str) -> tuple[int, ...]:
    return tuple(int(one) for one in said.split("|"))


async def test_every_route_answers_everybody_as_the_documentation_says(inn: Inn, web: Web) -> None:
    house, rows = inn.house, table()
    documented = {(method.upper(), path) for path, ways in web.api.app.openapi()["paths"].items() for method in ways}
    assert {(row.method, row.path) for row in rows} == documented
    maren, florent, aylin, gruzilkin = [inn.person(name) for name in ("maren", "florent", "aylin", "gruzilkin")]
    members = f"/guilds/{inn.guild.id}/members"
    keeper = next(role for role in inn.guild.roles.values() if role.name == "Keeper")
    await maren.call("PUT", f"{members}/{florent.user.id}/roles/{keeper.id}")
    gone = await web.token(gruzilkin)
    await gruzilkin.call("DELETE", f"/users/@me/guilds/{inn.guild.id}")
    await eventually(lambda: web.call(gone, "GET", under(inn, "health")), lambda seen: seen.status_code == 401)
    manager = await web.token(florent)
    await eventually(lambda: web.call(manager, "GET", under(inn, "usage")), lambda seen: seen.status_code == 200)
    elsewhere = await web.token(Inn(house, next(house.fresh)).person("maren"))
    reading, writing, owner = await web.token(aylin, may_write=False), await web.token(aylin), await web.token(maren)
    keys = (None, gone, elsewhere, reading, writing, manager, owner)
    own = (writing, writing, writing, writing, writing, manager, owner)
    numbers = itertools.count(1)
    for row in rows:
        seen = []
        for key, theirs in zip(keys, own, strict=True):
            anothers = manager if theirs == writing else writing
            url, body = await _wanted(inn, web, row, anothers if "another" in row.note else theirs, next(numbers))
            seen.append((await web.call(key, row.method, url, body)).status_code)
        assert (row, tuple(seen)) == (row, row.said)


async def _wanted(inn: Inn, web: Web, row: Row, key: str, number: int) -> tuple[str, object]:
    """A request that lacks nothing but perhaps the right; `key` is that of whose it is about."""
    room = str(inn.channel(GENERAL).id)
    given = {"guild_id": str(inn.guild.id), "channel_id": room, "day": "2026-03-01"}
    note = {"text": f"I like dish {number} of {number * 7}", "channel_id": room}
    reminder = {"when": "tomorrow at 9", "what": "tea", "channel_id": room}
    if "{memory_id}" in row.path or "{change_id}" in row.path:
        made = (await web.call(key, "POST", under(inn, "memories"), note)).json()
        given["memory_id"] = made["memory"]["id"]
    if "{change_id}" in row.path:
        taken = await web.call(key, "DELETE", under(inn, f"memories/{given['memory_id']}"))
        given["change_id"] = taken.json()["change_id"]
    if "{reminder_id}" in row.path:
        given["reminder_id"] = (await web.call(key, "POST", under(inn, "reminders"), reminder)).json()["id"]
    if "/restore" in row.path:
        await web.call(key, "DELETE", under(inn, f"reminders/{given['reminder_id']}"))
    if "{member_id}" in row.path:
        people = [inn.person(name).user.id for name in ("maren", "florent", "aylin")]
        await inn.house.rows(PAST_DAY, inn.guild.id, 1, [inn.channel(GENERAL).id], people, ["They sang."] * 3)
        known = await inn.house.rows("SELECT min(day)::text AS day FROM days WHERE guild_id = $1", inn.guild.id)
        given["day"] = known[0]["day"]
        door = await web.memory.access.door(key, KeyKind.TOKEN)
        assert isinstance(door, Door)
        given["member_id"] = str(door.user_id)
    bodies: dict[tuple[str, str], object] = {
        ("PUT", "{member_id}"): {"text": f"They sang {number} songs."},
        ("POST", "memories"): {**note, "text": f"I know song {number} of {number * 7}"},
        ("PUT", "{memory_id}"): {"text": f"I read book {number} of {number * 7}"},
        ("POST", "reminders"): reminder,
        ("PUT", "{reminder_id}"): {"what": "coffee"},
        ("PATCH", "settings"): {"answers.exchanges": 2 + number % 5},
        ("POST", "erasures"): {"erase": "everything of mine"},
    }
    query = {"q": "tea"} if row.path.endswith(("recall", "ask")) else {}
    query |= {} if "{guild_id}" in row.path else {"guild_id": str(inn.guild.id)}
    url = str(httpx.URL(row.path.format(**given), params=query))
    return url, bodies.get((row.method, row.path.rpartition("/")[2]))


# The document, taken at its word.


EXAMPLES = max(3, settings().max_examples // 100)
"""Of each route, as it should be and as it should not. Making them up takes most of the time."""
SENT = frozenset(("method", "url", "headers", "params", "json", "data", "files", "cookies"))


@pytest.mark.soak
async def test_the_api_keeps_to_its_own_document(inn: Inn, web: Web) -> None:
    import schemathesis  # of all workers only this one has to load it
    from schemathesis import Case, GenerationMode
    from schemathesis.checks import ignored_auth, positive_data_acceptance

    token = await web.token(inn.person("aylin"))
    schema = schemathesis.openapi.from_dict(web.api.app.openapi())
    loop, room = asyncio.get_running_loop(), str(inn.channel(GENERAL).id)

    def answer(case: Case) -> httpx.Response:
        kwargs: dict[str, Any] = case.as_transport_kwargs(base_url="http://inn.example")
        sent = requests.Request(**{name: kwargs[name] for name in SENT & kwargs.keys()}).prepare()
        headers = {name: value for name, value in sent.headers.items() if name.lower() != "authorization"}
        headers["Authorization"] = f"Bearer {token}"
        body: Any = sent.body
        request = httpx.Request(sent.method or "", sent.url or "", headers=headers, content=body)  # type: ignore[arg-type]
        return asyncio.run_coroutine_threadsafe(web.http.send(request), loop).result(60)

    def examine(operation: Any, mode: GenerationMode) -> None:  # noqa: ANN401 - schemathesis has no type to name
        @seeded(7)
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def holds(case: Case) -> None:
            unheard = [ignored_auth]
            if mode is GenerationMode.POSITIVE:
                for held in (case.path_parameters, case.query):
                    if held and "guild_id" in held:
                        held["guild_id"] = str(inn.guild.id)
                if isinstance(case.body, dict):
                    # What a text says may well be refused, but only once it was read.
                    case.body |= {"channel_id": room} if "channel_id" in case.body else {}
                    unheard.append(positive_data_acceptance)
            case.validate_response(answer(case), excluded_checks=unheard)

        holds()

    def examine_all() -> None:
        for found in schema.get_all_operations():
            operation = found.ok()
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                if "erasures" not in operation.path or mode is GenerationMode.NEGATIVE:
                    with contextlib.suppress(schemathesis.errors.SerializationNotPossible):
                        examine(operation, mode)

    await asyncio.to_thread(examine_all)


# What Prometheus reads.


def described() -> set[str]:
    return set(re.findall(r"`(innkeeper_\w+)`", OPERATIONS.read_text(encoding="utf-8")))


async def test_metrics_tell_this_machine_what_both_processes_count_and_name_nobody(inn: Inn, web: Web) -> None:
    said = await inn.person("aylin").say("Bot remember that I like rain")
    await inn.person("aylin").hear_reply(said)

    def asked_by(asker: str, token: str = "") -> httpx.AsyncClient:
        app = FastAPI()
        app.include_router(metrics_routes(web.memory.heartbeat.report, lambda: web.memory, "s3cret"))
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(app, client=(asker, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers)

    async def read() -> dict[str, float]:
        async with asked_by("127.0.0.1") as client:
            answer = await client.get("/metrics")
        families = text_string_to_metric_families(answer.text)
        return {f"{one.name}{sorted(one.labels.items())}": one.value for family in families for one in family.samples}

    of_bot = "[('process', 'bot')]"
    seen = await eventually(read, lambda seen: seen.get(f"innkeeper_reply_seconds_total{of_bot}", 0) > 0)
    assert seen[f"innkeeper_up{of_bot}"] == seen["innkeeper_up[('process', 'web')]"] == 1
    assert seen["innkeeper_log_events_total[('kind', 'message'), ('process', 'bot')]"] >= 1
    assert seen["innkeeper_replies_total[('outcome', 'all'), ('process', 'bot')]"] >= 1
    assert seen["innkeeper_database_connections[('process', 'bot'), ('state', 'most')]"] > 0
    assert seen[f"innkeeper_log_lag_seconds{of_bot}"] < 60
    assert seen["innkeeper_wait_seconds[('part', 'reminders'), ('process', 'bot')]"] < 60
    assert seen["innkeeper_guilds[]"] >= 1
    assert not re.search(r"\d{15}", " ".join(seen))
    assert {name.partition("[")[0] for name in seen} <= described()
    made = {f"{one.name}{'' if one.is_gauge else '_total'}" for one in FIGURES} | {name for name, _ in TOTALS.values()}
    of_parts = {"innkeeper_part_failing", "innkeeper_wait_seconds"}
    assert described() == made | of_parts | {"innkeeper_up", "innkeeper_start_time_seconds"}
    for asker, token, status in (
        ("203.0.113.5", "", 401),
        ("203.0.113.5", "wrong", 401),
        ("203.0.113.5", "s3cret", 200),
    ):
        async with asked_by(asker, token) as client:
            assert (await client.get("/metrics")).status_code == status
