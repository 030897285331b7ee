"""Registers and lists application commands, by Discord's rules for them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field, RootModel

from local_guild.actions.components import Mistake, Path
from local_guild.actions.interactions import CHAT_INPUT
from local_guild.rest.call import ApiError, Call, Endpoints, InvalidFormError, Refusal
from local_guild.state.ids import Json, JsonObject

MAX_COMMAND_CHARACTERS = 8000
# \w lacks the combining marks that Thai and Devanagari names need.
_NAME = re.compile(r"^[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}$")


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
    options: list[Option] = Field(default_factory=list, max_length=25)
    default_member_permissions: int | None = None

    def stored(self) -> JsonObject:
        """Write the command's own fields, as they are kept and given back."""
        permissions = self.default_member_permissions
        body: JsonObject = self.model_dump(mode="json", exclude={"options"})
        body["default_member_permissions"] = None if permissions is None else str(permissions)
        if self.options:
            body["options"] = [one.model_dump(mode="json", exclude_unset=True) for one in self.options]
        return body


class CommandList(RootModel[list[CommandForm]]):
    pass


def mistakes_in(forms: Sequence[CommandForm]) -> Iterator[Mistake]:
    """Find what Discord would refuse, and neither a field nor discord.py: names in other languages, too many words."""
    for index, form in enumerate(forms):
        if form.type == CHAT_INPUT:
            yield from _misnamed(form, (index,))
            if _characters([form]) > MAX_COMMAND_CHARACTERS:
                yield (index,), f"Command exceeds maximum size ({MAX_COMMAND_CHARACTERS})"


def _misnamed(part: CommandForm | Option, path: Path) -> Iterator[Mistake]:
    for place, name in (("name", part.name), *(part.name_localizations or {}).items()):
        if not _NAME.match(name) or name != name.lower():
            yield (*path, *(("name",) if place == "name" else ("name_localizations", place))), "Name is invalid"
    for index, option in enumerate(part.options or []):
        yield from _misnamed(option, (*path, "options", index))


def _characters(parts: Iterable[CommandForm | Option]) -> int:
    """Count the characters of names, descriptions and choices, all the way down; of translations the longest."""
    total = 0
    for part in parts:
        total += _longest(part.name, part.name_localizations) + _characters(part.options or [])
        total += _longest(part.description, part.description_localizations)
        for choice in (part.choices or []) if isinstance(part, Option) else []:
            total += _longest(choice.name, choice.name_localizations) + len(str(choice.value))
    return total


def _longest(text: str, translations: Names | None) -> int:
    return max(map(len, (text, *(translations or {}).values())))


endpoints = Endpoints()
local_endpoints = Endpoints()


@endpoints("GET", "/applications/{application_id}/commands")
async def list_commands(call: Call) -> Json:
    _need_application(call)
    commands = call.server.commands.listed()
    return commands if call.asks_for("with_localizations") else [_unlocalised(command) for command in commands]


@endpoints("PUT", "/applications/{application_id}/commands")
async def overwrite_commands(call: Call) -> Json:
    _need_application(call)
    forms = (await call.body(CommandList)).root
    mistakes = list(mistakes_in(forms))
    if mistakes:
        raise InvalidFormError(mistakes)
    return call.server.commands.overwrite([form.stored() for form in forms])


@local_endpoints("GET", "/guilds/{guild_id}/commands")
async def usable_commands(call: Call) -> Json:
    """List what the calling member may use in the guild; a client offers these as one types."""
    return [_unlocalised(command) for command in call.server.commands.usable(call.guild(), call.caller.id)]


def _need_application(call: Call) -> None:
    """Refuse whoever is not the application: only it has commands."""
    if not call.is_application or call.id("application_id") != call.caller.id:
        raise ApiError(Refusal.MISSING_ACCESS)


def _unlocalised(part: JsonObject) -> JsonObject:
    """Leave out the translations, which Discord sends only on asking."""
    plain = {name: value for name, value in part.items() if not name.endswith("_localizations")}
    for name in ("options", "choices"):
        inner = plain.get(name)
        if isinstance(inner, list):
            plain[name] = [_unlocalised(one) for one in inner]
    return plain
