"""What models were used for, and what is left of the budget, as `/innkeeper usage` tells it."""

from collections.abc import Sequence
from decimal import Decimal

from nicegui import ui

from memory.models.usage import DailyBudget, Spending, UsageReport
from web.panel.elements import heading
from web.panel.shell import Visit

PURPOSES = frozenset(("answer", "summarise", "small", "embed"))


async def body(visit: Visit) -> None:
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
    said = [visit.bot("notice", "usage_calls", calls=f"{tally.calls:,}")]
    if tally.failed:
        said.append(visit.bot("notice", "usage_failed", failed=f"{tally.failed:,}"))
    sent, received = f"{about}{tally.tokens_in:,}", f"{about}{tally.tokens_out:,}"
    said.append(visit.bot("notice", "usage_tokens", tokens_in=sent, tokens_out=received))
    said.append(visit.bot("notice", "usage_seconds", seconds=f"{tally.mean_seconds:.1f}"))
    said += [] if one.cost is None else [_money(one.cost, report)]
    return f"{doing}, {tally.model}: {', '.join(said)}"


def _money(amount: Decimal, report: UsageReport) -> str:
    return f"{amount:,.2f} {report.currency}" if not 0 < amount < Decimal("0.01") else f"< 0.01 {report.currency}"
