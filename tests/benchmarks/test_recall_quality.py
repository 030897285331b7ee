"""The measuring of recall and of quotations, on a conversation small enough to know the answer."""

import json
from pathlib import Path

import pytest

from benchmarks import quotes
from benchmarks.recall_data import cast, conversations, haystack, questions
from benchmarks.recall_quality import Asked, figures_of, measured, settings_of

MESSAGES = [
    ("c/1", "Anna", "2023-01-01T10:00:00Z", "Hello Bob, how was your week?"),
    ("c/2", "Bob", "2023-01-01T10:01:00Z", "I bought a red lantern on the market in Ghent"),
    ("c/3", "Anna", "2023-02-01T10:00:00Z", "My sister moved to Oslo"),
]
QUESTION = {
    "id": "q",
    "channel": "c",
    "question": "Where did Bob buy the red lantern?",
    "category": "single-hop",
    "evidence": ["c/2"],
    "asked_at": "2023-03-01T10:00:00Z",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = (
        {"id": line_id, "channel": "c", "author": author, "time": at, "text": text}
        for line_id, author, at, text in MESSAGES
    )
    (tmp_path / "messages.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text(json.dumps(QUESTION) + "\n", encoding="utf-8")
    hay = tmp_path / "hay"
    hay.mkdir()
    (hay / "2004-12-25.a.ascii.txt").write_text(
        "[10:00] <dan> apt-get fails\n=== joe has joined\n[10:01] <joe> which version?\n", encoding="utf-8"
    )
    return tmp_path


def test_the_files_become_a_guild(data: Path) -> None:
    guild = cast(7, [*conversations(data), *haystack(data / "hay")])
    assert [guild.line_of[message.message_id] for message in guild.messages][-3:] == ["c/1", "c/2", "c/3"]
    assert len(guild.messages) == 5
    assert sorted(member.username for member in guild.members) == ["Anna", "Bob", "dan", "joe"]
    assert [message.message_id for message in guild.messages] == sorted(guild.line_of)


def test_what_is_counted(data: Path) -> None:
    [question] = questions(data)
    second = Asked(question, ["c/1", "c/2"], [0.5, 0.4], 0.01)
    assert (second.recall(1), second.recall(5)) == (0.0, 1.0)
    assert second.gain() == pytest.approx(0.6309, abs=1e-4)
    figures = {figure.name: figure for figure in figures_of("alone", [second])}
    assert figures["recall, alone, all (1): R@10"].value == 100.0
    assert figures["recall, alone, all (1): R@10"].ok


def test_settings_are_guilds_of_their_own(data: Path) -> None:
    alone, together, buried = settings_of(data, data / "hay")
    ids = {setting.casts["c"].guild_id for setting in (alone, together, buried)}
    assert len(ids) == 3
    assert len(buried.casts["c"].messages) == 5


async def test_the_whole_way(data: Path) -> None:
    figures = {figure.name: figure.value for figure in await measured(data, data / "hay")}
    for setting in ("alone", "guild", "hay"):
        assert figures[f"recall, {setting}, all (1): R@5"] == 100.0


async def test_quotations_are_measured_where_the_answer_is_and_where_it_is_not(data: Path) -> None:
    dumped: dict[str, list[quotes.Quoted]] = {}
    figures = {one.name: one.value for one in await quotes.measured(data, data / "hay", dumped.__setitem__)}
    assert figures["quotes, all (1): of these, first quote is evidence"] == 100.0
    assert figures["quotes, all (1): some evidence quoted"] == 100.0
    assert figures["quotes where nothing fits, haystack"] == 0.0
    [found], [nothing] = dumped["guild"], dumped["haystack"]
    assert (found.first, nothing.first) == ("c/2", None)
    assert "red lantern" in found.text
