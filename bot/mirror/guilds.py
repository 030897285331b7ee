"""Keeps memory's view of a guild as Discord has it: who is there, by which names, with which roles, and who sees what.

Who sees what is right as soon as Discord has told it. Writing it down follows: a guild that could not be written (the
database was away) is due again until it could; so is one that was left. After a look around, nothing stays that does
not exist any more.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Iterable
from typing import TYPE_CHECKING, TypeVar

import discord
from cachetools import LRUCache

from bot.background import KeyedLock, KeyedLocks, Outages
from bot.mirror.members import MemberLists, ThreadGuests, to_place, to_role, to_seat
from bot.translate import to_member
from memory.core.values import Guild, Member
from memory.db.errors import StoreError
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.tasks import request

if TYPE_CHECKING:
    from discord.types.gateway import GuildMemberUpdateEvent
    from discord.types.guild import Guild as GuildPayload


# Long lists, gone through without holding up what else happens.


BREATH_SECONDS = 0.004
"""How long may be worked without a pause: far below the 20 ms that anybody may have to wait."""

Item = TypeVar("Item")


async def unhurried(items: Iterable[Item]) -> AsyncIterator[Item]:
    """Yield items one after the other; whenever a breath is over, others come first."""
    now = asyncio.get_running_loop().time
    begun = now()
    for item in items:
        yield item
        if now() - begun > BREATH_SECONDS:
            await asyncio.sleep(0)
            begun = now()


logger = logging.getLogger(__name__)

FIRST_RETRY_SECONDS = 0.5
LAST_RETRY_SECONDS = 5.0
"""What others read of who sees what is outdated until then."""
LAST_WORD_SECONDS = 2.0
PATIENCE_SECONDS = 10.0
"""How long a reply waits for a guild that has only just appeared."""
KNOWN_AUTHORS = 50_000
GUILDS_AT_ONCE = 4
"""Written side by side; messages need the database, too."""


class GuildMirror:
    def __init__(self, memory: MemoryManager, part: HealthReporter, *, told_of_changes: bool) -> None:
        """`told_of_changes`: Discord sends member lists, and tells when someone changes."""
        self._memory = memory
        self._place_mirror = memory.place_mirror
        self.guests = ThreadGuests(memory.place_mirror, told_of_members=told_of_changes)
        self._told_of_changes = told_of_changes
        self._lists = MemberLists(self.guild_appeared)
        self._outages = Outages(part)
        self._due: dict[int, discord.Guild] = {}
        self._unseen: set[int] = set()
        self._left: set[int] = set()
        self._present: dict[tuple[int, int], frozenset[int]] = {}
        self._turns = KeyedLocks()
        self._wake = asyncio.Event()
        self._tried: dict[int, asyncio.Event] = {}
        self._seen: LRUCache[tuple[int, int], Member] = LRUCache(KNOWN_AUTHORS)
        self._touched: dict[int, set[int]] = {}
        self._place_mirror.begin(self._wake.set)

    def guild_appeared(self, guild: discord.Guild) -> None:
        """Look at all of a guild, and write it down soon."""
        self._left.discard(guild.id)
        self._unseen.add(guild.id)
        self.guild_changed(guild)

    def guild_changed(self, guild: discord.Guild) -> None:
        """Write down anew all that is known of a guild: its name changed, or something could not be written."""
        self._due[guild.id] = guild
        self._wake.set()

    def lose_sight(self, guild_ids: Iterable[int]) -> None:
        """Lose sight of guilds in a new session or an outage: changes are not told. Replies wait till they reappear."""
        for guild_id in guild_ids:
            self._due.pop(guild_id, None)
            self._tried.pop(guild_id, None)
            self._place_mirror.lose_sight(guild_id)
            self.guests.forget_guild(guild_id)
            self._lists.forget_guild(guild_id)

    def guilds_are(self, guild_ids: Iterable[int], shard_id: int, shard_count: int) -> None:
        """Note all guilds of one shard: any other of it has been left while we were away."""
        self._present[shard_id, shard_count] = frozenset(guild_ids)
        self._wake.set()

    def guild_left(self, guild_id: int) -> None:
        """Note that we left a guild; what was remembered stays for some days, in case we come back."""
        self.lose_sight([guild_id])
        for key in [key for key in self._seen if key[0] == guild_id]:
            del self._seen[key]
        self._left.add(guild_id)
        self._wake.set()

    # Roles, channels and threads as Discord tells of them. Nothing here waits: what an event changed holds for whatever
    # comes after it.

    def owner_changed(self, guild: discord.Guild) -> None:
        self._place_mirror.owner(guild.id, guild.owner_id)

    def role_changed(self, role: discord.Role) -> None:
        self._place_mirror.role(role.guild.id, to_role(role))

    def role_deleted(self, role: discord.Role) -> None:
        self._place_mirror.no_role(role.guild.id, role.id)

    def channel_changed(self, channel: discord.abc.GuildChannel) -> None:
        self._place_mirror.place(channel.guild.id, to_place(channel))

    def place_deleted(self, guild_id: int, place_id: int) -> None:
        self._place_mirror.no_place(guild_id, place_id)
        self.guests.gone(guild_id, place_id)

    def own_view_changed(self, guild: discord.Guild) -> None:
        """Note that our own view has changed: we may be told no more of some private threads, and now of others."""
        for place in self._place_mirror.private_threads(guild.id):
            self.guests.ask_anew(guild, place)

    async def member_changed(self, member: discord.Member) -> None:
        if not member.bot and not self._place_mirror.has_seat(member.guild.id, member.id):
            self.guests.member_came(member.guild, member.id)
        self._see(member)
        await self._follow(member, self._turns.take((member.guild.id, member.id)))

    async def member_left(self, guild: discord.Guild, user_id: int) -> None:
        self.guests.member_left(guild.id, user_id)
        self._touch(guild.id, user_id)
        turn = self._turns.take((guild.id, user_id))
        with request("member"):
            async with turn.acquired():
                self._seen.pop((guild.id, user_id), None)
                if not await self._outages.survived(self._memory.people.part_from_member(guild.id, user_id)):
                    self.guild_changed(guild)

    async def user_changed(self, user: discord.User) -> None:
        """Note that someone's own name changed, in every guild they share with us."""
        members = [member for guild in user.mutual_guilds if (member := guild.get_member(user.id))]
        turns = [self._turns.take((member.guild.id, member.id)) for member in members]
        await asyncio.gather(*map(self._follow, members, turns))

    def knows(self, author: discord.Member) -> bool:
        """Say whether an author is written down; where changes are not told, as they are now."""
        known = self._seen.get((author.guild.id, author.id))
        return known is not None and (self._told_of_changes or known == to_member(author))

    def has_written(self, member: discord.Member) -> bool:
        """Say whether a member stands written down as they are now: every name and role."""
        return self._seen.get((member.guild.id, member.id)) == to_member(member)

    def under_way(self) -> set[asyncio.Future[None]]:
        """List changes of people that are being written down."""
        return self._turns.under_way()

    async def members_loaded(self, guild_id: int) -> None:
        """Wait until the guild has been looked at and written down, or that was tried in vain."""
        tried = self._tried.setdefault(guild_id, asyncio.Event())
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await tried.wait()
        except TimeoutError:
            logger.warning("guild not mirrored yet", extra={"guild_id": guild_id})

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.guests.tasks.run(), name="thread members")
            tasks.create_task(self._lists.tasks.run(), name="member lists")
            tasks.create_task(self._write(), name="writing places")

    async def end(self) -> None:
        """Stop mirroring: from here on nobody sees what changes, so nobody may rely on it."""
        try:
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self._place_mirror.end()
        except (StoreError, TimeoutError) as error:
            logger.info("could not mark the mirror as stale on closing: %s", type(error).__name__)

    async def _write(self) -> None:
        pause = FIRST_RETRY_SECONDS
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._write_what_is_due()
            if self._due or self._left or self._present or self._place_mirror.due():
                await asyncio.sleep(pause)
                pause = min(pause * 2, LAST_RETRY_SECONDS)
                self._wake.set()
            else:
                pause = FIRST_RETRY_SECONDS

    async def _write_what_is_due(self) -> None:
        """Write what is due, apart from the loop that waits: it would hold on to the last guild and its people."""
        for shard in list(self._present):
            with request("guild"):
                await self._tried_to(self._notice_departures(*shard))
        for guild_id in list(self._left):
            with request("guild"):
                await self._take_leave(guild_id)
        for guild in [guild for guild in self._due.values() if guild.id in self._unseen]:
            with request("guild"):
                await self._tried_to(self._look_around(guild))
        due = list(self._due.values())
        for start in range(0, len(due), GUILDS_AT_ONCE):
            await asyncio.gather(*map(self._take_in, due[start : start + GUILDS_AT_ONCE]))
        for guild_id in self._place_mirror.due():
            with request("guild"):
                await self._tried_to(self._place_mirror.write(guild_id))

    async def _take_in(self, guild: discord.Guild) -> None:
        if guild.id in self._unseen or self._due.pop(guild.id, None) is None:
            return  # it appeared, was left, or was lost sight of, while others were written down
        with request("guild"):
            if await self._tried_to(self._write_down(guild)):
                logger.info("guild mirrored", extra={"guild_id": guild.id, "members": guild.member_count})
            else:
                self._due.setdefault(guild.id, guild)
        self._tried.setdefault(guild.id, asyncio.Event()).set()

    async def _look_around(self, guild: discord.Guild) -> None:
        """Look at all of a guild by ids, each as it is when its turn comes: events tell what changes meanwhile."""
        look = self._place_mirror.look_around(guild.id)
        self._place_mirror.owner(guild.id, guild.owner_id)
        async for role_id in unhurried([role.id for role in guild.roles]):
            if role := guild.get_role(role_id):
                self._place_mirror.role(guild.id, to_role(role))
        async for channel_id in unhurried([channel.id for channel in guild.channels]):
            if channel := guild.get_channel(channel_id):
                self._place_mirror.place(guild.id, to_place(channel))
        self.guests.look_around(guild)
        async for user_id in unhurried([member.id for member in guild.members]):
            if member := guild.get_member(user_id):
                self._place_mirror.seat(guild.id, to_seat(to_member(member)))
        is_whole = self._told_of_changes and self._lists.has_everyone(guild)
        if not self._place_mirror.complete(look, with_everyone=is_whole):
            return  # it will appear again
        self._unseen.discard(guild.id)
        if self._told_of_changes and not is_whole:
            self._lists.ask(guild)

    async def _write_down(self, guild: discord.Guild) -> None:
        """Write down a guild's people; nobody relies on it before the end. Who changes meanwhile is written again."""
        touched = self._touched[guild.id] = set()
        try:
            await self._place_mirror.distrust(guild.id)
            people = [to_member(member) async for member in unhurried(guild.members)]
            # Without the whole list nobody can be said to have gone.
            is_whole = self._told_of_changes and self._lists.has_everyone(guild)
            await self._memory.people.meet_guild(Guild(guild.id, guild.name), people, complete=is_whole)
            async for member in unhurried(people):
                self._has_met(member)
            while touched:
                await self._write_again(guild, touched.pop())
            await self._place_mirror.write_anew(guild.id)
            self.guests.ask_for_old(guild)
        finally:
            del self._touched[guild.id]

    async def _write_again(self, guild: discord.Guild, user_id: int) -> None:
        async with self._turns.take((guild.id, user_id)).acquired():
            member = guild.get_member(user_id)
            if member is None:
                self._seen.pop((guild.id, user_id), None)
                await self._memory.people.part_from_member(guild.id, user_id)
            else:
                await self._memory.people.meet_member(to_member(member))

    async def _notice_departures(self, shard_id: int, shard_count: int) -> None:
        """Notice guilds of a shard that were left; in those of other shards another process may be."""
        present = self._present[shard_id, shard_count]
        known = await self._memory.people.known_guilds()
        of_shard = {guild_id for guild_id in known if (guild_id >> 22) % shard_count == shard_id}
        self._left |= of_shard - present - self._due.keys()
        if self._present.get((shard_id, shard_count)) is present:
            del self._present[shard_id, shard_count]

    async def _take_leave(self, guild_id: int) -> None:
        if await self._tried_to(self._memory.privacy.leave_guild(guild_id)):
            self._left.discard(guild_id)
            self._place_mirror.forget(guild_id)
            logger.info("left a guild; its data is kept for a week", extra={"guild_id": guild_id})

    async def _tried_to(self, work: Awaitable[None]) -> bool:
        try:
            return await self._outages.survived(work)
        except Exception:
            # The edge: a guild that nobody thought of must not keep the others from being written down.
            logger.exception("could not mirror a guild's channels and members")
            return False

    async def _follow(self, member: discord.Member, turn: KeyedLock) -> None:
        self._touch(member.guild.id, member.id)
        with request("member"):
            async with turn.acquired():
                await self.meet(member)

    async def meet(self, member: discord.Member) -> None:
        met = self._see(member)
        if await self._outages.survived(self._memory.people.meet_member(met)):
            self._has_met(met)
        else:
            self.guild_changed(member.guild)

    def _has_met(self, member: Member) -> None:
        """Note a member, but not in a guild that was left meanwhile: nobody would forget them."""
        if self._place_mirror.has_sight(member.guild_id):
            self._seen[member.guild_id, member.user_id] = member

    def _see(self, member: discord.Member) -> Member:
        met = to_member(member)
        self._place_mirror.seat(met.guild_id, to_seat(met))
        return met

    def _touch(self, guild_id: int, user_id: int) -> None:
        if guild_id in self._touched:
            self._touched[guild_id].add(user_id)


