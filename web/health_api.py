"""How Innkeeper is, over HTTP: `/healthz` for liveness, `/readyz` for readiness, `/api/health` for everything."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeAlias

from fastapi import APIRouter, Response
from pydantic import BaseModel

from memory.health import HealthReport, PartHealth, PartState, ProcessHealth

Reporter: TypeAlias = Callable[[], Awaitable[HealthReport]]

PROCESSES = ("bot", "web")


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
    async def readyz(response: Response) -> Readiness:
        reasons = unready(await report())
        response.status_code = 503 if reasons else 200
        return Readiness(ready=not reasons, reasons=reasons)

    @router.get("/api/health", summary="Every part of every process")
    async def health() -> HealthView:
        now = await report()
        return HealthView(
            state=now.state, made_at=now.made_at, processes=[ProcessView.of(process) for process in now.processes]
        )

    return router


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
