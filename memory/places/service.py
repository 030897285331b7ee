"""Tells who may see what, for this process, and so what a reply may draw upon.

The process that sees Discord mirrors each guild: its views change at once, so that the very next reply is right, and
are written down behind. Any other process reads the store, and believes only what a run of the bot that still goes on
vouches for. Whatever is not known is closed: a place then draws upon itself alone.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from memory.core.clock import Clock
from memory.core.values import Rank
from memory.places.model import Place, PlaceKind, Role, Seat
from memory.places.store import PlaceChanges, PlaceStore
from memory.places.view import NOBODYS_ROLE, Audience, GuildView, HallProposal

# The mirror: what Discord shows of each guild that decides who may see what, in the one process that sees Discord.
#
# What could not be written is due until it could. Nothing is open before a look around has seen all of a guild, or
# after sight of it was lost.


AT_ONCE = 500
"""Old threads taken in before the event loop may breathe."""


class Look:
    """Collects all that was seen of a guild since we began to look around in it."""

    def __init__(self, guild_id: int, hall_role_id: int | None) -> None:
        self.guild_id = guild_id
        self.view = GuildView(guild_id)
        self.view.hall_role(hall_role_id)
        self.gone: set[int] = set()
        """Places that were deleted since."""
        self.recalled: set[int] = set()
        """Threads that the store told us of, and Discord has not yet."""
        self.is_lost = False
        self.is_written = False


@dataclass(frozen=True, slots=True)
class HallRole:
    """Holds the hall role as it was decided in an epoch of the guild."""

    role_id: int | None
    epoch: int


NOT_KNOWN = HallRole(NOBODYS_ROLE, -1)


@dataclass(slots=True)
class Unwritten:
    """Collects what has changed and is not written yet."""

    trust: bool = False
    """That what stands in the store may be wrong."""
    owner: bool = False
    roles: set[int] = field(default_factory=set)
    places: set[int] = field(default_factory=set)

    def join(self, other: "Unwritten") -> None:
        self.trust |= other.trust
        self.owner |= other.owner
        self.roles |= other.roles
        self.places |= other.places


class PlaceMirror:
    def __init__(self, store: PlaceStore, run: UUID) -> None:
        """Mirror guilds for `run`, which is this process's: what it vouches for holds as long as it goes on."""
        self._store = store
        self._run = run
        self._looks: dict[int, Look] = {}
        self._due: defaultdict[int, Unwritten] = defaultdict(Unwritten)
        self._hall_roles: dict[int, HallRole] = {}
        self._vouched: set[int] = set()
        """Guilds that others rely upon because of this run."""
        self._when_due: Callable[[], None] = lambda: None
        self.has_begun = False

    def view(self, guild_id: int) -> GuildView:
        look = self._looks.get(guild_id)
        return GuildView(guild_id) if look is None else look.view

    def has_sight(self, guild_id: int) -> bool:
        """Say whether what is told of a guild now lands somewhere; if not, a look around will see it all the same."""
        look = self._looks.get(guild_id)
        return look is not None and not look.is_lost

    def begin(self, when_due: Callable[[], None]) -> None:
        """Begin to see Discord in this process, which has not looked around yet. `when_due` is told when to `write`."""
        self.has_begun = True
        self._when_due = when_due
        for guild_id in self._looks:
            self.lose_sight(guild_id)

    async def end(self) -> None:
        """Stop looking at Discord, though this process may go on."""
        for guild_id in self._looks:
            self.lose_sight(guild_id)
        await self._store.distrust_all(self._run)
        self._vouched.clear()
        for due in self._due.values():
            due.trust = False

    def lose_sight(self, guild_id: int) -> None:
        """Close a guild until a new look around is complete: changes may go unseen."""
        look = self._looks.get(guild_id)
        if look is not None and not look.is_lost:
            look.is_lost = True
            look.view.close()
            if guild_id in self._vouched:
                self._note(guild_id).trust = True

    def forget(self, guild_id: int) -> None:
        """Forget a guild that we are not in any more."""
        self._looks.pop(guild_id, None)
        self._due.pop(guild_id, None)
        self._hall_roles.pop(guild_id, None)

    def look_around(self, guild_id: int) -> Look:
        """Begin anew, closed: what has not been seen when this look is complete does not exist, old threads aside."""
        self.lose_sight(guild_id)
        look = self._looks[guild_id] = Look(guild_id, self._hall_roles.get(guild_id, NOT_KNOWN).role_id)
        return look

    def complete(self, look: Look, *, with_everyone: bool) -> bool:
        """Open what is known now: roles and places, and perhaps every member. False if sight was lost meanwhile."""
        if look.is_lost:
            return False
        if with_everyone:
            look.view.open()
        else:
            look.view.open_places()
        return True

    def owner(self, guild_id: int, user_id: int | None) -> None:
        look = self._looks.get(guild_id)
        if look is not None and look.view.owner(user_id):
            self._note(guild_id).owner = True

    def role(self, guild_id: int, role: Role) -> None:
        look = self._looks.get(guild_id)
        if look is not None and look.view.role(role):
            self._note(guild_id).roles.add(role.role_id)

    def no_role(self, guild_id: int, role_id: int) -> None:
        look = self._looks.get(guild_id)
        if look is not None and look.view.no_role(role_id):
            self._note(guild_id).roles.add(role_id)

    def place(self, guild_id: int, place: Place) -> None:
        look = self._looks.get(guild_id)
        if look is None:
            return
        look.gone.discard(place.channel_id)
        look.recalled.discard(place.channel_id)
        if look.view.place(place):
            self._note(guild_id).places.add(place.channel_id)

    def no_place(self, guild_id: int, channel_id: int) -> None:
        """Remove a place; the threads of a channel go with it."""
        look = self._looks.get(guild_id)
        if look is None:
            return
        threads = [
            place.channel_id for place in look.view.plan.all() if place.is_thread and place.parent_id == channel_id
        ]
        for gone in (channel_id, *threads):
            look.gone.add(gone)
            look.view.no_place(gone)
            self._note(guild_id).places.add(gone)

    def seat(self, guild_id: int, seat: Seat) -> None:
        """Seat a member, in the view alone: the store learns of members by `meet_guild` and `meet_member`."""
        look = self._looks.get(guild_id)
        if look is not None:
            look.view.seat(seat)

    def no_seat(self, guild_id: int, user_id: int) -> None:
        """Unseat a member, who leaves the private threads too; of archived ones Discord does not say so."""
        look = self._looks.get(guild_id)
        if look is not None:
            look.view.no_seat(user_id)
            for place in self.private_threads_of(guild_id, user_id):
                self.place(guild_id, replace(place, members=(place.members or frozenset()) - {user_id}))

    def has_seat(self, guild_id: int, user_id: int) -> bool:
        return self.view(guild_id).has_seat(user_id)

    def hall_role(self, guild_id: int, role_id: int | None, epoch: int) -> None:
        """Take over the hall role that managers decided. Whoever read it before another decision may come after it;
        the guild's epoch tells."""
        if epoch < self._hall_roles.get(guild_id, NOT_KNOWN).epoch:
            return
        self._hall_roles[guild_id] = HallRole(role_id, epoch)
        look = self._looks.get(guild_id)
        if look is not None:
            look.view.hall_role(role_id)

    def forget_decisions(self, guild_id: int) -> None:
        """Forget erased decisions; if the guild stays, its epochs begin anew and its hall role is read again."""
        self._hall_roles.pop(guild_id, None)
        look = self._looks.get(guild_id)
        if look is not None:
            look.view.hall_role(NOBODYS_ROLE)

    def known_place(self, guild_id: int, channel_id: int) -> Place | None:
        return self.view(guild_id).plan.get(channel_id)

    def private_threads(self, guild_id: int) -> list[Place]:
        return [place for place in self.view(guild_id).plan.all() if place.kind is PlaceKind.PRIVATE_THREAD]

    def private_threads_of(self, guild_id: int, user_id: int) -> list[Place]:
        """List the private threads that somebody is in, member of the guild or not."""
        return [place for place in self.private_threads(guild_id) if user_id in (place.members or ())]

    def rooms(self, guild_id: int) -> list[int]:
        """List what has viewers of its own: channels and private threads."""
        return [place.channel_id for place in self.view(guild_id).plan.rooms()]

    def due(self) -> list[int]:
        """List guilds of which something has to be written, and can be: a guild that is new is written as a whole."""
        return [guild_id for guild_id, due in self._due.items() if due.trust or self._is_written(guild_id)]

    async def write(self, guild_id: int) -> None:
        """Write all that is due of a guild, at once; if that fails it stays due."""
        due = self._due.pop(guild_id, None)
        if due is None:
            return
        look = self._looks.get(guild_id)
        try:
            if due.trust:
                await self._distrust(guild_id)
                due.trust = False
            if look is not None and look.is_written and not look.is_lost:
                await self._store.write(guild_id, _changes(look.view, due), self._voucher(look))
                due = Unwritten()
        finally:
            self._still(guild_id, due)

    async def distrust(self, guild_id: int) -> None:
        """Distrust what the store has of a guild, whose members are about to be written anew."""
        look = self._looks.get(guild_id)
        if look is not None:
            look.is_written = False
        if guild_id in self._vouched:
            await self._distrust(guild_id)
        if guild_id in self._due:
            self._due[guild_id].trust = False

    async def write_anew(self, guild_id: int) -> None:
        """Write everything, after `distrust` and the members: from here on this run vouches for the guild."""
        look = self._looks.get(guild_id)
        if look is None or look.is_lost:
            return
        await self._recall(look)
        due = self._due.pop(guild_id, Unwritten())
        try:
            view = look.view
            new = [place for place in view.plan.all() if place.channel_id not in look.recalled]
            gone = {place_id for place_id in due.places if view.plan.get(place_id) is None}
            whole = PlaceChanges(view.owner_id, list(view.roles.values()), new, (), gone)
            await self._store.write_anew(guild_id, whole, self._voucher(look))
            look.is_written, due = True, Unwritten()
        finally:
            self._still(guild_id, due)

    async def _recall(self, look: Look) -> None:
        """Read what only the store knows: the hall's role, and old threads without those who are in them."""
        recollection = await self._store.recall(look.guild_id)
        self.hall_role(look.guild_id, recollection.hall_role_id, recollection.epoch)
        for number, thread in enumerate(recollection.threads):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
            if look.view.plan.get(thread.channel_id) is not None or thread.channel_id in look.gone:
                continue
            if thread.parent_id is not None and look.view.plan.get(thread.parent_id) is not None:
                look.recalled.add(thread.channel_id)
                look.view.place(replace(thread, members=None))

    def _note(self, guild_id: int) -> Unwritten:
        self._when_due()
        return self._due[guild_id]

    async def _distrust(self, guild_id: int) -> None:
        await self._store.distrust(guild_id)
        self._vouched.discard(guild_id)

    def _voucher(self, look: Look) -> UUID | None:
        if not look.view.is_open or look.is_lost:
            return None
        self._vouched.add(look.guild_id)  # even if it fails: the outcome may be unknown
        return self._run

    def _is_written(self, guild_id: int) -> bool:
        look = self._looks.get(guild_id)
        return look is not None and look.is_written and not look.is_lost

    def _still(self, guild_id: int, due: Unwritten) -> None:
        if due != Unwritten():
            self._due[guild_id].join(due)


