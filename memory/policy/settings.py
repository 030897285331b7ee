"""Declares, changes and stores what the managers of a guild decide about it."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from memory.core.log_values import Consent, Removal
from memory.db.database import Connection, Database, LogWrite, Reading, Reads
from memory.db.errors import GuildNotMet
from memory.language.detect import Language
from memory.policy.setting_fields import FieldKind, NotASetting, SettingField, SettingValue, declared
from memory.policy.store import MAY_STAY, bump_epoch, horizon

Days = Annotated[int | None, SettingField(FieldKind.NUMBER, 0, 3650)]
"""How long something is kept."""


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Decides what is stored, of whom and for how long."""

    consent: Consent = Consent.OPT_OUT
    retention_days: Days = None
    """None: kept until it is deleted."""
    excluded_channels: Annotated[frozenset[int], SettingField(FieldKind.CHANNELS, most=2_000, has_threads=True)] = (
        frozenset()
    )
    excluded_roles: Annotated[frozenset[int], SettingField(FieldKind.ROLES, most=500)] = frozenset()
    summary_days: Days = None
    """How long summaries are kept, which the retention of messages leaves alone. None: while they have sources."""
    fact_days: Days = None
    """How long a fact is kept after it was last told, whatever becomes of messages. None: until it is forgotten."""
    webhooks: Annotated[frozenset[int], SettingField(FieldKind.WEBHOOKS, most=50)] = frozenset()
    """Those through which people speak: bridges, and accounts that post for somebody."""
    names_left_out: Annotated[frozenset[str], SettingField(FieldKind.NAMES, most=200)] = frozenset()
    """Of speakers behind webhooks, as `speaker_key` has them: nothing of them is stored."""


class ModeratorsMay(StrEnum):
    """Names what those who keep order may do about facts that are not theirs."""

    NOTHING = "nothing"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class FactRules:
    about_others: bool = True
    """Whether one may tell us about somebody else."""
    moderators_may: ModeratorsMay = ModeratorsMay.NOTHING


class Policy(StrEnum):
    """Names how the talk of a channel is summed up: see `memory.channels.values`."""

    ROLLING = "rolling"
    LEVELS = "levels"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class SummaryRules:
    """Decides when the talk of a channel is summed up."""

    is_on: bool = True
    policy: Annotated[Policy, SettingField(FieldKind.CHOICE, choices=(Policy.ROLLING, Policy.LEVELS))] = Policy.ROLLING
    turns: Annotated[int, SettingField(FieldKind.NUMBER, 1, 500)] = 10
    """Of `LEVELS`: after so many the talk is summed up."""
    kept: Annotated[int, SettingField(FieldKind.NUMBER, 0, 200)] = 10
    """Of `ROLLING`: messages at the end that are not covered. With `again`, as many as are counted of what no summary
    covers."""
    first: Annotated[int, SettingField(FieldKind.NUMBER, 1, 500)] = 20
    first_tokens: Annotated[int, SettingField(FieldKind.NUMBER, 500, 100_000)] = 8_000
    """Of `ROLLING`: when there are so many messages, or so much in them, the first summary is due."""
    again: Annotated[int, SettingField(FieldKind.NUMBER, 1, 300)] = 10
    """Of `ROLLING`: uncovered messages, besides those at the end, after which the next is due."""


@dataclass(frozen=True, slots=True)
class AnswerRules:
    """Decides how we speak with members, and what we take from it."""

    persona: Annotated[str, SettingField(FieldKind.TEXT, most=600)] = ""
    """The manner to speak in, in the words of a manager; nothing: that of whoever runs the bot."""
    session_minutes: Annotated[int, SettingField(FieldKind.NUMBER, 5, 240)] = 30
    """After so long without a word to us a session is over."""
    exchanges: Annotated[int, SettingField(FieldKind.NUMBER, 1, 8)] = 4
    """Of a session, as many of the last stand before a question."""
    takes_memories: bool = True
    """Whether memories are taken from what members say to us."""
    memories: Annotated[int, SettingField(FieldKind.NUMBER, 0, 30)] = 10
    """Of the asker's, as many as a prompt has room for, the most important first."""
    least_importance: Annotated[int, SettingField(FieldKind.NUMBER, 1, 10)] = 1
    """Less important memories stay out of prompts."""
    hourly_questions: Annotated[int | None, SettingField(FieldKind.NUMBER, 0, 1_000)] = None
    """Of one member that a model answers; None: as many as whoever runs the bot lets them ask."""


@dataclass(frozen=True, slots=True)
class FileRules:
    """Decides which files that come with messages are read."""

    texts: bool = True
    pictures: bool = False
    """Whether a model describes pictures, and is shown those that a question is about."""
    voices: bool = False
    """Whether a model writes voice messages down."""
    daily: Annotated[int, SettingField(FieldKind.NUMBER, 1, 2_000)] = 100
    """Pictures and voice messages that a model is shown on one day of the guild."""


