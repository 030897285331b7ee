"""Decides which process is connected as which shards: each shard by one alone, whatever stops, dies or comes back.

    async with leases.held(shards, stop, say) as lease:
        if lease is not None:      # None: told to stop while another process had them
            ...                    # until `lease.lost`; nothing is said unless `lease.is_ours()`

A lease is judged by what is seen of it, never by a time in it: the clocks of two machines differ. Its holder raises a
number every few seconds. Whoever wants it takes it once that number has stood still for 20 seconds of their own; the
holder has let go by then, because it counts 15 from the beginning of the last time that it could raise it.
"""

import asyncio
import logging
import os
import re
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias
from uuid import UUID, uuid4

from memory.background import start_task
from memory.db.database import Database
from memory.db.errors import DatabaseAway, StoreError
from memory.health import Health
from memory.tasks import end

BOT = "bot"
MOST_SHARDS = 10_000
_NAMED = re.compile(r"bot (?P<ids>[\d,-]+)/(?P<of>\d+)")


@dataclass(frozen=True, slots=True)
class Shards:
    """Names the shards of one process."""

    ids: tuple[int, ...] = (0,)
    of: int = 0
    """How many there are; 0: this process has all of them, however many Discord recommends."""

    @classmethod
    def parse(cls, text: str | None, of: int | None) -> "Shards":
        """Read shards written as `0-3`, `0,2,5` or `0-3,6`. What makes no sense is a `ValueError` that says so."""
        if text is None or of is None:
            raise ValueError("--shards and --of belong together, such as --shards 0-3 --of 8")
        if not 1 <= of <= MOST_SHARDS:
            raise ValueError(f"--of {of}: a number of shards from 1 to {MOST_SHARDS} is expected")
        ids: set[int] = set()
        for part in text.split(","):
            match = re.fullmatch(r"\s*(\d{1,5})(?:-(\d{1,5}))?\s*", part)
            if match is None:
                raise ValueError(f"--shards {text}: a list such as 0-3 or 0,2,5 is expected")
            first, last = int(match[1]), int(match[2] or match[1])
            if not first <= last < of:
                raise ValueError(f"--shards {text}: {part.strip()} is not among 0-{of - 1}")
            ids.update(range(first, last + 1))
        return cls(tuple(sorted(ids)), of)

    @classmethod
    def named(cls, process: str) -> "Shards | None":
        """Read the shards from the name of a process; None: it is no bot."""
        if process == BOT:
            return cls()
        match = _NAMED.fullmatch(process)
        return None if match is None else cls.parse(match["ids"], int(match["of"]))

    @property
    def process(self) -> str:
        """Name the process that has these shards: `bot`, or `bot 0-3/8`."""
        return f"{BOT} {shard_ranges(self.ids)}/{self.of}" if self.of else BOT


ALL = Shards()


def shard_ranges(ids: Iterable[int]) -> str:
    """Write shards as ranges: `0-3,6`."""
    runs: list[list[int]] = []
    for one in sorted(ids):
        if runs and runs[-1][-1] == one - 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def shards_without_process(processes: Iterable[str]) -> str | None:
    """Say for which shards none of these processes is there; None: every shard has one."""
    bots = [shards for shards in map(Shards.named, processes) if shards is not None]
    if not bots:
        return "has not reported yet"
    of = max(bot.of for bot in bots)
    missing = set(range(of)).difference(*(bot.ids for bot in bots if bot.of == of))
    return f"no process has reported for shards {shard_ranges(missing)} of {of}" if missing else None


# In the store: a claim for each shard that is held, and for each turn to identify, of no guild.


Seen: TypeAlias = tuple[UUID, int]
"""A lease as it stands, by its holder and its number: unchanged, its holder has given no sign of life."""


class ShardLeaseStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(
        self, what: Sequence[str], run: UUID, of: int | None, holder: str = "", silent: Collection[Seen] = ()
    ) -> dict[Seen, str]:
        """Take all of these leases or nothing; give who is in the way, nobody if they are ours now.

        Whoever connects with another number of shards is in the way with any. Passed over are `silent` ones, of which
        nothing was heard for so long, and processes of this machine that have died.
        """
        async with self._database.transaction("store.shards.take") as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('shards', 0))")
            # Locked only to be taken: a row that a stopped process was about to renew can be looked at all the same.
            for locked in ("", "FOR UPDATE"):
                rows = await connection.fetch(f"{_IN_THE_WAY} {locked}", what, run, of)
                held: dict[Seen, str] = {(row["claimed_by"], row["beat"]): row["holder"] for row in rows}
                died = {row["claimed_by"] for row in rows if has_died(row["mark"])}
                if any(seen not in silent and seen[0] not in died for seen in held):
                    return held
            await connection.execute(
                "DELETE FROM claims WHERE guild_id = 0 AND claimed_by = ANY($1)", [claimed_by for claimed_by, _ in held]
            )
            await connection.execute(
                """
                INSERT INTO claims AS known (guild_id, what, claimed_by, until, holder, mark)
                SELECT 0, name, $2, 'infinity', $3, $4 FROM unnest($1::text[]) AS name
                ON CONFLICT (guild_id, what) DO UPDATE SET beat = known.beat + 1
                """,
                what,
                run,
                holder,
                mark_of(os.getpid()) if holder else "",
            )
            # Of bots that were started for other shards, nobody expects a word any more.
            await connection.execute(
                """
                DELETE FROM process_health WHERE $2::integer IS NOT NULL AND (process = $1 OR process LIKE $1 || ' %')
                    AND (run IS NULL OR run NOT IN (SELECT claimed_by FROM claims WHERE guild_id = 0))
                """,
                BOT,
                of,
            )
        return {}

    async def renew(self, run: UUID, patience: float | None = None) -> int:
        """Renew the leases of a run; give how many it holds."""
        async with self._database.transaction("store.shards.renew", patience=patience) as connection:
            renewed = await connection.execute(
                "UPDATE claims SET beat = beat + 1 WHERE guild_id = 0 AND claimed_by = $1", run
            )
        return int(renewed.split()[-1])

    async def holders(self) -> list[str]:
        """Name the processes that hold leases."""
        rows = await self._database.read(
            "store.shards.holders",
            "SELECT DISTINCT holder FROM claims WHERE guild_id = 0 AND holder <> '' ORDER BY holder",
        )
        return [row["holder"] for row in rows]

    async def release(self, run: UUID) -> None:
        async with self._database.transaction("store.shards.release") as connection:
            await connection.execute("DELETE FROM claims WHERE guild_id = 0 AND claimed_by = $1", run)


_IN_THE_WAY = """
SELECT claimed_by, beat, holder, mark FROM claims
WHERE guild_id = 0 AND claimed_by <> $2
  AND (what = ANY($1) OR (holder <> '' AND split_part(what, '/', 2) <> $3::integer::text)) ORDER BY what
"""


# The holder's side.

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeaseTimes:
    """Says in seconds how a lease is kept."""

    renew: float = 5.0
    hold: float = 15.0
    """Without a renewal; counted from the beginning of the last."""
    take: float = 20.0
    """Without a sign of its holder; as much more than `hold` as closing a connection may take."""
    look: float = 1.0


