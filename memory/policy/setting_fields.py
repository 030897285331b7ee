"""Declares what a setting of a server may be: its kind and bounds; reads what somebody wants, and says it in words.

`memory.policy.settings` has the settings themselves. Commands, setup, panel and API are drawn from these declarations;
the words stand in the part `[setting]` of the word files, each under the path of its setting. Outside, ids are text,
because many programs round numbers of that size.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, is_dataclass, replace
from enum import EnumType, StrEnum, auto
from functools import reduce
from types import NoneType
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from memory.core.values import speaker_key
from memory.language.detect import Language
from memory.language.text import repair
from memory.language.time_zones import zone_meant
from memory.language.wording import SentenceKey, worded, wording

SettingValue: TypeAlias = bool | int | str | list[str] | list[int] | None
"""As it is shown and sent: ids as text."""
Settings = TypeVar("Settings")


class Setting(SentenceKey):
    """Words what is said of settings: `log_retention_days` is the label of that one, `…_help` the line under it."""


class FieldKind(StrEnum):
    SWITCH = auto()
    NUMBER = auto()
    CHOICE = auto()
    TEXT = auto()
    ZONE = auto()
    CHANNEL = auto()
    """One of them, or none."""
    ROLE = auto()
    CHANNELS = auto()
    ROLES = auto()
    WEBHOOKS = auto()
    NAMES = auto()
    """Of speakers behind webhooks; as they are known by, not as they are written."""
    DAYS = auto()
    """Of the week, from Monday, which is 0, on."""


Show: TypeAlias = Callable[[FieldKind, Sequence[str]], str]
"""Words ids, or a text that a manager wrote, for whoever reads it."""


class NotASetting(Exception):
    """Says of which setting a wanted value cannot be, and what it may be."""

    def __init__(self, path: str, expected: str, wanted: object = None) -> None:
        super().__init__(f"{path}: {expected} is expected.")
        self.path = path
        self.wanted = wanted


@dataclass(frozen=True, slots=True)
class SettingField:
    kind: FieldKind
    least: int = 0
    most: int = 0
    """Of a number, of the letters of a text, or of the entries of a list."""
    choices: tuple[str, ...] = ()
    group: str = ""
    """The heading it stands under; without one, the first part of its path."""
    has_threads: bool = False
    """Of channels: threads may be chosen as well."""
    path: str = ""
    """Its name: `log.retention_days`."""
    or_none: bool = False
    """Of a number: zero stands for none at all."""

    def held(self, settings: object) -> Any:  # noqa: ANN401 - of any kind
        return reduce(getattr, self.path.split("."), settings)

    def put(self, settings: Settings, value: object) -> Settings:
        """Change one value in the settings. It is not checked."""
        room, _, name = self.path.rpartition(".")
        owner: Any = getattr(settings, room) if room else settings
        changed: Any = replace(owner, **{name: value})
        whole: Any = settings
        return replace(whole, **{room: changed}) if room else changed  # type: ignore[no-any-return]

    def of(self, settings: object) -> SettingValue:
        """Get the setting's value as it is shown and sent."""
        value = self.held(settings)
        match self.kind:
            case FieldKind.CHANNEL | FieldKind.ROLE:
                return None if value is None else str(value)
            case FieldKind.CHANNELS | FieldKind.ROLES | FieldKind.WEBHOOKS | FieldKind.NAMES:
                return [str(one) for one in sorted(value)]
            case FieldKind.DAYS:
                return list(value)
            case FieldKind.CHOICE:
                return str(value)
        return value  # type: ignore[no-any-return]

    def read(self, wanted: Any, now: Any, seen: Collection[int]) -> object:  # noqa: ANN401 - of any kind
        """Read a wanted value as the settings hold it. Raises `NotASetting`."""
        try:
            made = self._read(wanted, now, frozenset(seen))
        except (ValueError, TypeError, OverflowError):
            made = _NOTHING
        if made is _NOTHING:
            raise NotASetting(self.path, self.expected, wanted)
        return made

    def _read(self, wanted: Any, now: Any, seen: frozenset[int]) -> object:  # noqa: ANN401 - of any kind
        match self.kind, wanted:
            case FieldKind.SWITCH, bool():
                return wanted
            case FieldKind.NUMBER, None if self.or_none:
                return None
            case FieldKind.NUMBER, int() if not isinstance(wanted, bool) and self.least <= wanted <= self.most:
                return None if self.or_none and not wanted else wanted
            case FieldKind.CHOICE, str() if wanted in self.choices:
                return type(now)(wanted)
            case FieldKind.TEXT, str() if len(said := " ".join(repair(wanted).split())) <= self.most:
                return said
            case FieldKind.ZONE, str():
                return zone_meant(wanted) or _NOTHING
            case ((FieldKind.CHANNEL | FieldKind.ROLE), None):
                return None
            case ((FieldKind.CHANNEL | FieldKind.ROLE), int() | str()) if int(wanted) in seen | {now}:
                return int(wanted)
            case ((FieldKind.CHANNELS | FieldKind.ROLES), list()):
                chosen, before = {int(each) for each in wanted}, frozenset(now)
                kept = chosen | (before - seen)
                return type(now)(sorted(kept)) if chosen <= seen | before and len(kept) <= self.most else _NOTHING
            case FieldKind.WEBHOOKS, list():
                ids = frozenset(int(each) for each in wanted)
                return ids if len(ids) <= self.most and all(0 < each <= _LARGEST for each in ids) else _NOTHING
            case FieldKind.NAMES, list() if all(isinstance(each, str) for each in wanted):
                names = frozenset(filter(None, (speaker_key(repair(each)) for each in wanted)))
                return names if len(names) <= self.most else _NOTHING
            case FieldKind.DAYS, list() if wanted and set(wanted) <= set(range(7)):
                return tuple(sorted(set(map(int, wanted))))
        return _NOTHING

    @property
    def expected(self) -> str:
        """Say what the setting may be, for programs."""
        match self.kind:
            case FieldKind.SWITCH:
                return "true or false"
            case FieldKind.NUMBER:
                return f"a whole number from {self.least} to {self.most}" + (", or null for none" * self.or_none)
            case FieldKind.CHOICE:
                return f"one of {', '.join(self.choices)}"
            case FieldKind.TEXT:
                return f"a text of at most {self.most} characters"
            case FieldKind.ZONE:
                return "the name of a time zone, such as Europe/Berlin,"
            case FieldKind.DAYS:
                return "a list of weekdays, from 0 for Monday to 6,"
            case FieldKind.WEBHOOKS:
                return f"a list of at most {self.most} ids of webhooks"
            case FieldKind.NAMES:
                return f"a list of at most {self.most} names"
            case FieldKind.CHANNEL | FieldKind.ROLE:
                return f"null or the id of a {self.kind} that you can see"
        return f"a list of ids of {self.kind} that you can see"

    # How it is said

    def key(self, part: str = "") -> Setting:
        """Give the key of a setting's label or, with a part such as `help` or a choice, of what else is said of it."""
        return Setting["_".join(filter(None, (self.path.replace(".", "_"), part))).upper()]

    def label(self, language: Language) -> str:
        return wording(language, self.key())

    def help(self, language: Language) -> str:
        return wording(language, self.key("help"))

    def said_choices(self, language: Language) -> dict[str, str]:
        return {one: wording(language, self.key(one)) for one in self.choices}

    def bounds(self, language: Language) -> str:
        """Say in a sentence what the setting may be."""
        match self.kind:
            case FieldKind.NUMBER:
                return wording(language, Setting.BOUNDS_NUMBER, least=self.least, most=self.most)
            case FieldKind.TEXT:
                return wording(language, Setting.BOUNDS_TEXT, most=self.most)
            case FieldKind.DAYS:
                return wording(language, Setting.BOUNDS_DAYS)
        return wording(language, Setting.BOUNDS_OTHER)

    def said(self, language: Language, value: SettingValue, show: Show) -> str:
        """Word a value, which is given as it is shown and sent."""
        match self.kind, value:
            case FieldKind.SWITCH, _:
                return wording(language, Setting.ON if value else Setting.OFF)
            case FieldKind.CHOICE, _:
                return wording(language, self.key(str(value)))
            case FieldKind.DAYS, list():
                names = weekday_names(language)
                every_day = wording(language, Setting.EVERY_DAY)
                return every_day if len(value) == len(names) else ", ".join(names[int(one)] for one in value)
            case (FieldKind.WEBHOOKS, list()) if value:
                return wording(language, self.key("value"), count=len(value))
            case (FieldKind.NUMBER, int()) if self._has("value"):
                return wording(language, self.key("value"), count=value)
            case (FieldKind.NUMBER, int()) | (FieldKind.ZONE, _):
                return str(value)
            case FieldKind.ROLE, None:
                return "@everyone"
        if not value:
            return wording(language, self.key("none") if self._has("none") else Setting.NONE)
        return show(self.kind, [str(one) for one in value] if isinstance(value, list) else [str(value)])

    def _has(self, part: str) -> bool:
        return self.key().name + f"_{part.upper()}" in Setting.__members__


def weekday_names(language: Language) -> list[str]:
    """List the short names of weekdays, from Monday on."""
    return worded(language, "remind", "weekdays").split("/")


def declared(settings: type, path: str = "") -> Iterator[SettingField]:
    """List the settings of a class of settings, and of the classes within it. What declares nothing is none."""
    for name, hint in get_type_hints(settings, include_extras=True).items():
        plain, *given = [hint] if get_origin(hint) is None else get_args(hint)
        one = next((one for one in given if isinstance(one, SettingField)), None)
        if is_dataclass(hint) and isinstance(hint, type):
            yield from declared(hint, f"{path}{name}.")
            continue
        if one is None and hint is bool:
            one = SettingField(FieldKind.SWITCH)
        elif one is None and isinstance(hint, EnumType):
            one = SettingField(FieldKind.CHOICE, choices=tuple(map(str, hint)))
        if one is not None:
            group = one.group or path.rstrip(".") or "server"
            yield replace(one, path=f"{path}{name}", group=group, or_none=NoneType in get_args(plain))


_LARGEST = 2**63 - 1
_NOTHING = object()
