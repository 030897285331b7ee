"""Stores what a guild and its members decided about the log: consents, erasures, and what `settings` wrote.

Whoever changes any of it owns the guild's log meanwhile, so that no insert is judged by half a decision.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

from memory.core.log_values import Consent
from memory.db.database import Connection
from memory.db.table_declarations import Stays, TableDeclaration, columns
from memory.policy.rules import WHOLE_GUILD, Policy, Verdict


@dataclass(frozen=True, slots=True)
class Refusal:
    """Holds, as text, what was decided in a guild, which is $1, and the condition on what that keeps out."""

    decided: str
    """Decisions, as rows of that name."""
    meets: tuple[str, ...]
    """Conditions on a decision and what it is held against: one is enough. Of a message, an index of the log serves
    each."""
    of_author: str = ""
    """None does: what is stored is found by going from author to author, and this is the condition on one of them."""

    def __str__(self) -> str:
        return any_of(f"EXISTS (\n    SELECT 1 FROM {self.decided}\n    WHERE {one})" for one in self.meets)  # noqa: S608 - made of constants


def any_of(conditions: Iterable[Refusal | str]) -> str:
    return "(" + "\nOR ".join(map(str, conditions)) + ")"


def said_no(user_id: str, also: str = "") -> Refusal:
    """Give the refusal of those who said that nothing of them may be stored."""
    decided = "(SELECT user_id, decided_at FROM consents WHERE guild_id = $1 AND choice = 'out') AS decided"
    return Refusal(decided, (f"decided.user_id = {user_id}{also}",))


def has_excluded_role(user_id: str) -> Refusal:
    decided = (
        "(SELECT user_id FROM guilds JOIN members USING (guild_id)\n"
        "        WHERE guild_id = $1 AND excluded_roles <> '{}' AND roles && excluded_roles) AS decided"
    )
    return Refusal(decided, (f"decided.user_id = {user_id}",))


def is_erased(user_id: str, message_id: str) -> Refusal:
    """Give the refusal of what somebody had erased, up to this message or a later one."""
    decided = "(SELECT user_id, through_message_id FROM erasures WHERE guild_id = $1) AS decided"
    return Refusal(decided, (f"decided.user_id = {user_id} AND {message_id} <= decided.through_message_id",))


def _said_no_yes(user_id: str, also: str = "") -> Refusal:
    """Give the refusal, where nobody is stored who has not said yes, of whoever has not."""
    decided = "(SELECT guild_id FROM guilds WHERE guild_id = $1 AND consent = 'opt_in') AS decided"
    no_yes = "NOT EXISTS (SELECT 1 FROM consents AS word WHERE word.guild_id = $1 AND word.choice = 'in'"
    meets = f"{user_id} IS NOT NULL{also}\n        AND {no_yes} AND word.user_id = {user_id})"
    return Refusal(decided, (meets,), f"{no_yes} AND word.user_id = author.user_id)")


def not_to_be_kept(user_id: str, message_id: str) -> tuple[Refusal, ...]:
    """List what keeps a person's words out, said in that message, wherever that was."""
    return (has_excluded_role(user_id), is_erased(user_id, message_id), said_no(user_id), _said_no_yes(user_id))


def _emptied(*places: str) -> Refusal:
    decided = "(SELECT channel_id, through_message_id FROM channel_erasures WHERE guild_id = $1) AS decided"
    through = "arrived.message_id <= decided.through_message_id"
    return Refusal(decided, tuple(f"decided.channel_id = {place} AND {through}" for place in places))


_PERSON = " AND arrived.author_kind = 'person'"

# `memory.policy.rules.may_store`, said once more in SQL, of a message called `arrived`. Whoever asks for all or some
# of it makes the question from this; a test holds each of them against the pure rule.
REFUSALS: Mapping[Verdict, tuple[Refusal, ...]] = {
    Verdict.EXCLUDED_CHANNEL: (
        Refusal(
            "(SELECT unnest(excluded_channels) AS channel_id FROM guilds WHERE guild_id = $1) AS decided",
            ("decided.channel_id = arrived.channel_id", "decided.channel_id = arrived.parent_id"),
        ),
    ),
    Verdict.EXCLUDED_ROLE: (has_excluded_role("arrived.author_id"),),
    Verdict.ERASED: (
        is_erased("arrived.author_id", "arrived.message_id"),
        _emptied("arrived.channel_id", "arrived.parent_id", str(WHOLE_GUILD)),
    ),
    Verdict.NO_CONSENT: (said_no("arrived.author_id", _PERSON), _said_no_yes("arrived.author_id", _PERSON)),
    Verdict.LEFT_OUT: (
        Refusal(
            "(SELECT unnest(names_left_out) AS speaker_key FROM guilds WHERE guild_id = $1) AS decided",
            ("decided.speaker_key = arrived.speaker_key",),
        ),
    ),
    Verdict.TOO_OLD: (
        Refusal(
            "(SELECT kept_since FROM guilds WHERE guild_id = $1) AS decided", ("arrived.sent_at < decided.kept_since",)
        ),
    ),
    Verdict.ANSWER: not_to_be_kept("arrived.answers_author_id", "arrived.answers_id"),
}


