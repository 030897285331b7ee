"""The measuring of extracts, on a day small enough to know what is asked about."""

import json
from pathlib import Path

import pytest

from benchmarks.extracts import by_extract, by_order, days_of, evidence, kept_by, measured
from benchmarks.recall_data import conversations, questions

LANTERN = "I bought a red lantern on the market in Ghent on Saturday."
MESSAGES = [
    ("c/1", "Bob", "2023-01-01T10:00:00Z", "Hello Anna, how are you doing? " + "Good to see you again, friend! " * 10),
    ("c/2", "Bob", "2023-01-01T10:01:00Z", f"{LANTERN} Nice. [shares a photo of a lantern in Ghent]"),
    ("c/3", "Anna", "2023-01-02T10:00:00Z", "My sister moved to Oslo yesterday."),
]  # fmt: skip
QUESTIONS = [
    {"question": "Where did Bob buy the red lantern?", "evidence": ["c/2"]},
    {"question": "What is Anna's favourite dish?", "evidence": ["c/3"]},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = (
        {"id": line_id, "channel": "c", "author": author, "time": at, "text": text}
        for line_id, author, at, text in MESSAGES
    )
    common = {"channel": "c", "category": "single-hop", "asked_at": "2023-03-01T10:00:00Z"}
    asked = ({"id": str(number), **common, **question} for number, question in enumerate(QUESTIONS))
    (tmp_path / "messages.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    return tmp_path


def test_what_is_asked_about_is_a_sentence_that_somebody_said(data: Path) -> None:
    assert evidence(conversations(data), questions(data)) == [("c/2", LANTERN)]


def test_days_are_of_one_channel_and_date_and_without_pictures(data: Path) -> None:
    days = days_of(conversations(data))
    assert [[line.line_id for line in day] for day in days] == [["c/1", "c/2"], ["c/3"]]
    assert "photo" not in days[0][1].text


def test_the_extract_is_held_against_other_choices(data: Path) -> None:
    days, held = days_of(conversations(data)), evidence(conversations(data), questions(data))
    assert kept_by(by_extract, days, held) == 100.0
    assert kept_by(by_order(lambda said: said), days, held) == 0.0
    figures = {figure.name: figure.value for figure in measured(data)}
    assert figures["extracts of 2 days, 1 sentences asked about: kept"] == 100.0
    assert figures["extracts of 2 days, 1 sentences asked about: kept by the first sentences"] == 0.0
