"""What a member gave for a command's options: checked against its definition, and resolved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from local_guild.actions.interactions import Resolved
from local_guild.rest.command_forms import NESTING, Mistake, Option, OptionType
from local_guild.rest.errors import InvalidFormError
from local_guild.state.ids import JsonObject

MAX_TEXT = 6000
LARGEST_INTEGER = 2**53

Value = str | int | float | bool
Path = tuple[str | int, ...]


class Given(BaseModel):
    """One option as the member's client sent it; its type may be left out, the definition knows it."""

    name: str
    type: int | None = None
    value: Value | None = None
    options: list["Given"] | None = None
    focused: bool = False


@dataclass(slots=True)
class Filling:
    """Goes through what was given for one command. `typing` is autocomplete: unfinished, nothing resolved."""

    resolved: Resolved
    typing: bool = False
    called: list[str] = field(default_factory=list)
    _mistakes: list[Mistake] = field(default_factory=list)

    def fill(self, defined: Sequence[Option], given: Sequence[Given]) -> list[JsonObject]:
        """The options as the bot receives them; InvalidFormError with every mistake if there are any."""
        filled = self._fill(defined, given, ("data", "options"))
        if self.typing and not self._mistakes and not any(_focused(filled)):
            self._refuse(("data", "options"), "An option being typed must be given as focused.")
        if self._mistakes:
            raise InvalidFormError(self._mistakes)
        return filled

    def _fill(self, defined: Sequence[Option], given: Sequence[Given], path: Path) -> list[JsonObject]:
        known = {option.name: option for option in defined}
        branches = [option for option in defined if option.type in NESTING]
        if branches and len(given) != 1:
            names = ", ".join(option.name for option in branches)
            self._refuse(path, f"One sub-command is needed: {names}.")
            return []
        filled = []
        for index, one in enumerate(given):
            option = known.pop(one.name, None)
            if option is None or one.type not in (None, option.type):
                self._refuse((*path, index, "name"), f'There is no such option: "{one.name[:40]}".')
            elif option.type in NESTING:
                self.called.append(option.name)
                inner = self._fill(option.options or [], one.options or [], (*path, index, "options"))
                filled.append({"type": int(option.type), "name": option.name, "options": inner})
            else:
                filled.append(self._valued(option, one, (*path, index, "value")))
        if not self.typing and not branches:
            for option in known.values():
                if option.required:
                    self._refuse((*path, option.name), "This option is required.")
        return filled

    def _valued(self, option: Option, one: Given, path: Path) -> JsonObject:
        body: JsonObject = {"type": int(option.type), "name": option.name, "value": one.value}
        if self.typing:
            if one.focused and not option.autocomplete:
                self._refuse(path, "This option has no autocomplete.")
            return body | {"focused": True} if one.focused else body
        value = one.value
        sentence = _objection(option, value)
        if sentence is None and option.type in _RESOLVING:
            sentence = self._resolve(option, str(value))
            body["value"] = str(value)
        if sentence is not None:
            self._refuse(path, sentence)
        return body

    def _resolve(self, option: Option, value: str) -> str | None:
        found = False
        if value.isascii() and value.isdigit():
            found = resolve(self.resolved, option.type, int(value), option.channel_types)
        return None if found else "There is nobody and nothing here with this id."

    def _refuse(self, path: Path, sentence: str) -> None:
        self._mistakes.append((path, "APPLICATION_COMMAND_OPTION_VALUE_INVALID", sentence))


_RESOLVING = frozenset({OptionType.USER, OptionType.CHANNEL, OptionType.ROLE})


def resolve(resolved: Resolved, kind: OptionType, thing_id: int, channel_types: list[int] | None = None) -> bool:
    """Whether there is a thing of that kind with this id; it is noted as resolved then."""
    match kind:
        case OptionType.USER:
            return resolved.user(thing_id)
        case OptionType.ROLE:
            return resolved.role(thing_id)
        case OptionType.CHANNEL:
            return resolved.channel(thing_id, channel_types)
    return False


def _objection(option: Option, value: Value | None) -> str | None:
    """What is wrong with a value, or None."""
    match option.type:
        case OptionType.STRING:
            return _text_objection(option, value)
        case OptionType.INTEGER | OptionType.NUMBER:
            return _number_objection(option, value)
        case OptionType.BOOLEAN:
            return None if isinstance(value, bool) else "Must be true or false."
        case _:
            ok = isinstance(value, str | int) and not isinstance(value, bool)
            return None if ok else "Must be an id."


def _text_objection(option: Option, value: Value | None) -> str | None:
    if not isinstance(value, str):
        return "Must be a text."
    least, most = option.min_length or 0, option.max_length or MAX_TEXT
    if not least <= len(value) <= most:
        return f"Must be {least} to {most} characters long."
    return _choice_objection(option, value)


def _number_objection(option: Option, value: Value | None) -> str | None:
    whole = option.type == OptionType.INTEGER
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return "Must be a whole number." if whole else "Must be a number."
    least = -LARGEST_INTEGER if option.min_value is None else option.min_value
    most = LARGEST_INTEGER if option.max_value is None else option.max_value
    if not least <= value <= most:
        return f"Must be between {least} and {most}."
    return _choice_objection(option, value)


def _choice_objection(option: Option, value: Value) -> str | None:
    if not option.choices or any(choice.value == value for choice in option.choices):
        return None
    return "Must be one of the choices."


def _focused(options: Sequence[JsonObject]) -> Iterator[bool]:
    for option in options:
        inner = option.get("options")
        if isinstance(inner, list):
            yield from _focused(inner)
        elif option.get("focused"):
            yield True
