"""The local guild as one object: a world with its state file, and the routes that serve it."""

from __future__ import annotations

from pathlib import Path

from starlette.routing import BaseRoute, Mount, Router, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from local_guild import control_api
from local_guild.access import Access
from local_guild.application_commands import ApplicationCommands
from local_guild.control import Control
from local_guild.event_faults import EventFaults
from local_guild.faults import Faults, Troubled
from local_guild.gateway import Gateway
from local_guild.greeting import Greeter
from local_guild.hub import Hub
from local_guild.interactions import Interactions
from local_guild.membership import Membership
from local_guild.message_payloads import MessagePayloads
from local_guild.payloads import Payloads
from local_guild.places import Places
from local_guild.posting import Posting
from local_guild.reacting import Pinning, Reacting
from local_guild.realm import Realm
from local_guild.rest import app as rest
from local_guild.rest import uploads
from local_guild.rest.ratelimits import RateLimits
from local_guild.safety import Guarded
from local_guild.sample_week import SampleWeek
from local_guild.seeding import default_world
from local_guild.sessions import Sessions
from local_guild.sign_in import SignIn
from local_guild.snowflake import Clock, Snowflakes
from local_guild.state_file import StateFile
from local_guild.thread_seats import ThreadSeats
from local_guild.threads import Threads
from local_guild.visibility import Visibility
from local_guild.world import World

STATE_FILE = "world.sqlite3"
ATTACHMENTS_FOLDER = "attachments"


class LocalGuild:
    """Everything a local guild is made of. `open` it, serve its `routes`, and `close` it."""

    def __init__(self, world: World, state: StateFile, folder: Path, clock: Clock) -> None:
        self.world = world
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.attachments_folder = folder / ATTACHMENTS_FOLDER
        self.access = Access(world)
        self.payloads = Payloads(world, self.access)
        self.messages = MessagePayloads(world, self.payloads)
        self.sessions = Sessions()
        self.event_faults = EventFaults()
        self.hub = Hub(world, self.access, self.sessions, self.event_faults)
        self.realm = Realm(world, clock, self.ids, self.access, self.hub, self.payloads, self.messages)
        self.seats = ThreadSeats(self.realm)
        self.posting = Posting(self.realm, self.seats)
        self.reacting = Reacting(self.realm)
        self.pinning = Pinning(self.realm, self.posting)
        self.threads = Threads(self.realm, self.posting, self.seats)
        visibility = Visibility(self.realm, self.sessions)
        self.places = Places(self.realm, visibility)
        self.greeter = Greeter(world, self.hub, self.payloads)
        self.membership = Membership(
            self.realm,
            sessions=self.sessions,
            greeter=self.greeter,
            posting=self.posting,
            places=self.places,
            seats=self.seats,
            visibility=visibility,
        )
        self.commands = ApplicationCommands(self.realm)
        self.interactions = Interactions(self.realm)
        self.sign_in = SignIn(self.realm)
        self.sample_week = SampleWeek(self.realm, self.posting, self.reacting)
        self.faults = Faults()
        self.rate_limits = RateLimits()
        self.gateway = Gateway(world, self.sessions, self.greeter, self.faults)
        self.control = Control(self)
        self._state = state

    @classmethod
    def open(cls, folder: Path, *, clock: Clock | None = None, world: World | None = None) -> LocalGuild:
        """The world kept in `folder`; where there is none yet, the one given, or the default."""
        clock = clock or Clock()
        state = StateFile(folder / STATE_FILE)
        known = state.load()
        if known is None:
            known = world or default_world(clock)
            for entity in known.entities():
                state.keep(entity)
        known.attach(state)
        server = cls(known, state, folder, clock)
        server.posting.recall_nonces()
        return server

    @property
    def gateway_url(self) -> str:
        return f"{self.messages.base_url.replace('http', 'ws', 1)}/gateway"

    async def saved(self) -> None:
        await self._state.saved()

    async def close(self) -> None:
        self.gateway.drop_sockets(1001)
        self._state.close()

    def routes(self) -> list[BaseRoute]:
        """To be served at the root of a loopback port, beside whatever other pages there are."""
        api = self._guarded(Troubled(rest.build(self), self.faults))
        files = Router([rest.route(self, "GET", "/{attachment_id}/{filename}", uploads.download)])
        gateway = self._guarded(self._serve_socket)
        return [
            Mount("/api/v10", app=api),
            Mount("/local", app=self._guarded(control_api.build(self))),
            Mount("/oauth2", app=self._guarded(Router(rest.sign_in_routes(self), redirect_slashes=False))),
            Mount("/attachments", app=self._guarded(files)),
            WebSocketRoute("/gateway", gateway),
            WebSocketRoute("/gateway/", gateway),
        ]

    def _guarded(self, app: ASGIApp) -> Guarded:
        return Guarded(app, self._reached_by)

    def _reached_by(self, host: str) -> None:
        """Links to files and to the gateway lead where this server was last found."""
        self.messages.base_url = f"http://{host}"

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.gateway.serve(WebSocket(scope, receive, send))
