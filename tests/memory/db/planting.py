"""A row in every table for one member, channel and message: what erasing is tried on.

Values are made up from the types of the columns, but for those that say whom and what a row is about.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from memory.core.values import last_id_of
from memory.db.database import Connection
from memory.privacy.tables import ALL_TABLES
from tests.memory.world import NOON

OURS = frozenset({"process_health", "command_definitions", "schema_version"})
"""Tables that are about nobody."""
GUARDS = frozenset({"consents", "erasures", "channel_erasures", "closed_channels", "tombstones"})
"""What is decided by doors, and would keep planted rows from being what they seem."""
FIRST = ("guilds", "members", "chat_history", "addressed", "facts", "message_index", "days")
"""Others refer to them; and what was said to us is not in the index, so whoever notes it takes it out there."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Whom and what the planted rows are about."""

    guild_id: int
    user_id: int
    channel_id: int
    number: int
    """Tells plots apart, and orders their messages."""

    @property
    def sent_at(self) -> datetime:
        return NOON + timedelta(days=self.number)

    @property
    def message_id(self) -> int:
        return last_id_of(self.sent_at)

    @property
    def day(self) -> datetime:
        return datetime(self.sent_at.year, self.sent_at.month, self.sent_at.day, tzinfo=UTC)


def told(plot: Plot) -> dict[str, dict[str, object]]:
    """What the columns hold that say whom and what a row is about; and those that must agree with each other."""
    who, where, said = plot.user_id, plot.channel_id, plot.message_id
    return {
        "guilds": {
            "left_at": None,
            "kept_since": None,
            "consent": "opt_out",
            "moderators_may": "nothing",
            "owner_id": who,
        }
        | {"excluded_channels": [], "excluded_roles": [], "speaks_in": [], "retention_days": None}
        | {"summary_days": None, "fact_days": None},
        "places": {"kind": "channel", "parent_id": None, "overwrites": [], "members": [who]},
        "chat_history": {"author_kind": "person", "parent_id": None, "extras": None, "seq": 10 + plot.number},
        "addressed": {"intent": "question"},
        "facts": {"fact_id": plot.number, "subject_id": who, "teller_id": who, "standing": "self"}
        | {"source_message_id": said, "valid_to": None, "superseded_by": None}
        | {"message_id": said - 1, "everywhere": False, "withheld": False, "category": "preference"}
        | {"expires_at": None, "span": None, "attribute": ""},
        "fact_aliases": {"fact_id": plot.number},
        "changes": {"kind": "forgotten", "made_by": who, "subjects": [who], "tellers": [who], "channels": [where]}
        | {
            "messages": [said],
            "before": [_fact_before(plot)],
            "fact_ids": [plot.number],
            "left_as": ["digest"],
            "until": NOON + timedelta(days=1000),
        },
        "vetoes": {"subject_id": who},
        "receipts": {"asked_in": said, "asker_id": who, "message_ids": [said + 2], "take_back_at": None}
        | {"because": None, "quoted_messages": [said], "used_messages": [said], "quoted_facts": []}
        | {"used_facts": [], "day_scopes": [], "day_starts": [], "day_quoted": [], "source_channels": []},
        "verdicts": {"reply_id": said, "asked_in": said},
        "reminders": {"reminder_id": said, "owner_id": who, "about_id": None, "state": "open", "every": None}
        | {"every_count": 1, "readers": [who], "ends_at": None, "language": "en", "zone": "UTC", "wall": None},
        "events": {"event_id": said + 5, "creator_id": who},
        "member_settings": {"time_zone": "UTC"},
        "access_keys": {"kind": "session", "digest": bytes([plot.number])},
        "place_viewers": {"people": [who], "channels": [where], "viewers": [b"\1"]},
        "audit": {"subject_id": who, "actor_id": 77},
        "days": {"scope": 0, "starts_at": plot.day, "ends_at": plot.day + timedelta(days=1), "people": [who]}
        | {"source_channels": [where], "read_seq": 1000, "seen_seq": 1000, "changes": 0, "seen_changes": 0}
        | {"fact_ids": []},
        "channel_summaries": {"policy": "rolling", "level": 1, "first_id": said, "last_id": said, "people": [who]}
        | {"cites": [said], "parent_id": None, "corrected_by": None, "messages": 1},
        "catch_ups": {"read_to": said},
        "digests": {"local_date": plot.day.date(), "state": "posted", "digest_id": said + 3, "message_id": said + 4},
        "day_entries": {"scope": 0, "starts_at": plot.day, "position": 1, "kind": "member", "corrected_by": None},
        "texts": {"kind": "context", "scope": 0, "day_starts": [plot.day], "day_changes": [0], "fact_ids": []}
        | {"source_channels": [where]},
        "message_index": {"conversation_id": plot.number, "terms": f"'word{plot.number}':1", "length": 1},
        "file_pieces": {"terms": f"'word{plot.number}':1"},
        "conversations": {"conversation_id": plot.number, "messages": 1, "length": 1},
        "term_counts": {"term": f"word{plot.number}", "messages": 1},
        "spellings": {"term": f"word{plot.number}"},
        "index_channels": {"messages": 1, "length": 1, "conversations": 1, "languages": {"en": 1}},
        "index_state": {"vector_model": None},
        "message_vectors": {"embedding": "[1,2]", "model": "m"},
        "model_calls": {"call_id": uuid4()},
        "claims": {"what": f"context {who}"},
    }


