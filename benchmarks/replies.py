"""Measures how many replies of a capable model are posted unharmed, and which prompt lines each is taken to rest on.

The data is not part of the project: REPLIES_DATA names a folder with `replies.jsonl`: what a model had been
given line by line, and what it replied. Unharmed is a reply of which every word is posted, nothing is put under it but
links and the note "Not from my memory", no bracket is left raw, and every line it cites is linked. Pairs of replies and
lines were labelled by hand. The labels are numbers alone: of the reply, from 0 on, and of lines, where one that begins
with `e` is an earlier answer by its place.
"""

from __future__ import annotations

import json
import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ai_clients.base import Prompt
from benchmarks.figures import Figure, at_least
from bot.replies.split import with_sources
from memory.answers.gather import Material
from memory.answers.generate import ModelReply, answer_of
from memory.answers.prompt import Asked
from memory.core.provenance import Read
from memory.core.values import AuthorKind, Message, Source
from memory.language.detect import Language
from memory.places.view import Audience
from memory.receipts.overlap import Input, quoted_by

CHANNEL = 1
RESTS = """
0:37 1:21,22 4:80 5:8 6:24 9:4 27:6 30:59 33:51 40:22 44:27 45:25 47:26 3:e1 16:4 29:54 31:5,11,12,66 41:83
"""
RESTS_NOT = """
15:3,6,7,26 16:3,e7 17:5,68,69,71 26:32 29:39,e1 31:14,20,41,60 7:43 8:34 11:e5 22:e3 42:e5 0:28,71,112 1:11 2:4,26
3:3 4:30 5:1 10:24 13:34,85 18:54 19:35 20:34 25:4,37 28:4 32:18 34:1 35:38 36:54 38:27 41:5,46 44:14 45:35
"""
_PARTS = ("facts", "memories", "minutes", "recalled", "replied_to", "conversation")
_LINE = re.compile(r"(\d+)(?: \d\d:\d\d)?(?: \(re \d+\))? (.*)", re.DOTALL)
_BRACKETS = re.compile(r" ?\[[\d, –-]+\]")
_NOTE = re.compile(r"\n-# .*")
_LABELLED = re.compile(r"(\d+) (?:\d\d:\d\d )?(?:\(re \d+\) )?(?:about ([^,]+), [^:]*: |([^:@]+): )?(.*)", re.DOTALL)
_ANSWERED = "You answered: "
_CITED = re.compile(r" ?\[([\d, –-]+)\]")


def harm(row: dict[str, Any]) -> str:
    """Tell what was done to a reply on its way to the channel; nothing, if a member reads what the model said."""
    found = (_LINE.fullmatch(line) for part in _PARTS for line in row.get(part, ()))
    lines = {int(line[1]): line[2] for line in found if line}
    items = tuple(
        Message(1, CHANNEL, number, 2, AuthorKind.PERSON, lines.get(number, ""), datetime.now(UTC))
        for number in range(1, max(lines, default=0) + 1)
    )
    data = "\n".join([*lines.values(), row["question"]])
    asked = Asked(Prompt("", data), "fence", tuple(Source(CHANNEL, one.message_id) for one in items), items)
    material = Material(row["question"], Language.EN, frozenset(), (), items)
    answer = answer_of(ModelReply.model_validate(row["reply"]), material, asked, ())
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


def rests_on(row: dict[str, Any]) -> set[str]:
    """Find the lines that a reply rests on, by their numbers."""
    found = (_LABELLED.fullmatch(line) for part in _PARTS for line in row.get(part, ()))
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
    """Measure the shares that are unharmed and as labelled, and list what is wrong with the others."""
    rows = [json.loads(line) for line in (data / "replies.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [f"{row['question']}: {found}" for row in rows if (found := harm(row))]
    share = 100 * (len(rows) - len(wrong)) / len(rows)
    figures = [Figure("replies of a model posted unharmed", share, "%", at_least(100))]
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
        print(
            "REPLIES_DATA is not set: what becomes of replies is not measured",
            file=sys.stderr,
        )
        return []
    figures, wrong = look(Path(data))
    print(*wrong, sep="\n", end="\n" * bool(wrong), file=sys.stderr)
    return figures
