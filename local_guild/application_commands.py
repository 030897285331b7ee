"""The commands the application offers, everywhere or in one guild, and which of them a member may use."""

from collections.abc import Iterator

from local_guild.permissions import Permission
from local_guild.realm import Realm
from local_guild.wire import JsonObject
from local_guild.world import Channel, Guild, Record

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
IN_GUILD, IN_BOT_DM = 0, 1
GUILD_INSTALL = 0

_PREFIX = "command:"


class ApplicationCommands:
    """Commands live as records of the world; a scope is a guild's id, or None for everywhere."""

    def __init__(self, realm: Realm) -> None:
        self._realm = realm

    def listed(self, scope: int | None) -> list[JsonObject]:
        prefix = _key(scope, "")
        return [record.body for key, record in self._realm.world.records.items() if key.startswith(prefix)]

    def get(self, scope: int | None, command_id: int) -> JsonObject | None:
        record = self._realm.world.records.get(_key(scope, command_id))
        return None if record is None else record.body

    def named(self, scope: int | None, kind: int, name: str) -> JsonObject | None:
        for command in self.listed(scope):
            if (command["type"], command["name"]) == (kind, name):
                return command
        return None

    def put(self, scope: int | None, fields: JsonObject, *, replacing: JsonObject | None = None) -> JsonObject:
        """Store a command as new, or in place of an older one whose id it keeps."""
        if replacing is not None and all(replacing.get(name) == value for name, value in fields.items()):
            return replacing
        version = str(self._realm.ids.next())
        command: JsonObject = {
            "id": version if replacing is None else replacing["id"],
            "application_id": str(self._realm.world.facts.bot_id),
            "version": version,
            **({} if scope is None else {"guild_id": str(scope)}),
            **fields,
        }
        self._realm.world.keep(Record(_key(scope, command["id"]), command))
        return command

    def remove(self, scope: int | None, command: JsonObject) -> None:
        self._realm.world.drop(self._realm.world.records[_key(scope, command["id"])])

    def overwrite(self, scope: int | None, wanted: list[JsonObject]) -> list[JsonObject]:
        """Make the scope's commands exactly these; one of the same kind and name keeps its id."""
        before = {(command["type"], command["name"]): command for command in self.listed(scope)}
        kept = [
            self.put(scope, fields, replacing=before.pop((fields["type"], fields["name"]), None)) for fields in wanted
        ]
        for command in before.values():
            self.remove(scope, command)
        return kept

    def offered_in(self, guild: Guild | None) -> Iterator[JsonObject]:
        """What there is to use in a guild, or in a direct message with the bot; a guild's own come first."""
        if guild is not None:
            yield from self.listed(guild.id)
        context = IN_BOT_DM if guild is None else IN_GUILD
        yield from (command for command in self.listed(None) if _meant_for(command, context))

    def find(self, guild: Guild | None, kind: int, name: str, command_id: int | None = None) -> JsonObject | None:
        for command in self.offered_in(guild):
            if command_id is not None and command["id"] != str(command_id):
                continue
            if (command["type"], command["name"]) == (kind, name):
                return command
        return None

    def usable(self, guild: Guild, user_id: int) -> list[JsonObject]:
        """The commands a member may use somewhere in the guild."""
        rights = self._realm.access.in_guild(guild, user_id)
        return [command for command in self.offered_in(guild) if _permitted(command, rights)]

    def may_use(self, command: JsonObject, channel: Channel, user_id: int) -> bool:
        if channel.guild_id is None:
            return True
        if command.get("nsfw") and not self._is_age_restricted(channel):
            return False
        return _permitted(command, self._realm.access.in_channel(channel, user_id))

    def _is_age_restricted(self, channel: Channel) -> bool:
        parent = self._realm.world.channels.get(channel.parent_id or 0) if channel.thread is not None else None
        return channel.nsfw or (parent is not None and parent.nsfw)


def _key(scope: int | None, command_id: object) -> str:
    return f"{_PREFIX}{'everywhere' if scope is None else scope}:{command_id}"


def _meant_for(command: JsonObject, context: int) -> bool:
    contexts, installs = command.get("contexts"), command.get("integration_types")
    if isinstance(installs, list) and GUILD_INSTALL not in installs:
        return False
    if isinstance(contexts, list):
        return context in contexts
    return context == IN_GUILD or command.get("dm_permission") is not False


def _permitted(command: JsonObject, rights: int) -> bool:
    """By its default permissions: unset is for all, none at all ("0") is for administrators."""
    needed = command.get("default_member_permissions")
    if needed is None or rights & Permission.ADMINISTRATOR:
        return bool(rights & Permission.USE_APPLICATION_COMMANDS)
    bits = int(str(needed))
    return bits != 0 and rights & bits == bits and bool(rights & Permission.USE_APPLICATION_COMMANDS)
