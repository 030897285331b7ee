"""What the web process shows to people who are signed in and may still read: every page of the panel, every GET of the
API, and what it tells of itself."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

import httpx

from local_guild.state.world import User
from tests.end_to_end.erasure.canaries import needles_in
from tests.end_to_end.erasure.registry import DELETIONS, Plot, Reach, deletion, place
from tests.end_to_end.erasure.stage import PATIENCE_SECONDS, Inn, Stage
from tests.end_to_end.house import eventually
from web.app import LEAVES

ON_THE_PANEL = "pages of the panel and the API"
PAGES = tuple(leaf.path for leaf in LEAVES)
OWN = ("/panel/export", "/panel/memory", "/panel/reminders")
OF_ITSELF = ("/status", "/healthz", "/readyz", "/api/health", "/api/openapi.json", "/metrics")
LISTS = ("facts", "memories", "members", "days", "channels", "reminders", "settings", "usage", "health")
WORDS = "our boat on the lake"
EACH_SO_MANIETH = 10
"""Memory of a list is asked for by itself, then and ever after."""
_SHOWN = ("facts", "memories", "one memory", "members", "days", "channels", "recall", "/api/users", "/panel/days")
MUST_SHOW = (*_SHOWN, *OWN[:2])
"""Of what was said: a search of what shows nothing would find nothing."""


@place(ON_THE_PANEL)
async def on_the_panel(stage: Stage) -> dict[str, str]:
    return {needle: path for path, needles in (await look(stage)).items() for needle in needles}


async def look(stage: Stage, inns: Iterable[str] | None = None) -> dict[str, list[str]]:
    """What canaries stand where; in all inns where something is deleted, unless it is said in which."""
    found: dict[str, list[str]] = {}
    for path in OF_ITSELF:
        found[path] = needles_in((await _get(stage, path)).text)
    for inn in [stage.inns[name] for name in dict.fromkeys(inns or (kind.inn for kind in DELETIONS.values()))]:
        for reader in (inn.owner, inn.people[0]):
            session, token = await sign_in(stage, inn, reader)
            keys = {"cookie": f"innkeeper={session}", "authorization": f"Bearer {token or 'none'}"}
            for path in OWN if reader is not inn.owner else (*PAGES, *_paths(stage, inn)):
                answer = await _get(stage, path, **keys)
                assert answer.status_code != 500, f"{path}: {answer.text}"
                found.setdefault(_called(path), []).extend(needles_in(answer.text))
                if _called(path) == "memories":
                    listed = answer.json().get("items", ())
                    stage.memory_ids |= {f"{path}/{one['id']}": None for one in listed[::EACH_SO_MANIETH]}
            for path in stage.memory_ids:
                if path.startswith(_of(inn)):
                    answer = await _get(stage, path, **keys)
                    found.setdefault("one memory", []).extend(needles_in(answer.text))
    return found


def _of(inn: Inn) -> str:
    return f"/api/v1/guilds/{inn.guild.id}"


def _paths(stage: Stage, inn: Inn) -> Iterator[str]:
    guild_id, day, here = inn.guild.id, stage.server.clock.now().date(), _of(inn)
    yield from (f"{here}/{path}" for path in LISTS)
    yield from (f"/api/{path}?guild_id={guild_id}&limit=100" for path in ("memories", "users"))
    yield f"{here}/days/{day - timedelta(days=2)}"
    yield from (f"{here}/channels/{channel.id}/summary" for channel in inn.channels[:2])
    yield f"{here}/recall?q={WORDS}&limit=25"
    yield f"{here}/ask?q=What is {WORDS} called%3F"
    yield f"{here}/catch-up?since=14 days"


def _called(path: str) -> str:
    """The same in every inn."""
    path = path.partition("?")[0]
    return path.split("/")[5] if path.startswith("/api/v1/") else path


async def sign_in(stage: Stage, inn: Inn, who: User) -> tuple[str, str]:
    """The secrets of a new session and of a token; none, where nobody lets them in."""
    session, token = await stage.beside.order("sign_in", guild_id=inn.guild.id, user_id=who.id)
    return str(session), str(token)


async def must_open_nothing(stage: Stage, plot: Plot) -> None:
    """The keys of somebody of whom nothing may be left, as soon as it is."""
    await eventually(lambda: _answers(stage, plot), lambda answers: answers == [401, 401], seconds=PATIENCE_SECONDS)


async def must_open(stage: Stage, plot: Plot) -> None:
    assert await _answers(stage, plot) == [200, 200]


@deletion("a member is erased by the API", reach=Reach.MEMBER)
async def erased_by_the_api(stage: Stage, plot: Plot) -> None:
    path, (_, token) = f"/api/v1/guilds/{plot.inn.guild.id}/erasures", plot.keys
    answer = await stage.http.post(
        f"{stage.beside.url}{path}", json={"erase": "everything of mine"}, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 200, answer.text


async def _answers(stage: Stage, plot: Plot) -> list[int]:
    """What both keys open."""
    path, (session, token) = f"/api/v1/guilds/{plot.inn.guild.id}/reminders", plot.keys
    by_cookie = await _get(stage, "/panel/export", cookie=f"innkeeper={session}")
    return [by_cookie.status_code, (await _get(stage, path, authorization=f"Bearer {token or 'none'}")).status_code]


async def _get(stage: Stage, path: str, **headers: str) -> httpx.Response:
    return await stage.http.get(f"{stage.beside.url}{path}", headers=headers)
