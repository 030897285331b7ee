"""Signing in to the panel: whose link opens it, in which browser, for how long, and what nobody can do with it."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest

from memory.access import LINK_LASTS, MOST_TOKENS, SESSION_IDLE, SESSION_LASTS, Door, KeyKind, Refusal
from memory.core.values import Member, Rank
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL, LOUNGE
from tests.web.inn import HOST, STEWARD, WebInn
from web import guard
from web.guard import LONGEST_BODY, PANEL, Doors


@pytest.fixture
async def browser(inn: WebInn) -> AsyncIterator[httpx.AsyncClient]:
    async with inn.browser() as browser:
        yield browser


async def link_of(inn: WebInn, member: Member) -> str:
    """As the bot gives it to them."""
    return f"/panel/enter/{await inn.bot.access.link(GUILD, member.user_id)}"


async def press(browser: httpx.AsyncClient, link: str, **headers: str) -> httpx.Response:
    """Looks at the page and presses its button."""
    page = await browser.get(link)
    (number,) = re.findall(r'name="number" value="([\w-]+)"', page.text)
    return await browser.post(link, data={"number": number}, headers=headers)


async def signed_in(inn: WebInn, browser: httpx.AsyncClient, member: Member) -> str:
    answer = await press(browser, await link_of(inn, member))
    assert (answer.status_code, answer.headers["location"]) == (303, PANEL)
    return str(answer.cookies[inn.doors.cookie])


async def test_a_link_lets_its_owner_in_once(inn: WebInn, browser: httpx.AsyncClient) -> None:
    link = await link_of(inn, BOB)
    page = await browser.get(link)
    assert "<b>Bob</b> on <b>The Inn</b>" in page.text
    policy = page.headers["content-security-policy"].split("; ")
    assert {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'self'"} <= set(policy)
    assert not re.search(r"https?:|\*", " ".join(policy)), "nothing comes from elsewhere"
    entered = await press(browser, link)
    cookie = entered.headers["set-cookie"]
    assert ("HttpOnly" in cookie, "SameSite=lax" in cookie, entered.status_code) == (True, True, 303)
    secret = entered.cookies[inn.doors.cookie]
    kept = await inn.world.database.read("test", "SELECT access_keys::text AS row FROM access_keys")
    assert [secret.partition(".")[2] in one["row"] for one in kept] == [False], "the digest alone is kept"
    opened = await inn.doors.of_session(secret)
    assert isinstance(opened, Door)
    assert (opened.user_id, opened.rank, opened.reader.sources) == (BOB.user_id, Rank.MEMBER, frozenset((HALL, LOUNGE)))
    again = await browser.get(link)
    assert (again.status_code, "more than five minutes old" in again.text) == (410, True)


async def test_looking_at_a_link_does_not_spend_it(inn: WebInn, browser: httpx.AsyncClient) -> None:
    """Discord, mail programs and scanners look at links before people do."""
    link = await link_of(inn, BOB)
    async with inn.browser() as scanner:
        for _ in range(3):
            assert (await scanner.get(link)).status_code == 200
        assert (await scanner.head(link)).status_code in (200, 405)
    assert (await press(browser, link)).status_code == 303


async def test_nobody_can_sign_another_browser_in(inn: WebInn, browser: httpx.AsyncClient) -> None:
    """A page elsewhere that posts our form, with the number of the attacker's own page, signs nobody in."""
    link = await link_of(inn, STEWARD)
    async with inn.browser() as attacker:
        page = await attacker.get(link)
    (number,) = re.findall(r'name="number" value="([\w-]+)"', page.text)
    from_elsewhere = await browser.post(link, data={"number": number}, headers={"origin": "https://evil.example"})
    assert from_elsewhere.status_code == 403
    unsaid = await inn.browser(origin="").post(link, data={"number": number})
    assert unsaid.status_code == 403
    without_its_page = await browser.post(link, data={"number": number})
    assert (without_its_page.status_code, inn.doors.cookie in browser.cookies) == (403, False)
    assert (await press(browser, link)).status_code == 303, "and the link is still good for its owner"


