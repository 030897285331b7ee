"""Queries what a table holds on a member or of a channel, read row by row from one moment of the database.

A `Section` is one kind of it: where it stands and who may read it is said in its query, whose parameters are the guild
($1), the member or channel ($2), the channels that whoever reads the export can read ($3), and the time ($4).
"""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

from memory import audit
from memory.audit import AuditPage
from memory.db.database import Connection, Database, Lane, take_as_long_as_needed
from memory.fact_rows import ENDS, naming
from memory.log.store import THREADS_OF
from memory.places.view import Audience
from memory.policy.store import said_no

# What is held on somebody or of a channel, by kind: how much and from when to when, never what it says.


class Stock(StrEnum):
    """Names a kind of what is held. The value is its name in the file of an export."""

    NAMES = "names_and_roles"
    NAME_KEYS = "names_you_are_found_by"
    ALIASES = "names_that_facts_give_you"
    PLACES = "places_that_name_you"
    MESSAGES = "messages"
    FACTS_TOLD = "facts_you_told"
    FACTS_ABOUT = "facts_others_told_about_you"
    DAYS = "days_summarised"
    CONTEXTS = "contexts"
    CHANNEL_SUMMARIES = "channels_summarised"
    CATCH_UPS = "read_up_to"
    CONSENTS = "your_word_about_being_stored"
    ERASURES = "erased_up_to"
    RECEIPTS = "questions_and_what_the_answers_were_made_from"
    VERDICTS = "what_you_said_of_answers"
    CHANGES = "changes_that_can_be_undone"
    VETOES = "said_not_to_be_true"
    REMINDERS = "reminders"
    EVENTS = "events_you_made"
    MEMBER_SETTINGS = "your_settings"
    ACCESS_KEYS = "signed_in"
    LOOKED_AT = "what_others_did_to_your_memory"
    DEEDS = "what_you_did_to_the_memory_of_others"
    FACTS_OF_CHANNEL = "facts_told_here"
    PROGRESS = "how_far_it_was_read"
    CHANNEL_ERASURES = "channel_erased_up_to"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class Amount:
    """Tells how much there is of one kind."""

    kind: Stock
    count: int
    first: datetime | None = None
    last: datetime | None = None
    withheld: int = 0
    """Of facts: those that are told to nobody but their subject."""
    over: int = 0
    """Of facts: those that another has taken the place of."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """Counts all there is, as far as whoever asked may know of it."""

    amounts: tuple[Amount, ...]

    def of(self, kind: Stock) -> Amount:
        return next((amount for amount in self.amounts if amount.kind is kind), Amount(kind, 0))


@dataclass(frozen=True, slots=True)
class HeldOnMember:
    """Holds what is held on somebody, what they decided about it, and what others did to it."""

    held: Inventory
    looks: AuditPage
    """The last of what others did."""
    is_stored: bool | None = None
    """What they said about being stored; None: nothing."""
    decided_at: datetime | None = None
    erased_at: datetime | None = None
    """When they last had all of it erased."""


class ExportUnderWay(Exception):
    """Says that the member has asked for another export that is not finished."""


class ExportNotWritten(Exception):
    """Says that the file could not be written: the disk it is collected on is full, or lets nobody write."""


@dataclass(frozen=True, slots=True)
class Signposts:
    """Holds how Discord calls the places that whoever reads an export can see, and the way to what was said there."""

    guild_name: str
    channel_names: dict[int, str]
    link: Callable[[int, int], str]
    """From a channel and a message."""
    notes: Sequence[str] = ()
    """What the file says of itself, in the language of whoever asked for it."""


ROWS_AT_ONCE = 500

Row: TypeAlias = dict[str, Any]
"""By column; what the columns of a query are called, an export makes its own of."""


@dataclass(frozen=True, slots=True)
class Section:
    kind: Stock
    tables: tuple[str, ...]
    """Of which it shows what they hold."""
    query: str
    at: str | None = None
    """The column that says when, for telling since when something is held."""
    is_fact: bool = False
    """Some may be withheld, and some over."""

    def arguments(self, audience: Audience, of: int, now: datetime) -> list[object]:
        """List the parameters that the query uses: Postgres refuses others."""
        given: list[object] = [audience.guild_id, of, sorted(audience.sources), now]
        return [value for number, value in enumerate(given, start=1) if f"${number}" in self.query]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Reads one moment of what is held; nothing that changes meanwhile is half in it."""

    connection: Connection
    audience: Audience
    of: int
    now: datetime

    async def amount(self, section: Section) -> Amount:
        span = f"min({section.at}), max({section.at})" if section.at else "NULL::timestamptz, NULL::timestamptz"
        facts = (
            "count(*) FILTER (WHERE withheld_by_a_rule_of_the_server), count(*) FILTER (WHERE held_until IS NOT NULL)"
            if section.is_fact
            else "0, 0"
        )
        [counted] = await self.connection.fetch(
            f"SELECT count(*), {span}, {facts} FROM ({section.query}) AS held",  # noqa: S608 - made of constants
            *section.arguments(self.audience, self.of, self.now),
        )
        return Amount(section.kind, *counted)

    async def rows(self, section: Section) -> AsyncIterator[list[Row]]:
        """Read rows, some at a time, in the order of the query."""
        arguments = section.arguments(self.audience, self.of, self.now)
        cursor = await self.connection.cursor(section.query, *arguments)
        while rows := await cursor.fetch(ROWS_AT_ONCE):
            yield [dict(row) for row in rows]

    async def names(self, user_ids: Collection[int]) -> Mapping[int, str]:
        """Read what members are called today. Whoever opted out goes by their id, but for the one who reads it."""
        rows = await self.connection.fetch(
            f"""
            SELECT user_id, coalesce(nickname, global_name, username) AS name FROM members
            WHERE guild_id = $1 AND user_id = ANY($2) AND (user_id = $3 OR NOT {said_no("members.user_id")})
            """,  # noqa: S608 - made of constants
            self.audience.guild_id,
            list(user_ids),
            self.audience.viewer_id,
        )
        return {row["user_id"]: row["name"] for row in rows}

    async def word(self) -> Row:
        """Read whether the member of this snapshot wants to be stored, since when, and when they were erased."""
        [row] = await self.connection.fetch(
            """
            SELECT (SELECT choice = 'in' FROM consents WHERE guild_id = $1 AND user_id = $2) AS is_stored,
                   (SELECT decided_at FROM consents WHERE guild_id = $1 AND user_id = $2) AS decided_at,
                   (SELECT erased_at FROM erasures WHERE guild_id = $1 AND user_id = $2) AS erased_at
            """,
            self.audience.guild_id,
            self.of,
        )
        return dict(row)


