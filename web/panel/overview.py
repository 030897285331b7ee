"""Shows how Innkeeper is doing, what is in memory, how much comes in, and what models were used for."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, tzinfo
from decimal import Decimal
from typing import TypeAlias

from nicegui import ui

from memory.access import Door
from memory.core.values import Category
from memory.health import Area, Condition, HealthReport, PartState
from memory.language.time_zones import COMMON, zone_meant
from memory.language.wording import wording
from memory.models.usage import DailyBudget, Spending, UsageReport
from memory.policy.settings import FIELDS
from web.guard import is_local
from web.panel.shell import Visit, capitalised, heading, weight
from web.words import Panel, Speech

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
_CHANNEL = re.compile(r"<#(\d{1,20})>")


async def body(visit: Visit) -> None:
    await _welcome(visit)
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
        """Show all of health to whoever asks from this machine; to a manager what is wrong on their server."""
        visit, door, runs_it = self._visit, self._visit.door, is_local(ui.context.client.request)
        report = await visit.memory.heartbeat.report()
        found = report.condition(door.guild_id if door.is_manager else None)
        alone = runs_it or len(await visit.memory.people.known_guilds()) == 1
        with self._health:
            health_sentence(found, visit.speech, visit.zone, tells_more=door.is_manager or runs_it)
            for issue in found.here:
                ui.label(self._named(issue)).classes("said")
            if found.in_log and not runs_it:
                ui.label(visit.bot("notice", "status_in_log"))
            if not (door.is_manager or runs_it):
                return
            with ui.expansion(visit.bot("notice", "status_details")).classes("full-width"):
                guild_id = door.guild_id if door.is_manager else None
                health_details(report, guild_id, visit.speech, visit.zone, self._named, runs_it=runs_it)
                with ui.expansion(visit.say(Panel.NUMBERS)).classes("full-width"):
                    health_numbers(report, visit.speech, visit.zone, runs_it=runs_it, with_counts=alone)

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
        if visit.door.is_manager:
            said = await visit.memory.verdicts.counts(visit.door.guild_id)
            counts |= {visit.say(Panel.ANSWERS_RIGHT): said.right, visit.say(Panel.ANSWERS_WRONG): said.wrong}
        with self._held:
            heading(visit.say(Panel.IN_MEMORY))
            with ui.row().classes("full-width figures"):
                for words, count in counts.items():
                    with ui.column().classes("tight"):
                        ui.label(capitalised(words)).classes("text-caption")
                        ui.label(f"{count:,}").classes("figure")

    async def show(self, door: Door, days: int) -> None:
        visit, overview = self._visit, self._visit.memory.overview
        said = await overview.messages(door.reader, days)
        plots: dict[str, Series] = {visit.say(Panel.MESSAGES_A_DAY): {"": (BAR, said)}}
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
            plots[visit.say(Panel.MEMORIES_BY_KIND)] = by_kind
            plots[visit.say(Panel.MEMORIES_BY_IMPORTANCE)] = by_importance
        if door.is_manager:
            spent = await visit.memory.metering.by_day(door.guild_id, days)
            calls = {day: one.calls for day, one in spent.items()}
            if any(calls.values()):
                plots[visit.say(Panel.CALLS_A_DAY)] = {"": (BAR, calls)}
            if any(one.cost for one in spent.values()):
                currency = (await visit.memory.metering.usage(door.guild_id)).currency
                costs = {day: float(one.cost) for day, one in spent.items()}
                plots[visit.say(Panel.COST_A_DAY, currency=currency)] = {"": (BAR, costs)}
        self._plots.clear()
        with self._plots:
            for words, series in plots.items():
                _plot(visit, words, series)

    def _named(self, issue: str) -> str:
        """Put into an issue the names of channels that the reader can read."""
        names = self._visit.memory.places.names(self._visit.door.reader)
        return _CHANNEL.sub(lambda found: f"#{names.get(int(found[1]), '…')}", issue)


Series: TypeAlias = dict[str, tuple[str, Mapping[date, float]]]
"""By name, each with its colour; without a name, if there is only one."""


def _summed(days: Iterable[date], counts: Iterable[tuple[date, int]]) -> dict[date, float]:
    """Sum counts by day, with a zero for days without any."""
    sums: dict[date, float] = dict.fromkeys(days, 0)
    for day, count in counts:
        sums[day] = sums.get(day, 0) + count
    return sums


def _plot(visit: Visit, title: str, series: Series) -> None:
    """Draw bars for days, one on top of another where there are several series; and the same as a table."""
    heading(title, "subheading")
    days = list(next(iter(series.values()))[1])
    shown = {name: one for name, one in series.items() if not name or any(one[1].values())}
    numbers = [value for _, values in shown.values() for value in values.values()]
    options = {
        "aria": {"enabled": True, "label": {"description": f"{title}: {max(numbers):,.6g}"}},
        "animation": False,
        "textStyle": {"fontFamily": "inherit"},
        "legend": {"show": len(series) > 1, "top": 0, "left": 0, "itemWidth": 14},
        "grid": {
            "left": 8,
            "right": 8,
            "top": 36 if len(series) > 1 else 12,
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
                "name": name or title,
                "stack": "all",
                "data": list(values.values()),
                "itemStyle": {"color": colour},
            }
            for name, (colour, values) in shown.items()
        ],
    }
    ui.echart(options, renderer="svg").classes("full-width plot").props('role="img"')
    names = {f"value{number}": name or title for number, name in enumerate(shown)}
    columns = [{"name": "day", "label": visit.say(Panel.DAY), "field": "day", "align": "left"}]
    columns += [{"name": key, "label": name, "field": key} for key, name in names.items()]
    rows = [
        {"day": visit.speech.day(day)}
        | {key: round(values[day], 4) for key, (_, values) in zip(names, shown.values(), strict=True)}
        for day in days
    ]
    with ui.expansion(visit.say(Panel.AS_TABLE)).classes("full-width"):
        ui.table(columns=columns, rows=rows, row_key="day").props("dense flat").classes("full-width")


async def _welcome(visit: Visit) -> None:
    """Ask, where nobody has set the server up, for its time zone first, then for all other settings."""
    settings = await visit.memory.privacy.settings(visit.door.guild_id)
    if not visit.door.is_manager or settings.set_up_at is not None:
        return
    field, language = FIELDS["time_zone"], visit.speech.language
    with ui.card().classes("full-width"):
        heading(visit.say(Panel.WELCOME))
        ui.label(visit.say(Panel.WELCOME_HELP))
        with ui.row().classes("items-start full-width"):
            zone = ui.input(field.label(language), value=str(visit.zone), autocomplete=list(COMMON))
            zone.props("dense outlined").style("min-width: 16rem")

            async def go_on(door: Door, _: object) -> None:
                now, typed = visit.memory.clock.now(), str(zone.value or "")
                if not door.is_manager:
                    ui.notify(visit.say(Panel.ONLY_MANAGERS), type="warning")
                    return
                if (meant := await asyncio.to_thread(zone_meant, typed)) is None:
                    zone.props("error")
                    unknown = visit.bot("notice", "zone_unknown", typed=typed[:60])
                    zone.props["error-message"] = f"{unknown} {visit.bot('notice', 'zone_hint')}"
                    return
                await visit.memory.privacy.change_settings(
                    door.guild_id, lambda settings: replace(settings, time_zone=meant, set_up_at=now), door.user_id
                )
                ui.navigate.to("/panel/settings")

            ui.button(visit.say(Panel.WELCOME_GO_ON), on_click=visit.event(go_on))
        ui.label(field.help(language)).classes("text-caption")


# How every part is, by area, for the overview and for `/status`.


ICONS = {
    PartState.ACTIVE: ("check_circle", "positive"),
    PartState.INITIALIZING: ("hourglass_empty", "warning"),
    PartState.FAILING: ("error", "negative"),
}
LIMITED = ("info", "warning")


def health_sentence(found: Condition, speech: Speech, zone: tzinfo = UTC, *, tells_more: bool) -> None:
    """Say how Innkeeper is; and what is wrong and since when, to whoever may know that."""
    said, when = speech.bot("notice", _STATUS[found.state]), found.since and speech.moment(found.since, zone)
    if tells_more and found.is_limited:
        said = speech.bot("notice", "status_here", when=when)
    elif tells_more and found.areas:
        what = ", ".join(speech.bot("notice", f"area_{area}") for area in found.areas)
        said = speech.bot("notice", "status_not_working", when=when, what=what)
    icon, colour = LIMITED if found.is_limited else ICONS[found.state]
    with ui.row().classes("items-center no-wrap"):
        ui.icon(icon, color=colour, size="md").props('aria-hidden="true"')
        ui.label(said).classes("heading").props('role="status"')


def health_details(
    report: HealthReport,
    guild_id: int | None,
    speech: Speech,
    zone: tzinfo = UTC,
    named: Callable[[str], str] = str,
    *,
    runs_it: bool,
) -> None:
    """List by area the parts with trouble, and in one line those that are well.

    Whoever runs it sees every issue, others what is wrong in their guild. `named` puts the names of channels into one.
    """
    for process in report.processes:
        for issue in process.issues if runs_it else ():
            ui.label(f"{process.process}: {issue}").classes("said text-negative")
    everywhere = [part for process in report.processes for part in process.parts]
    for area in Area:
        parts = [part for part in everywhere if part.area is area]
        if parts:
            heading(speech.bot("notice", f"area_{area}"), "subheading", level=3)
        well: set[str] = set()
        for part in parts:
            here = part.guild_issues.get(guild_id or 0)
            issues = part.issues if runs_it else () if here is None else (here,)
            state = part.state if runs_it else part.state_in(guild_id)
            if state is PartState.ACTIVE and not issues:
                well.add(part.name)
                continue
            said = speech.bot("notice", f"part_{state}", name=part.name, when=speech.moment(part.since, zone))
            _lines(*(LIMITED if state is PartState.ACTIVE else ICONS[state]), [said, *map(named, issues)])
        if well:
            _lines(*ICONS[PartState.ACTIVE], [", ".join(sorted(well))])


def health_numbers(
    report: HealthReport, speech: Speech, zone: tzinfo = UTC, *, runs_it: bool, with_counts: bool
) -> None:
    """Show what each part has counted; and to whoever runs it, when it last had work."""
    for process in report.processes:
        ui.label(f"{process.process} · {speech.since(process.started_at, zone)}").classes("text-weight-medium")
        for part in process.parts:
            numbers = [f"{count:,} {name.replace('_', ' ')}" for name, count in part.counts.items() if with_counts]
            if runs_it and part.updated_at is not None:
                numbers.append(speech.say(Panel.LAST_UPDATE, when=speech.moment(part.updated_at, zone)))
            if numbers:
                ui.label(f"{part.name}: {', '.join(numbers)}").classes("text-caption said")


def _lines(icon: str, colour: str, lines: Sequence[str]) -> None:
    with ui.row().classes("items-start no-wrap full-width"):
        ui.icon(icon, color=colour).props('aria-hidden="true"')
        with ui.column().classes("col tight"):
            for line in lines:
                ui.label(line).classes("said")


# What models were used for, and what is left of the budget, as `/innkeeper usage` tells it.


PURPOSES = frozenset(("answer", "summarise", "small", "embed", "see", "hear"))


async def usage(visit: Visit) -> None:
    report = await visit.memory.metering.usage(visit.door.guild_id)
    if not report.has_model:
        ui.label(visit.bot("notice", "usage_no_model"))
    else:
        ui.label(_budget(report.budget, visit))
        if report.budget.tokens:
            spent = min(report.budget.spent / report.budget.tokens, 1.0)
            ui.linear_progress(spent, show_value=False, size="12px").props('aria-hidden="true"')
    for title, span in (("usage_today", report.today), ("usage_week", report.week), ("usage_month", report.month)):
        _span(visit.bot("notice", title), span, report, visit)
    remarks = []
    if any(one.tally.is_estimated for one in report.month):
        remarks.append(visit.bot("notice", "usage_estimated"))
    if report.budget.tokens and any(one.tally.purpose == "embed" for one in report.month):
        remarks.append(visit.bot("notice", "usage_vectors_apart"))
    unpriced = sorted({one.tally.model for one in report.month if one.cost is None})
    if unpriced:
        remarks.append(visit.bot("notice", "usage_no_price", models=", ".join(unpriced)))
    for remark in remarks:
        ui.label(remark).classes("text-caption said")


def _budget(budget: DailyBudget, visit: Visit) -> str:
    if not budget.tokens:
        return visit.bot("notice", "usage_no_budget")
    return visit.bot(
        "notice",
        "usage_budget",
        spent=f"{budget.spent:,}",
        budget=f"{budget.tokens:,}",
        left=budget.left * 100 // budget.tokens,
        when=visit.moment(budget.renewed_at),
    )


def _span(title: str, spent: Sequence[Spending], report: UsageReport, visit: Visit) -> None:
    with ui.card().classes("full-width"):
        heading(title)
        if not spent:
            ui.label(visit.bot("notice", "usage_nothing"))
            return
        about = "~" if any(one.tally.is_estimated for one in spent) else ""
        said = [visit.bot("notice", "usage_sum", tokens=f"{about}{sum(one.tally.tokens for one in spent):,}")]
        known = [one.cost for one in spent if one.cost is not None]
        ui.label(", ".join([*said, *([_money(sum(known, Decimal(0)), report)] if known else [])]))
        for one in spent:
            ui.label(_line(one, report, visit)).classes("said")


def _line(one: Spending, report: UsageReport, visit: Visit) -> str:
    tally, about = one.tally, "~" if one.tally.is_estimated else ""
    doing = visit.bot("notice", f"usage_{tally.purpose}") if tally.purpose in PURPOSES else tally.purpose
    said = [visit.bot("notice", "usage_calls", count=tally.calls)]
    if tally.failed:
        said.append(visit.bot("notice", "usage_failed", failed=f"{tally.failed:,}"))
    sent, received = f"{about}{tally.tokens_in:,}", f"{about}{tally.tokens_out:,}"
    said.append(visit.bot("notice", "usage_tokens", tokens_in=sent, tokens_out=received))
    said.append(visit.bot("notice", "usage_seconds", seconds=f"{tally.mean_seconds:.1f}"))
    said += [] if one.cost is None else [_money(one.cost, report)]
    return f"{doing}, {tally.model}: {', '.join(said)}"


def _money(amount: Decimal, report: UsageReport) -> str:
    return f"{amount:,.2f} {report.currency}" if not 0 < amount < Decimal("0.01") else f"< 0.01 {report.currency}"
