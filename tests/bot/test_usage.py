"""A guild's use of models as its managers read it: all of it in one message, in every language."""

from datetime import UTC, datetime
from decimal import Decimal

from bot.innkeeper import describe_usage
from bot.replies.split import LIMIT
from bot.words import Voice
from memory.language.detect import Language
from memory.models.usage import DailyBudget, Spending, Tally, UsageReport

MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)
ANSWERS = Spending(Tally("answer", "gemini-3.8-flash", 12, 2, 34_120, 2_310, False, 21_600), Decimal("0.0160"))
VECTORS = Spending(Tally("embed", "vectors", 3, 0, 5_000, 0, True, 900), None)
ENGLISH = Voice(Language.EN, "Bot")


def report(*today: Spending, budget: int = 1_000_000, spent: int = 36_430, has_model: bool = True) -> UsageReport:
    return UsageReport(has_model, DailyBudget(budget, spent, MIDNIGHT), "USD", today, today, today)


def test_every_number_has_its_place() -> None:
    lines = describe_usage(report(ANSWERS, VECTORS), ENGLISH).splitlines()
    assert lines[1] == "Today: 36.4k of 1M tokens used, 96 % left. Starts over <t:1767225600:R>."
    assert lines[3] == "**Today**: ~41.4k tokens in all, 0.02 USD"
    assert lines[4] == (
        "• answers, `gemini-3.8-flash`: 12 calls, 2 failed, 34.1k tokens sent, 2.31k received, 1.8 s each, 0.02 USD"
    )
    assert lines[5] == "• vectors, `vectors`: 3 calls, ~5k tokens sent, ~0 received, 0.3 s each"
    assert lines[-3:] == [
        "-# ~ is partly estimated: not every model says how many tokens it used.",
        "-# Vectors don't count towards the limit.",
        "-# I don't know the price of `vectors`. The person who runs me can set it (`MODEL_PRICES`).",
    ]


def test_the_fullest_report_fits_into_one_message(voice: Voice) -> None:
    most = 2**31 - 1
    full = [
        Spending(
            Tally(purpose, f"openai:a-very-long-name-of-a-model-{number}", most, most, most, most, True, most), cost
        )
        for number, cost in enumerate([Decimal("123456789.12"), None] * 6)
        for purpose in ("answer", "summarise", "small", "embed")
    ]
    words = describe_usage(report(*full, spent=most, budget=most), voice)
    assert len(words) <= LIMIT
    assert words.count("(+") == 3, "what is left out is counted"
