"""Nobody keeps an error: it holds on to the calls that it went through, and these to what was said in them."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("ai_clients", "bot", "launch", "memory", "web")
ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
_NAMES = ("Error", "Exception")


def test_no_object_keeps_an_error() -> None:
    found = {str(path.relative_to(ROOT)): list(kept_errors(ast.parse(path.read_text("utf-8")))) for path in SOURCES}
    assert len(found) > 100
    assert {path: lines for path, lines in found.items() if lines} == {}


def kept_errors(tree: ast.Module) -> Iterator[str]:
    """Attributes that say they hold errors, or that are given one which was caught."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute) and _is_error(node.annotation):
            yield f"line {node.lineno}: {ast.unparse(node.target)}"
        if isinstance(node, ast.ExceptHandler) and node.name is not None:
            inside = (one for one in ast.walk(node) if isinstance(one, ast.stmt | ast.expr))
            yield from (f"line {one.lineno}: {ast.unparse(one)}" for one in inside if _keeps(one, node.name))


def _is_error(annotation: ast.expr) -> bool:
    inside = [one for one in ast.walk(annotation) if isinstance(one, ast.Name | ast.Attribute)]
    names = [one.id if isinstance(one, ast.Name) else one.attr for one in inside]
    return any(name.endswith(_NAMES) for name in names) and "type" not in names


def _keeps(node: ast.AST, caught: str) -> bool:
    match node:
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()], value=ast.Name(id=name)):
            return name == caught
        case ast.Call(func=ast.Attribute(value=ast.Attribute(), attr="append" | "add"), args=[ast.Name(id=name)]):
            return name == caught
    return False