@asynccontextmanager
async def snapshot_of(
    database: Database, audience: Audience, of: int, now: datetime, lane: Lane = Lane.SHARED
) -> AsyncIterator[Snapshot]:
    """Hold one moment of what is held on a member or of a channel."""
    name = "store.export.snapshot"
    async with database.transaction(name, isolation="repeatable_read", readonly=True, lane=lane) as connection:
        await take_as_long_as_needed(connection)
        yield Snapshot(connection, audience, of, now)


# Everything that is held on one member, kind by kind, as far as it is theirs to read ($2 is the member).
#
# What they wrote is theirs wherever it stands. What others told or what was made of many people's words they get only
# if they could read all that it came from: the same rule as for every reply (docs/decisions/who-reads-what.md).


# A link leads only to what is in the log, so never to a message that was deleted.
_LINK = """
(SELECT said.message_id FROM chat_history AS said
 WHERE said.guild_id = facts.guild_id AND said.message_id = facts.message_id) AS link_id
"""
_FACT = f"""
fact_id, subject_id, teller_id, channel_id, text, standing, everywhere, valid_from AS holds_since,
told_at AS last_told_at, valid_to AS held_until, nullif(withheld, false) AS withheld_by_a_rule_of_the_server,
category, CASE WHEN category IS NOT NULL THEN importance END AS importance, nullif(tags, '{{}}') AS tags, {ENDS},
nullif(attribute, '') AS attribute, span AS rests_on, {_LINK}
"""
_FACTS = f"""
SELECT {_FACT}, superseded_by AS replaced_by_id, source_message_id AS taken_from_id FROM facts WHERE guild_id = $1
"""  # noqa: S608 - made of constants
_MESSAGE = """
message_id, channel_id, parent_id AS thread_of_id, sent_at, edited_at, reply_to AS reply_to_id, text, extras,
(SELECT string_agg(piece.text, E'\n' ORDER BY attachment_id, piece) FROM file_pieces AS piece
 WHERE piece.guild_id = $1 AND piece.message_id = chat_history.message_id) AS text_of_files,
intent AS said_to_innkeeper, message_id AS link_id
"""
_SAID = """
chat_history LEFT JOIN (SELECT message_id, intent FROM addressed WHERE guild_id = $1) AS noted USING (message_id)
WHERE guild_id = $1
"""
_MADE = "text, coalesce(model, 'quoted') AS made_by_model, made_at"
_DAY = f"day, starts_at, kind, {_MADE}, source_channels AS made_from_channels, nullif(cites, '{{}}') AS rests_on_ids"
_DAYS = "day_entries JOIN days USING (guild_id, scope, starts_at) WHERE guild_id = $1"
_ANSWER = """
asked_in AS asked_in_id, channel_id, made_at, language, message_ids AS answer_ids, used_messages AS used_message_ids,
quoted_messages AS quoted_message_ids, used_facts AS used_fact_ids, quoted_facts AS quoted_fact_ids
"""
_READABLE = "(channel_id = ANY($3) OR everywhere)"
_ALL_SOURCES = "source_channels <@ $3::bigint[]"


