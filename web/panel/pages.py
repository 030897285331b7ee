"""Which pages the panel has, in the order of its menu."""

from web.door import Doors
from web.panel import access, days, memory, overview, privacy, recall, reminders, settings, usage
from web.panel.shell import Leaf, PanelPages
from web.words import Panel

LEAVES = (
    Leaf("/panel", Panel.OVERVIEW, "home", overview.body),
    Leaf("/panel/memory", Panel.MEMORY, "psychology", memory.body),
    Leaf("/panel/days", Panel.DAYS, "today", days.body),
    Leaf("/panel/recall", Panel.RECALL, "search", recall.body),
    Leaf("/panel/reminders", Panel.REMINDERS, "alarm", reminders.body),
    Leaf("/panel/privacy", Panel.PRIVACY, "shield", privacy.body),
    Leaf("/panel/settings", Panel.SETTINGS, "tune", settings.body, for_managers=True),
    Leaf("/panel/usage", Panel.USAGE, "bar_chart", usage.body, for_managers=True),
    Leaf("/panel/access", Panel.ACCESS, "key", access.body),
)


def add_panel(doors: Doors, chat: str | None) -> None:
    PanelPages(doors, LEAVES, chat)