@pytest.mark.parametrize(
    "link", ["", "x", "64.x", f"{GUILD:x}.{'a' * 43}", f"{GUILD + 1:x}.{'a' * 43}", f"0.{'a' * 43}"]
)
async def test_what_is_no_link_opens_nothing(inn: WebInn, browser: httpx.AsyncClient, link: str) -> None:
    assert (await browser.get(f"/panel/enter/{link}")).status_code in (404, 410)
    assert await inn.web.access.redeem(link) is None


async def test_links_and_browsers_end(inn: WebInn, browser: httpx.AsyncClient) -> None:
    link, secret = await link_of(inn, BOB), await signed_in(inn, browser, ALICE)
    inn.clock.move(LINK_LASTS)
    assert (await browser.get(link)).status_code == 410
    inn.clock.move(SESSION_IDLE - LINK_LASTS)
    await inn.beat()
    assert isinstance(await inn.doors.of_session(secret), Door)
    inn.clock.move(SESSION_IDLE + timedelta(minutes=1))
    await inn.beat()
    assert await inn.doors.of_session(secret) is Refusal.UNKNOWN, "nobody came for too long"
    async with inn.browser() as other:
        kept = await signed_in(inn, other, ALICE)
        for _ in range(int(SESSION_LASTS / SESSION_IDLE) + 1):
            inn.clock.move(SESSION_IDLE - timedelta(minutes=1))
            await inn.beat()
            last = await inn.doors.of_session(kept)
        assert last is Refusal.UNKNOWN, "however often somebody comes, one day it is over"


async def test_a_new_link_takes_the_place_of_an_earlier_one(inn: WebInn, browser: httpx.AsyncClient) -> None:
    first, second = await link_of(inn, BOB), await link_of(inn, BOB)
    assert (await browser.get(first)).status_code == 410
    assert (await press(browser, second)).status_code == 303


async def test_signing_in_again_ends_what_the_browser_had(inn: WebInn, browser: httpx.AsyncClient) -> None:
    before = await signed_in(inn, browser, BOB)
    after = await signed_in(inn, browser, ALICE)
    assert (before != after, await inn.doors.of_session(before)) == (True, Refusal.UNKNOWN)


async def test_what_somebody_may_is_asked_each_time(inn: WebInn, browser: httpx.AsyncClient) -> None:
    secret = await signed_in(inn, browser, STEWARD)
    opened = await inn.doors.of_session(secret)
    assert isinstance(opened, Door)
    assert (opened.is_manager, CELLAR in opened.reader.sources) == (True, False), "managing is no key to the cellar"
    await inn.meet(replace(STEWARD, roles=()))
    demoted = await inn.doors.of_session(secret)
    assert isinstance(demoted, Door)
    assert not demoted.is_manager
    await inn.leave(STEWARD)
    await inn.meet(STEWARD)
    assert await inn.doors.of_session(secret) is Refusal.UNKNOWN, "a key ends with the membership"
    owner = await inn.door(ALICE)
    assert (owner.rank, CELLAR in owner.reader.sources) == (Rank.OWNER, True)


async def test_without_the_bot_nothing_is_open(inn: WebInn, browser: httpx.AsyncClient) -> None:
    secret = await signed_in(inn, browser, BOB)
    inn.clock.move(timedelta(hours=1))
    assert await inn.doors.of_session(secret) is Refusal.CLOSED
    await inn.beat()
    assert isinstance(await inn.doors.of_session(secret), Door)


async def test_signing_out_everywhere_leaves_nobody_elses_browser(inn: WebInn) -> None:
    mine = [await inn.web.access.sign_in(GUILD, BOB.user_id) for _ in range(2)]
    hers = await inn.web.access.sign_in(GUILD, ALICE.user_id)
    here = await inn.doors.of_session(mine[0])
    assert isinstance(here, Door)
    assert len(await inn.web.access.browsers(here)) == 2
    await inn.web.access.sign_out(here.key, everywhere=True)
    assert [await inn.doors.of_session(one) for one in mine] == [Refusal.UNKNOWN] * 2
    assert isinstance(await inn.doors.of_session(hers), Door)


