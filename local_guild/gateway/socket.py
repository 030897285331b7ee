"""Speaks the gateway, v10: HELLO, heartbeats, IDENTIFY, RESUME, READY, member lists, and the writing of events."""

import asyncio
import contextlib
import zlib

from pydantic import BaseModel, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from local_guild.faults import Faults
from local_guild.gateway.sessions import (
    ALL_INTENTS,
    PRIVILEGED,
    Event,
    Hub,
    Intent,
    Link,
    Reader,
    Session,
    Sessions,
    SessionStarts,
    Shard,
)
from local_guild.payloads import Payloads, user_payload
from local_guild.state.ids import JsonObject, encode
from local_guild.state.world import Guild, User, World


class MemberRequest(BaseModel):
    guild_id: int
    nonce: str | None = None


class Greeter:
    def __init__(self, world: World, hub: Hub, payloads: Payloads) -> None:
        self._world = world
        self._hub = hub
        self._payloads = payloads

    def greet(self, session: Session, user: User, gateway_url: str) -> None:
        guilds = [g for g in self._world.guilds_of(user.id) if session.shard.holds(g.id)]
        ready: JsonObject = {
            "v": 10,
            "user": user_payload(user),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": gateway_url,
            "private_channels": [],
            "application": {"id": str(self._world.facts.bot_id), "flags": 1 << 15 | 1 << 19},
            "shard": [session.shard.index, session.shard.count],
        }
        # With this every session begins, also where events come late, twice or in another order.
        session.push("READY", encode(ready))
        for guild in guilds:
            if not guild.unavailable:
                self.introduce(session, guild)

    def introduce(self, session: Session, guild: Guild, *, joined: bool = False) -> None:
        """Send GUILD_CREATE, as this session may see the guild.

        A guild that has become available says so; by not saying it, one just joined is told apart.
        """
        if not session.reader.intents & Intent.GUILDS:
            return
        data = self._payloads.guild_create(
            guild,
            session.reader.user_id,
            all_members=bool(session.reader.intents & Intent.GUILD_MEMBERS),
            listening=session.application,
        )
        if joined:
            del data["unavailable"]
        self._hub.tell(session, Event(name="GUILD_CREATE", data=data))

    def send_members(self, session: Session, request: MemberRequest) -> None:
        guild = self._world.guilds.get(request.guild_id)
        members = self._world.members(request.guild_id)
        if guild is None or session.reader.user_id not in members:
            return
        # The whole list, and its size, are for those with the Server Members intent.
        if not session.reader.intents & Intent.GUILD_MEMBERS:
            return
        data: JsonObject = {
            "guild_id": str(request.guild_id),
            "members": [self._payloads.member(member) for member in members.values()],
            "chunk_index": 0,
            "chunk_count": 1,
        }
        if request.nonce is not None:
            data["nonce"] = request.nonce
        self._hub.tell(session, Event(name="GUILD_MEMBERS_CHUNK", data=data))


HEARTBEAT_MS = 41_250
ACK_SECONDS = 0.05
"""As over a network. discord.py notes when it sent one after it did: what is answered at once counts as late."""

HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE = 1, 2, 3, 4
RESUME, RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 6, 7, 8, 9, 10, 11

UNKNOWN_OPCODE, DECODE_ERROR, NOT_AUTHENTICATED, AUTHENTICATION_FAILED = 4001, 4002, 4003, 4004
ALREADY_AUTHENTICATED, DISALLOWED_INTENTS = 4005, 4014
SERVICE_RESTART = 1012


class Frame(BaseModel):
    op: int
    d: object = None


class Identify(BaseModel):
    token: str
    intents: int | None = None
    shard: tuple[int, int] = (0, 1)


class Resume(BaseModel):
    token: str
    session_id: str
    seq: int