def _own(
    kind: Stock, table: str, columns: str, order: str, whose: str = "user_id", *, at: str | None = None
) -> Section:
    """Make the section of a table whose rows are each one member's own."""
    query = f"SELECT {columns} FROM {table} WHERE guild_id = $1 AND {whose} = $2 ORDER BY {order}"  # noqa: S608 - ours
    return Section(kind, (table,), query, at)


MEMBER_SECTIONS = (
    Section(
        Stock.NAMES,
        ("members", "guilds"),
        """
        SELECT username, global_name, nickname, is_bot, roles AS role_ids,
               owner_id IS NOT DISTINCT FROM user_id AS owns_the_server
        FROM members JOIN guilds USING (guild_id) WHERE guild_id = $1 AND user_id = $2
        """,
    ),
    _own(Stock.NAME_KEYS, "member_names", "name_key AS name", "name_key"),
    Section(
        Stock.ALIASES,
        ("fact_aliases",),
        f"""
        SELECT name_key AS name, fact_id FROM fact_aliases JOIN facts USING (guild_id, fact_id)
        WHERE guild_id = $1 AND user_id = $2 AND {_READABLE} AND (NOT withheld OR subject_id = $2)
        ORDER BY name_key, fact_id
        """,  # noqa: S608 - made of constants
    ),
    Section(
        Stock.PLACES,
        ("places",),
        """
        SELECT channel_id, kind, coalesce($2 = ANY (members), false) AS you_are_in_it, (
            SELECT coalesce(jsonb_agg(jsonb_build_object('allowed', one -> 2, 'denied', one -> 3)), '[]')
            FROM jsonb_array_elements(overwrites) AS one
            WHERE (one ->> 0)::bigint = $2 AND NOT (one ->> 1)::boolean) AS permissions_of_your_own
        FROM places WHERE guild_id = $1 AND channel_id = ANY($3) AND ($2 = ANY (members) OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(overwrites) AS one
            WHERE (one ->> 0)::bigint = $2 AND NOT (one ->> 1)::boolean))
        ORDER BY channel_id
        """,
    ),
    Section(
        Stock.MESSAGES,
        ("chat_history", "addressed", "file_pieces"),
        f"""
        SELECT {_MESSAGE} FROM {_SAID} AND author_id = $2 AND author_kind <> 'self' ORDER BY message_id
        """,  # noqa: S608 - made of constants
        at="sent_at",
    ),
    # What they took from the words of others changes when those are edited: that, they have to be able to read.
    Section(
        Stock.FACTS_TOLD,
        ("facts",),
        f"""{_FACTS} AND teller_id = $2 AND ({_READABLE} OR source_message_id IS NULL) ORDER BY fact_id""",
        at="holds_since",
        is_fact=True,
    ),
    Section(
        Stock.FACTS_ABOUT,
        ("facts",),
        f"""{_FACTS} AND (subject_id = $2 OR (NOT withheld AND {naming("text", "$2::bigint")}))
        AND teller_id <> $2 AND {_READABLE} ORDER BY fact_id""",
        at="holds_since",
        is_fact=True,
    ),
    Section(
        Stock.DAYS,
        ("day_entries", "days"),
        f"""
        SELECT {_DAY}, nullif(user_id, $2) AS subject_id, nullif(corrected_by = $2, false) AS corrected_by_you
        FROM {_DAYS} AND {_ALL_SOURCES} AND ($2 IN (user_id, corrected_by) OR EXISTS (
            SELECT 1 FROM chat_history WHERE guild_id = $1 AND message_id = ANY (cites) AND author_id = $2))
        ORDER BY starts_at, scope, position
        """,  # noqa: S608 - made of constants
        at="starts_at",
    ),
    Section(
        Stock.CHANNEL_SUMMARIES,
        ("channel_summaries",),
        f"""
        SELECT channel_id, {_MADE}, nullif(corrected_by = $2, false) AS corrected_by_you FROM channel_summaries
        WHERE guild_id = $1 AND $2 = ANY (people) AND channel_id = ANY($3) ORDER BY summary_id
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.CONTEXTS,
        ("texts",),
        f"""
        SELECT kind, made_on, text, model AS made_by_model, made_at, fact_ids, source_channels AS made_from_channels
        FROM texts WHERE guild_id = $1 AND user_id = $2 AND {_ALL_SOURCES} AND text_holds(texts)
        ORDER BY made_at, kind, scope
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.CATCH_UPS,
        ("catch_ups",),
        """
        SELECT nullif(channel_id, 0) AS channel_id, time_of(read_to) AS read_up_to FROM catch_ups
        WHERE guild_id = $1 AND user_id = $2 AND (channel_id = 0 OR channel_id = ANY($3)) ORDER BY read_to, channel_id
        """,
        at="read_up_to",
    ),
    _own(Stock.CONSENTS, "consents", "choice, decided_at", "decided_at", at="decided_at"),
    _own(Stock.ERASURES, "erasures", "through_message_id AS through_id, erased_at", "erased_at", at="erased_at"),
    Section(
        Stock.RECEIPTS,
        ("receipts",),
        f"""
        SELECT {_ANSWER}, day_starts AS used_days, day_quoted AS days_were_quoted,
               take_back_at IS NOT NULL AS will_be_taken_back, (
                   SELECT said.message_id FROM chat_history AS said
                   WHERE said.guild_id = receipts.guild_id AND said.message_id = receipts.asked_in) AS link_id
        FROM receipts WHERE guild_id = $1 AND asker_id = $2 ORDER BY made_at, asked_in
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    _own(
        Stock.VERDICTS,
        "verdicts",
        "asked_in AS asked_in_id, reply_id AS answer_id, is_right, nullif(correction, '') AS what_is_right, given_at",
        "given_at, reply_id",
        at="given_at",
    ),
    Section(
        Stock.CHANGES,
        ("changes",),
        f"""
        SELECT change_id, kind, made_by, made_at, until, ARRAY(
            SELECT fact_id FROM facts
            WHERE guild_id = $1 AND fact_id = ANY (fact_ids) AND ({_READABLE} OR teller_id = $2)
            ORDER BY fact_id) AS fact_ids, (
            SELECT coalesce(jsonb_agg(was -> 'text'), '[]') FROM jsonb_array_elements(before) AS was
            WHERE ((was ->> 'channel_id')::bigint = ANY($3) OR (was ->> 'everywhere')::boolean)
              AND $2 IN ((was ->> 'subject_id')::bigint, (was ->> 'teller_id')::bigint)) AS texts_kept_for_undoing
        FROM changes
        WHERE guild_id = $1 AND until > $4
          AND (made_by = $2 OR (channels <@ $3::bigint[] AND (subjects @> ARRAY[$2] OR tellers @> ARRAY[$2])))
        ORDER BY made_at, change_id
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    _own(
        Stock.VETOES, "vetoes", "statement AS digest, vetoed_at", "vetoed_at, statement", "subject_id", at="vetoed_at"
    ),
    _own(
        Stock.REMINDERS,
        "reminders",
        "text, state, wall, zone, due_at, every, every_count, channel_id, about_id, made_at",
        "made_at, reminder_id",
        "owner_id",
        at="made_at",
    ),
    _own(
        Stock.EVENTS,
        "events",
        "name, description, location, starts_at, ends_at, channel_id, interested",
        "starts_at, event_id",
        "creator_id",
        at="starts_at",
    ),
    _own(Stock.MEMBER_SETTINGS, "member_settings", "time_zone", "time_zone"),
    _own(
        Stock.ACCESS_KEYS,
        "access_keys",
        "kind, name, may_write, made_at, used_at, ends_at",
        "made_at, digest",
        at="made_at",
    ),
    Section(
        Stock.LOOKED_AT,
        ("audit",),
        f"""
        SELECT at, actor_id, action, channel_id, items FROM audit
        WHERE guild_id = $1 AND subject_id = $2 AND {audit.DONE_BY_ANOTHER} AND {audit.readable("$3")}
        ORDER BY at, actor_id, action, channel_id
        """,  # noqa: S608 - made of constants
        at="at",
    ),
    Section(
        Stock.DEEDS,
        ("audit",),
        f"""
        SELECT at, action, subject_id, channel_id, items FROM audit
        WHERE guild_id = $1 AND actor_id = $2 AND {audit.readable("$3")} ORDER BY at, action, subject_id, channel_id
        """,  # noqa: S608 - made of constants
        at="at",
    ),
)

NOT_EXPORTED = {
    "roles": "what the server's roles are called and allow, as Discord has it for everybody",
    "tombstones": "ids of deleted messages; whose they were is not kept",
    "message_index": "made of the messages that are exported, and gone with them: the stems of their words",
    "term_counts": "how often words occur in a channel, whoever used them",
    "spellings": "which words occur on the server, whoever used them",
    "message_vectors": "made of the messages that are exported, and gone with them: numbers",
    "vectors_again": "which of the exported messages wait for their numbers",
    "index_again": "which of the exported messages wait to be indexed",
    "memory_progress": "up to which of the exported messages what they said to the bot was read, for two days",
    "claims": "which work is being done just now, for minutes; it may name a member, and says nothing about them",
    "place_viewers": "who could see which channel a moment ago, as Discord has it for everybody",
    "channel_erasures": "what a manager had erased, about a channel and nobody in it",
}
"""Tables that a member is in, by id or by what they wrote, and why a file for them would not tell them more."""


# Everything that is held of one channel, kind by kind, as far as whoever manages it can read it ($2 is the channel).
#
# The channel and those of its threads that they can read. What members had hidden, and the words that an undo would
# bring back, belong to those members, and are in nobody else's file.


_ROOMS = f"""
(SELECT coalesce(array_agg(channel_id), '{{}}') FROM (SELECT $2::bigint AS channel_id UNION {THREADS_OF}) AS room
 WHERE channel_id = ANY($3))::bigint[]
"""  # noqa: S608 - made of constants
# Made of this channel among others, and of nothing that the manager could not read.
_MADE_HERE = f"source_channels <@ $3::bigint[] AND source_channels && {_ROOMS}"

CHANNEL_SECTIONS = (
    Section(
        Stock.MESSAGES,
        ("chat_history", "addressed", "file_pieces"),
        f"""
        SELECT author_id, author_kind, {_MESSAGE} FROM {_SAID} AND (channel_id = $2 OR parent_id = $2)
            AND channel_id = ANY($3) ORDER BY message_id
        """,  # noqa: S608 - made of constants
        at="sent_at",
    ),
    Section(
        Stock.FACTS_OF_CHANNEL,
        ("facts",),
        f"""
        SELECT {_FACT} FROM facts WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) AND NOT withheld ORDER BY fact_id
        """,  # noqa: S608 - made of constants
        at="holds_since",
        is_fact=True,
    ),
    Section(
        Stock.DAYS,
        ("day_entries", "days"),
        f"""
        SELECT user_id, {_DAY}, corrected_by FROM {_DAYS} AND {_MADE_HERE} ORDER BY starts_at, scope, position
        """,  # noqa: S608 - made of constants
        at="starts_at",
    ),
    Section(
        Stock.CHANNEL_SUMMARIES,
        ("channel_summaries",),
        f"""
        SELECT channel_id, {_MADE}, corrected_by FROM channel_summaries
        WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) AND channel_id = ANY($3)
        ORDER BY summary_id
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.CONTEXTS,
        ("texts",),
        f"""
        SELECT kind, made_on, user_id, text, model AS made_by_model, made_at, source_channels AS made_from_channels
        FROM texts WHERE guild_id = $1 AND {_MADE_HERE} AND text_holds(texts) ORDER BY made_at, kind, scope, user_id
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.RECEIPTS,
        ("receipts",),
        f"""
        SELECT asker_id, {_ANSWER} FROM receipts
        WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) ORDER BY made_at, asked_in
        """,  # noqa: S608 - made of constants
        at="made_at",
    ),
    Section(
        Stock.PROGRESS,
        ("channel_progress",),
        f"""
        SELECT channel_id, contiguous_through AS read_without_a_hole_up_to_id, backfilled_to AS read_back_to_id,
               backfill_done AS read_back_to_the_beginning, swept_at AS last_compared_at
        FROM channel_progress WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) ORDER BY channel_id
        """,  # noqa: S608 - made of constants
    ),
    Section(
        Stock.CHANNEL_ERASURES,
        ("channel_erasures",),
        """
        SELECT channel_id, through_message_id AS through_id, erased_at FROM channel_erasures
        WHERE guild_id = $1 AND channel_id = $2
        """,
        at="erased_at",
    ),
    Section(
        Stock.AUDIT,
        ("audit",),
        f"""
        SELECT at, actor_id, action, subject_id, channel_id, items FROM audit
        WHERE guild_id = $1 AND channel_id = ANY({_ROOMS}) AND {audit.DONE_BY_ANOTHER} ORDER BY at, audit_id
        """,  # noqa: S608 - made of constants
        at="at",
    ),
)