async def test_tokens_are_counted_shown_and_revoked_by_their_owner(inn: WebInn) -> None:
    bob, alice = await inn.door(BOB), await inn.door(ALICE)
    secrets = [await inn.web.access.make_token(bob, f"script {number}", 30, may_write=False) for number in range(3)]
    token = await inn.doors.of_token(str(secrets[0]))
    assert isinstance(token, Door)
    assert (token.user_id, token.key.may_write, token.key.kind) == (BOB.user_id, False, KeyKind.TOKEN)
    assert await inn.doors.of_session(str(secrets[0])) is Refusal.UNKNOWN, "a token is no session"
    listed = await inn.web.access.tokens(bob)
    assert sorted(one.name for one in listed) == ["script 0", "script 1", "script 2"]
    inn.clock.move(timedelta(minutes=2))
    await inn.beat()
    await inn.doors.of_token(str(secrets[0]))
    used = {one.name: one.used_at - one.made_at for one in await inn.web.access.tokens(bob)}
    assert used == {"script 0": timedelta(minutes=2), "script 1": timedelta(0), "script 2": timedelta(0)}
    assert not await inn.web.access.revoke(alice, token.key.key_id), "it is not hers"
    assert await inn.web.access.revoke(bob, token.key.key_id)
    assert await inn.doors.of_token(str(secrets[0])) is Refusal.UNKNOWN
    for _ in range(MOST_TOKENS - 2):
        assert await inn.web.access.make_token(bob, "", 1, may_write=True)
    assert await inn.web.access.make_token(bob, "", 1, may_write=True) is None
    inn.clock.move(timedelta(days=30))
    await inn.beat()
    assert await inn.doors.of_token(str(secrets[1])) is Refusal.UNKNOWN, "it was for thirty days"


async def test_long_bodies_are_refused_before_they_are_read(inn: WebInn, browser: httpx.AsyncClient) -> None:
    link = await link_of(inn, BOB)

    async def much() -> AsyncIterator[bytes]:
        for _ in range(LONGEST_BODY // 1_000 + 2):
            yield b"x" * 1_000

    said = await browser.post(link, content=b"x" * (LONGEST_BODY + 1))
    assert (said.status_code, said.headers["content-type"]) == (413, "application/problem+json")
    assert (await browser.post(link, content=much())).status_code == 413


async def test_bodies_that_trickle_are_refused(
    inn: WebInn, browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "SLOWEST_BODY_SECONDS", 0.05)

    async def trickle() -> AsyncIterator[bytes]:
        while True:
            yield b"x"
            await asyncio.sleep(0.01)

    said = await browser.post(await link_of(inn, BOB), content=trickle())
    assert (said.status_code, said.headers["content-type"]) == (408, "application/problem+json")


async def test_behind_a_proxy_with_tls_the_cookie_is_for_that_host_alone(inn: WebInn) -> None:
    link, app = await link_of(inn, BOB), inn.served(Doors(lambda: inn.web, is_tls=True))
    async with inn.browser(app, "https://inn.example") as browser:
        for refused in (
            {"origin": "https://evil.example"},
            {"origin": "https://inn.example:8443"},
            {"origin": "https://evil.example", "host": "127.0.0.1:8080"},
            {"origin": "https://inn.example", "host": "127.0.0.1:8080"},  # the proxy does not say whom it was asked for
            {"origin": "http://inn.example", "sec-fetch-site": "cross-site"},  # the same host, but not by TLS
            {"origin": "https://a.inn.example", "sec-fetch-site": "same-site"},
        ):
            assert (await press(browser, link, **refused)).status_code == 403, refused
        number = (await browser.get(link)).headers["set-cookie"]
        entered = await press(browser, link)
        cookie = entered.headers.get_list("set-cookie")[0]
    assert (entered.status_code, cookie.startswith("__Host-innkeeper=")) == (303, True)
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert ("Domain" in cookie, "Secure" in number) == (False, True)


async def test_names_are_text(inn: WebInn, browser: httpx.AsyncClient) -> None:
    await inn.meet(replace(BOB, nickname="<script>alert(1)</script> {guild}"))
    page = await browser.get(await link_of(inn, BOB))
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;" in page.text
    assert page.url.host == httpx.URL(HOST).host