class RefusedError(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


def control_frame(op: int, data: object = None) -> bytes:
    return encode({"op": op, "d": data, "s": None, "t": None})


class Gateway:
    """Serves sockets. What the sessions are told comes from the hub; this file only moves it."""

    def __init__(self, world: World, sessions: Sessions, greeter: Greeter, faults: Faults) -> None:
        self._world = world
        self._sessions = sessions
        self.greeter = greeter
        self._faults = faults
        self._links: set[Link] = set()
        self.starts = SessionStarts()

    async def serve(self, socket: WebSocket) -> None:
        if self._faults.is_down:
            await socket.close(SERVICE_RESTART)
            return
        await socket.accept()
        link = Link()
        self._links.add(link)
        writer = asyncio.create_task(_write(socket, link))
        connection = _Connection(self, socket, link)
        try:
            await connection.run()
        except RefusedError as refused:
            link.close(refused.code)
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await writer
        finally:
            self._links.discard(link)
            link.release()
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    @property
    def open_sockets(self) -> int:
        """Count the open sockets, signed in or not."""
        return len(self._links)

    def drop_sockets(self, code: int, *, user_id: int | None = None) -> int:
        """Close sockets, of one user or all; the sessions stay and can be resumed."""
        links = [s.link for s in self._sessions if s.link and user_id in (None, s.reader.user_id)]
        everyone = list(self._links) if user_id is None else links
        for link in everyone:
            link.close(code)
        return len(everyone)

    def ask_to_reconnect(self) -> None:
        for session in self._sessions:
            if session.link:
                session.link.send(control_frame(RECONNECT))

    def invalidate_sessions(self, *, resumable: bool) -> None:
        for session in self._sessions:
            if session.link:
                session.link.send(control_frame(INVALID_SESSION, resumable))
                if not resumable:
                    self._sessions.end(session)

    def identify(self, request: Identify, link: Link, base_url: str) -> Session | None:
        user = self._authenticated(request.token)
        application = user.id == self._world.facts.bot_id
        intents = ALL_INTENTS if request.intents is None else request.intents
        if application and intents & PRIVILEGED and not self._world.facts.privileged_intents:
            raise RefusedError(DISALLOWED_INTENTS)
        if not application:
            intents |= Intent.MESSAGE_CONTENT
        shard = Shard(*request.shard)
        if application and not self.starts.may_begin(shard):
            return None
        session = Session(Reader(user.id, intents), shard, application=application)
        self._sessions.add(session)
        session.attach(link)
        self.greeter.greet(session, user, f"{base_url.replace('http', 'ws', 1)}/gateway")
        return session

    def resume(self, request: Resume, link: Link) -> Session | None:
        user = self._authenticated(request.token)
        session = self._sessions.get(request.session_id)
        if session is None or session.reader.user_id != user.id:
            return None
        missed = None if self._faults.refuses_resume() else session.missed_after(request.seq)
        if missed is None:
            self._sessions.end(session)
            return None
        # Replayed before attaching, so that what happens meanwhile queues up behind.
        for frame in missed:
            link.send(frame)
        session.attach(link)
        session.push("RESUMED", b'{"_trace":[]}')
        return session

    def lost(self, session: Session, link: Link, code: int) -> None:
        """Detach a socket: a close with 1000 or 1001 is a farewell; anything else leaves the session to be resumed."""
        session.detach(link)
        if code in (1000, 1001) and session.link is None:
            self._sessions.end(session)

    def _authenticated(self, token: str) -> User:
        user = self._world.user_of_token(token.removeprefix("Bot "))
        if user is None:
            raise RefusedError(AUTHENTICATION_FAILED)
        return user


class _Connection:
    """Holds one socket's conversation, from HELLO to the close."""

    def __init__(self, gateway: Gateway, socket: WebSocket, link: Link) -> None:
        self._gateway = gateway
        self._socket = socket
        self._link = link
        self._session: Session | None = None
        self._base_url = f"http://{socket.headers.get('host', '127.0.0.1')}"

    async def run(self) -> None:
        self._link.send(control_frame(HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []}))
        # A client we close answers with our own code: that is not its farewell.
        code = 1006
        try:
            while True:
                received = await self._socket.receive()
                if received["type"] == "websocket.disconnect":
                    code = int(received.get("code") or 1005)
                    return
                self._handle(Frame.model_validate_json(received.get("text") or received.get("bytes") or b""))
        except ValidationError:
            raise RefusedError(DECODE_ERROR) from None
        finally:
            if self._session is not None:
                closed_here = self._link.close_code is not None
                self._gateway.lost(self._session, self._link, 1006 if closed_here else code)

    def _handle(self, frame: Frame) -> None:
        if frame.op == HEARTBEAT:
            asyncio.get_running_loop().call_later(ACK_SECONDS, self._link.send, control_frame(HEARTBEAT_ACK))
        elif frame.op in (IDENTIFY, RESUME):
            if self._session is not None:
                raise RefusedError(ALREADY_AUTHENTICATED)
            if frame.op == IDENTIFY:
                request = Identify.model_validate(frame.d)
                self._session = self._gateway.identify(request, self._link, self._base_url)
            else:
                self._session = self._gateway.resume(Resume.model_validate(frame.d), self._link)
            if self._session is None:
                self._link.send(control_frame(INVALID_SESSION, False))
        elif frame.op not in (REQUEST_MEMBERS, PRESENCE, VOICE_STATE):
            raise RefusedError(UNKNOWN_OPCODE)
        elif self._session is None:
            raise RefusedError(NOT_AUTHENTICATED)
        elif frame.op == REQUEST_MEMBERS:
            self._gateway.greeter.send_members(self._session, MemberRequest.model_validate(frame.d))
        # Presence and voice are not part of the local world; saying so is not an error.


async def _write(socket: WebSocket, link: Link) -> None:
    """Send what the link holds; one zlib stream lasts as long as the socket."""
    compressed = socket.query_params.get("compress") == "zlib-stream"
    stream = zlib.compressobj(level=1)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (frame := await link.frame()) is not None:
            if compressed:
                await socket.send_bytes(stream.compress(frame) + stream.flush(zlib.Z_SYNC_FLUSH))
            else:
                await socket.send_text(frame.decode())
        if socket.application_state is WebSocketState.CONNECTED:
            await socket.close(link.close_code or 1000)
    link.release()
