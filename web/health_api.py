"""How Innkeeper is, over HTTP: `/healthz` for liveness, `/readyz` for readiness, `/api/health` for every part.

Anybody may ask for states. What is wrong, counts and times of work are shown to whoever asks from this very machine:
they name channels, machines and what goes on.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from ipaddress import ip_address
from typing import TypeAlias

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from memory.health import HealthReport, PartHealth, PartState, ProcessHealth

Reporter: TypeAlias = Callable[[], Awaitable[HealthReport]]

PROCESSES = ("bot", "web")
_PASSED_ON = frozenset(("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"))


class PartView(BaseModel):
    name: str
    state: PartState
    since: datetime
    updated_at: datetime | None
    checked_at: datetime
    counts: dict[str, int]
    issues: list[str]

    @classmethod
    def of(cls, part: PartHealth) -> "PartView":
        return cls(
            name=part.name,
            state=part.state,
            since=part.since,
            updated_at=part.updated_at,
            checked_at=part.checked_at,
            counts=dict(part.counts),
            issues=list(part.issues),
        )


class ProcessView(BaseModel):
    name: str
    state: PartState
    alive: bool
    started_at: datetime
    beat_at: datetime
    issues: list[str]
    parts: list[PartView]

    @classmethod
    def of(cls, process: ProcessHealth) -> "ProcessView":
        return cls(
            name=process.process,
            state=process.state,
            alive=not process.issues,
            started_at=process.started_at,
            beat_at=process.beat_at,
            issues=list(process.issues),
            parts=[PartView.of(part) for part in process.parts],
        )


class HealthView(BaseModel):
    state: PartState
    made_at: datetime
    processes: list[ProcessView]


class Readiness(BaseModel):
    ready: bool
    reasons: list[str]


def health_routes(report: Reporter) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/healthz", summary="The web process lives")
    async def healthz() -> dict[str, str]:
        return {"status": "alive"}

    @router.get("/readyz", summary="Database and bot are well", responses={503: {"model": Readiness}})
    async def readyz(request: Request, response: Response) -> Readiness:
        reasons = unready(shown_to(request, await report()))
        response.status_code = 503 if reasons else 200
        return Readiness(ready=not reasons, reasons=reasons)

    @router.get("/api/health", summary="Every part of every process")
    async def health(request: Request) -> HealthView:
        now = shown_to(request, await report())
        return HealthView(
            state=now.state, made_at=now.made_at, processes=[ProcessView.of(process) for process in now.processes]
        )

    return router


def shown_to(request: Request, report: HealthReport) -> HealthReport:
    """All of it to whoever asks from this machine, by its own name and through nobody else; to others the states."""
    asker, host = request.client.host if request.client else "", request.url.hostname or ""
    is_local = _is_loopback(asker) and _is_loopback(host) and _PASSED_ON.isdisjoint(request.headers.keys())
    return report if is_local else report.states_alone()


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def unready(report: HealthReport) -> list[str]:
    """Why a member would not be answered as they should; empty when all is well."""
    known = {process.process for process in report.processes}
    reasons = [f"{name}: has not reported yet" for name in PROCESSES if name not in known]
    for process in report.processes:
        reasons += [f"{process.process}: {issue}" for issue in process.issues]
        for part in process.parts:
            if part.state is not PartState.ACTIVE:
                said = "; ".join(part.issues) or part.state.value
                reasons.append(f"{process.process}, {part.name}: {said}")
    return reasons
