"""Composes everything a local guild is made of, once: what its REST calls and its control work with."""

from __future__ import annotations

from pathlib import Path

from local_guild.actions.guilds import Membership, Places, Threads
from local_guild.actions.interactions import ApplicationCommands, Interactions
from local_guild.actions.posting import Posting, ThreadSeats
from local_guild.actions.realm import Realm
from local_guild.faults import Faults, RateLimits
from local_guild.gateway.sessions import EventFaults, Hub, Sessions
from local_guild.gateway.socket import Gateway, Greeter
from local_guild.payloads import Payloads
from local_guild.sample_week import SampleWeek
from local_guild.state.ids import Clock, Snowflakes
from local_guild.state.messages import AttachmentFiles
from local_guild.state.permissions import Access
from local_guild.state.world import StateFile, World

ATTACHMENTS_FOLDER = "attachments"


class Parts:
    def __init__(self, world: World, state: StateFile, folder: Path, clock: Clock) -> None:
        self.world = world
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.attachments_folder = folder / ATTACHMENTS_FOLDER
        self.access = Access(world)
        self.payloads = Payloads(world, self.access)
        self.sessions = Sessions()
        self.event_faults = EventFaults()
        self.hub = Hub(world, self.access, self.sessions, self.event_faults)
        self.realm = Realm(world, clock, self.ids, self.access, self.hub, self.payloads)
        self.seats = ThreadSeats(self.realm)
        self.posting = Posting(self.realm, self.seats)
        self.files = AttachmentFiles(self.attachments_folder)
        self.posting.on_gone = self.files.drop
        self.threads = Threads(self.realm, self.posting, self.seats)
        self.places = Places(self.realm, self.sessions)
        self.greeter = Greeter(world, self.hub, self.payloads)
        self.membership = Membership(self.realm, self.places, self.greeter, self.posting)
        self.commands = ApplicationCommands(self.realm)
        self.interactions = Interactions(self.realm)
        self.sample_week = SampleWeek(self.realm, self.posting, self.commands, self.interactions)
        self.faults = Faults()
        self.rate_limits = RateLimits()
        self.gateway = Gateway(world, self.sessions, self.greeter, self.faults)
        self._state = state

    @property
    def gateway_url(self) -> str:
        return f"{self.payloads.base_url.replace('http', 'ws', 1)}/gateway"

    async def saved(self) -> None:
        """Save whatever has happened so far, so that it survives the death of this process."""
        self._state.save()