def _changes(view: GuildView, due: Unwritten) -> PlaceChanges:
    places = {place_id: view.plan.get(place_id) for place_id in due.places}
    return PlaceChanges(
        view.owner_id,
        [view.roles[role_id] for role_id in due.roles & view.roles.keys()],
        [place for place in places.values() if place is not None],
        due.roles - view.roles.keys(),
        {place_id for place_id, place in places.items() if place is None},
    )


# What is known of all guilds, in any process.


class Places:
    def __init__(self, store: PlaceStore, place_mirror: PlaceMirror, clock: Clock, silence: timedelta) -> None:
        """A bot that is silent for longer than `silence` is taken for dead."""
        self._store = store
        self._place_mirror = place_mirror
        self._clock = clock
        self._silence = silence
        self._read: dict[int, tuple[int, GuildView]] = {}
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    def audience_of(self, guild_id: int, channel_id: int) -> Audience:
        return self.view(guild_id).audience_of(channel_id)

    def audience_for(
        self, guild_id: int, channel_id: int, user_id: int, role_ids: Sequence[int] | None = None
    ) -> Audience:
        return self.view(guild_id).audience_for(user_id, channel_id, role_ids)

    def with_threads(self, audience: Audience, channel_id: int) -> frozenset[int]:
        """List, of what an audience can read, a channel and its threads, or a thread."""
        return self.view(audience.guild_id).with_threads(audience, channel_id)

    def names(self, audience: Audience) -> dict[int, str]:
        """Give the names of the channels that these people can read, and no others."""
        known = self.view(audience.guild_id).place_names()
        return {channel: name for channel in audience.sources | {audience.place_id} if (name := known.get(channel))}

    def rooms(self, audience: Audience) -> dict[int, str]:
        """Give the names of channels without threads, of which there may be thousands."""
        view = self.view(audience.guild_id)
        return {channel: name for channel, name in self.names(audience).items() if not view.is_thread(channel)}

    def reader(self, guild_id: int, user_id: int) -> Audience:
        return self.view(guild_id).reader(user_id)

    def rank_of(self, guild_id: int, user_id: int) -> Rank | None:
        return self.view(guild_id).rank_of(user_id)

    def roles_of(self, guild_id: int, user_id: int) -> list[int]:
        return self.view(guild_id).roles_of(user_id)

    def role_names(self, guild_id: int) -> dict[int, str]:
        return self.view(guild_id).role_names()

    def hall(self, guild_id: int) -> frozenset[int]:
        return self.view(guild_id).hall()

    def proposed_hall(self, guild_id: int) -> HallProposal:
        return self.view(guild_id).proposed_hall()

    def hall_with(self, guild_id: int, role_id: int) -> HallProposal:
        return self.view(guild_id).hall_with(role_id)

    def knows_hall(self, guild_id: int) -> bool:
        return self.view(guild_id).knows_hall

    def is_open(self, guild_id: int) -> bool:
        return self.view(guild_id).is_open

    def serves(self, guild_id: int) -> bool:
        """Say whether this process serves a guild. False: it sees Discord, but another serves this guild."""
        return not self._place_mirror.has_begun or self._place_mirror.has_sight(guild_id)

    async def follow(self, guild_id: int) -> None:
        """Read what has changed in the store, in a process that does not see Discord; closed if that fails."""
        if self._place_mirror.has_begun:
            return
        async with self._turns[guild_id]:
            now: tuple[int, GuildView] | None = None
            try:
                alive_since = self._clock.now() - self._silence
                now = await self._store.read(guild_id, alive_since, self._read.get(guild_id))
            finally:
                # Not before: others who have followed it act upon what was known.
                self._read.pop(guild_id, None)
                if now is not None:
                    self._read[guild_id] = now

    def view(self, guild_id: int) -> GuildView:
        if self._place_mirror.has_begun:
            return self._place_mirror.view(guild_id)
        known = self._read.get(guild_id)
        return GuildView(guild_id) if known is None else known[1]
