"""How it is doing, what is in memory, and how much comes in: for everyone as far as they may know."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from nicegui import ui

from memory.access.values import Door
from memory.core.values import Category
from memory.health import PartState
from memory.language.time_zones import COMMON, zone_meant
from memory.language.wording import wording
from memory.policy.settings import FIELDS
from web.guard import is_local
from web.panel.elements import heading, weight
from web.panel.health import ICONS, health_details
from web.panel.shell import Visit
from web.words import Panel

SPANS = (7, 30, 90)
# Each stands out from a light ground and from a dark one.
BAR = "#c4662a"
LINE = "#8886"
COLOURS = dict(zip(Category, (BAR, "#4f9d78", "#6f8fd8", "#c76f9b", "#9b80d0"), strict=True))
IMPORTANCE = {"gray": "#8d9196", "blue": "#4f86d9", "orange": "#d9822b", "red": "#d9534a"}
_STATUS = {
    PartState.ACTIVE: "status_well",
    PartState.INITIALIZING: "status_starting",
    PartState.FAILING: "status_trouble",
}
_LIMITED = ("status_trouble", "info", "warning")
_CHANNEL = re.compile(r"<#(\d{1,20})>")


async def body(visit: Visit) -> None:
    await _Welcome(visit).show()
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
        words, icon, colour = _LIMITED if found.is_limited else (_STATUS[found.state], *ICONS[found.state])
        alone = runs_it or len(await visit.memory.people.known_guilds()) == 1
        with self._health:
            with ui.row().classes("items-center no-wrap"):
                ui.icon(icon, color=colour, size="md").props('aria-hidden="true"')
                ui.label(visit.bot("notice", words)).classes("heading").props('role="status"')
            for issue in found.here:
                ui.label(self._named(issue)).classes("said")
            if found.in_log and not runs_it:
                ui.label(visit.bot("notice", "status_in_log"))
            if not (door.is_manager or runs_it):
                return
            with ui.expansion(visit.bot("notice", "status_details")).classes("full-width"):
                guild_id = door.guild_id if door.is_manager else None
                health_details(
                    report, guild_id, visit.speech, visit.zone, self._named, runs_it=runs_it, with_counts=alone
                )

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
            with ui.row().classes("full-width figures"):
                for words, count in counts.items():
                    with ui.column().classes("tight"):
                        ui.label(f"{count:,}").classes("figure")
                        ui.label(words).classes("text-caption")

    async def show(self, door: Door, days: int) -> None:
        visit, overview = self._visit, self._visit.memory.overview
        said = await overview.messages(door.reader, days)
        plots = [Plot(visit.say(Panel.MESSAGES_A_DAY), {"": (BAR, said)})]
        came = await overview.memories(door.reader, days)
        if came:
            kinds = {one: wording(visit.speech.language, one) for one in Category}
            by_kind: Series = {
                words: (COLOURS[kind], _summed(said, ((one.day, one.count) for one in came if one.category is kind)))
                for kind, words in kinds.items()
            }
            by_importance: Series = {
                words: (
                    IMPORTANCE[band],
                    _summed(said, ((one.day, one.count) for one in came if weight(one.importance) == band)),
                )
                for band, words in zip(IMPORTANCE, ("1–3", "4–6", "7–8", "9–10"), strict=True)
            }
            plots.append(Plot(visit.say(Panel.MEMORIES_BY_KIND), by_kind))
            plots.append(Plot(visit.say(Panel.MEMORIES_BY_IMPORTANCE), by_importance))
        if door.is_manager:
            spent = await visit.memory.metering.by_day(door.guild_id, days)
            plots.append(
                Plot(visit.say(Panel.CALLS_A_DAY), {"": (BAR, {day: one.calls for day, one in spent.items()})})
            )
            if any(one.cost for one in spent.values()):
                currency = (await visit.memory.metering.usage(door.guild_id)).currency
                costs = {day: float(one.cost) for day, one in spent.items()}
                plots.append(Plot(visit.say(Panel.COST_A_DAY, currency=currency), {"": (BAR, costs)}))
        self._plots.clear()
        with self._plots:
            for plot in plots:
                plot.draw(visit)

    def _named(self, issue: str) -> str:
        """With the names of channels that they can read."""
        names = self._visit.memory.places.names(self._visit.door.reader)
        return _CHANNEL.sub(lambda found: f"#{names.get(int(found[1]), '…')}", issue)


Series: TypeAlias = dict[str, tuple[str, Mapping[date, float]]]
"""By name, each with its colour; without a name, if there is only one."""


def _summed(days: Iterable[date], counts: Iterable[tuple[date, int]]) -> dict[date, float]:
    """With a zero for days without any."""
    sums: dict[date, float] = dict.fromkeys(days, 0)
    for day, count in counts:
        sums[day] = sums.get(day, 0) + count
    return sums


@dataclass(frozen=True, slots=True)
class Plot:
    """Bars for days, one on top of another where there are several series; and the same as a table."""

    title: str
    series: Series

    def draw(self, visit: Visit) -> None:
        heading(self.title, "subheading")
        days = list(next(iter(self.series.values()))[1])
        shown = {name: one for name, one in self.series.items() if not name or any(one[1].values())}
        numbers = [value for _, values in shown.values() for value in values.values()]
        options = {
            "aria": {"enabled": True, "label": {"description": f"{self.title}: {max(numbers):,.6g}"}},
            "animation": False,
            "textStyle": {"fontFamily": "inherit"},
            "legend": {"show": len(self.series) > 1, "top": 0, "left": 0, "itemWidth": 14},
            "grid": {
                "left": 8,
                "right": 8,
                "top": 36 if len(self.series) > 1 else 12,
                "bottom": 8,
                "containLabel": True,
            },
            "tooltip": {"trigger": "axis"},
            "xAxis": {"type": "category", "data": [visit.speech.day_of_year(day) for day in days]},
            "yAxis": {
                "type": "value",
                "splitLine": {"lineStyle": {"color": LINE}},
                "minInterval": 0 if any(one % 1 for one in numbers) else 1,
            },
            "series": [
                {
                    "type": "bar",
                    "name": name or self.title,
                    "stack": "all",
                    "data": list(values.values()),
                    "itemStyle": {"color": colour},
                }
                for name, (colour, values) in shown.items()
            ],
        }
        ui.echart(options, renderer="svg").classes("full-width plot").props('role="img"')
        names = {f"value{number}": name or self.title for number, name in enumerate(shown)}
        columns = [{"name": "day", "label": visit.say(Panel.DAY), "field": "day", "align": "left"}]
        columns += [{"name": key, "label": name, "field": key} for key, name in names.items()]
        rows = [
            {"day": visit.speech.day(day)}
            | {key: round(values[day], 4) for key, (_, values) in zip(names, shown.values(), strict=True)}
            for day in days
        ]
        with ui.expansion(visit.say(Panel.AS_TABLE)).classes("full-width"):
            ui.table(columns=columns, rows=rows, row_key="day").props("dense flat").classes("full-width")


class _Welcome:
    """Where nobody has set the server up: its time zone first, then all other settings."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    async def show(self) -> None:
        visit, door = self._visit, self._visit.door
        settings = await visit.memory.privacy.settings(door.guild_id)
        if not door.is_manager or settings.set_up_at is not None:
            return
        zone = FIELDS["time_zone"]
        with ui.card().classes("full-width"):
            heading(visit.say(Panel.WELCOME))
            ui.label(visit.say(Panel.WELCOME_HELP))
            with ui.row().classes("items-start full-width"):
                self._zone = ui.input(
                    zone.label(visit.speech.language), value=str(visit.zone), autocomplete=list(COMMON)
                )
                self._zone.props("dense outlined").style("min-width: 16rem")
                ui.button(visit.say(Panel.WELCOME_GO_ON), on_click=visit.event(self._go_on))
            ui.label(zone.help(visit.speech.language)).classes("text-caption")

    async def _go_on(self, door: Door, _: object) -> None:
        visit, now = self._visit, self._visit.memory.clock.now()
        typed = str(self._zone.value or "")
        if not door.is_manager:
            ui.notify(visit.say(Panel.ONLY_MANAGERS), type="warning")
            return
        if (meant := await asyncio.to_thread(zone_meant, typed)) is None:
            self._zone.props("error")
            unknown = visit.bot("notice", "zone_unknown", typed=typed[:60])
            self._zone.props["error-message"] = f"{unknown} {visit.bot('notice', 'zone_hint')}"
            return
        await visit.memory.privacy.change_settings(
            door.guild_id, lambda settings: replace(settings, time_zone=meant, set_up_at=now), door.user_id
        )
        ui.navigate.to("/panel/settings")
