"""Whatever happens to the same messages in whatever order, the log ends as admission alone would have it.

Discord's own state stands still here, and everything about it arrives late: old and new copies, edits, some of the
deletions, pages, imports, comparisons, decisions of people. At the end every channel is compared once more, as a sweep
does. What an import alone brought is not missed then, unless somebody told of its deletion.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory.core.clock import SetClock
from memory.core.log_values import Consent
from memory.core.values import AuthorKind, Guild, Message, last_id_of
from memory.db.database import Database
from memory.health import Health
from memory.log.store import add_messages, log_transaction
from memory.manager import MemoryManager
from memory.policy.rules import Policy, Verdict, may_store
from memory.policy.settings import LogSettings
from memory.settings import MemoryOptions
from tests.memory.log.logbook import NOON, decide_log, edit_to, rows_of

GUILDS = count(2000)
HALL, LOUNGE, THREAD = 10, 11, 12
PARENT = {HALL: None, LOUNGE: None, THREAD: LOUNGE}
LENGTH = 5
"""Messages of each channel. The first and the last are never deleted: what lies outside cannot be inferred."""


@dataclass(frozen=True)
class Act:
    """Something that arrives. `picks` are numbers of messages with the version of the copy."""

    kind: str
    channel: int = HALL
    picks: tuple[tuple[int, int], ...] = ()
    user: int = 1
    hours: int = 0


@dataclass
class Truth:
    """What Discord has, and what was decided."""

    database: Database
    guild_id: int
    deleted: frozenset[tuple[int, int]]
    clock: SetClock = field(default_factory=lambda: SetClock(NOON))
    settings: LogSettings = field(default_factory=LogSettings)
    words: dict[int, str] = field(default_factory=dict)
    erased: dict[int, int] = field(default_factory=dict)
    emptied: dict[int, int] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    imported: set[int] = field(default_factory=set)
    told_deleted: set[int] = field(default_factory=set)

    def copy(self, channel: int, number: int, version: int) -> Message:
        moment = NOON + timedelta(hours=number)
        # A bot is nobody who can opt in or out.
        author_id, kind = (9, AuthorKind.BOT) if number == 3 else (1 + number % 3, AuthorKind.PERSON)
        return Message(
            guild_id=self.guild_id,
            channel_id=channel,
            message_id=last_id_of(moment) + channel,
            author_id=author_id,
            author_kind=kind,
            text=f"version {version}",
            sent_at=moment,
            edited_at=edited_at(version),
            parent_id=PARENT[channel],
        )

    def newest(self, channel: int) -> list[Message]:
        return [self.copy(channel, n, n % 3) for n in range(LENGTH) if (channel, n) not in self.deleted]

    def policy(self) -> Policy:
        return Policy(
            consent=self.settings.consent,
            opted_out=frozenset(user for user, word in self.words.items() if word == "out"),
            opted_in=frozenset(user for user, word in self.words.items() if word == "in"),
            erased_through=self.erased,
            channels_erased_through=self.emptied,
            excluded_channels=self.settings.excluded_channels,
        )

    def may_stay(self) -> set[int]:
        """Messages that Discord no longer has, which an import may have brought and nobody told us to remove."""
        policy = self.policy()
        return {
            message.message_id
            for channel, number in self.deleted
            if not {channel, PARENT[channel]} & self.closed
            and may_store(message := self.copy(channel, number, 0), policy) is Verdict.ADMITTED
            and message.message_id in self.imported - self.told_deleted
        }

    def expected(self) -> dict[int, tuple[str, datetime | None]]:
        policy = self.policy()
        return {
            message.message_id: (message.text, message.edited_at)
            for channel in PARENT
            if not {channel, PARENT[channel]} & self.closed
            for message in self.newest(channel)
            if may_store(message, policy) is Verdict.ADMITTED
        }


def edited_at(version: int) -> datetime | None:
    return NOON + timedelta(days=version) if version else None


async def arrive(memory: MemoryManager, truth: Truth, act: Act) -> None:
    guild, channel = truth.guild_id, act.channel
    copies = [truth.copy(channel, number, min(version, number % 3)) for number, version in act.picks]
    match act.kind:
        case "create":
            for copy in copies:
                await memory.ingest_message(copy)
        case "edit":
            for copy in copies:
                await memory.log.edit_message(edit_to(copy))
        case "delete":
            gone = [truth.copy(channel, n, 0).message_id for n, _ in act.picks if (channel, n) in truth.deleted]
            truth.told_deleted.update(gone)
            await memory.log.delete_messages(guild, channel, gone)
        case "page":
            await memory.log.store_page(
                guild, channel, copies, through=max((c.message_id for c in copies), default=None)
            )
        case "import":
            truth.imported.update(copy.message_id for copy in copies)
            async with log_transaction(truth.database, "test", guild) as connection:
                await add_messages(connection, copies, imported=True)
        case "compare":
            newest = truth.newest(channel)
            window = newest[min((n for n, _ in act.picks), default=0) :]
            await memory.log.reconcile(guild, channel, window)
        case "close":
            truth.closed.add(channel)
            await memory.log.delete_channel(guild, channel)
        case _:
            await decide(memory, truth, act)


async def decide(memory: MemoryManager, truth: Truth, act: Act) -> None:
    guild, user = truth.guild_id, act.user
    match act.kind:
        case "opt out":
            truth.words[user] = "out"
            await memory.privacy.opt_out(guild, user)
        case "opt in":
            word = truth.words.get(user, "in" if truth.settings.consent is Consent.OPT_OUT else "out")
            if word == "out":
                truth.erased[user] = max(last_id_of(truth.clock.now()), truth.erased.get(user, 0))
            truth.words[user] = "in"
            await memory.privacy.opt_in(guild, user)
        case "erase":
            through = last_id_of(NOON + timedelta(hours=act.hours))
            truth.erased[user] = max(through, truth.erased.get(user, 0))
            await memory.privacy.erase_member(guild, user, through)
        case "empty":
            through = last_id_of(NOON + timedelta(hours=act.hours))
            truth.emptied[act.channel] = max(through, truth.emptied.get(act.channel, 0))
            await memory.privacy.erase_channel(guild, act.channel, through, by=user)
        case "exclude" | "include":
            excluded = frozenset({act.channel}) if act.kind == "exclude" else frozenset[int]()
            truth.settings = replace(truth.settings, excluded_channels=excluded)
            await decide_log(memory, guild, truth.settings)
        case "consent":
            truth.settings = replace(truth.settings, consent=list(Consent)[act.hours % 2])
            await decide_log(memory, guild, truth.settings)
        case "wait":
            truth.clock.move(timedelta(hours=act.hours))


PICKS = st.lists(st.tuples(st.integers(0, LENGTH - 1), st.integers(0, 2)), min_size=1, max_size=4).map(tuple)
PLACES = st.sampled_from([HALL, LOUNGE, THREAD])
HAPPENINGS = st.builds(
    Act,
    kind=st.sampled_from(["create", "create", "edit", "delete", "page", "import", "compare"]),
    channel=PLACES,
    picks=PICKS,
)
DECISIONS = st.builds(
    Act,
    kind=st.sampled_from(["opt out", "opt in", "erase", "empty", "exclude", "include", "consent", "wait", "close"]),
    channel=st.sampled_from([LOUNGE, THREAD]),
    user=st.integers(1, 3),
    hours=st.integers(0, LENGTH),
)
DELETED = st.frozensets(st.tuples(PLACES, st.integers(1, LENGTH - 2)))
AT_ONCE = st.tuples(st.lists(HAPPENINGS, max_size=5), st.none() | DECISIONS)


@given(DELETED, st.lists(AT_ONCE, max_size=6))
@example(frozenset(), [([], Act("close", LOUNGE)), ([Act("edit", THREAD, ((1, 1),))], None)])
@settings(max_examples=settings().max_examples // 2)
async def test_any_interleaving_ends_as_admission_alone_would_have_it(
    database: Database, deleted: frozenset[tuple[int, int]], turns: Sequence[tuple[list[Act], Act | None]]
) -> None:
    truth = Truth(database, next(GUILDS), deleted)
    memory = MemoryManager(database, MemoryOptions(), truth.clock, Health("bot", truth.clock))
    await memory.people.meet_guild(Guild(truth.guild_id, "The Inn"), [])
    for happenings, decision in turns:
        acts = [*happenings, decision] if decision is not None else happenings
        await asyncio.gather(*(arrive(memory, truth, act) for act in acts))
    await memory.log.settled()
    for channel in PARENT:
        await memory.log.reconcile(truth.guild_id, channel, truth.newest(channel))
    stored = await rows_of(database, "chat_history", truth.guild_id)
    shown = {row["message_id"]: (row["text"], row["edited_at"]) for row in stored if not row["imported"]}
    assert shown == truth.expected()
    assert {row["message_id"] for row in stored if row["imported"]} <= truth.may_stay()
    waiting = [truth.copy(channel, number, 0) for channel in PARENT for number in range(LENGTH)]
    kept = {edit.message_id for edit in memory.log._recent.edits_of(waiting)}
    for copy in (copy for copy in waiting if copy.message_id in kept):
        assert may_store(copy, truth.policy()) is Verdict.ADMITTED, "a text was kept that may not be"
        assert not {copy.channel_id, copy.parent_id} & truth.closed
