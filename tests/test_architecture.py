"""docs/architecture.md leads a newcomer through code that is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
STEP = re.compile(r"^\d+\. `([\w/]+\.py):(\w+)`", re.MULTILINE)
WAYS = {"A message comes in": 6, '"Bot remember that …"': 10, "A question": 12, "A night": 7, "An erasure": 7}
"""With how many modules each may have in it."""


def steps(way: str) -> list[tuple[str, str]]:
    section = PAGE.split(f"### {way}\n")[1].split("\n#")[0]
    return STEP.findall(section)


@pytest.mark.parametrize(("way", "most"), WAYS.items())
def test_each_step_of_a_way_is_there(way: str, most: int) -> None:
    found = steps(way)
    assert len(found) >= 6
    assert len({file for file, _ in found}) <= most
    for file, function in found:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert function in names, f"{file} has no {function}"


def test_it_names_every_room() -> None:
    for package in ("memory", "bot"):
        rooms = [one.name for one in (ROOT / package).iterdir() if (one / "__init__.py").exists()]
        assert [name for name in rooms if f"`{name}/`" not in PAGE] == []


def test_no_folder_is_crowded() -> None:
    """Beyond twenty modules nobody finds their way."""
    packages = ("memory", "bot", "ai_clients", "web", "launch", "local_guild")
    folders = {file.parent for package in packages for file in (ROOT / package).rglob("*.py")}
    crowded = {str(one): count for one in folders if (count := len(list(one.glob("*.py")))) > 21}
    assert crowded == {}, "one of them is __init__"
