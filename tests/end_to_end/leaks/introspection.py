"""What there is in the program that shows something to somebody, found in the program itself."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any, get_args, get_type_hints

import discord
from discord import app_commands

import bot
import memory
from bot.client import InnkeeperClient
from memory.core.values import Fact, Intent, Member, Message
from memory.events import Event
from memory.facts.ledger import Gone
from memory.facts.values import Change
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.reminders.values import Reminder

_TEXTS = (str, bytes, object, Any)
_TOLD = (str, Fact, Message, Member, Gone, Change, Reminder, Event)
_PIECES = (discord.ui.View, discord.ui.LayoutView, discord.ui.Modal, discord.ui.DynamicItem)
_LIST_ROUTES = """
from web.app import create_app

def walk(holder, prefix=""):
    for route in getattr(holder, "routes", None) or ():
        # FastAPI keeps an included router behind a route of its own, which has no path.
        inner = getattr(route, "original_router", route)
        path = prefix + (getattr(route, "path", None) or "")
        if getattr(inner, "routes", None):
            walk(inner, path)
        else:
            print(path or type(route).__name__)

walk(create_app(None, lambda: None, None))
"""
OF_THE_FRAMEWORK = "/_nicegui"
"""Scripts and styles of the page's framework, and the socket that draws the pages, which are driven themselves."""


def intents() -> frozenset[str]:
    """What can be wanted of the bot in words."""
    return frozenset(f"intent:{intent.value}" for intent in Intent)


def commands(client: InnkeeperClient) -> Iterator[str]:
    """Every slash command by its words, every context menu, and every option that offers choices while typing."""
    for kind in discord.AppCommandType:
        for command in client.tree.walk_commands(type=kind):
            if isinstance(command, app_commands.ContextMenu):
                yield f"menu:{command.name}"
            elif isinstance(command, app_commands.Command):
                yield f"command:{command.qualified_name}"
                for parameter in command.parameters:
                    if parameter.autocomplete:
                        yield f"autocomplete:{command.qualified_name} {parameter.name}"


def components() -> frozenset[str]:
    """Every view, form and lasting button that the bot defines."""
    return frozenset(
        f"component:{module.__name__}.{name}"
        for module in _modules(bot)
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and issubclass(kind, _PIECES) and kind.__module__ == module.__name__
    )


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def reads() -> frozenset[str]:
    """Every public method of the one door into memory, and of the services it hands out, that asks who reads."""
    return frozenset(f"read:{name}" for name, method in _doors() if _asks_who_reads(method))


def unasked() -> frozenset[str]:
    """Those that may give back a text and do not ask who reads it."""
    return frozenset(
        name
        for name, method in _doors()
        if not _asks_who_reads(method) and _may_hold_text(get_type_hints(method).get("return"))
    )


def doors() -> frozenset[str]:
    return frozenset(f"read:{name}" for name, _ in _doors())


def _doors() -> Iterator[tuple[str, object]]:
    for attribute, service in {"": MemoryManager, **_services()}.items():
        for name, method in inspect.getmembers(service, inspect.isfunction):
            if name[0] != "_":
                yield f"{attribute}.{name}".lstrip("."), method


def _services() -> dict[str, type]:
    """What `MemoryManager` hands out, by the name of its attribute: read in its source, as it builds them."""
    there = vars(importlib.import_module(MemoryManager.__module__))
    built: dict[str, type] = {}
    for node in ast.walk(ast.parse(inspect.getsource(MemoryManager.__init__).lstrip().replace("\n    ", "\n"))):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
            maker = there[node.value.func.id]
            for target in node.targets:
                if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
                    built[target.attr] = maker if inspect.isclass(maker) else get_type_hints(maker)["return"]
    return built


def _may_hold_text(kind: Any, seen: tuple[object, ...] = ()) -> bool:  # noqa: ANN401 - whatever is given back
    """Also deep within a value of ours."""
    if kind in _TEXTS:
        return True
    if kind in seen or (inspect.isclass(kind) and issubclass(kind, Enum)):
        return False
    is_ours = inspect.isclass(kind) and kind.__module__.startswith(("memory.", "ai_clients."))
    within = [*get_args(kind), *(get_type_hints(kind).values() if is_ours else ())]
    return any(_may_hold_text(inner, (*seen, kind)) for inner in within)


def unasked_in_stores() -> frozenset[str]:
    """Every method of a store that gives back what was told, or a text, and does not ask who reads it."""
    return frozenset(
        f"{name}.{method}"
        for module in _modules(memory)
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and kind.__module__ == module.__name__ and name.endswith("Store")
        for method, found in inspect.getmembers(kind, inspect.isfunction)
        if method[0] != "_" and _is_told(get_type_hints(found).get("return")) and not _asks_who_reads(found)
    )


def _is_told(kind: object) -> bool:
    return kind in _TOLD or any(_is_told(inner) for inner in get_args(kind))


def _asks_who_reads(method: object) -> bool:
    return any(hint is Audience for name, hint in get_type_hints(method).items() if name != "return")


@cache
def routes() -> frozenset[str]:
    """Every path of the web process. In a process of its own: the page's framework is there once in each."""
    listed = subprocess.run(
        [sys.executable, "-c", _LIST_ROUTES], capture_output=True, text=True, check=True, timeout=120
    )
    paths = [path for path in listed.stdout.split("\n") if path and not path.startswith(OF_THE_FRAMEWORK)]
    return frozenset(f"route:{path}" for path in paths)