# Where discord.py's cache of a guild would go wrong unnoticed, and with it our view of who sees what.
#
# It keeps the channels, threads and members of a guild that was unavailable, though some may be gone by the time that
# the guild is back. And a member it has never heard of is taken in by an update without a word to anyone.
#
# Its parsers are not public. No event tells of either before the cache has changed, and somebody who is overlooked
# would open rooms to the wrong people.


def mend_cache(client: discord.Client) -> None:
    """Mend discord.py's cache from now on, on every shard: they share one table of parsers."""
    parsers = client._connection.parsers
    create, update = parsers["GUILD_CREATE"], parsers["GUILD_MEMBER_UPDATE"]

    def guild_created(payload: "GuildPayload") -> None:
        guild = client.get_guild(int(payload["id"]))
        if guild is not None and guild.unavailable:
            guild._channels.clear()
            guild._threads.clear()
            guild._members.clear()
        create(payload)

    def member_updated(payload: "GuildMemberUpdateEvent") -> None:
        guild, user_id = client.get_guild(int(payload["guild_id"])), int(payload["user"]["id"])
        was_unknown = guild is not None and guild.get_member(user_id) is None
        update(payload)
        member = None if guild is None else guild.get_member(user_id)
        if was_unknown and member is not None:
            client.dispatch("member_join", member)

    parsers["GUILD_CREATE"], parsers["GUILD_MEMBER_UPDATE"] = guild_created, member_updated
