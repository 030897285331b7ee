"""Holds what a benchmark reports: named figures, each with the bar it has to hold, if there is one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Bar:
    """Sets the limit that a figure must not cross."""

    limit: float
    at_least: bool = True

    def holds(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:,g}"


@dataclass(frozen=True, slots=True)
class Figure:
    """Holds one measured number. Without a bar it is there for comparison only."""

    name: str
    value: float
    unit: str
    bar: Bar | None = None

    @property
    def ok(self) -> bool:
        return self.bar is None or self.bar.holds(self.value)

    def as_json(self) -> dict[str, object]:
        bar = None if self.bar is None else str(self.bar)
        return {"name": self.name, "value": round(self.value, 4), "unit": self.unit, "bar": bar, "ok": self.ok}


def at_least(limit: float) -> Bar:
    return Bar(limit)


def at_most(limit: float) -> Bar:
    return Bar(limit, at_least=False)


# A benchmark gets True for the long version, and reports its figures.
Benchmark: TypeAlias = Callable[[bool], Awaitable[list[Figure]]]


def table(figures: list[Figure]) -> str:
    """Align the figures in columns for a terminal."""
    rows = [("figure", "value", "unit", "bar", "")]
    for figure in figures:
        verdict = "" if figure.bar is None else ("ok" if figure.ok else "MISSED")
        rows.append(
            (
                figure.name,
                f"{figure.value:,.4g}" if figure.value < 100 else f"{figure.value:,.0f}",
                figure.unit,
                "" if figure.bar is None else str(figure.bar),
                verdict,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = []
    for name, value, unit, bar, verdict in rows:
        cells = (name.ljust(widths[0]), value.rjust(widths[1]), unit.ljust(widths[2]), bar.ljust(widths[3]), verdict)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