def refusals_but_for(*verdicts: Verdict) -> list[Refusal]:
    return [one for verdict, refusals in REFUSALS.items() if verdict not in verdicts for one in refusals]


ADMITTED = f"NOT {any_of(refusals_but_for())}"
MAY_STAY = f"NOT {any_of(refusals_but_for(Verdict.ANSWER))}"
"""Whether a message may stay that does not say whom it answers. In the log, an answer goes with its question."""


@dataclass(frozen=True, slots=True)
class PolicyAt:
    """Holds a policy, and the guild's epoch it belongs to."""

    policy: Policy
    epoch: int | None
    """None: the guild has not been met yet."""


async def epoch_of(connection: Connection, guild_id: int) -> int | None:
    epoch: int | None = await connection.fetchval("SELECT epoch FROM guilds WHERE guild_id = $1", guild_id)
    return epoch


async def load_policy(connection: Connection, guild_id: int) -> PolicyAt:
    """Read, within the caller's transaction, all that `may_store` needs to know."""
    guild = await connection.fetchrow(
        """
        SELECT epoch, consent, kept_since, excluded_channels, excluded_roles, names_left_out FROM guilds
        WHERE guild_id = $1
        """,
        guild_id,
    )
    words = await connection.fetch("SELECT user_id, choice FROM consents WHERE guild_id = $1", guild_id)
    erased = await connection.fetch("SELECT user_id, through_message_id FROM erasures WHERE guild_id = $1", guild_id)
    emptied = await connection.fetch(
        "SELECT channel_id, through_message_id FROM channel_erasures WHERE guild_id = $1", guild_id
    )
    excluded = await connection.fetch(
        "SELECT user_id FROM members WHERE guild_id = $1 AND roles && $2::bigint[]",
        guild_id,
        guild["excluded_roles"] if guild else [],
    )
    policy = Policy(
        consent=Consent(guild["consent"]) if guild else Consent.OPT_OUT,
        opted_out=frozenset(row["user_id"] for row in words if row["choice"] == "out"),
        opted_in=frozenset(row["user_id"] for row in words if row["choice"] == "in"),
        erased_through=MappingProxyType({row["user_id"]: row["through_message_id"] for row in erased}),
        channels_erased_through=MappingProxyType({row["channel_id"]: row["through_message_id"] for row in emptied}),
        excluded_channels=frozenset(guild["excluded_channels"] if guild else ()),
        excluded_authors=frozenset(row["user_id"] for row in excluded),
        left_out=frozenset(guild["names_left_out"] if guild else ()),
        keep_since=guild["kept_since"] if guild else None,
    )
    return PolicyAt(policy, guild["epoch"] if guild else None)


async def advance_horizon(connection: Connection, guild_id: int, now: datetime) -> None:
    """Advance the horizon of retention: what is older may not be stored any more."""
    days: int | None = await connection.fetchval("SELECT retention_days FROM guilds WHERE guild_id = $1", guild_id)
    if days is not None:
        await connection.execute(
            "UPDATE guilds SET kept_since = greatest(kept_since, $2), epoch = epoch + 1 WHERE guild_id = $1",
            guild_id,
            horizon(days, now),
        )


def horizon(retention_days: int | None, now: datetime) -> datetime | None:
    return None if retention_days is None else now - timedelta(days=retention_days)


async def choose(connection: Connection, guild_id: int, user_id: int, choice: str, decided_at: datetime) -> bool:
    """Note a member's word about being stored; say whether they were stored until now."""
    stored: bool = await connection.fetchval(
        """
        SELECT CASE (SELECT choice FROM consents WHERE guild_id = $1 AND user_id = $2)
            WHEN 'in' THEN true WHEN 'out' THEN false
            ELSE coalesce((SELECT consent = 'opt_out' FROM guilds WHERE guild_id = $1), true) END
        """,
        guild_id,
        user_id,
    )
    await connection.execute(
        """
        INSERT INTO consents (guild_id, user_id, choice, decided_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (guild_id, user_id) DO UPDATE SET choice = excluded.choice, decided_at = excluded.decided_at
        """,
        guild_id,
        user_id,
        choice,
        decided_at,
    )
    await bump_epoch(connection, guild_id)
    return stored


