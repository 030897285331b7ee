"""Reads with PostgreSQL's own parser of which tables a statement uses rows without saying of which guild.

A table is spoken for where its `guild_id` is compared with a value, with that of another table that is spoken for, or
with anything that is no table of ours: what a CTE, a function or a trigger brings was spoken for where it was made.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from pglast import ast, enums, parse_plpgsql, parse_sql, split

from memory.privacy.tables import ALL_TABLES

OURS = frozenset(held.table for held in ALL_TABLES if "guild_id" in held.columns)
STATEMENTS = (ast.SelectStmt, ast.InsertStmt, ast.UpdateStmt, ast.DeleteStmt, ast.CopyStmt)


def of_all_guilds(text: str) -> set[str]:
    """The tables of guilds that statements use without saying of which guild."""
    return set[str]().union(*(_Reading(each.stmt).of_all_guilds() for each in parse_sql(text)))


def statements_of_functions(schema: str) -> Iterator[tuple[str, str]]:
    """What triggers and other functions send, each with the name of the function."""
    for text in split(schema):
        [made] = parse_sql(text)
        if isinstance(made.stmt, ast.CreateFunctionStmt):
            name = made.stmt.funcname[-1].sval
            options = {one.defname: one.arg for one in made.stmt.options}
            if options["language"].sval == "plpgsql":
                yield from ((name, sent) for sent in _expressions(parse_plpgsql(text)))
            else:
                yield name, options["as"][0].sval


def _expressions(tree: object) -> Iterator[str]:
    if isinstance(tree, dict):
        if "parseMode" in tree:
            yield tree["query"] if tree["parseMode"] == 0 else f"SELECT {tree['query']}"
        tree = list(tree.values())
    if isinstance(tree, list):
        for branch in tree:
            yield from _expressions(branch)


@dataclass(eq=False)
class _Source:
    """One table in a FROM, or what stands in its place; `follows` are those whose guild is its own."""

    table: str | None
    is_named: bool
    follows: "list[_Source]" = field(default_factory=list)


Scopes = tuple[dict[str, _Source], ...]
"""What a condition can speak of: the sources of its own statement first, then those around it."""


class _Reading:
    """Of one statement, with all that is in it."""

    def __init__(self, statement: object) -> None:
        self._with = {one.ctename for one in _nodes(statement) if isinstance(one, ast.CommonTableExpr)}
        self._sources: list[_Source] = []
        self._required: list[object] = []
        """Statements within that have to find something, or the one around them finds nothing."""
        self._visit(statement, ())

    def of_all_guilds(self) -> set[str]:
        """The tables of which it does not say whose rows it means."""
        changed = True
        while changed:
            led = [one for one in self._sources if not one.is_named and any(other.is_named for other in one.follows)]
            for one in led:
                one.is_named = True
            changed = bool(led)
        return {str(one.table) for one in self._sources if not one.is_named}

    def _visit(self, node: object, around: Scopes) -> None:
        if isinstance(node, STATEMENTS):
            around = ({}, *around)
            conditions: list[object] = [getattr(node, "whereClause", None)]
            if not isinstance(node, ast.SelectStmt) and node.relation is not None:
                target = self._add(node.relation, around[0])
                if isinstance(node, ast.InsertStmt):
                    target.is_named |= "guild_id" in [column.name for column in node.cols or ()]
                if isinstance(node, ast.CopyStmt):
                    target.is_named |= "guild_id" in [column.sval for column in node.attlist or ()]
            for item in getattr(node, "fromClause", None) or getattr(node, "usingClause", None) or ():
                self._join(item, around[0], conditions)
            for condition in conditions:
                self._heed(condition, around, any(node is one for one in self._required))
        for child in _children(node):
            self._visit(child, around)

    def _add(self, item: Any, here: dict[str, _Source]) -> _Source:  # noqa: ANN401 - any kind of node
        is_ours = isinstance(item, ast.RangeVar) and item.relname in OURS - self._with
        name = item.alias.aliasname if item.alias else getattr(item, "relname", f"#{len(self._sources)}")
        source = here[name] = _Source(item.relname if is_ours else None, not is_ours)
        self._sources.append(source)
        return source

    def _join(self, item: Any, here: dict[str, _Source], conditions: list[object]) -> list[_Source]:  # noqa: ANN401 - likewise
        if not isinstance(item, ast.JoinExpr):
            return [self._add(item, here)]
        left = self._join(item.larg, here, conditions)
        right = self._join(item.rarg, here, conditions)
        if "guild_id" in {column.sval for column in item.usingClause or ()}:
            for one, other in product(left, right):
                one.follows.append(other)
                other.follows.append(one)
        conditions.append(item.quals)
        return left + right

    def _heed(self, condition: Any, around: Scopes, is_required: bool) -> None:  # noqa: ANN401 - likewise
        match condition:
            case ast.BoolExpr(boolop=enums.BoolExprType.AND_EXPR):
                for one in condition.args:
                    self._heed(one, around, is_required)
            case ast.SubLink(subLinkType=enums.SubLinkType.EXISTS_SUBLINK):
                self._required.append(condition.subselect)
            case ast.SubLink(subLinkType=enums.SubLinkType.ANY_SUBLINK, operName=None):
                _compare(condition.testexpr, None, around, is_required)
            case ast.A_Expr() if condition.name[-1].sval == "=" and condition.kind != enums.A_Expr_Kind.AEXPR_OP_ALL:
                _compare(condition.lexpr, condition.rexpr, around, is_required)


def _compare(one: object, other: object, around: Scopes, is_required: bool) -> None:
    if isinstance(one, ast.RowExpr):
        others = other.args if isinstance(other, ast.RowExpr) else [None] * len(one.args)
        for part, its in zip(one.args, others, strict=True):
            _compare(part, its, around, is_required)
        return
    (depth, left), (other_depth, right) = sorted((_meant(one, around), _meant(other, around)), key=_how_far)
    if left and right:
        for each in left:
            each.follows += right
        if depth == other_depth or is_required:  # otherwise the outer statement is not bound by the inner one
            for each in right:
                each.follows += left
    elif depth == 0:
        for each in left:
            each.is_named = True


def _how_far(meant: tuple[int, list[_Source]]) -> tuple[bool, int]:
    return not meant[1], meant[0]


def _meant(column: object, around: Scopes) -> tuple[int, list[_Source]]:
    """Whose `guild_id` it is, and how far out; with USING, one for several."""
    names = [getattr(part, "sval", "*") for part in column.fields] if isinstance(column, ast.ColumnRef) else []
    if names[-1:] == ["guild_id"]:
        for depth, here in enumerate(around):
            if len(names) > 1:
                found = [here[names[0]]] if names[0] in here else []
            else:
                found = [source for source in here.values() if source.table]
            if found:
                return depth, found
    return 0, []


def _children(node: object) -> Iterator[object]:
    if isinstance(node, ast.Node):
        yield from (getattr(node, name) for name in node)
    elif isinstance(node, tuple):
        yield from node


def _nodes(node: object) -> Iterator[object]:
    yield node
    for child in _children(node):
        yield from _nodes(child)
