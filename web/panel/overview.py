"""How it is doing, what is in memory, and how much comes in: for everyone as far as they may know."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from nicegui import ui

from memory.access.values import Door
from memory.health import PartHealth, PartState
from web.guard import is_local
from web.panel.elements import heading
from web.panel.shell import Visit, moment
from web.words import Panel

SPANS = (7, 30, 90)
BAR = "#c4662a"
"""Stands out from a light ground and from a dark one."""
_STATUS = {
    PartState.ACTIVE: ("status_well", "check_circle", "positive"),
    PartState.INITIALIZING: ("status_starting", "hourglass_empty", "warning"),
    PartState.FAILING: ("status_trouble", "error", "negative"),
}
_LIMITED = ("status_trouble", "info", "warning")
_CHANNEL = re.compile(r"<#(\d{1,20})>")


async def body(visit: Visit) -> None:
    page = _OverviewPage(visit)
    await page.health()
    await page.held()
    await page.show(visit.door, SPANS[0])


class _OverviewPage:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._health = ui.card().classes("full-width")
        self._held = ui.card().classes("full-width")
        with ui.card().classes("full-width"):
            spans = {days: visit.say(Panel.LAST_DAYS, count=days) for days in SPANS}
            ui.toggle(spans, value=SPANS[0], on_change=visit.event(lambda door, sent: self.show(door, sent.value)))
            self._plots = ui.column().classes("full-width")

    async def health(self) -> None:
        """All of it to whoever asks from this machine; to a manager what is wrong on their server."""
        visit, door, runs_it = self._visit, self._visit.door, is_local(ui.context.client.request)
        report = await visit.memory.heartbeat.report()
        found = report.condition(door.guild_id if door.is_manager else None)
        words, icon, colour = _LIMITED if found.is_limited else _STATUS[found.state]
        alone = runs_it or len(await visit.memory.people.known_guilds()) == 1
        with self._health:
            with ui.row().classes("items-center no-wrap"):
                ui.icon(icon, color=colour, size="md").props('aria-hidden="true"')
                ui.label(visit.bot("notice", words)).classes("text-h6").props('role="status"')
            for issue in found.here:
                ui.label(self._named(issue)).classes("said")
            if found.in_log and not runs_it:
                ui.label(visit.bot("notice", "status_in_log"))
            if not (door.is_manager or runs_it):
                return
            with ui.expansion(visit.bot("notice", "status_details")).classes("full-width"):
                for process in report.processes:
                    ui.label(f"{process.process} · {self._since(process.started_at)}").classes("text-subtitle2")
                    for issue in process.issues if runs_it else ():
                        ui.label(issue).classes("said text-negative")
                    for part in process.parts:
                        self._part(part, with_counts=alone, runs_it=runs_it)

    def _part(self, part: PartHealth, *, with_counts: bool, runs_it: bool) -> None:
        _, icon, colour = _STATUS[part.state]
        said = [f"{part.name}: {part.state.value}, {self._since(part.since)}"]
        said += [f"{name.replace('_', ' ')} {count:,}" for name, count in part.counts.items()] if with_counts else []
        here = part.guild_issues.get(self._visit.door.guild_id)
        issues = part.issues if runs_it else () if here is None else (here,)
        with ui.row().classes("items-start no-wrap full-width"):
            ui.icon(icon, color=colour).props('aria-hidden="true"')
            with ui.column().style("gap: 0; min-width: 0"):
                ui.label(", ".join(said)).classes("said")
                for issue in issues:
                    ui.label(self._named(issue)).classes("said text-negative")

    async def held(self) -> None:
        visit = self._visit
        held = await visit.memory.overview.held(visit.door.reader)
        counts = {
            visit.bot("notice", "gone_messages"): held.messages,
            visit.bot("notice", "gone_facts"): held.facts,
            visit.say(Panel.MEMORIES): held.memories,
            visit.bot("notice", "held_days"): held.days,
            visit.bot("notice", "held_channel_summaries"): held.summaries,
        }
        with self._held:
            heading(visit.say(Panel.IN_MEMORY))
            with ui.row().classes("full-width"):
                for words, count in counts.items():
                    with ui.column().style("gap: 0; min-width: 8rem"):
                        ui.label(f"{count:,}").classes("text-h5")
                        ui.label(words).classes("text-caption")

    async def show(self, door: Door, days: int) -> None:
        visit = self._visit
        said = await visit.memory.overview.messages(door.reader, days)
        plots: list[tuple[str, Mapping[date, float]]] = [(visit.say(Panel.MESSAGES_A_DAY), said)]
        if door.is_manager:
            spent = await visit.memory.metering.by_day(door.guild_id, days)
            plots.append((visit.say(Panel.CALLS_A_DAY), {day: one.calls for day, one in spent.items()}))
            if any(one.cost for one in spent.values()):
                currency = (await visit.memory.metering.usage(door.guild_id)).currency
                costs = {day: float(one.cost) for day, one in spent.items()}
                plots.append((visit.say(Panel.COST_A_DAY, currency=currency), costs))
        self._plots.clear()
        with self._plots:
            for title, values in plots:
                _plot(title, values, visit.say(Panel.AS_TABLE), visit.say(Panel.DAY))

    def _named(self, issue: str) -> str:
        """With the names of channels that they can read."""
        names = self._visit.memory.places.names(self._visit.door.reader)
        return _CHANNEL.sub(lambda found: f"#{names.get(int(found[1]), '…')}", issue)

    def _since(self, when: datetime) -> str:
        return self._visit.bot("notice", "held_since", when=f"{moment(when)} UTC")


def _plot(title: str, values: Mapping[date, float], as_table: str, day: str) -> None:
    heading(title, "text-subtitle1")
    days: Sequence[str] = [f"{one:%Y-%m-%d}" for one in values]
    options = {
        "aria": {"enabled": True, "label": {"description": f"{title}: {max(values.values()):,.6g}"}},
        "animation": False,
        "grid": {"left": 8, "right": 8, "top": 12, "bottom": 8, "containLabel": True},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "category", "data": days},
        "yAxis": {"type": "value", "minInterval": 0 if any(one % 1 for one in values.values()) else 1},
        "series": [{"type": "bar", "name": title, "data": list(values.values()), "itemStyle": {"color": BAR}}],
    }
    ui.echart(options, renderer="svg").classes("full-width plot").style("height: 13rem").props('role="img"')
    with ui.expansion(as_table).classes("full-width"):
        ui.table(
            columns=[
                {"name": "day", "label": day, "field": "day", "align": "left"},
                {"name": "value", "label": title, "field": "value"},
            ],
            rows=[{"day": one, "value": round(value, 4)} for one, value in zip(days, values.values(), strict=True)],
            row_key="day",
        ).props("dense flat").classes("full-width")