async def forbid_through(
    connection: Connection, guild_id: int, user_ids: Collection[int], through: int, now: datetime
) -> None:
    """Note that nothing of these members up to that message may be stored, now or later."""
    await _note_erased(connection, "erasures", "user_id", guild_id, user_ids, through, now)


async def empty_through(connection: Connection, guild_id: int, channel_id: int, through: int, now: datetime) -> None:
    """Note that nothing of a channel and its threads, or of `WHOLE_GUILD`, up to that message may be stored, now or
    later."""
    await _note_erased(connection, "channel_erasures", "channel_id", guild_id, [channel_id], through, now)


async def _note_erased(
    connection: Connection, table: str, of: str, guild_id: int, ids: Collection[int], through: int, now: datetime
) -> None:
    query = f"""
    INSERT INTO {table} AS known (guild_id, {of}, through_message_id, erased_at)
    SELECT $1, one, $3, $4 FROM unnest($2::bigint[]) AS one
    ON CONFLICT (guild_id, {of}) DO UPDATE SET
        through_message_id = greatest(known.through_message_id, excluded.through_message_id),
        erased_at = excluded.erased_at
    """  # noqa: S608 - made of constants
    await connection.execute(query, guild_id, sorted(ids), through, now)
    await bump_epoch(connection, guild_id)


async def opted_out_among(connection: Connection, guild_id: int, user_ids: Collection[int | None]) -> list[int]:
    """Find those of these people who said that nothing of them may be stored."""
    rows = await connection.fetch(
        f"""
        SELECT DISTINCT user_id FROM unnest($2::bigint[]) AS one (user_id)
        WHERE {said_no("one.user_id")} ORDER BY user_id
        """,  # noqa: S608 - made of constants
        guild_id,
        [user_id for user_id in user_ids if user_id is not None],
    )
    return [row["user_id"] for row in rows]


async def bump_epoch(connection: Connection, guild_id: int) -> None:
    await connection.execute("UPDATE guilds SET epoch = epoch + 1 WHERE guild_id = $1", guild_id)


_KEEPS_OUT = Stays("it keeps the rest out, holds ids only, and still counts if the bot is invited again")

TABLES = (
    TableDeclaration(
        table="consents",
        purpose="who said yes or no to being stored, and when; no text",
        until="– (kept for good)",
        columns=columns(ids="guild_id", people="user_id", times="decided_at", settings="choice"),
        message=_KEEPS_OUT,
        member=_KEEPS_OUT,
        channel=_KEEPS_OUT,
        guild=_KEEPS_OUT,
    ),
    TableDeclaration(
        table="erasures",
        purpose="up to which message nothing of a member may be stored again; no text",
        until="– (kept for good)",
        columns=columns(ids="guild_id through_message_id", people="user_id", times="erased_at"),
        message=_KEEPS_OUT,
        member=_KEEPS_OUT,
        channel=_KEEPS_OUT,
        guild=_KEEPS_OUT,
    ),
    TableDeclaration(
        table="channel_erasures",
        purpose="up to which message nothing of a channel, or of the whole server, may be stored again; no text",
        until="– (kept for good)",
        columns=columns(ids="guild_id channel_id through_message_id", times="erased_at"),
        message=_KEEPS_OUT,
        member=_KEEPS_OUT,
        channel=_KEEPS_OUT,
        guild=_KEEPS_OUT,
    ),
)


# The policies of the guilds as this process knows them. The insert judges once more, so an old one does no harm.


class Policies:
    def __init__(self) -> None:
        self._known: dict[int, PolicyAt] = {}
        self.on_decision: Callable[[int, Policy], None] = lambda _guild_id, _policy: None
        """Told of the policy of a guild whenever it is read anew, perhaps because another process decided something."""

    def known(self, guild_id: int) -> Policy | None:
        """Give the policy in memory. None: nobody has asked the database yet, so nothing may be told of this guild."""
        known = self._known.get(guild_id)
        return None if known is None else known.policy

    async def refresh(self, connection: Connection, guild_id: int) -> Policy:
        """Give the policy in force, read again only if something was decided since."""
        known = self._known.get(guild_id)
        if known is None or known.epoch != await epoch_of(connection, guild_id):
            known = self._known[guild_id] = await load_policy(connection, guild_id)
            self.on_decision(guild_id, known.policy)
        return known.policy

    def forget(self, guild_id: int) -> None:
        """Forget a guild's policy: somebody's roles changed, or the guild was met or left."""
        self._known.pop(guild_id, None)
