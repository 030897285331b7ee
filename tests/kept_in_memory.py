"""Finds in the source what may hold words or people for longer than a call: caches, and containers that outlive it.

It reads the source as it stands, so it knows a container by how it is made: by a display, by the name of what is
called, or by what a function does to a name of its module.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parent.parent
PACKAGES = ("memory", "bot", "ai_clients", "web", "launch")
CONTAINERS = frozenset(
    (
        *("dict", "OrderedDict", "defaultdict", "Counter", "ChainMap", "UserDict", "WeakValueDictionary"),
        *("WeakKeyDictionary", "set", "WeakSet", "list", "UserList", "deque", "bytearray", "array"),
        *("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "ContextVar", "local"),
    )
)
_CONSTANT_TOO = frozenset(("dict", "set", "list", "Counter", "bytearray", "array"))
"""Made at once and full, at the top of a module, these are tables of ours; empty, they wait for something."""
_DISPLAYS = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
_CHANGING = frozenset(
    (
        *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "move_to_end", "pop", "popitem"),
        *("popleft", "remove", "setdefault", "update"),
    )
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def found() -> set[str]:
    """As `package/module.py:` and `function`, `Class.attribute` or `function.variable`."""
    return {
        f"{path.relative_to(ROOT).as_posix()}:{name}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for name in keepers(path.read_text(encoding="utf-8"))
    }


def keepers(source: str) -> set[str]:
    """What one module keeps."""
    module = ast.parse(source)
    names = {*_of_module(module)}
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{attribute}" for attribute in _of_class(node)}
            names |= {node.name for base in node.bases if _names_container(_called(base))}
        elif isinstance(node, _FUNCTIONS):
            names |= {*_of_function(node)}
    return names


def _of_module(module: ast.Module) -> Iterator[str]:
    changed = {*_changed_in_functions(module)}
    for node in module.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        for target in _targets(node):
            if isinstance(target, ast.Name) and (target.id in changed or _waits_to_be_filled(node.value)):
                yield target.id
            elif isinstance(target, ast.Attribute) and _is_container(node.value):
                yield ast.unparse(target)


def _waits_to_be_filled(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.List | ast.Set):
        return not value.elts
    if not isinstance(value, ast.Call) or not _is_container(value):
        return False
    return _called(value) not in _CONSTANT_TOO or not (value.args or value.keywords)


def _changed_in_functions(module: ast.Module) -> Iterator[str]:
    """Names of the module that a function fills, empties or sets anew."""
    for function in (node for node in ast.walk(module) if isinstance(node, _FUNCTIONS)):
        own = _own_names(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                yield from node.names
            for name in _filled(node):
                if name not in own:
                    yield name


def _own_names(function: Function) -> set[str]:
    given = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
    return given | {
        one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }


def _filled(node: ast.AST) -> Iterator[str]:
    """Names whose value is changed in place here."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            yield name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if attribute in _CHANGING:
            yield name


def _of_class(node: ast.ClassDef) -> Iterator[str]:
    for member in node.body:
        if isinstance(member, ast.Assign | ast.AnnAssign):
            made = member.value
            if _is_container(made) or _is_made_by_factory(made):
                yield from (target.id for target in _targets(member) if isinstance(target, ast.Name))
        elif isinstance(member, _FUNCTIONS):
            yield from _set_on_self(member)


def _set_on_self(method: Function) -> Iterator[str]:
    for statement in ast.walk(method):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and _is_container(statement.value):
            yield from (
                target.attr
                for target in _targets(statement)
                if isinstance(target, ast.Attribute)
                and isinstance(target.value, ast.Name)
                and target.value.id in ("self", "cls")
            )


def _is_made_by_factory(value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Call) or _called(value) not in ("field", "Field"):
        return False
    made_by = [one.value for one in value.keywords if one.arg == "default_factory"]
    return bool(made_by) and _makes_container(made_by[0])


def _makes_container(factory: ast.expr) -> bool:
    if isinstance(factory, ast.Lambda):
        return _is_container(factory.body)
    if isinstance(factory, ast.Call) and _called(factory) == "partial":
        return bool(factory.args) and _makes_container(factory.args[0])
    return _names_container(_called(factory))


def _of_function(function: Function) -> Iterator[str]:
    if any(_caches(decorator) for decorator in function.decorator_list):
        yield function.name
    if any(_is_container(default) for default in (*function.args.defaults, *function.args.kw_defaults)):
        yield function.name
    outliving = {*_named_in_what_is_returned(function)}
    for statement in _own_statements(function):
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or not _is_container(statement.value):
            continue
        for target in _targets(statement):
            if isinstance(target, ast.Name) and (_is_cache(statement.value) or target.id in outliving):
                yield f"{function.name}.{target.id}"


def _own_statements(function: Function) -> Iterator[ast.AST]:
    """Without those of functions that are made in here."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _FUNCTIONS):
            waiting += [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt | ast.excepthandler)]


def _named_in_what_is_returned(function: Function) -> Iterator[str]:
    """By functions that are made in here and given away: what they name lives as long as they do."""
    inner = {one.name: one for one in ast.walk(function) if isinstance(one, _FUNCTIONS) and one is not function}
    for node in _own_statements(function):
        if isinstance(node, ast.Return) and node.value is not None:
            for given in _given_away(node.value):
                made_here = inner.get(given.id) if isinstance(given, ast.Name) else given
                if made_here is not None:
                    yield from (one.id for one in ast.walk(made_here) if isinstance(one, ast.Name))


def _given_away(value: ast.expr) -> Iterator[ast.Name | ast.Lambda]:
    """Functions that a value is or holds: by itself, among others, or wrapped in another."""
    match value:
        case ast.Name() | ast.Lambda():
            yield value
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Call(func=ast.Call(), args=parts):
            yield from (one for part in parts for one in _given_away(part))
        case ast.Call(args=[first, *_]) if _called(value) in ("partial", "staticmethod", "contextmanager", "wraps"):
            yield from _given_away(first)


def _is_container(value: ast.expr | None) -> bool:
    if isinstance(value, _DISPLAYS):
        return True
    if isinstance(value, ast.BoolOp | ast.IfExp):
        parts = value.values if isinstance(value, ast.BoolOp) else [value.body, value.orelse]
        return any(_is_container(part) for part in parts)
    return isinstance(value, ast.Call) and (_names_container(_called(value)) or _is_cache(value))


def _is_cache(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and _caches(value)


def _caches(node: ast.expr) -> bool:
    return "cache" in _called(node).lower() or _called(node) == "fleeting"


def _names_container(name: str) -> bool:
    return name in CONTAINERS or "Cache" in name


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _called(node: ast.expr) -> str:
    """The last name of what is called or named, without what it is called with."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
