"""Signing in by OAuth2, as the panel does it against Discord."""

from __future__ import annotations

import base64
import hashlib
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import discord
import httpx
import pytest

from local_guild.sign_in import CODE_LIFE
from tests.local_guild.browser import launched
from tests.local_guild.guests import Body
from tests.local_guild.running import Served, served

RETURN = "http://127.0.0.1:4567/callback"
VERIFIER = "a-verifier-that-is-long-enough-to-be-one-of-them"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


def wish(local_guild: Served, **changes: str) -> dict[str, str]:
    return {
        "client_id": str(local_guild.server.world.bot.id),
        "response_type": "code",
        "redirect_uri": RETURN,
        "scope": "identify guilds",
        "state": "s-1",
    } | changes


async def agree(local_guild: Served, member: str = "aylin", **changes: str) -> str:
    """Choose a member as the page's button does; the code that comes back."""
    chosen = {"member": str(local_guild.user(member).id)}
    url = f"{local_guild.address.url}/oauth2/authorize"
    answer = await local_guild.http.post(url, params=wish(local_guild, **changes), data=chosen)
    assert answer.status_code == 303, answer.text
    said = parse_qs(urlsplit(answer.headers["location"]).query)
    assert answer.headers["location"].startswith(RETURN)
    assert said["state"] == ["s-1"]
    return said["code"][0]


async def exchange(local_guild: Served, **fields: str) -> httpx.Response:
    known = (await local_guild.http.get(f"{local_guild.address.url}/local/application")).json()
    form = {"client_id": known["id"], "client_secret": known["client_secret"]} | fields
    return await local_guild.http.post(f"{local_guild.address.api_url}/oauth2/token", data=form)


