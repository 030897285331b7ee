"""The forms commands are registered with, and Discord's rules for them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field, RootModel

from local_guild.actions.interactions import CHAT_INPUT
from local_guild.state.ids import JsonObject

MAX_COMMAND_CHARACTERS = 8000
# \w lacks the combining marks that Thai and Devanagari names need.
_NAME = re.compile(r"^[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}$")

Mistake = tuple[Sequence[str | int], str, str]
Locale = Literal[
    "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "hi", "hr", "hu", "id", "it", "ja",
    "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
]  # fmt: skip
Name = Annotated[str, Field(min_length=1, max_length=32)]
Text = Annotated[str, Field(min_length=1, max_length=100)]
Names = dict[Locale, Name]
Texts = dict[Locale, Text]


class OptionType(IntEnum):
    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    NUMBER = 10


NESTING = frozenset({OptionType.SUBCOMMAND, OptionType.GROUP})
CHOOSABLE = frozenset({OptionType.STRING, OptionType.INTEGER, OptionType.NUMBER})


class Choice(BaseModel):
    name: Text
    name_localizations: Texts | None = None
    value: str | int | float


class Option(BaseModel):
    type: OptionType
    name: Name
    name_localizations: Names | None = None
    description: Text
    description_localizations: Texts | None = None
    required: bool = False
    choices: list[Choice] | None = Field(None, max_length=25)
    options: list["Option"] | None = Field(None, max_length=25)
    channel_types: list[int] | None = None
    min_value: int | float | None = None
    max_value: int | float | None = None
    min_length: int | None = Field(None, ge=0, le=6000)
    max_length: int | None = Field(None, ge=1, le=6000)
    autocomplete: bool = False


class CommandForm(BaseModel):
    name: Name
    type: int = Field(CHAT_INPUT, ge=1, le=3)
    name_localizations: Names | None = None
    description: str = Field("", max_length=100)
    description_localizations: Texts | None = None
    options: list[Option] | None = Field(None, max_length=25)
    default_member_permissions: int | str | None = None
    dm_permission: bool | None = None
    contexts: list[int] | None = None
    integration_types: list[int] | None = None
    nsfw: bool = False

    def stored(self) -> JsonObject:
        """The command's own fields, as they are kept and given back."""
        permissions = self.default_member_permissions
        body: JsonObject = {
            "type": self.type,
            "name": self.name,
            "name_localizations": self.name_localizations,
            "description": self.description,
            "description_localizations": self.description_localizations,
            "default_member_permissions": None if permissions is None else str(permissions),
            "dm_permission": self.dm_permission is not False,
            "contexts": self.contexts,
            "integration_types": self.integration_types or [0],
            "nsfw": self.nsfw,
        }
        if self.options:
            body["options"] = [_stored_option(option) for option in self.options]
        return body


class CommandList(RootModel[list[CommandForm]]):
    pass


def mistakes_in_list(forms: Sequence[CommandForm]) -> Iterator[Mistake]:
    seen: set[tuple[int, str]] = set()
    for index, form in enumerate(forms):
        yield from mistakes_in(form, (index,))
        if (form.type, form.name) in seen:
            yield (index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
        seen.add((form.type, form.name))


def mistakes_in(form: CommandForm, path: Sequence[str | int] = ()) -> Iterator[Mistake]:
    permissions = form.default_member_permissions
    if isinstance(permissions, str) and not (permissions.isascii() and permissions.isdigit()):
        yield (*path, "default_member_permissions"), "NUMBER_TYPE_COERCE", "Value is not a set of permissions."
    if form.type != CHAT_INPUT:
        if form.description:
            sentence = "Context menu commands cannot have description"
            yield (*path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", sentence
        if form.options:
            yield (*path, "options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", "Must be 0 or fewer in length."
        return
    for where in _invalid_names(form):
        yield (*path, *where), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"
    if not form.description:
        yield (*path, "description"), "BASE_TYPE_REQUIRED", "This field is required"
    yield from _mistakes_in_options(form.options or [], (*path, "options"))
    if _characters([form]) > MAX_COMMAND_CHARACTERS:
        sentence = f"Command exceeds maximum size ({MAX_COMMAND_CHARACTERS})"
        yield path, "APPLICATION_COMMAND_TOO_LARGE", sentence


def _mistakes_in_options(options: Sequence[Option], path: Sequence[str | int]) -> Iterator[Mistake]:
    nested = [option.type in NESTING for option in options]
    if any(nested) and not all(nested):
        sentence = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        yield path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", sentence
    optional_seen = False
    names: set[str] = set()
    for index, option in enumerate(options):
        here = (*path, index)
        if option.name in names:
            yield (*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"
        names.add(option.name)
        if option.required and optional_seen:
            sentence = "Required options must be placed before non-required options"
            yield here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", sentence
        optional_seen = optional_seen or not option.required
        yield from _mistakes_in_option(option, here)


def _mistakes_in_option(option: Option, path: Sequence[str | int]) -> Iterator[Mistake]:
    for where in _invalid_names(option):
        yield (*path, *where), "STRING_TYPE_REGEX", "String value did not match validation regex."
    if (option.choices or option.autocomplete) and option.type not in CHOOSABLE:
        sentence = "Only strings, integers and numbers can have choices"
        yield (*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", sentence
    if option.choices and option.autocomplete:
        sentence = "Option cannot have both autocomplete and choices"
        yield (*path, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", sentence
    yield from _mistakes_in_options(option.options or [], (*path, "options"))


def _invalid_names(part: CommandForm | Option) -> Iterator[tuple[str, ...]]:
    if not _is_command_name(part.name):
        yield ("name",)
    for locale, name in (part.name_localizations or {}).items():
        if not _is_command_name(name):
            yield "name_localizations", locale


def _is_command_name(name: str) -> bool:
    return _NAME.match(name) is not None and name == name.lower()


def _stored_option(option: Option) -> JsonObject:
    body: JsonObject = option.model_dump(exclude_unset=True, exclude={"options"}, exclude_none=True)
    body["type"] = int(option.type)
    if option.options is not None:
        body["options"] = [_stored_option(inner) for inner in option.options]
    return body


def _characters(parts: Iterable[CommandForm | Option]) -> int:
    """Names, descriptions and choices count, all the way down; of translations the longest."""
    total = 0
    for part in parts:
        total += _longest(part.name, part.name_localizations) + _characters(part.options or [])
        total += _longest(part.description, part.description_localizations)
        for choice in (part.choices or []) if isinstance(part, Option) else []:
            total += _longest(choice.name, choice.name_localizations) + len(str(choice.value))
    return total


def _longest(text: str, translations: Names | None) -> int:
    return max(map(len, (text, *(translations or {}).values())))
