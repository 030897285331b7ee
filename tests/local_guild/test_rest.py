"""Refusals over REST carry Discord's status and code: what is not there, not seen, not permitted, or too long."""

from __future__ import annotations

from tests.local_guild.people import Body
from tests.local_guild.scene import Scene

NOBODY = 1 << 40

# Who calls what, and what comes back. {places} are filled from the scene.
REFUSALS: list[tuple[str, str, str, Body, int, int]] = [
    ("bot", "GET", "/channels/{nobody}", None, 404, 10003),
    ("bot", "GET", "/channels/{nobody}/messages", None, 404, 10003),
    ("bot", "POST", "/channels/{nobody}/messages", {"content": "x"}, 404, 10003),
    ("bot", "GET", "/guilds/{nobody}", None, 404, 10004),
    ("bot", "GET", "/guilds/{guild}/members/{nobody}", None, 404, 10007),
    ("bot", "GET", "/channels/{hall}/messages/{nobody}", None, 404, 10008),
    ("bot", "PATCH", "/channels/{hall}/messages/{nobody}", {"content": "x"}, 404, 10008),
    ("bot", "DELETE", "/channels/{hall}/messages/{nobody}", None, 404, 10008),
    ("manager", "PATCH", "/guilds/{guild}/roles/{nobody}", {"name": "x"}, 404, 10011),
    ("bot", "GET", "/users/{nobody}", None, 404, 10013),
    ("bot", "POST", "/channels/{hall}/messages", {"content": ""}, 400, 50006),
    ("bot", "POST", "/channels/{hall}/messages", {}, 400, 50006),
    ("bot", "POST", "/channels/{hall}/messages", {"content": "x" * 2001}, 400, 50035),
    ("bot", "POST", "/channels/{hall}/messages", {"embeds": [{"description": "x" * 4097}]}, 400, 50035),
    ("bot", "POST", "/channels/{hall}/messages", {"embeds": [{"title": "x"}] * 11}, 400, 50035),
    ("guest", "GET", "/channels/{cellar}/messages", None, 403, 50001),
    ("guest", "GET", "/channels/{cellar}", None, 403, 50001),
    ("guest", "POST", "/channels/{cellar}/messages", {"content": "x"}, 403, 50001),
    ("guest", "POST", "/channels/{cellar}/typing", None, 403, 50001),
    ("guest", "POST", "/guilds/{guild}/channels", {"name": "mine"}, 403, 50013),
    ("guest", "PATCH", "/channels/{hall}", {"name": "mine"}, 403, 50013),
    ("guest", "DELETE", "/channels/{hall}", None, 403, 50013),
    ("guest", "POST", "/guilds/{guild}/roles", {"name": "king"}, 403, 50013),
    ("guest", "DELETE", "/guilds/{guild}/members/{stranger}", None, 403, 50013),
    ("guest", "PUT", "/channels/{hall}/permissions/{guest}", {"type": 1, "allow": "8", "deny": "0"}, 403, 50013),
    ("guest", "POST", "/channels/{hall}/messages/bulk-delete", {"messages": ["1", "2"]}, 403, 50013),
    ("manager", "POST", "/guilds/{guild}/channels", {"name": ""}, 400, 50035),
]


async def test_refusals(scene: Scene) -> None:
    callers = {"bot": scene.bot, "guest": scene.guest, "manager": scene.manager}
    people = {"guest": scene.guest.id, "stranger": scene.stranger.id, "nobody": NOBODY}
    places = {"guild": scene.guild_id, "hall": scene.hall, "cellar": scene.cellar}
    answered = []
    for who, method, path, body, _, _ in REFUSALS:
        refused = await callers[who].refusal(method, path.format(**people, **places), body)
        assert isinstance(refused.body["message"], str)
        answered.append((who, method, path, body, refused.status, refused.code))
    assert answered == REFUSALS


async def test_only_the_author_edits_and_only_moderators_delete(scene: Scene) -> None:
    posted = await scene.guest.say(scene.hall, "mine")
    path = f"/channels/{scene.hall}/messages/{posted['id']}"
    assert (await scene.manager.refusal("PATCH", path, {"content": "yours"})).code == 50005
    assert (await scene.stranger.refusal("DELETE", path)).code == 50013
    await scene.manager.call("DELETE", path)


async def test_no_or_unknown_token_is_401(scene: Scene) -> None:
    headers = [{}, *({"Authorization": text} for text in ("", "nonsense", "Bot nonsense", "Bearer nonsense"))]
    for given in headers:
        answer = await scene.bot.http.get("/api/v10/users/@me", headers=given)
        assert answer.status_code == 401
        assert answer.json() == {"message": "401: Unauthorized", "code": 0}
