"""A guild's use of models as text for those who manage it, short enough for one message and for a phone."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from bot.notices.notice import Notice
from bot.phrases import Voice
from bot.reply import LIMIT
from memory.models.usage import DailyBudget, Spending, UsageReport

MOST_LINES = 8
"""For each span of time, if they fit."""
LONGEST_NAME = 40
MOST_NAMED = 3
EMBED = "embed"
CENT = Decimal("0.01")

_PURPOSES = {
    "answer": Notice.USAGE_ANSWER,
    "summarise": Notice.USAGE_SUMMARISE,
    "small": Notice.USAGE_SMALL,
    EMBED: Notice.USAGE_EMBED,
}


def describe_usage(report: UsageReport, voice: Voice) -> str:
    """What took most tokens comes first. Where not all of it fits, the rest is counted."""
    shown = [_described(report, voice, lines) for lines in range(MOST_LINES, 0, -1)]
    return next((words for words in shown if len(words) <= LIMIT), shown[-1])


def _described(report: UsageReport, voice: Voice, lines: int) -> str:
    head = [voice.say(Notice.USAGE_TITLE)]
    if not report.has_model:
        head.append(voice.say(Notice.USAGE_NO_MODEL))
    if not report.has_model and not report.month:
        return "\n".join(head)
    if report.has_model:
        head.append(_budget(report.budget, voice))
    spans = ((Notice.USAGE_TODAY, report.today), (Notice.USAGE_WEEK, report.week), (Notice.USAGE_MONTH, report.month))
    blocks = [_block(title, spent, report, voice, lines) for title, spent in spans]
    return "\n\n".join(["\n".join(head), *blocks, *_remarks(report, voice)])


def _budget(budget: DailyBudget, voice: Voice) -> str:
    if not budget.tokens:
        return voice.say(Notice.USAGE_NO_BUDGET)
    return voice.say(
        Notice.USAGE_BUDGET,
        spent=_short(budget.spent),
        budget=_short(budget.tokens),
        left=budget.left * 100 // budget.tokens,
        when=f"<t:{int(budget.renewed_at.timestamp())}:R>",
    )


def _block(title: Notice, spent: Sequence[Spending], report: UsageReport, voice: Voice, lines: int) -> str:
    if not spent:
        return f"**{voice.say(title)}**: {voice.say(Notice.USAGE_NOTHING)}"
    tokens = sum(one.tally.tokens for one in spent)
    about = "~" if any(one.tally.is_estimated for one in spent) else ""
    known = [one.cost for one in spent if one.cost is not None]
    said = [voice.say(Notice.USAGE_SUM, tokens=about + _short(tokens))]
    if known:
        said.append(_money(sum(known, Decimal(0)), report.currency))
    block = [f"**{voice.say(title)}**: {', '.join(said)}", *(_line(one, report, voice) for one in spent[:lines])]
    if len(spent) > lines:
        block.append(f"• … (+{len(spent) - lines})")
    return "\n".join(block)


def _line(spending: Spending, report: UsageReport, voice: Voice) -> str:
    tally = spending.tally
    about = "~" if tally.is_estimated else ""
    said = [voice.say(Notice.USAGE_CALLS, calls=_short(tally.calls))]
    if tally.failed:
        said.append(voice.say(Notice.USAGE_FAILED, failed=_short(tally.failed)))
    sent, received = about + _short(tally.tokens_in), about + _short(tally.tokens_out)
    said.append(voice.say(Notice.USAGE_TOKENS, tokens_in=sent, tokens_out=received))
    said.append(voice.say(Notice.USAGE_SECONDS, seconds=f"{tally.mean_seconds:.1f}"))
    if spending.cost is not None:
        said.append(_money(spending.cost, report.currency))
    purpose = _PURPOSES.get(tally.purpose)
    doing = voice.say(purpose) if purpose is not None else tally.purpose
    return f"• {doing}, {_name(tally.model)}: {', '.join(said)}"


def _remarks(report: UsageReport, voice: Voice) -> list[str]:
    """What the numbers leave out, as one paragraph or none."""
    remarks = []
    if any(one.tally.is_estimated for one in report.month):
        remarks.append(voice.say(Notice.USAGE_ESTIMATED))
    if report.budget.tokens and any(one.tally.purpose == EMBED for one in report.month):
        remarks.append(voice.say(Notice.USAGE_VECTORS_APART))
    unpriced = sorted({one.tally.model for one in report.month if one.cost is None})
    if unpriced:
        remarks.append(voice.say(Notice.USAGE_NO_PRICE, models=_listed(unpriced, voice)))
    return ["\n".join(remarks)] if remarks else []


def _listed(models: Sequence[str], voice: Voice) -> str:
    named = ", ".join(_names(models[:MOST_NAMED]))
    rest = len(models) - MOST_NAMED
    return voice.say(Notice.AND_MORE, listed=named, count=rest) if rest > 0 else named


def _names(models: Iterable[str]) -> list[str]:
    return [_name(model) for model in models]


def _name(model: str) -> str:
    """As it stands in the settings, and nothing else: no line breaks, no markup."""
    plain = " ".join(model.replace("`", "'").split())
    return f"`{plain if len(plain) <= LONGEST_NAME else plain[: LONGEST_NAME - 1] + '…'}`"


def _short(number: int) -> str:
    """950, 3.4k, 120k, 1.25M: as many digits as a phone has room for."""
    for unit, size in (("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)):
        if number >= size:
            return f"{number / size:.3g}{unit}" if number < 999.5 * size else f"{number // size:,}{unit}"
    return str(number)


def _money(amount: Decimal, currency: str) -> str:
    if 0 < amount < CENT:
        return f"< {CENT} {currency}"
    return f"{amount.quantize(CENT) if amount else 0:,} {currency}"
