"""How well open questions are found without a model, and how long the talk of some weeks takes.

Of real chat in which people marked what answers what (`IRC_DATA`, a folder with `*.ascii.txt`, a message a line, and
`*.annotation.txt`, "from to -" in lines counted from 0, from line 1000 on): a question is open if no message is linked
to it. The data does not belong to the project.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import Figure, at_least, table
from memory.core.values import AuthorKind, Message
from memory.daily.questions import OPEN, Parts, Talk, is_question

BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
ANNOTATED = 1_000
_SAID = re.compile(r"\[(\d\d):(\d\d)\] (?:<([^>]+)>|\* (\S+)) ?(.*)")
_NICK = re.compile(r"[^\s:,;<>()!?]+")
SHORTEST_NICK = 4
"""Shorter ones are words far more often than people, unless they open a message."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the log: what speaks for it that it was answered, and whether it was."""

    file: str
    parts: Parts
    is_found: bool
    """By the rules of the product, as they stand."""
    is_open: bool
    is_open_to_others: bool
    """Nobody but the asker is linked to it."""


def questions_in(folder: Path) -> list[Asked]:
    return [one for path in sorted(folder.glob("*.ascii.txt")) for one in _questions(path)]


def _questions(path: Path) -> list[Asked]:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    messages = _messages(lines)
    authors = {one.message_id: one.author_id for one in messages}
    answers: dict[int, set[int]] = {}
    links = path.with_name(path.name.replace(".ascii.", ".annotation.")).read_text(encoding="utf-8")
    for link in links.splitlines():
        one, other = sorted(map(int, link.split()[:2]))
        if one != other and other in authors:
            answers.setdefault(one, set()).add(authors[other])
    talk = Talk(messages)
    return [
        Asked(
            path.name,
            talk.parts(place),
            is_question(asked.text) and talk.is_open(place),
            not answers.get(asked.message_id),
            not answers.get(asked.message_id, set()) - {asked.author_id},
        )
        for place, asked in enumerate(messages)
        if asked.message_id >= ANNOTATED and "?" in asked.text
    ]


def _messages(lines: Sequence[str]) -> list[Message]:
    """As Discord would have them: whoever is named is mentioned."""
    said = [(number, found) for number, line in enumerate(lines) if (found := _SAID.match(line)) is not None]
    nicks = [found[3] or found[4] for _, found in said]
    ids = {nick.lower(): number for number, nick in enumerate(sorted({*nicks}), start=1)}

    def mention(found: re.Match[str]) -> str:
        is_long = len(found[0]) >= SHORTEST_NICK or found.start() == 0
        return f"<@{ids[found[0].lower()]}>" if is_long and found[0].lower() in ids else found[0]

    day = BEGINS
    messages: list[Message] = []
    for (number, found), nick in zip(said, nicks, strict=True):
        at = day + timedelta(hours=int(found[1]), minutes=int(found[2]))
        if messages and at < messages[-1].sent_at:  # past midnight, or summer time ends
            at, day = (at + timedelta(days=1), day + timedelta(days=1)) if int(found[1]) == 0 else (at, day)
        text = _NICK.sub(mention, found[5])
        messages.append(Message(1, 1, number, ids[nick.lower()], AuthorKind.PERSON, text, at))
    return messages


def fitted(asked: Sequence[Asked]) -> Numbers:
    """The bias, and then the weight of each part."""
    parts = np.array([[1.0, *one.parts] for one in asked])
    is_open = np.array([float(one.is_open) for one in asked])
    weights = np.zeros(parts.shape[1])
    for _ in range(30):
        guessed = 1 / (1 + np.exp(-parts @ weights))
        slope = parts.T @ (guessed - is_open) + weights
        curve = (parts * (guessed * (1 - guessed))[:, None]).T @ parts + np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return weights


def _found_by_others(asked: Sequence[Asked]) -> list[bool]:
    """The same rules, each file by weights that were fitted on the others."""
    found = []
    weights = {file: fitted([one for one in asked if one.file != file]) for file in {one.file for one in asked}}
    for one in asked:
        openness = 1 / (1 + np.exp(-np.array([1.0, *one.parts]) @ weights[one.file]))
        # What the fixed rules add to the weights does not depend on the data.
        is_ruled_out = not one.is_found and one.parts.openness >= OPEN
        found.append(bool(openness >= OPEN) and not is_ruled_out)
    return found


def _scores(found: Sequence[bool], is_open: Sequence[bool]) -> tuple[float, float]:
    right = sum(one and other for one, other in zip(found, is_open, strict=True))
    return right / max(sum(found), 1), right / max(sum(is_open), 1)


def _open_questions(folder: Path) -> list[Figure]:
    asked = questions_in(folder)
    is_open = [one.is_open for one in asked]
    precision, recall = _scores([one.is_found for one in asked], is_open)
    apart = _scores(_found_by_others(asked), is_open)
    others = _scores([one.is_found for one in asked], [one.is_open_to_others for one in asked])
    return [
        Figure("questions in real chat", len(asked), "questions"),
        Figure("open questions: precision", precision, "", at_least(0.70)),
        Figure("open questions: recall", recall, "", at_least(0.30)),
        Figure("open questions: precision, weights fitted on the other days", apart[0], "", at_least(0.70)),
        Figure("open questions: recall, weights fitted on the other days", apart[1], "", at_least(0.30)),
        Figure("open questions: precision, if the asker's own next words are no answer", others[0], ""),
        Figure("open questions: recall, if the asker's own next words are no answer", others[1], ""),
    ]


async def measure(full: bool) -> list[Figure]:
    del full
    figures: list[Figure] = []
    if folder := os.environ.get("IRC_DATA"):
        figures += _open_questions(Path(folder))
    else:
        print("daily: no chat; name its folder by IRC_DATA.", file=sys.stderr)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.daily", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="only print the weights of memory.daily.questions anew")
    if parser.parse_args().fit:
        print(fitted(questions_in(Path(os.environ["IRC_DATA"]))).round(2))
        return 0
    figures = asyncio.run(measure(full=False))
    print(table(figures))
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
