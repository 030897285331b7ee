"""What the panel borrows from the bot's sentences is there."""

import ast
from pathlib import Path

from memory.language.detect import Language
from memory.language.wording import words_of


def test_every_sentence_that_the_panel_borrows_is_there() -> None:
    borrowed = [
        tuple(given.value for given in node.args if isinstance(given, ast.Constant))
        for path in (Path(__file__).parents[2] / "web").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "bot"
    ]
    named = {both for both in borrowed if len(both) == 2}
    assert len(named) > 30
    assert {(part, key) for part, key in named if key not in words_of(Language.EN)[str(part)]} == set()
