"""The sockets of pages: the id of a page opens nothing without the cookie that the page was made for."""

import re
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import socketio
from nicegui import core, ui
from nicegui.client import Client

from local_guild.port import bind
from local_guild.serving import serving
from memory.access import Door, Refusal
from tests.end_to_end.house import eventually, until
from tests.memory.world import ALICE, BOB, GUILD
from tests.web.inn import WebInn, simulated
from web.app import LEAVES, add_not_found_page
from web.guard import SOCKET, Buckets, Guard, guard_sockets
from web.panel.shell import PanelPages

PAGE = "/panel/access"
BURST = 30


@pytest.fixture
async def address(inn: WebInn) -> AsyncIterator[str]:
    """Where the pages are served by a real server."""
    async with simulated():
        PanelPages(inn.doors, LEAVES, chat=None)
        guard_sockets(inn.doors, Buckets(BURST, a_second=0.001))
        add_not_found_page()
        bound = bind("127.0.0.1", 0)
        async with serving(Guard(core.app), bound):
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"


class Window:
    """A page that somebody opened, and sockets to it."""

    def __init__(self, address: str, cookie: str) -> None:
        self._address = address
        self._headers = {"cookie": cookie, "origin": address}
        self.client_id = ""

    async def open(self) -> "Window":
        async with httpx.AsyncClient(base_url=self._address, headers=self._headers) as http:
            page = (await http.get(PAGE)).text
        (self.client_id,) = re.findall(r"client_id[\"']?: [\"']([0-9a-f-]{36})", page)
        return self

    async def socket(self, client_id: str = "") -> tuple[socketio.AsyncClient, bool]:
        """One that says it belongs to a page, and whether that was believed."""
        client = socketio.AsyncClient(reconnection=False)
        await client.connect(
            self._address, dict(self._headers), transports=["websocket"], socketio_path="/_nicegui_ws/socket.io"
        )
        asked: dict[str, Any] = {"client_id": client_id or self.client_id, "tab_id": "tab", "old_tab_id": None}
        asked |= {"document_id": "document", "next_message_id": 0}
        return client, bool(await client.call("handshake", asked))


def press(client_id: str, label: str) -> dict[str, Any]:
    """What a browser sends when a button of a page is pressed."""
    page = Client.instances[client_id]
    (button,) = [one for one in page.elements.values() if isinstance(one, ui.button) and one.text == label]
    (listener,) = [one for one in button._event_listeners.values() if one.type == "click"]
    return {"client_id": client_id, "id": button.id, "listener_id": listener.id, "args": ["{}"]}


async def test_a_page_is_for_the_browser_that_opened_it(inn: WebInn, address: str) -> None:
    secrets = [await inn.web.access.sign_in(GUILD, member.user_id) for member in (ALICE, BOB)]
    hers, his = [await Window(address, f"{inn.doors.cookie}={secret}").open() for secret in secrets]
    for thief in (Window(address, ""), his):
        socket, is_believed = await thief.socket(hers.client_id)
        assert not is_believed
        await socket.disconnect()
    her_socket, is_believed = await hers.socket()
    assert is_believed
    his_socket, is_believed = await his.socket()
    assert is_believed
    for client_id in (hers.client_id, his.client_id):
        await his_socket.emit("event", press(client_id, "Sign out everywhere"))
    await eventually(lambda: inn.doors.of_session(secrets[1]), lambda door: door is Refusal.UNKNOWN)
    assert isinstance(await inn.doors.of_session(secrets[0]), Door), "his socket pressed a button of her page"
    await her_socket.emit("event", press(hers.client_id, "Sign out everywhere"))
    await eventually(lambda: inn.doors.of_session(secrets[0]), lambda door: door is Refusal.UNKNOWN)
    for socket in (her_socket, his_socket):
        await socket.disconnect()


async def test_nobody_writes_into_the_log(address: str, caplog: pytest.LogCaptureFixture) -> None:
    """Neither through the socket of a page that any stranger gets, nor with an address that nothing is at."""
    stranger = await Window(address, "").open()
    socket, is_believed = await stranger.socket()
    assert is_believed
    said = {"client_id": stranger.client_id, "level": "error", "message": "zanzibarquartz"}
    for name, sent in (("log", said), ("event", said), ("event", "zanzibarquartz"), ("event", None)):
        await socket.emit(name, sent)
    assert await socket.call("handshake", "zanzibarquartz") is None, "all before was heard by then"
    async with httpx.AsyncClient(base_url=address) as http:
        nowhere = await http.get("/panel/enter/zanzibarquartz/", headers={"accept-language": "de"})
    assert (nowhere.status_code, "Unter dieser Adresse" in nowhere.text) == (404, True)
    assert "zanzibarquartz" not in nowhere.text
    await socket.disconnect()
    assert caplog.records == []


async def test_a_socket_that_sends_too_much_is_closed(inn: WebInn, address: str) -> None:
    """With whatever else the same session has open."""
    secret = await inn.web.access.sign_in(GUILD, BOB.user_id)
    window = await Window(address, f"{inn.doors.cookie}={secret}").open()
    (first, _), (second, _) = await window.socket(), await window.socket()
    for socket, times in ((first, BURST), (second, 1)):
        with suppress(socketio.exceptions.BadNamespaceError):  # closed already
            for _ in range(times):
                await socket.emit("event", {"client_id": window.client_id})
        await until(lambda socket=socket: not socket.connected)  # type: ignore[misc]
    stranger, is_believed = await (await Window(address, "").open()).socket()
    assert is_believed
    await stranger.disconnect()


async def test_pages_elsewhere_open_no_socket(inn: WebInn, address: str) -> None:
    secret = await inn.web.access.sign_in(GUILD, ALICE.user_id)
    window = await Window(address, f"{inn.doors.cookie}={secret}").open()
    polling = f"{address}{SOCKET}/socket.io/?EIO=4&transport=polling"
    window._headers["origin"] = "https://evil.example"
    async with httpx.AsyncClient() as http:
        answers = [await http.get(polling, headers={"origin": one}) for one in (address, "https://evil.example")]
    assert [one.status_code for one in answers] == [200, 403]
    assert "access-control-allow-origin" not in answers[1].headers
    with pytest.raises(socketio.exceptions.ConnectionError):
        await window.socket()
