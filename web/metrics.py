"""Writes what Prometheus reads at `/metrics`: how each process is, and what its parts have counted since it started.

The counts of the bot come with its heartbeat, a few seconds old. No label names a guild, a channel or a person.
"""

import hmac
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.responses import Response

from ai_clients.base import Purpose
from memory.db.errors import StoreError
from memory.health import HealthReport, PartState
from memory.manager import MemoryManager
from web.guard import is_local, problem

TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Figure:
    """Describes a metric, and the counts of a part that it is made of: by the value of its label, if it has one."""

    name: str
    says: str
    part: str
    counts: dict[str, str]
    label: str = ""
    scale: float = 1.0
    is_gauge: bool = False


def _of_purposes(*whats: str) -> dict[str, str]:
    return {f"{purpose} {what}": purpose for purpose in Purpose for what in whats}


MS = 0.001
FIGURES = (
    Figure(
        "innkeeper_log_events",
        "What was taken into the log",
        "log",
        {"messages": "message", "edits": "edit", "deletions": "deletion", "missed": "missed", "refused": "refused"},
        "kind",
    ),
    Figure("innkeeper_log_queue", "Events that wait to be written", "log", {"queued": ""}, is_gauge=True),
    Figure("innkeeper_log_lag_seconds", "How late the last batch was", "log", {"late_ms": ""}, "", MS, is_gauge=True),
    Figure("innkeeper_index_messages", "Messages that were indexed", "index", {"indexed": ""}),
    Figure("innkeeper_index_waiting", "Messages that wait to be indexed", "index", {"waiting": ""}, is_gauge=True),
    Figure(
        "innkeeper_replies",
        "Replies in channels; failed: that say why there is no answer; not taken: by Discord",
        "replies",
        {"replies": "all", "failed": "failed", "not taken": "not_taken", "private replies": "private"},
        "outcome",
    ),
    Figure("innkeeper_reply_seconds", "Time that replies took, together", "replies", {"reply_ms": ""}, "", MS),
    Figure(
        "innkeeper_answers",
        "Answers to questions",
        "models",
        {"answers": "model", "quoted instead": "quoted"},
        "outcome",
    ),
    Figure(
        "innkeeper_verdicts",
        "What members said of answers",
        "receipts",
        {"right": "right", "wrong": "wrong"},
        "verdict",
    ),
    Figure("innkeeper_model_calls", "Calls of models that went well", "usage", _of_purposes("done"), "purpose"),
    Figure("innkeeper_model_failures", "Calls of models that failed", "usage", _of_purposes("failed"), "purpose"),
    Figure("innkeeper_model_tokens", "Tokens in and out", "usage", _of_purposes("tokens in", "tokens out"), "purpose"),
    Figure("innkeeper_model_seconds", "Time that calls took, together", "usage", _of_purposes("ms"), "purpose", MS),
    Figure("innkeeper_models", "Models that are configured", "models", {"models": ""}, is_gauge=True),
    Figure("innkeeper_models_open", "Models that are left alone for now", "models", {"open": ""}, is_gauge=True),
    Figure(
        "innkeeper_retractions",
        "Replies that were taken back or corrected",
        "taking back",
        {"deleted": "deleted", "edited": "edited", "put off": "put_off"},
        "outcome",
    ),
    Figure("innkeeper_erasures", "Erasures that were carried out", "erasures", {"done": ""}),
    Figure("innkeeper_reminders", "Reminders", "reminders", {"delivered": "delivered", "kept": "kept"}, "outcome"),
    Figure(
        "innkeeper_database_connections",
        "Connections to the database",
        "database",
        {"connections": "open", "busy": "busy", "most": "most"},
        "state",
        is_gauge=True,
    ),
)
TOTALS = {
    "guilds": ("innkeeper_guilds", "Servers that the bot is in"),
    "messages": ("innkeeper_messages", "Messages in the log, as the database reckons"),
    "facts": ("innkeeper_facts", "Facts and memories, as the database reckons"),
    "bytes": ("innkeeper_database_bytes", "Size of the database"),
    "reminders_late": ("innkeeper_reminder_lag_seconds", "How late the oldest reminder is that is due"),
}


def metrics_routes(
    report: Callable[[], Awaitable[HealthReport]],
    memory: Callable[[], MemoryManager | None],
    token: str,
) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/metrics")
    async def metrics(request: Request) -> Response:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        knows_it = scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())
        if not (is_local(request) or (token and knows_it)):
            return problem(401, "For this machine, or with METRICS_TOKEN.", {"WWW-Authenticate": "Bearer"})
        manager = memory()
        try:
            totals = {} if manager is None else await manager.heartbeat.totals()
        except StoreError:
            totals = {}
        registry = CollectorRegistry()
        registry.register(_Known([*_of(await report()), *_in_all(totals)]))
        return Response(generate_latest(registry), media_type=TYPE)

    return router


@dataclass(eq=False)
class _Known(Collector):
    metrics: list[Metric]

    def collect(self) -> Iterable[Metric]:
        return self.metrics


def _in_all(totals: dict[str, float]) -> Iterator[Metric]:
    for name, (metric, says) in TOTALS.items():
        if name in totals:
            yield GaugeMetricFamily(metric, says, value=totals[name])


def _of(report: HealthReport) -> Iterator[Metric]:
    alive = GaugeMetricFamily("innkeeper_up", "1: the process has given a sign of life lately", labels=["process"])
    started = GaugeMetricFamily("innkeeper_start_time_seconds", "When the process started", labels=["process"])
    states = GaugeMetricFamily("innkeeper_part_failing", "1: the part does not work", labels=["process", "part"])
    waits = GaugeMetricFamily(
        "innkeeper_wait_seconds", "The longest that a server waits for its turn in a job", labels=["process", "part"]
    )
    for process in report.processes:
        alive.add_metric([process.process], 0.0 if process.issues else 1.0)
        started.add_metric([process.process], process.started_at.timestamp())
        for part in process.parts:
            states.add_metric([process.process, part.name], 1.0 if part.state is PartState.FAILING else 0.0)
            if "seconds_waited" in part.counts:
                waits.add_metric([process.process, part.name], part.counts["seconds_waited"])
    yield from (alive, started, states, waits)
    for figure in FIGURES:
        family = GaugeMetricFamily if figure.is_gauge else CounterMetricFamily
        labels = ["process", *([figure.label] if figure.label else [])]
        made = family(figure.name, figure.says, labels=labels)
        for process in report.processes:
            counts = next((part.counts for part in process.parts if part.name == figure.part), {})
            summed: dict[str, float] = {}
            for count, value in figure.counts.items():
                if count in counts:
                    summed[value] = summed.get(value, 0.0) + counts[count] * figure.scale
            for value, number in summed.items():
                made.add_metric([process.process, *([value] if figure.label else [])], number)
        yield made
