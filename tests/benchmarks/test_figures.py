"""A benchmark's figures: bars are held or missed, and the report says which."""

from __future__ import annotations

import pytest

from benchmarks.figures import Bar, Figure, at_least, at_most, table


@pytest.mark.parametrize(
    ("value", "bar", "ok"),
    [
        (5_000, at_least(5_000), True),
        (4_999, at_least(5_000), False),
        (1.0, at_most(1.0), True),
        (1.1, at_most(1.0), False),
        (0, None, True),
    ],
)
def test_a_bar_is_held_or_missed(value: float, bar: Bar | None, ok: bool) -> None:
    assert Figure("rate", value, "messages/s", bar).ok is ok


def test_a_figure_as_json() -> None:
    figure = Figure("rate", 8271.79781, "messages/s", at_least(5_000))
    assert figure.as_json() == {"name": "rate", "value": 8271.7978, "unit": "messages/s", "bar": "≥ 5,000", "ok": True}
    assert Figure("rate", 1, "s").as_json()["bar"] is None


def test_the_table_names_what_was_missed() -> None:
    lines = table([Figure("rate", 8_000, "messages/s", at_least(5_000)), Figure("share", 0.5, "", at_least(0.9))])
    kept, missed = lines.splitlines()[1:]
    assert "8,000" in kept
    assert kept.endswith("ok")
    assert missed.endswith("MISSED")
