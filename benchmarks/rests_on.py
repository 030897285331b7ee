"""Which lines of its prompt a reply is taken to rest on, held against pairs of both that were labelled by hand.

The data is not part of the project: REPLIES_DATA (or --data) names a folder with `replies.jsonl`: what a model had been
given line by line, and what it replied. The labels are numbers alone: of the reply, from 0 on, and of lines, where one
that begins with `e` is an earlier answer by its place.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, at_least, table
from memory.core.provenance import Read
from memory.receipts.overlap import Input, quoted_by

RESTS = """
0:37 1:21,22 4:80 5:8 6:24 9:4 27:6 30:59 33:51 40:22 44:27 45:25 47:26 3:e1 16:4 29:54 31:5,11,12,66 41:83
"""
RESTS_NOT = """
15:3,6,7,26 16:3,e7 17:5,68,69,71 26:32 29:39,e1 31:14,20,41,60 7:43 8:34 11:e5 22:e3 42:e5 0:28,71,112 1:11 2:4,26
3:3 4:30 5:1 10:24 13:34,85 18:54 19:35 20:34 25:4,37 28:4 32:18 34:1 35:38 36:54 38:27 41:5,46 44:14 45:35
"""
_PARTS = ("facts", "memories", "minutes", "recalled", "replied_to", "conversation")
_LINE = re.compile(r"(\d+) (?:\d\d:\d\d )?(?:\(re \d+\) )?(?:about ([^,]+), [^:]*: |([^:@]+): )?(.*)", re.DOTALL)
_ANSWERED = "You answered: "
_CITED = re.compile(r" ?\[([\d, –-]+)\]")


def rests_on(row: dict[str, Any]) -> set[str]:
    """The lines that a reply rests on, by their numbers."""
    found = (_LINE.fullmatch(line) for part in _PARTS for line in row.get(part, ()))
    texts = {line[1]: (line[4], line[2] or line[3] or "") for line in found if line}
    for place, line in enumerate(row["earlier"]):
        if line.startswith(_ANSWERED):
            texts[f"e{place}"] = line.removeprefix(_ANSWERED), ""
    inputs = [Input(text, Read(messages={place: None}), people) for place, (text, people) in enumerate(texts.values())]
    said, names = row["reply"]["answer"], list(texts)
    spans = [re.split("[–-]", one.strip()) for cited in _CITED.findall(said) for one in cited.split(",")]
    cited = [names.index(str(number)) for span in spans for number in range(int(span[0]), int(span[-1]) + 1)]
    evidence = quoted_by(_CITED.sub("", said), row["question"], inputs, cited)
    return {names[place] for place in evidence.quoted.messages}


def look(data: Path) -> tuple[list[Figure], list[str]]:
    """The shares that are as labelled, and the pairs that are not."""
    rows = [json.loads(line) for line in (data / "replies.jsonl").read_text(encoding="utf-8").splitlines()]
    figures, wrong = list[Figure](), list[str]()
    for name, labels, is_meant in (("rests on", RESTS, True), ("does not rest on", RESTS_NOT, False)):
        of_replies = (one.split(":") for one in labels.split())
        pairs = [(int(reply), line) for reply, lines in of_replies for line in lines.split(",")]
        missed = [f"{reply}:{line} {name}" for reply, line in pairs if (line in rests_on(rows[reply])) is not is_meant]
        share = 100 * (len(pairs) - len(missed)) / len(pairs)
        figures.append(Figure(f"lines that a reply {name}, of {len(pairs)}", share, "%", at_least(100)))
        wrong += missed
    return figures, wrong


async def measure(full: bool) -> list[Figure]:
    del full
    data = os.environ.get("REPLIES_DATA")
    if data is None:
        print("REPLIES_DATA is not set: what replies rest on is not measured", file=sys.stderr)
        return []
    return look(Path(data))[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("REPLIES_DATA"))
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the folder of the replies: --data")
    figures, wrong = look(options.data)
    print(table(figures), *wrong, sep="\n")
    sys.exit(not all(figure.ok for figure in figures))
