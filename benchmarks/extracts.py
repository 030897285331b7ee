"""Measures whether what is quoted of a day is asked about later: against the first, the longest and random sentences.

Conversations with questions about them (`recall_data.py` tells the formats; the data is not part of the project: name
its folder by RECALL_DATA). Each day of a conversation is told in 300 characters of each member. A question is
held against the sentence that shares most words with it in each message that holds its answer: is that one quoted?
Questions that share no word with their evidence tell nothing here, and are left out.
"""

from __future__ import annotations

import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import TypeAlias

from benchmarks.figures import Figure, at_least
from benchmarks.recall_data import EvidenceQuestion, Line, cast, conversations, questions
from memory.core.values import Message
from memory.language.sentences import sentences_of
from memory.language.stems import topics
from memory.summaries.extractive import AIM, LONGEST, quotes_of_members

Quoted: TypeAlias = tuple[str, str]
"""The line it stands in, and the sentence."""
Order: TypeAlias = Callable[[list[Quoted]], list[Quoted]]

RANDOM_ROUNDS = 20
LEAST_KEPT = 45.0
LEAST_RATIO = 1.15
_PICTURE = re.compile(r"\s*\[shares [^\]]*\]")
"""A picture, described in the data; nobody said it."""


def days_of(lines: Sequence[Line]) -> list[list[Line]]:
    spoken = [replace(line, text=_PICTURE.sub("", line.text)) for line in lines]
    ordered = sorted(spoken, key=lambda line: (line.channel, line.time))
    return [list(day) for _, day in groupby(ordered, key=lambda line: (line.channel, line.time.date()))]


def by_extract(day: Sequence[Line]) -> set[Quoted]:
    guild = cast(1, day)
    quotes = quotes_of_members(guild.messages)
    return {(guild.line_of[one.source.message_id], one.text) for said in quotes.values() for one in said}


def by_order(order: Order) -> Callable[[Sequence[Line]], set[Quoted]]:
    """Quote sentences one after the other while they fit, of each author."""

    def taken(day: Sequence[Line]) -> set[Quoted]:
        kept: set[Quoted] = set()
        for author in sorted({line.author for line in day}):
            room = AIM
            said = [
                (line.line_id, one.text) for line in day if line.author == author for one in sentences_of(line.text)
            ]
            for quoted in order([one for one in said if len(one[1]) <= LONGEST]):
                if len(quoted[1]) <= room:
                    kept.add(quoted)
                    room -= len(quoted[1])
        return kept

    return taken


def evidence(lines: Iterable[Line], asked: Sequence[EvidenceQuestion]) -> list[Quoted]:
    """Find for each question and message the sentence that shares most with the question, the first of several."""
    texts = {line.line_id: _PICTURE.sub("", line.text) for line in lines}
    names = topics(" ".join(sorted({line.author for line in lines})))
    found: list[Quoted] = []
    for question in asked:
        wanted = topics(question.text) - names
        for line_id in sorted(question.evidence):
            shared = [(len(topics(one.text) & wanted), one.text) for one in sentences_of(texts[line_id])]
            best = max(shared, key=lambda one: one[0], default=(0, ""))
            found += [(line_id, best[1])] if best[0] else []
    return found


def kept_by(pick: Callable[[Sequence[Line]], set[Quoted]], days: Sequence[Sequence[Line]], held: list[Quoted]) -> float:
    """Measure how much of what is asked about is quoted, in per cent."""
    quoted = {one for day in days for one in pick(day)}
    return 100 * mean(one in quoted for one in held)


def measured(data: Path) -> list[Figure]:
    lines, asked = conversations(data), questions(data)
    days, held = days_of(lines), evidence(lines, asked)
    shuffle = random.Random(1)
    extract = kept_by(by_extract, days, held)
    others = {
        "first": kept_by(by_order(lambda said: said), days, held),
        "longest": kept_by(by_order(lambda said: sorted(said, key=lambda one: -len(one[1]))), days, held),
        "random": mean(
            kept_by(by_order(lambda said: shuffle.sample(said, len(said))), days, held) for _ in range(RANDOM_ROUNDS)
        ),
    }
    said = f"extracts of {len(days)} days, {len(held)} sentences asked about"
    return [
        Figure(f"{said}: kept", extract, "%", at_least(LEAST_KEPT)),
        *(Figure(f"{said}: kept by the {name} sentences", share, "%") for name, share in others.items()),
        Figure(f"{said}: times the best of these", extract / max(others.values()), "", at_least(LEAST_RATIO)),
        _speed([message for day in days for message in cast(1, day).messages]),
    ]


def _speed(messages: Sequence[Message]) -> Figure:
    """Time all messages as one day: the best of three."""
    numbered = [replace(message, message_id=number) for number, message in enumerate(messages)]
    seconds = []
    for _ in range(3):
        started = time.perf_counter()
        quotes_of_members(numbered)
        seconds.append(time.perf_counter() - started)
    return Figure(f"extract of a day of {len(numbered)} messages", len(numbered) / min(seconds), "messages/s")


async def measure(full: bool) -> list[Figure]:
    """Measure, among the other benchmarks, only where the data is."""
    data = os.environ.get("RECALL_DATA")
    if not data:
        print("extracts: no data; name its folder by RECALL_DATA.", file=sys.stderr)
        return []
    return measured(Path(data))