async def signed_in(local_guild: Served, member: str = "aylin", **changes: str) -> Body:
    code = await agree(local_guild, member, **changes)
    answer = await exchange(local_guild, grant_type="authorization_code", code=code, redirect_uri=RETURN)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def get(local_guild: Served, path: str, access: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {access}"}
    return await local_guild.http.get(f"{local_guild.address.api_url}{path}", headers=headers)


async def test_from_the_page_to_who_i_am(local_guild: Served) -> None:
    page = await local_guild.http.get(f"{local_guild.address.url}/oauth2/authorize", params=wish(local_guild))
    assert page.status_code == 200
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    for name in ("maren", "tom", "aylin", "jonas"):
        assert f'value="{local_guild.user(name).id}"' in page.text
    assert f'value="{local_guild.server.world.bot.id}"' not in page.text
    tokens = await signed_in(local_guild, "maren")
    assert (tokens["token_type"], tokens["scope"]) == ("Bearer", "identify guilds")
    me = (await get(local_guild, "/users/@me", tokens["access_token"])).json()
    assert (me["id"], me["username"]) == (str(local_guild.user("maren").id), "maren")
    (guild,) = (await get(local_guild, "/users/@me/guilds", tokens["access_token"])).json()
    assert (guild["id"], guild["owner"]) == (str(local_guild.guild.id), True)
    assert discord.Permissions(int(guild["permissions"])).manage_guild
    authorization = (await get(local_guild, "/oauth2/@me", tokens["access_token"])).json()
    assert authorization["user"]["id"] == me["id"]
    assert authorization["scopes"] == ["identify", "guilds"]
    (guild,) = (
        await get(local_guild, "/users/@me/guilds", (await signed_in(local_guild, "jonas"))["access_token"])
    ).json()
    assert not guild["owner"]
    assert not discord.Permissions(int(guild["permissions"])).manage_guild


async def test_a_persons_token_opens_nothing_else(local_guild: Served) -> None:
    tokens = await signed_in(local_guild, scope="identify")
    hall = local_guild.channel("general").id
    for path in ("/users/@me/guilds", f"/channels/{hall}/messages", f"/guilds/{local_guild.guild.id}"):
        assert (await get(local_guild, path, tokens["access_token"])).status_code == 401
    assert (await get(local_guild, "/users/@me", tokens["refresh_token"])).status_code == 401
    assert (await get(local_guild, "/users/@me", "made-up")).status_code == 401


async def test_a_code_works_once_for_a_short_time_and_for_who_asked(local_guild: Served) -> None:
    async def attempt(code: str, **fields: str) -> tuple[int, str]:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": RETURN} | fields
        answer = await exchange(local_guild, **form)
        return answer.status_code, answer.json().get("error", "")

    code = await agree(local_guild)
    assert await attempt(code) == (200, "")
    assert await attempt(code) == (400, "invalid_grant")
    assert await attempt(await agree(local_guild), redirect_uri=RETURN + "/other") == (400, "invalid_grant")
    assert await attempt(await agree(local_guild), client_secret="wrong") == (401, "invalid_client")
    assert await attempt(await agree(local_guild), grant_type="password") == (400, "unsupported_grant_type")
    late = await agree(local_guild)
    local_guild.server.clock.advance(CODE_LIFE + timedelta(seconds=1))
    assert await attempt(late) == (400, "invalid_grant")


async def test_pkce(local_guild: Served) -> None:
    cases = [({"code_verifier": VERIFIER}, 200), ({"code_verifier": "another"}, 400), ({}, 400)]
    for verifier, status in cases:
        code = await agree(local_guild, code_challenge=CHALLENGE, code_challenge_method="S256")
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": RETURN}
        assert (await exchange(local_guild, **form, **verifier)).status_code == status, verifier


async def test_refresh_expiry_and_revocation(local_guild: Served) -> None:
    first = await signed_in(local_guild)
    local_guild.server.clock.advance(timedelta(days=8))
    assert (await get(local_guild, "/users/@me", first["access_token"])).status_code == 401
    fields = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    second = (await exchange(local_guild, **fields)).json()
    assert (await get(local_guild, "/users/@me", second["access_token"])).status_code == 200
    assert (await exchange(local_guild, **fields)).json()["error"] == "invalid_grant"
    known = (await local_guild.http.get(f"{local_guild.address.url}/local/application")).json()
    revoked = await local_guild.http.post(
        f"{local_guild.address.api_url}/oauth2/token/revoke",
        data={"token": second["refresh_token"]},
        auth=(known["id"], known["client_secret"]),
    )
    assert revoked.status_code == 200
    assert (await get(local_guild, "/users/@me", second["access_token"])).status_code == 401


NOT_GRANTED: list[dict[str, str]] = [
    {"client_id": "1"},
    {"redirect_uri": "https://example.org/callback"},
    {"redirect_uri": "http://127.0.0.1@example.org/"},
    {"redirect_uri": "http://127.0.0.1.example.org/"},
    {"redirect_uri": "javascript:alert(1)"},
    {"scope": ""},
    {"scope": "identify email"},
    {"response_type": "token"},
    {"code_challenge": CHALLENGE, "code_challenge_method": "plain"},
]


async def test_a_wish_that_is_not_granted_leads_nowhere(local_guild: Served) -> None:
    url, member = f"{local_guild.address.url}/oauth2/authorize", {"member": str(local_guild.user("aylin").id)}
    for changes in NOT_GRANTED:
        params = wish(local_guild, **changes)
        assert (await local_guild.http.get(url, params=params)).status_code == 400, changes
        assert (await local_guild.http.post(url, params=params | member)).status_code == 400, changes


async def test_no_other_site_can_press_the_button(local_guild: Served) -> None:
    url = f"{local_guild.address.url}/oauth2/authorize"
    member = {"member": str(local_guild.user("aylin").id)}
    for origin in ("https://example.org", "null"):
        answer = await local_guild.http.post(url, params=wish(local_guild), data=member, headers={"Origin": origin})
        assert answer.status_code == 403


@pytest.mark.browser
async def test_a_person_presses_the_button(local_guild: Served) -> None:
    async with launched() as browser:
        page = await browser.new_page()
        arrived = local_guild.address.url + "/local/world"
        url = f"{local_guild.address.url}/oauth2/authorize"
        await page.goto(f"{url}?{urlencode(wish(local_guild, redirect_uri=arrived))}")
        await page.get_by_role("button", name="Aylin").click()
        await page.wait_for_url("**/local/world?*")
        code = parse_qs(urlsplit(page.url).query)["code"][0]
    answer = await exchange(local_guild, grant_type="authorization_code", code=code, redirect_uri=arrived)
    me = (await get(local_guild, "/users/@me", answer.json()["access_token"])).json()
    assert me["username"] == "aylin"


async def test_cancelling_and_registered_addresses(local_guild: Served) -> None:
    url = f"{local_guild.address.url}/oauth2/authorize"
    cancelled = await local_guild.http.post(url, params=wish(local_guild), data={"member": ""})
    assert parse_qs(urlsplit(cancelled.headers["location"]).query)["error"] == ["access_denied"]
    panel = "https://inn.example/callback"
    await local_guild.http.post(f"{local_guild.address.url}/local/application", json={"redirect_uris": [panel]})
    accepted = await local_guild.http.get(url, params=wish(local_guild, redirect_uri=panel))
    assert accepted.status_code == 200


async def test_tokens_and_secret_survive_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path) as before:
        tokens = await signed_in(before)
        secret = before.server.sign_in.application.client_secret
    async with served(tmp_path) as after:
        assert after.server.sign_in.application.client_secret == secret
        assert (await get(after, "/users/@me", tokens["access_token"])).status_code == 200
