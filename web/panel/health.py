"""How every process and its parts are, for the overview and for `/status`."""

from collections.abc import Callable
from datetime import UTC, tzinfo

from nicegui import ui

from memory.health import HealthReport, PartHealth, PartState
from web.words import Panel, Speech

ICONS = {
    PartState.ACTIVE: ("check_circle", "positive"),
    PartState.INITIALIZING: ("hourglass_empty", "warning"),
    PartState.FAILING: ("error", "negative"),
}


def health_details(
    report: HealthReport,
    guild_id: int | None,
    speech: Speech,
    zone: tzinfo = UTC,
    named: Callable[[str], str] = str,
    *,
    runs_it: bool,
    with_counts: bool,
) -> None:
    """List all parts, those with trouble first. Whoever runs it sees every issue, others what is wrong in their guild;
    `named` puts the names of channels into an issue."""
    for process in report.processes:
        ui.label(f"{process.process} · {speech.since(process.started_at, zone)}").classes("text-subtitle2")
        for issue in process.issues if runs_it else ():
            ui.label(issue).classes("said text-negative")
        for part in sorted(process.parts, key=lambda one: one.state is PartState.ACTIVE):
            here = part.guild_issues.get(guild_id or 0)
            issues = part.issues if runs_it else () if here is None else (here,)
            with ui.row().classes("items-start no-wrap full-width part"):
                icon, colour = ICONS[part.state]
                ui.icon(icon, color=colour).props('aria-hidden="true"')
                with ui.column().classes("col tight"):
                    ui.label(f"{part.name}: {part.state.value}, {speech.since(part.since, zone)}").classes("said")
                    for issue in issues:
                        ui.label(named(issue)).classes("said text-negative")
                    small = [_counts(part)] if with_counts else []
                    if runs_it and part.updated_at is not None:
                        small.append(speech.say(Panel.LAST_UPDATE, when=speech.moment(part.updated_at, zone)))
                    if said := " · ".join(filter(None, small)):
                        ui.label(said).classes("text-caption said")


def _counts(part: PartHealth) -> str:
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in part.counts.items())
