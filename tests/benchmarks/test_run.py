"""A benchmark that fails is named, and takes nothing from the others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.figures import Figure


async def _fails(full: bool) -> list[Figure]:
    raise RuntimeError("nothing was told")


async def _measures(full: bool) -> list[Figure]:
    return [Figure("rate", 1.0, "messages/s")]


def test_others_are_measured_where_one_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(command.BENCHMARKS, "one", _fails)
    monkeypatch.setitem(command.BENCHMARKS, "other", _measures)
    monkeypatch.setattr(command, "RESULTS", tmp_path / "latest.json")
    monkeypatch.setattr(sys, "argv", ["benchmarks", "one", "other"])
    assert command.main() == 1
    said = capsys.readouterr()
    assert "rate" in said.out
    assert "nothing was told" in said.err
    assert said.err.endswith("could not be measured: one\n")
    assert "rate" in (tmp_path / "latest.json").read_text(encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["benchmarks", "other"])
    assert command.main() == 0


def test_what_takes_long_is_measured_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "BENCHMARKS", {"other": _measures, "slope": _fails})
    monkeypatch.setattr(command, "RESULTS", tmp_path / "latest.json")
    for asked, ended in (([], 0), (["--full"], 1), (["slope"], 1)):
        monkeypatch.setattr(sys, "argv", ["benchmarks", *asked])
        assert command.main() == ended
