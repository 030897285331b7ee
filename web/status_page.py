"""A page that shows at a glance how every part is, and renews itself."""

from datetime import UTC, datetime, timedelta

from fastapi import Request
from nicegui import ui

from memory.health import PartHealth, PartState, ProcessHealth
from web.health_api import Reporter, shown_to, unready

REFRESH_S = 5.0
COLOURS = {PartState.ACTIVE: "positive", PartState.INITIALIZING: "warning", PartState.FAILING: "negative"}
ICONS = {PartState.ACTIVE: "check_circle", PartState.INITIALIZING: "hourglass_empty", PartState.FAILING: "error"}


def add_status_page(path: str, report: Reporter) -> None:
    @ui.page(path, title="Innkeeper · status")
    async def status(request: Request) -> None:
        @ui.refreshable
        async def parts() -> None:
            now = shown_to(request, await report())
            reasons = unready(now)
            ui.label("All is well." if not reasons else "Something needs attention.").classes("text-h6").props(
                'role="status"'
            )
            for process in now.processes:
                _process(process, now.made_at)

        with ui.column().classes("full-width q-pa-md q-gutter-y-md").style("max-width: 48rem; margin: 0 auto"):
            ui.label("Innkeeper").classes("text-h4")
            await parts()
        ui.timer(REFRESH_S, parts.refresh)


def _process(process: ProcessHealth, now: datetime) -> None:
    with ui.card().classes("full-width"):
        ui.label(f"{process.process} · up {ago(now - process.started_at)}").classes("text-subtitle1")
        for issue in process.issues:
            ui.label(issue).classes("text-negative")
        for part in process.parts:
            _part(part, now)


def _part(part: PartHealth, now: datetime) -> None:
    with ui.row().classes("full-width items-start no-wrap q-gutter-x-sm"):
        ui.icon(ICONS[part.state], color=COLOURS[part.state], size="sm").props('aria-hidden="true"')
        with ui.column().style("gap: 0"):
            ui.label(f"{part.name}: {part.state.value} for {ago(now - part.since)}")
            for issue in part.issues:
                ui.label(issue).classes("text-negative")
            if part.counts:
                said = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in part.counts.items())
                ui.label(said).classes("text-caption")
            if part.updated_at:
                ui.label(f"last update {part.updated_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC").classes("text-caption")


def ago(span: timedelta) -> str:
    """The largest unit alone: nobody reads seconds of a week."""
    seconds = max(0, int(span.total_seconds()))
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {name}{'s' if count > 1 else ''}"
    return f"{seconds} seconds"