LEASE_TIMES = LeaseTimes()
LAST_WORD_SECONDS = 2.0

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""It goes on while a process is stopped, and on Linux while the machine sleeps."""


def _now() -> float:
    return time.clock_gettime(_CLOCK)


class ShardLease:
    """Holds shards until it is `lost`."""

    def __init__(self, store: ShardLeaseStore, shards: Shards, run: UUID, *, began: float, times: LeaseTimes) -> None:
        self.shards = shards
        self.lost = asyncio.Event()
        self._store = store
        self._run = run
        self._times = times
        self._until = began + times.hold

    def is_ours(self) -> bool:
        """Say whether the lease is held, by what this process knows right now; it may have been asleep until now."""
        return not self.lost.is_set() and _now() < self._until

    async def keep(self) -> None:
        """Renew the lease as long as that can be done."""
        while (began := _now()) < self._until:
            try:
                async with asyncio.timeout(self._until - began):
                    held = await self._store.renew(self._run, self._times.hold / 5)
            except (StoreError, TimeoutError) as error:
                logger.info("could not renew the shard lease: %s", type(error).__name__)
                # A bot that has all shards is alone, as a rule: nobody takes over, and somebody should stay to say so.
                if not self.shards.of and isinstance(error, DatabaseAway) and self.is_ours():
                    self._until = began + self._times.hold
                await asyncio.sleep(self._times.look)
                continue
            if held < len(self.shards.ids):
                logger.warning("another process took over this one's shards")
                break
            if not self.is_ours():
                break  # too late: something may have been left undone because of it
            self._until = began + self._times.hold
            await asyncio.sleep(self._times.renew)
        self.lost.set()


class ShardLeases:
    """Holds the shard leases of this process."""

    def __init__(self, store: ShardLeaseStore, health: Health, beat_soon: Callable[[], None]) -> None:
        self._store = store
        self._health = health
        self._beat_soon = beat_soon
        self._turns: dict[int, dict[Seen, float]] = {}
        """The last turn of each bucket, and when it began."""

    @asynccontextmanager
    async def held(
        self, shards: Shards, stop: asyncio.Event, waits: Callable[[str], None], times: LeaseTimes
    ) -> AsyncIterator[ShardLease | None]:
        """Hold shards as soon as nobody else has one of them; `waits` is told who does. None: `stop` came first.

        Without them this process says nothing of how it is: it would be taken for the one that has them, which vouches
        for who may read what.
        """
        self._health.is_heard = lambda: False
        run, what = self._health.run, [f"shard {one}/{shards.of}" for one in shards.ids]
        holder = f"{shards.process} on {socket.gethostname()}, process {os.getpid()}"
        take = partial(self._store.take, what, run, shards.of, holder)
        began = await _taken(take, times.take, times.look, stop, waits)
        if began is None:
            yield None
            return
        lease = ShardLease(self._store, shards, run, began=began, times=times)
        self._health.is_heard = lease.is_ours
        self._beat_soon()
        keeping = start_task("shards", lease.keep, self._health.part("gateway").failing)
        try:
            yield lease
        finally:
            lease.lost.set()
            try:
                await end(keeping)
            finally:
                with suppress(StoreError, TimeoutError):  # then it is passed over when it has been silent
                    async with asyncio.timeout(LAST_WORD_SECONDS):
                        await self._store.release(run)

    async def turn(self, bucket: int, seconds: float) -> None:
        """Wait until this process may identify: whoever did before, anywhere, did it `seconds` ago."""
        run = uuid4()
        take = partial(self._store.take, [f"identify {bucket}"], run, None)
        look = min(seconds / 10, 0.5)
        await _taken(take, seconds, look, asyncio.Event(), lambda _: None, self._turns.get(bucket))
        self._turns[bucket] = {(run, 0): _now()}


async def _taken(
    take: Callable[..., Awaitable[dict[Seen, str]]],
    patience: float,
    look: float,
    stop: asyncio.Event,
    waits: Callable[[str], None],
    first_seen: Mapping[Seen, float] | None = None,
) -> float | None:
    """Take leases as soon as that goes well; give when that try began. None: `stop` came first."""
    first_seen = first_seen or {}
    while not stop.is_set():
        began = _now()
        try:
            held = await take(silent=[seen for seen, at in first_seen.items() if began - at >= patience])
        except StoreError as error:
            first_seen = {}  # nor could its holder have given a sign
            waits(f"The database cannot be asked whose shards these are ({type(error).__name__}).")
        else:
            if not held:
                return began
            first_seen = {seen: first_seen.get(seen, _now()) for seen in held}
            holder = next(iter(held.values()))
            waits(f"Its shards are those of another process: {holder}. This one takes over when that ends.")
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), look)
    return None


# A process of this machine, told from all others that have had or will have its number. So that nobody has to wait for
# one that was killed and is started again, it is looked whether it still lives.


def mark_of(pid: int) -> str:
    """Mark a process so that it can be told from others with its number; empty where nobody can tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        state, *rest = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
    return "" if state in "ZX" else f"{boot} {space} {pid} {rest[18]}"


def has_died(mark: str) -> bool:
    """Say whether that process ran here and does no longer; False where nobody can tell, or it is only stopped."""
    own, theirs = (one.split() for one in (mark_of(os.getpid()), mark))
    return len(own) == len(theirs) == 4 and own[:2] == theirs[:2] and mark_of(int(theirs[2])) != mark
