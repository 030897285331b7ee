"""Messages and policies of every shape, for the tests of the log."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from memory.core.log_values import Consent
from memory.core.values import Attachment, AuthorKind, Message, MessageEdit
from memory.db.database import Database
from memory.manager import MemoryManager
from memory.policy.rules import WHOLE_GUILD, Policy
from memory.policy.settings import LogSettings

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CHANNELS = (10, 11, 12)
AUTHORS = (1, 2, 3, 4)
IDS = st.integers(1, 40)
TIMES = st.sampled_from([NOON + timedelta(hours=hours) for hours in range(5)])
ANY_TEXT = st.sampled_from(
    ["", "\x00", "\ud800\udc00", "🎉👩‍👩‍👧", "\u202eשלום\u200b", "x\x00y\ud83d", "{}", "\\u0000", "'; --"]
) | st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
PARTS = st.tuples() | st.lists(ANY_TEXT, max_size=3).map(tuple)


async def decide_log(memory: MemoryManager, guild_id: int, log: LogSettings) -> int:
    """What managers decide about the log alone; how many messages had to go."""
    return (await memory.privacy.change_settings(guild_id, lambda now: replace(now, log=log))).removed.messages


def edit_to(one: Message) -> MessageEdit:
    """As Discord tells that a message has become this one."""
    return MessageEdit(one)


@st.composite
def messages(draw: st.DrawFn, guild_id: int = 1) -> Message:
    channel_id, kind = draw(st.sampled_from(CHANNELS)), draw(st.sampled_from(AuthorKind))
    return Message(
        guild_id=guild_id,
        channel_id=channel_id,
        message_id=draw(IDS),
        author_id=draw(st.sampled_from(AUTHORS)),
        author_kind=kind,
        speaker=draw(st.sampled_from([None, "Zed", "NED "])) if kind is AuthorKind.WEBHOOK else None,
        text=draw(ANY_TEXT),
        sent_at=draw(TIMES),
        parent_id=draw(st.sampled_from([None, *CHANNELS])),
    )


@st.composite
def odd_messages(draw: st.DrawFn) -> Message:
    """Everything that can come with a message, as badly as it can come."""
    sent_at = draw(st.datetimes(datetime(2015, 1, 2), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis adds the zone
    return Message(
        guild_id=1,
        channel_id=draw(st.integers(0, 2**63 - 1)),
        message_id=draw(st.integers(0, 2**63 - 1)),
        author_id=draw(st.integers(0, 2**63 - 1)),
        author_kind=draw(st.sampled_from(AuthorKind)),
        text=draw(ANY_TEXT | st.just("x" * 4000)),
        sent_at=sent_at,
        edited_at=draw(st.none() | st.just(sent_at + timedelta(seconds=1))),
        reply_to=draw(st.none() | st.integers(0, 2**63 - 1)),
        parent_id=draw(st.none() | st.integers(0, 2**63 - 1)),
        attachments=draw(st.lists(attachments(), max_size=3).map(tuple)),
        embeds=draw(PARTS),
        poll=draw(st.none() | ANY_TEXT),
        forwarded=draw(PARTS),
        stickers=draw(PARTS),
    )


def attachments() -> st.SearchStrategy[Attachment]:
    return st.builds(
        Attachment,
        name=ANY_TEXT,
        content_type=st.none() | ANY_TEXT,
        size=st.integers(0, 2**63 - 1),
        description=st.none() | ANY_TEXT,
    )


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    words: Mapping[int, str] = draw(st.dictionaries(st.sampled_from(AUTHORS), st.sampled_from(["in", "out"])))
    return Policy(
        consent=draw(st.sampled_from(Consent)),
        opted_out=frozenset(user for user, word in words.items() if word == "out"),
        opted_in=frozenset(user for user, word in words.items() if word == "in"),
        erased_through=draw(st.dictionaries(st.sampled_from(AUTHORS), IDS)),
        channels_erased_through=draw(st.dictionaries(st.sampled_from([WHOLE_GUILD, *CHANNELS]), IDS, max_size=2)),
        excluded_channels=draw(st.frozensets(st.sampled_from(CHANNELS), max_size=2)),
        excluded_authors=draw(st.frozensets(st.sampled_from(AUTHORS), max_size=2)),
        left_out=draw(st.frozensets(st.sampled_from(["zed", "ned"]), max_size=2)),
        keep_since=draw(st.none() | TIMES),
    )


async def rows_of(database: Database, table: str, guild_id: int) -> list[Mapping[str, object]]:
    """In the order of their first columns, as a rule their key: without an order Postgres moves what was updated."""
    rows = await database.read("test", f"SELECT * FROM {table} AS one WHERE guild_id = $1 ORDER BY one", guild_id)
    return [dict(row) for row in rows]
