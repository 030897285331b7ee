"""Runs the benchmarks: prints a table, writes results/latest.json, and fails when a bar is missed."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import traceback
from pathlib import Path
from time import perf_counter

from benchmarks import (
    asking,
    audience,
    browsing,
    catching_up,
    channels,
    daily,
    deleting,
    extraction,
    extracts,
    firehose,
    importing,
    ingest,
    memories,
    prompts,
    quotes,
    recall_quality,
    recall_speed,
    replies,
    shared_files,
    slope,
    taking_in,
    times,
)
from benchmarks.figures import Benchmark, Figure, table

# A new benchmark is one module with a `measure(full)` and its line here.
BENCHMARKS: dict[str, Benchmark] = {
    "firehose": firehose.measure,
    "ingest": ingest.measure,
    "catching_up": catching_up.measure,
    "importing": importing.measure,
    "audience": audience.measure,
    "taking_in": taking_in.measure,
    "recall_speed": recall_speed.measure,
    "recall_quality": recall_quality.measure,
    "prompts": prompts.measure,
    "quotes": quotes.measure,
    "replies": replies.measure,
    "extracts": extracts.measure,
    "channels": channels.measure,
    "extraction": extraction.measure,
    "daily": daily.measure,
    "memories": memories.measure,
    "times": times.measure,
    "asking": asking.measure,
    "deleting": deleting.measure,
    "browsing": browsing.measure,
    "shared_files": shared_files.measure,
    "slope": slope.measure,
}
ONLY_FULL = frozenset(["slope"])
"""As long as all others together: by itself, or with --full."""

RESULTS = Path(__file__).parent / "results" / "latest.json"


async def run(names: list[str], full: bool) -> tuple[list[Figure], list[str]]:
    """Run the benchmarks; return what was measured, and the names of those that failed: the others go on."""
    figures: list[Figure] = []
    failed: list[str] = []
    for name in names:
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        started = perf_counter()
        try:
            figures += await BENCHMARKS[name](full)
        except Exception:  # noqa: BLE001 - whatever it was, it is shown
            traceback.print_exc()
            failed.append(name)
        print(f"{perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    return figures, failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"which to run: {', '.join(BENCHMARKS)} (default: all, without --full all but {', '.join(ONLY_FULL)})",
    )
    parser.add_argument("--full", action="store_true", help="longer runs, steadier figures, the large sizes")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    usual = [name for name in BENCHMARKS if options.full or name not in ONLY_FULL]
    figures, failed = asyncio.run(run(options.names or usual, options.full))
    print(table(figures))
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(
        json.dumps([figure.as_json() for figure in figures], indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    if failed:
        print(f"could not be measured: {', '.join(failed)}", file=sys.stderr)
    return 0 if not failed and all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
