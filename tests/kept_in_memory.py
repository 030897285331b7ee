"""Finds in the source what may hold words or people for longer than a call: caches, and containers of objects."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("memory", "bot", "ai_clients", "web", "launch")
CONTAINERS = frozenset(
    ("dict", "OrderedDict", "defaultdict", "Counter", "deque", "set", "list", "WeakValueDictionary", "WeakSet")
)
_DISPLAYS = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
_CACHING = ("cache", "lru_cache", "cached", "fleeting")


def found() -> set[str]:
    """As `package/module.py:function` or `package/module.py:Class.attribute`."""
    return {
        f"{path.relative_to(ROOT).as_posix()}:{name}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for name in _keepers(ast.parse(path.read_text(encoding="utf-8")))
    }


def _keepers(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if any(_called(decorator) in _CACHING for decorator in node.decorator_list):
                yield node.name
        elif isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{attribute}" for attribute in _of_class(node))
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            called = _called(node.value)
            if "Cache" in called or called in ("OrderedDict", "defaultdict", "deque", "WeakSet"):
                yield from (target.id for target in _targets(node) if isinstance(target, ast.Name))


def _of_class(node: ast.ClassDef) -> Iterator[str]:
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and member.name == "__init__":
            for statement in ast.walk(member):
                if isinstance(statement, ast.Assign | ast.AnnAssign) and _is_container(statement.value):
                    yield from (
                        target.attr
                        for target in _targets(statement)
                        if isinstance(target, ast.Attribute)
                        and isinstance(target.value, ast.Name)
                        and target.value.id == "self"
                    )
        elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and not _is_frozen(node):
            made_by = [one.value for one in _keywords_of_field(member.value) if one.arg == "default_factory"]
            if made_by and _called(made_by[0]) in CONTAINERS:
                yield member.target.id


def _keywords_of_field(value: ast.expr | None) -> list[ast.keyword]:
    return value.keywords if isinstance(value, ast.Call) and _called(value) == "field" else []


def _is_container(value: ast.expr | None) -> bool:
    if isinstance(value, _DISPLAYS):
        return True
    return isinstance(value, ast.Call) and (_called(value) in CONTAINERS or "Cache" in _called(value))


def _is_frozen(node: ast.ClassDef) -> bool:
    return any("frozen=True" in ast.unparse(decorator) for decorator in node.decorator_list)


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _called(node: ast.expr) -> str:
    """The last name of what is called or named, without what it is called with."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