@dataclass(frozen=True, slots=True)
class DigestRules:
    """Decides where and when the server is told what happened in it. Off until somebody chooses a channel."""

    channel_id: Annotated[int | None, SettingField(FieldKind.CHANNEL)] = None
    hour: Annotated[int, SettingField(FieldKind.NUMBER, 0, 23)] = 9
    """By the clock of the guild's time zone."""
    weekdays: Annotated[tuple[int, ...], SettingField(FieldKind.DAYS, 1, 7)] = (0, 1, 2, 3, 4, 5, 6)
    """From Monday on."""
    least: Annotated[int, SettingField(FieldKind.NUMBER, 1, 1_000)] = 10
    """On a day with fewer messages there is none."""
    channels: Annotated[tuple[int, ...], SettingField(FieldKind.CHANNELS, most=25)] = ()
    """Of which it tells; none means all that every reader of its channel can read."""
    weekly: bool = False
    """On the first of the weekdays, about seven days."""
    language: Annotated[str, SettingField(FieldKind.CHOICE, choices=tuple(Language))] = "en"
    since: float = 0.0
    """When it was last changed, which is noted of itself: nothing was due before."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    time_zone: Annotated[str, SettingField(FieldKind.ZONE)] = "UTC"
    """By its name in the IANA database."""
    hall_role_id: Annotated[int | None, SettingField(FieldKind.ROLE)] = None
    """The role whose holders are the guild's public; None: nobody has chosen one, so it is @everyone."""
    speaks_in: Annotated[frozenset[int], SettingField(FieldKind.CHANNELS, most=500)] = frozenset()
    """The channels we may write in; none means all of them."""
    set_up_at: datetime | None = None
    """When a manager last went through the setup, which notes it; None: never."""
    log: LogSettings = field(default_factory=LogSettings)
    facts: FactRules = field(default_factory=FactRules)
    second_look: Annotated[bool, SettingField(FieldKind.SWITCH, group="answers")] = True
    """Whether a model that misses something may have us look for it once more, at the price of a second call."""
    summaries: SummaryRules = field(default_factory=SummaryRules)
    answers: AnswerRules = field(default_factory=AnswerRules)
    digest: DigestRules = field(default_factory=DigestRules)
    files: FileRules = field(default_factory=FileRules)


FIELDS: Mapping[str, SettingField] = {one.path: one for one in declared(GuildSettings)}
GROUPS: Mapping[str, tuple[SettingField, ...]] = {
    group: tuple(one for one in FIELDS.values() if one.group == group)
    for group in ("server", "log", "facts", "answers", "files", "summaries", "digest")
}


def read(settings: GuildSettings) -> dict[str, SettingValue]:
    """Get all settings by their paths, as they are shown and sent."""
    return {path: one.of(settings) for path, one in FIELDS.items()}


def changed(
    settings: GuildSettings,
    wanted: Mapping[str, object],
    now: datetime,
    *,
    channels: Collection[int] = (),
    roles: Collection[int] = (),
) -> GuildSettings:
    """Change those settings that are wanted otherwise. Raises `NotASetting`.

    `channels` and `roles` are those that whoever changes them can see: they choose among these, and the rest of a list
    stays in it.
    """
    before = settings.digest
    for path, value in wanted.items():
        if path not in FIELDS:
            raise NotASetting(path, f"one of {', '.join(FIELDS)}")
        one = FIELDS[path]
        seen = roles if one.kind in (FieldKind.ROLE, FieldKind.ROLES) else channels
        settings = one.put(settings, one.read(value, one.held(settings), seen))
    if settings.digest != before:
        settings = replace(settings, digest=replace(settings.digest, since=now.timestamp()))
    # Of fewer messages than are left open, nothing could be summed up.
    rules = settings.summaries
    return replace(settings, summaries=replace(rules, first=max(rules.first, rules.kept + 1)))


def retention_words(log: LogSettings, language: Language) -> dict[str, str]:
    kinds = {"messages": "log.retention_days", "summaries": "log.summary_days", "facts": "log.fact_days"}
    wanted = GuildSettings(log=log)
    return {kind: FIELDS[path].said(language, FIELDS[path].of(wanted), lambda *_: "") for kind, path in kinds.items()}


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """Tells what became of a wish to change settings."""

    before: GuildSettings
    after: GuildSettings
    removed: Removal = field(default_factory=Removal)
    """What may not be kept any longer, and went."""
    all_removed: bool = True
    """False: the decision holds, but the database went away while they were being removed; the next purge goes on."""


SettingsOf = Callable[[int], Awaitable[GuildSettings]]


# What a guild's managers decided, as its row of `guilds` holds it.
#
# Whoever changes it owns the guild's log meanwhile, as with every decision that the log obeys.


# `MAY_STAY` asks the guild's row for what was decided. Here a row of that name takes its place, with what might be.
_WOULD_GO = f"""
WITH guilds AS (
    SELECT $1::bigint AS guild_id, $2::text AS consent, $3::bigint[] AS excluded_channels,
        $4::bigint[] AS excluded_roles, $7::text[] AS names_left_out,
        greatest((SELECT kept_since FROM guilds WHERE guild_id = $1), $5::timestamptz) AS kept_since)
SELECT count(*) FILTER (WHERE $6::bigint[] IS NULL OR channel_id = ANY($6)) AS readable, count(*) AS in_all
FROM chat_history AS arrived WHERE guild_id = $1 AND NOT ({MAY_STAY})
"""  # noqa: S608 - made of constants
_FACTS_WOULD_GO = """
SELECT count(*) FILTER (WHERE $3::bigint[] IS NULL OR everywhere OR channel_id = ANY($3)) AS readable,
    count(*) AS in_all
FROM facts WHERE guild_id = $1 AND told_at < $2
"""


