"""Finds in the source where patterns are compiled, and in which ways each is used."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "memory", "ai_clients", "launch", "local_guild", "web")
ANY_USE = frozenset(("match", "fullmatch", "sub"))
"""To replace what is found is to search again and again, down to the end."""
_SEARCHES = frozenset(("search", "sub", "subn", "split", "findall", "finditer"))
Uses: TypeAlias = frozenset[str]


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{line}"


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source where `re` is handed a pattern."""

    uses: Uses
    """In which ways that is used: in any, where the source does not tell."""
    literal: tuple[str | bytes, int] | None
    """The pattern and its flags, where they stand there."""


def compiled_in_source() -> dict[str, Site]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    trees = {
        path: list(ast.walk(ast.parse(source)))
        for path, source in sources.items()
        if any(f".{use}" in source for use in _SEARCHES | ANY_USE | {"compile"})
    }
    everywhere = _uses_by_name(chain.from_iterable(trees.values()))
    found: dict[str, Site] = {}
    for path, nodes in trees.items():
        if "import re\n" not in sources[path]:
            continue
        here, owners = _uses_by_name(nodes), _owners(nodes)
        kept: dict[str | None, set[str]] = defaultdict(set)
        for made, names in owners.items():
            kept[_name(made)] |= names
        for call, method in _calls_of("re", nodes):
            names = {*owners.get(call, ())}
            # What a function builds has the names under which it is kept as well: `KNEW = _phrases(…)`.
            names.update(*(kept.get(name, ()) for name in tuple(names)))
            used = {use for name in names for use in (here if name.startswith("_") else everywhere).get(name, ())}
            used = used if method == "compile" else {method}
            found[place(path, call.lineno)] = Site(_kinds(used) or ANY_USE, _literal(call))
    return found


def patterns_of_regex() -> dict[str, str]:
    """By its place, each pattern that the library `regex` is handed; they have to stand there."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    return {
        place(path, call.lineno): ast.literal_eval(call.args[0])
        for path, source in sources.items()
        if "import regex\n" in source
        for call, _ in _calls_of("regex", ast.walk(ast.parse(source)))
    }


def _literal(call: ast.Call) -> tuple[str | bytes, int] | None:
    pattern = call.args[0]
    if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str | bytes):
        return None
    given = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    named = (node.attr for one in given for node in ast.walk(one) if isinstance(node, ast.Attribute))
    return pattern.value, sum({re.RegexFlag[name] for name in named if name in re.RegexFlag.__members__})


def _calls_of(module: str, nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Call, str]]:
    for node in nodes:
        method = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(method, ast.Attribute) and _name(method.value) == module:
            yield from [(node, method.attr)] if method.attr in _SEARCHES | ANY_USE | {"compile"} else []


def _uses_by_name(nodes: Iterable[ast.AST]) -> Mapping[str, set[str]]:
    """By a pattern's name, or that of the function which builds it, the methods that are called on it."""
    used: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in _SEARCHES | ANY_USE:
            either = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
            for name in filter(None, map(_name, either)):
                used[name].add(node.attr)
    return used


def _owners(nodes: Iterable[ast.AST]) -> dict[ast.AST, set[str]]:
    """By each part of the source, the names of what it belongs to: of functions, and of what is assigned."""
    owners: dict[ast.AST, set[str]] = defaultdict(set)
    for node in nodes:
        names: list[ast.AST] = []
        if isinstance(node, ast.FunctionDef):
            names = [node]
        elif isinstance(node, ast.Assign):
            names = [*node.targets]
        elif isinstance(node, ast.AnnAssign):
            names = [node.target]
        for name in filter(None, map(_name, names)):
            for part in ast.walk(node):
                owners[part].add(name)
    return owners


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _kinds(used: Iterable[str]) -> Uses:
    return frozenset("sub" if use in _SEARCHES else use for use in used)
