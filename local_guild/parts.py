"""Everything a local guild is made of, composed once: what its REST calls and its control work with."""

from __future__ import annotations

from pathlib import Path

from local_guild.access import Access
from local_guild.application_commands import ApplicationCommands
from local_guild.attachment_files import AttachmentFiles
from local_guild.event_faults import EventFaults
from local_guild.faults import Faults
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
from local_guild.rest.ratelimits import RateLimits
from local_guild.sample_week import SampleWeek
from local_guild.sessions import Sessions
from local_guild.sign_in import SignIn
from local_guild.snowflake import Clock, Snowflakes
from local_guild.state_file import StateFile
from local_guild.thread_seats import ThreadSeats
from local_guild.threads import Threads
from local_guild.visibility import Visibility
from local_guild.world import World

ATTACHMENTS_FOLDER = "attachments"


class Parts:
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
        self.files = AttachmentFiles(self.attachments_folder)
        self.posting.on_gone = self.files.drop
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
        self._state = state

    @property
    def gateway_url(self) -> str:
        return f"{self.messages.base_url.replace('http', 'ws', 1)}/gateway"

    def reached_by(self, host: str) -> None:
        """Links to files and to the gateway lead where this server was last found."""
        self.messages.base_url = f"http://{host}"

    async def saved(self) -> None:
        await self._state.saved()
