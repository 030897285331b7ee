"""What GitHub runs and shows cannot be run here; what can be checked of it without GitHub is checked here."""

import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml

from memory.core.version import VERSION

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def _read(path: Path) -> dict[str, Any]:
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_pinned_actions_with_few_rights_and_an_end(path: Path) -> None:
    workflow = _read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 90
        for step in job["steps"]:
            action, _, version = step.get("uses", "").partition("@")
            pinned = not action or action.startswith("github/") or len(version) == 40
            assert pinned, f"{action} can change under its tag"
            assert "${{" not in step.get("run", ""), "what somebody wrote could be run as a command"


def test_a_release_says_what_the_changelog_says_of_it() -> None:
    notes_of = runpy.run_path(str(ROOT / ".github" / "release_notes.py"))["notes_of"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert notes_of("1.0.0", changelog).startswith("The first release.")
    assert not [line for line in notes_of(VERSION, changelog).splitlines() if line.startswith("## ")]
    with pytest.raises(SystemExit, match=r"has nothing below '## 9\.9\.9'"):
        notes_of("9.9.9", changelog)