def _fact_before(plot: Plot) -> dict[str, object]:
    who, said = plot.user_id, plot.message_id
    fact = {"fact_id": plot.number + 50, "subject_id": who, "teller_id": who, "channel_id": plot.channel_id}
    return fact | {"message_id": said, "source_message_id": said, "text": "as it was"}


async def plant(connection: Connection, plot: Plot, *, but: Mapping[str, Mapping[str, object]] | None = None) -> None:
    """A row in each table but those that are about nobody or that guard; `but` for these columns."""
    tables = [held.table for held in ALL_TABLES if held.table not in OURS | GUARDS]
    known = told(plot)
    for table, otherwise in (but or {}).items():
        known[table] = {**known.get(table, {}), **otherwise}
    for table in sorted(tables, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)):
        types = await _types(connection, table)
        given = known.get(table, {})
        row = {
            name: given[name] if name in given else _value(plot, name, kind)
            for name, kind in types.items()
            if name != "turn"
        }
        marks = ", ".join(f"${place}{_cast(types[name])}" for place, name in enumerate(row, 1))
        await connection.execute(
            f"INSERT INTO {table} ({', '.join(row)}) OVERRIDING SYSTEM VALUE VALUES ({marks}) ON CONFLICT DO NOTHING",
            *row.values(),
        )


async def _types(connection: Connection, table: str) -> Mapping[str, str]:
    rows = await connection.fetch(
        "SELECT column_name, udt_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1"
        " ORDER BY ordinal_position",
        table,
    )
    return {row["column_name"]: row["udt_name"] for row in rows}


def _cast(kind: str) -> str:
    return "::text::tsvector" if kind == "tsvector" else "::text::halfvec" if kind == "halfvec" else ""


def _value(plot: Plot, name: str, kind: str) -> object:
    if name in ("guild_id", "user_id", "channel_id", "message_id"):
        return getattr(plot, name)
    by_name: dict[str, object] = {"author_id": plot.user_id, "model": "m"}
    made_up: dict[str, object] = {"int8": plot.number, "int2": 1, "int4": 1, "float4": 0.5, "bool": False, "jsonb": {}}
    made_up |= {"text": f"{name} {plot.number}", "uuid": uuid4(), "_int8": [], "_text": [], "_uuid": []}
    made_up |= {"timestamptz": plot.sent_at, "date": plot.day.date()}
    return by_name[name] if name in by_name else made_up[kind]