_OF_THE_GUILD = ("time_zone", "hall_role_id", "speaks_in", "set_up_at", "second_look")
_OF_THE_LOG = tuple(one.name for one in fields(LogSettings))
_AS_JSON = ("summaries", "answers", "digest", "files")
_COLUMNS = (*_OF_THE_GUILD, *_OF_THE_LOG, "facts_about_others", "moderators_may", *_AS_JSON)
_WRITE = f"""
UPDATE guilds SET kept_since = greatest(kept_since, $2),
    {", ".join(f"{column} = ${number}" for number, column in enumerate(_COLUMNS, start=3))} WHERE guild_id = $1
"""  # noqa: S608 - made of constants


class SettingsStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_guild(self, guild_id: int) -> GuildSettings:
        reading = Reading(self._database, "store.settings.of_guild")
        return await read_settings(reading, guild_id) or GuildSettings()

    async def decisions(self, guild_ids: Collection[int]) -> list[tuple[int, int, int | None]]:
        """Read the epoch of each guild, which rises with every decision, and the role that makes its hall."""
        query = "SELECT guild_id, epoch, hall_role_id FROM guilds WHERE guild_id = ANY($1)"
        rows = await self._database.read("store.settings.decisions", query, list(guild_ids))
        return [(row["guild_id"], row["epoch"], row["hall_role_id"]) for row in rows]


async def would_go(
    connection: Connection, guild_id: int, log: LogSettings, now: datetime, sources: Collection[int] | None = None
) -> Removal:
    """Count, within the caller's transaction, the stored messages and facts that may not stay if this is decided about
    the log; if `sources` are given, those in there."""
    readable = None if sources is None else sorted(sources)
    [messages] = await connection.fetch(
        _WOULD_GO,
        guild_id,
        log.consent,
        sorted(log.excluded_channels),
        sorted(log.excluded_roles),
        horizon(log.retention_days, now),
        readable,
        sorted(log.names_left_out),
    )
    [facts] = await connection.fetch(_FACTS_WOULD_GO, guild_id, horizon(log.fact_days, now), readable)
    elsewhere = any(one["in_all"] > one["readable"] for one in (messages, facts))
    return Removal(messages["readable"], facts["readable"], elsewhere)


async def read_settings(connection: Reads, guild_id: int) -> GuildSettings | None:
    """Read the settings of a guild. None: it has not been met yet."""
    rows = await connection.fetch(f"SELECT {', '.join(_COLUMNS)} FROM guilds WHERE guild_id = $1", guild_id)  # noqa: S608 - ours
    if not rows:
        return None
    held: dict[str, Any] = {
        name: frozenset(value) if isinstance(value, list) else value for name, value in rows[0].items()
    }
    given = held["summaries"]
    return GuildSettings(
        **{name: held[name] for name in _OF_THE_GUILD},
        log=LogSettings(**{name: held[name] for name in _OF_THE_LOG} | {"consent": Consent(held["consent"])}),
        facts=FactRules(held["facts_about_others"], ModeratorsMay(held["moderators_may"])),
        summaries=SummaryRules(**given | {"policy": Policy(given.get("policy", Policy.ROLLING))}),
        answers=AnswerRules(**held["answers"]),
        digest=digest_rules(held["digest"]),
        files=FileRules(**held["files"]),
    )


def digest_rules(given: dict[str, Any]) -> DigestRules:
    lists: dict[str, Any] = {name: tuple(given[name]) for name in given.keys() & {"weekdays", "channels"}}
    return DigestRules(**given | lists)


async def write_settings(connection: Connection, guild_id: int, settings: GuildSettings, now: datetime) -> None:
    """Write settings, within the caller's transaction. A longer retention brings nothing back."""
    facts = (settings.facts.about_others, settings.facts.moderators_may)
    of_guild, of_log = (
        (getattr(settings, name) for name in _OF_THE_GUILD),
        (getattr(settings.log, name) for name in _OF_THE_LOG),
    )
    values = [
        *(sorted(value) if isinstance(value, frozenset) else value for value in (*of_guild, *of_log)),
        *facts,
        *(asdict(getattr(settings, name)) for name in _AS_JSON),
    ]
    await connection.execute(_WRITE, guild_id, horizon(settings.log.retention_days, now), *values)
    await bump_epoch(connection, guild_id)


async def settings_to_change(connection: LogWrite, guild_id: int) -> GuildSettings:
    """Read the settings of a guild in order to change them. Raises `GuildNotMet`."""
    settings = await read_settings(connection, guild_id)
    if settings is None:
        raise GuildNotMet("This server is not in the database yet; nothing was changed.")
    return settings
