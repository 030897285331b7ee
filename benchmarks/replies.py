"""How many replies of a capable model reach the channel unharmed.

The data is not part of the project: REPLIES_DATA (or --data) names a folder with `replies.jsonl`: what a model had been
given line by line, and what it replied. Unharmed is a reply of which every word is posted, nothing is put under it but
links and the note "Not from my memory", no bracket is left raw, and every line it cites is linked.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ai_clients.base import Prompt
from benchmarks.figures import Figure, at_least, table
from bot.replies.split import with_sources
from memory.answers.gather import Material
from memory.answers.generate import answer_of
from memory.answers.prompt import Asked
from memory.answers.read_reply import ModelReply
from memory.core.values import AuthorKind, Message, Source
from memory.language.detect import Language
from memory.places.view import Audience

CHANNEL = 1
_PARTS = ("facts", "memories", "minutes", "recalled", "replied_to", "conversation")
_LINE = re.compile(r"(\d+)(?: \d\d:\d\d)?(?: \(re \d+\))? (.*)", re.DOTALL)
_BRACKETS = re.compile(r" ?\[[\d, –-]+\]")
_NOTE = re.compile(r"\n-# .*")


def harm(row: dict[str, Any]) -> str:
    """What was done to a reply on its way to the channel; nothing, if a member reads what the model said."""
    found = (_LINE.fullmatch(line) for part in _PARTS for line in row.get(part, ()))
    lines = {int(line[1]): line[2] for line in found if line}
    items = tuple(
        Message(1, CHANNEL, number, 2, AuthorKind.PERSON, lines.get(number, ""), datetime.now(UTC))
        for number in range(1, max(lines, default=0) + 1)
    )
    data = "\n".join([*lines.values(), row["question"]])
    asked = Asked(Prompt("", data), "fence", tuple(Source(CHANNEL, one.message_id) for one in items), items)
    material = Material(row["question"], Language.EN, frozenset(), (), items)
    answer = answer_of(ModelReply.model_validate(row["reply"]), material, asked, {})
    posted = with_sources(answer, Audience(1, CHANNEL, frozenset({CHANNEL})))
    said = row["reply"]["answer"]
    if _BRACKETS.sub("", _NOTE.sub("", posted)).split() != _BRACKETS.sub("", said).split():
        return f"posted as {posted!r}"
    cited = {
        number
        for first, last in re.findall(r"[\[,] ?(\d+)(?:[–-](\d+))?(?=[\],])", said)
        for number in range(int(first), int(last or first) + 1)
    }
    if cited != {source.message_id for source in answer.sources}:
        return f"cites {sorted(cited)}, linked are {[source.message_id for source in answer.sources]}"
    return ""


def look(data: Path) -> tuple[list[Figure], list[str]]:
    """The share that is unharmed, and what happened to the others."""
    rows = [json.loads(line) for line in (data / "replies.jsonl").read_text(encoding="utf-8").splitlines()]
    harmed = [f"{row['question']}: {found}" for row in rows if (found := harm(row))]
    share = 100 * (len(rows) - len(harmed)) / len(rows)
    return [Figure("replies of a model posted unharmed", share, "%", at_least(100))], harmed


async def measure(full: bool) -> list[Figure]:
    del full
    data = os.environ.get("REPLIES_DATA")
    if data is None:
        print("REPLIES_DATA is not set: what is posted of replies is not measured", file=sys.stderr)
        return []
    return look(Path(data))[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("REPLIES_DATA"))
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the folder of the replies: --data")
    figures, harmed = look(options.data)
    print(table(figures), *harmed, sep="\n")
    sys.exit(not all(figure.ok for figure in figures))
