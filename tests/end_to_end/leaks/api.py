"""Surfaces of the API: every path, asked by a member with a token of their own, for others' secrets by name and id.

What a member can read by themselves is theirs to read there, in no place: a place without an age limit sets none.
"""

from uuid import uuid4
from weakref import WeakKeyDictionary

import httpx

from memory.access.values import Door, KeyKind
from memory.manager import MemoryManager
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.wiretap import Leak, Overheard
from web.api.app import Api
from web.guard import Buckets, Doors, Guard

_served: WeakKeyDictionary[MemoryManager, Guard] = WeakKeyDictionary()
"""Made once for each run of the bot: describing itself takes it longer than answering."""
GUILD = "/api/v1/guilds/{guild_id}"
READ = ("members", "days", "channels", "reminders", "settings", "usage", "health")
ROUTES = (
    *(f"{GUILD}/{path}" for path in READ),
    f"{GUILD}/memories",
    f"{GUILD}/memories/{{memory_id}}",
    f"{GUILD}/undo/{{change_id}}",
    f"{GUILD}/erasures",
    f"{GUILD}/days/{{day}}",
    f"{GUILD}/days/{{day}}/members/{{member_id}}",
    f"{GUILD}/channels/{{channel_id}}/summary",
    f"{GUILD}/recall",
    f"{GUILD}/reminders/{{reminder_id}}",
    f"{GUILD}/reminders/{{reminder_id}}/restore",
    "/api/memories",
    "/api/memories/{memory_id}",
    "/api/users",
)


@surface(
    "the API",
    read_by=ReadBy.ASKER,
    covers=(*(f"route:{path}" for path in ROUTES), "read:hearsay.browse"),
    weight=4,
    is_inside=True,
)
async def api(case: Case) -> None:
    token = await _token(case, case.asker.id)
    if token is None:
        return  # not known yet who may read what, or shut out meanwhile
    here, words = GUILD.format(guild_id=case.guild.id), case.canary.words
    for path in (*READ, f"memories?words={words}&limit=100", f"memories?member={case.subject.id}&limit=100"):
        await _ask(case, token, "GET", f"{here}/{path}")
    await _ask(case, token, "GET", f"/api/memories?guild_id={case.guild.id}&limit=100")
    await _ask(case, token, "GET", f"/api/users?guild_id={case.guild.id}&name={words[:4]}")
    await _ask(case, token, "GET", f"{here}/days/{case.scene.server.clock.now().date()}")
    await _ask(case, token, "GET", f"{here}/channels/{case.canary.source_id or case.place.id}/summary")
    await _ask(case, token, "GET", f"{here}/recall?q={words}&in={case.canary.source_id or case.place.id}")
    await _ask(case, token, "GET", f"{here}/recall?q={words}")
    for memory_id in await _known_to_another(case):
        await _ask(case, token, "GET", f"{here}/memories/{memory_id}")
        await _ask(case, token, "PUT", f"{here}/memories/{memory_id}", {"text": words})
    for other in case.scene.scenery.guilds:
        if other is not case.guild:
            await _ask(case, token, "GET", f"{GUILD.format(guild_id=other.id)}/memories")
    await _change(case, token, here)


async def _change(case: Case, token: str, here: str) -> None:
    """Nothing that others would miss."""
    room, words = str(case.canary.source_id or case.place.id), case.canary.words
    await _ask(case, token, "POST", f"{here}/memories", {"text": f"I saw the {words}", "channel_id": room})
    await _ask(case, token, "DELETE", f"/api/memories/1-1-1?guild_id={case.guild.id}")
    await _ask(case, token, "POST", f"{here}/undo/{uuid4()}")
    today = f"{case.scene.server.clock.now().date()}"
    await _ask(case, token, "PUT", f"{here}/days/{today}/members/{case.subject.id}", {"text": "They were here."})
    await _ask(case, token, "POST", f"{here}/erasures", {"erase": "nothing"})
    sent = {"when": "tomorrow at 9", "what": words, "channel_id": room}
    made = await _ask(case, token, "POST", f"{here}/reminders", sent)
    reminder = f"{here}/reminders/{made.json().get('id', case.canary.message_id or 1)}"
    for method, path in (("PUT", reminder), ("DELETE", reminder), ("POST", f"{reminder}/restore")):
        await _ask(case, token, method, path, {"when": "in 2 days"} if method == "PUT" else None)


async def _known_to_another(case: Case) -> list[str]:
    """What the one whom the secret is about is shown of it by its id, which the asker tries."""
    if case.subject.id == case.asker.id:
        return []
    token = await _token(case, case.subject.id)
    if token is None:
        return []
    listed = await _call(case, token, "GET", f"{GUILD.format(guild_id=case.guild.id)}/memories?limit=5")
    return [one["id"] for one in listed.json().get("items", ())]


async def _token(case: Case, user_id: int) -> str | None:
    access = case.scene.memory.access
    session = await access.sign_in(case.guild.id, user_id)
    door = await access.door(session, KeyKind.SESSION)
    if not isinstance(door, Door):
        return None
    for key in await access.tokens(door):
        await access.revoke(door, key.key_id)  # one may have a few
    return await access.make_token(door, "", 1, may_write=True)


async def _ask(case: Case, token: str, method: str, path: str, body: object = None) -> httpx.Response:
    answer = await _call(case, token, method, path, body)
    oracle, readers = case.scene.oracle, frozenset((case.asker.id,))
    heard = Overheard(f"{method} {path}", 0, readers, answer.text, ephemeral=True)
    place = next((one for one in case.scene.places_of(case.guild) if oracle.asks_for_age(one)), case.place)
    for canary in case.scene.canaries.within(answer.text):
        objection = oracle.objection(canary, place.id, readers)
        if objection is None:
            case.scene.tap.found.add((place.id, canary.token))
        else:
            case.scene.tap.leaks.append(Leak(canary.kind.value, canary.token, objection, heard))
    return answer


async def _call(case: Case, token: str, method: str, path: str, body: object = None) -> httpx.Response:
    memory = case.scene.memory
    if memory not in _served:
        _served[memory] = Guard(Api(Doors(lambda: case.scene.memory, is_tls=False), Buckets(burst=100_000)).app)
    transport = httpx.ASGITransport(_served[memory])
    async with httpx.AsyncClient(transport=transport, base_url="http://inn.example", timeout=60) as client:
        answer = await client.request(method, path, headers={"Authorization": f"Bearer {token}"}, json=body)
    assert answer.status_code < 500 or answer.status_code == 503, f"{method} {path}: {answer.text}"
    return answer
