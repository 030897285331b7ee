"""Application commands: registering, changing and listing them, for everywhere and for one guild."""

from collections import Counter
from collections.abc import Iterable

from local_guild.actions.interactions import CHAT_INPUT
from local_guild.rest.call import Call, Endpoints
from local_guild.rest.command_forms import (
    CommandList,
    mistakes_in_list,
)
from local_guild.rest.errors import (
    UNKNOWN_APPLICATION,
    ApiError,
    InvalidFormError,
    MissingAccessError,
    UnknownThingError,
)
from local_guild.state.ids import Json, JsonObject

endpoints = Endpoints()
local_endpoints = Endpoints()

EVERYWHERE = "/applications/{application_id}/commands"
IN_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"

TOO_MANY_COMMANDS = 30032
MAX_CHAT_COMMANDS, MAX_MENU_COMMANDS = 100, 15


@endpoints("GET", EVERYWHERE)
@endpoints("GET", IN_GUILD)
async def list_commands(call: Call) -> Json:
    commands = call.server.commands.listed(_scope(call))
    if call.request.query_params.get("with_localizations", "0").lower() in ("1", "true"):
        return commands
    return [_unlocalised(command) for command in commands]


@endpoints("PUT", EVERYWHERE)
@endpoints("PUT", IN_GUILD)
async def overwrite_commands(call: Call) -> Json:
    scope = _scope(call)
    forms = (await call.body(CommandList)).root
    mistakes = list(mistakes_in_list(forms))
    if mistakes:
        raise InvalidFormError(mistakes)
    _check_count([form.type for form in forms])
    return call.server.commands.overwrite(scope, [form.stored() for form in forms])


@local_endpoints("GET", "/guilds/{guild_id}/commands")
async def usable_commands(call: Call) -> Json:
    """What the calling member may use in the guild; a client offers these as one types."""
    return [_unlocalised(command) for command in call.server.commands.usable(call.guild(), call.caller.id)]


def _scope(call: Call) -> int | None:
    """The guild whose commands are meant, None for everywhere; only the application has commands."""
    application_id = call.id("application_id")
    if not call.is_application:
        raise MissingAccessError
    if application_id != call.server.world.facts.bot_id:
        raise UnknownThingError(UNKNOWN_APPLICATION)
    return call.guild().id if "guild_id" in call.request.path_params else None


def _check_count(kinds: Iterable[int]) -> None:
    for kind, count in Counter(kinds).items():
        most = MAX_CHAT_COMMANDS if kind == CHAT_INPUT else MAX_MENU_COMMANDS
        if count > most:
            sentence = f"Maximum number of application commands reached ({most})."
            raise ApiError(400, TOO_MANY_COMMANDS, sentence)


def _unlocalised(part: JsonObject) -> JsonObject:
    """Without the translations, which Discord sends only on asking."""
    plain = {name: value for name, value in part.items() if not name.endswith("_localizations")}
    for name in ("options", "choices"):
        inner = plain.get(name)
        if isinstance(inner, list):
            plain[name] = [_unlocalised(one) for one in inner]
    return plain
