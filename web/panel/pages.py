"""Which pages the panel has, in the order of its menu."""

from web.door import Doors
from web.panel import access
from web.panel.shell import Leaf, PanelPages
from web.words import Panel

LEAVES = (Leaf("/panel/access", Panel.ACCESS, "key", access.body),)


def add_panel(doors: Doors, chat: str | None) -> None:
    PanelPages(doors, LEAVES, chat)
