"""Measures how well times that people typed in five languages are read: right, wrong, asked back, or not understood.

The data is not part of the project: TIMES_DATA (or --data) names a folder with `expressions.jsonl`, lines with `lang`,
`text`, `grain` and `value`, what the text means when it is said on 12 February 2013 at 4:30, or null where it means no
time. Right is one reading that has the value, up to its grain, and nothing understood where there is none. To give two
readings is to ask back.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most, table
from memory.language.detect import Language
from memory.language.time_meaning import Understood
from memory.language.times import when

SEEN_FROM = datetime(2013, 2, 12, 4, 30, tzinfo=UTC)
LEAST_RIGHT, MOST_WRONG = 60.0, 2.0
_FIELDS = {"second": 6, "minute": 5, "hour": 4, "day": 3}
"""How many fields of a time there are at each grain; what is coarser begins on a day too."""


@dataclass(frozen=True, slots=True)
class Expression:
    language: Language
    text: str
    value: datetime | None
    grain: str


def expressions(data: Path) -> Iterator[Expression]:
    for line in (data / "expressions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        value = None if row["value"] is None else datetime.fromisoformat(row["value"])
        yield Expression(Language(row["lang"]), row["text"], value, (row.get("grain") or "day").lower())


def verdict(expression: Expression, understood: Understood | None) -> str:
    if understood is None:
        return "right" if expression.value is None else "none"
    if expression.value is None:
        return "wrong"
    if len(understood.readings) > 1:
        return "asked"
    said, meant = (
        moment.timetuple()[: _FIELDS.get(expression.grain, 3)]
        for moment in (understood.readings[0].wall, expression.value)
    )
    return "right" if said == meant else "wrong"


def measured(data: Path, show: str = "") -> list[Figure]:
    counts: Counter[tuple[str, str]] = Counter()
    same_grain = 0
    for expression in expressions(data):
        understood = when(expression.text, SEEN_FROM, expression.language)
        found = verdict(expression, understood)
        counts.update(((expression.language, found), ("all", found)))
        if found == "right" and understood is not None:
            same_grain += understood.readings[0].grain == expression.grain
        if found == show:
            walls = [str(reading.wall) for reading in understood.readings] if understood else []
            print(f"{found} {expression.language}: {expression.text!r}, meant {expression.value}, read {walls}")
    figures = []
    for group in ("all", *Language):
        total = sum(count for (name, _), count in counts.items() if name == group)
        bars = {"right": at_least(LEAST_RIGHT), "wrong": at_most(MOST_WRONG)} if group == "all" else {}
        for found in ("right", "wrong", "asked", "none") if total else ():
            name = f"times, {group}, {total} expressions: {found}"
            figures.append(Figure(name, 100 * counts[group, found] / total, "%", bars.get(found)))
    return [*figures, Figure("times: right ones that are as exact as was said", same_grain, "expressions")]


async def measure(full: bool) -> list[Figure]:
    del full
    data = os.environ.get("TIMES_DATA")
    if data is None:
        print("TIMES_DATA is not set: reading times is not measured", file=sys.stderr)
        return []
    return measured(Path(data))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.times", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("TIMES_DATA"), help="the expressions")
    parser.add_argument("--show", default="", choices=("", "right", "wrong", "asked", "none"), help="print these")
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the folder of the expressions: --data")
    figures = measured(options.data, options.show)
    print(table(figures))
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
