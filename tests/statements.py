"""Every statement names its guild, so that a database can be divided by guild (docs/decisions/running.md).

While tests run, the connections of the product pass each text by here, where it is kept once, with whoever sent it. At
the end of a run all are read (`tests.sql_guilds`), and one that uses rows of guilds without saying of which fails it.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from asyncpg.pool import PoolConnectionProxy

from tests.sql_guilds import of_all_guilds

_PAST_ITS_TIME = (
    "what is past its time goes in all guilds, by an index on that time; each part of a database does its own"
)
_WHOSE_TURN = "it asks which guilds have something to do; each part of a database answers for its own"
ALL_GUILDS: Mapping[str, str] = {
    "memory/access.py:Access.purge": _PAST_ITS_TIME,
    "memory/audit.py:AuditLog.purge": _PAST_ITS_TIME,
    "memory/daily/digest.py:Digests.purge": _PAST_ITS_TIME,
    "memory/daily/store.py:CatchUpStore.purge": _PAST_ITS_TIME,
    "memory/events.py:Events.purge": _PAST_ITS_TIME,
    "memory/facts/undo.py:UndoService.purge": _PAST_ITS_TIME,
    "memory/leases.py:LeaseStore.forget_expired": _PAST_ITS_TIME,
    "memory/memories/service.py:MemoryStore.purge": _PAST_ITS_TIME,
    "memory/models/usage.py:UsageStore.forget_before": _PAST_ITS_TIME,
    "memory/reminders/store.py:ReminderStore.purge": _PAST_ITS_TIME,
    "memory/memories/service.py:MemoryStore.waiting": _WHOSE_TURN,
    "memory/people/store.py:GuildStore.erased": _WHOSE_TURN,
    "memory/people/store.py:GuildStore.left_before": _WHOSE_TURN,
    "memory/people/store.py:GuildStore.present": _WHOSE_TURN,
    "memory/recall/index_store.py:IndexStore.behind": _WHOSE_TURN,
    "memory/health.py:HealthStore.totals": "it counts for metrics what all guilds come to",
    "memory/models/usage.py:UsageStore.requests_since": "a provider's limits hold for all guilds together",
    "memory/people/store.py:GuildStore.names": "an import of a guild that is not known says which ones are",
    "memory/places/store.py:PlaceStore.distrust_all": "a process that ends vouches for none of its guilds any more",
    "memory/transfer/service.py:_guilds": "a whole memory is exported; then each guild by itself",
    "memory/facts/hearsay.py:Hearsay.report_unreadable": "it counts for health, by guild, what no list can show",
    "memory/facts/undo.py:put_back": "rows come back with all their columns, the guild among them",
    "memory/recall/pieces.py:find_pieces": "the guild is one of the terms that the index is asked for",
    "memory/recall/store.py:RecallReading.around": "rows are compared with rows, and the guild comes first in them",
    "memory/recall/store.py:RecallReading.by_words": "the guild is one of the terms that the index is asked for",
    "memory/recall/store.py:RecallReading.terms": "it asks whether there is another guild at all",
    "memory/recall/store.py:_lookalikes": "the index of letters knows no guilds; it is left out in the next breath",
}
"""Who uses rows of more than one guild at a time, or does not say so in so many words, and why."""

ROOT = Path(__file__).resolve().parents[1]
POOL = str(ROOT / "memory" / "db" / "database.py")
LEFT_OUT = tuple(str(ROOT / path) for path in ("tests", "benchmarks", "memory/db/migrate.py"))
"""What is not the product, and the steps of the schema, which are for all guilds."""
SENDING = ("execute", "executemany", "fetch", "fetchrow", "fetchval", "cursor", "copy_records_to_table")


class StatementWatch:
    """A plugin of pytest, in each process of a run; the first of them judges what all have seen."""

    def __init__(self) -> None:
        self.sent: set[tuple[str, str]] = set()
        self._known: dict[tuple[str, int], CodeType] = {}
        self._lines: list[str] = []
        for name in SENDING:
            setattr(PoolConnectionProxy, name, self._passing(getattr(PoolConnectionProxy, name)))

    def _passing(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        def send(connection: object, text: str, *values: object, **options: Any) -> Any:  # noqa: ANN401 - asyncpg's
            said = f"COPY {text} ({', '.join(options['columns'])}) FROM STDIN" if "records" in options else text
            self._note(said, sys._getframe(1))
            return plain(connection, text, *values, **options)

        return send

    def _note(self, text: str, frame: FrameType | None) -> None:
        """By whom as well: the same text may be sent by two, of whom one has a reason."""
        while frame is not None and frame.f_code.co_filename == POOL:
            frame = frame.f_back
        if frame is None or (known := (text, id(frame.f_code))) in self._known:
            return
        self._known[known] = frame.f_code  # kept, so that its number is not another's one day
        if not frame.f_code.co_filename.startswith(LEFT_OUT):
            self.sent.add((text, f"{frame.f_code.co_filename.removeprefix(f'{ROOT}/')}:{frame.f_code.co_qualname}"))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        found = {text: tables for text in {text for text, _ in self.sent} if (tables := of_all_guilds(text))}
        self._lines = [
            f"{who} does not say of which guild it means the rows of {', '.join(sorted(found[text]))}:\n{text}"
            for text, who in sorted(self.sent)
            if text in found and who not in ALL_GUILDS
        ]
        if self._lines:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._lines:
            terminalreporter.section("statements that do not name their guild (tests/statements.py)", red=True)
            for line in self._lines:
                terminalreporter.write_line(line)
