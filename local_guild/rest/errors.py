"""Discord's errors: a status, a numeric code, a sentence, and for bad forms where the mistake is.

ApiError
├── UnauthorizedError      401      no such token
├── Unknown           404      10003 channel, 10008 message …
├── MissingAccessError     403      50001: may not look in
├── MissingPermissionError 403      50013: may look in, but not do this
└── InvalidFormError       400      50035 with the nested `errors` of the fields
"""

from collections.abc import Iterable, Sequence

from local_guild.state.ids import JsonObject

GENERAL, UNKNOWN_APPLICATION, UNKNOWN_CHANNEL, UNKNOWN_GUILD = 0, 10002, 10003, 10004
UNKNOWN_MEMBER, UNKNOWN_MESSAGE, UNKNOWN_OVERWRITE, UNKNOWN_ROLE = 10007, 10008, 10009, 10011
UNKNOWN_USER, UNKNOWN_EMOJI, UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION = 10013, 10014, 10015, 10062
UNKNOWN_COMMAND = 10063
MISSING_ACCESS, CANNOT_EDIT_OTHERS, EMPTY_MESSAGE = 50001, 50005, 50006
CANNOT_MESSAGE_USER, NOT_IN_VOICE, WRONG_CHANNEL_TYPE = 50007, 50008, 50024
BULK_DELETE_COUNT, MISSING_PERMISSION = 50016, 50013
ALREADY_ANSWERED, INVALID_WEBHOOK_TOKEN = 40060, 50027
SYSTEM_MESSAGE, BULK_DELETE_TOO_OLD, INVALID_FORM = 50021, 50034, 50035
THREAD_ALREADY_EXISTS, THREAD_ARCHIVED, TOO_LARGE = 160004, 50083, 40005

_WHAT = {
    UNKNOWN_APPLICATION: "Unknown Application",
    UNKNOWN_CHANNEL: "Unknown Channel",
    UNKNOWN_GUILD: "Unknown Guild",
    UNKNOWN_MEMBER: "Unknown Member",
    UNKNOWN_MESSAGE: "Unknown Message",
    UNKNOWN_OVERWRITE: "Unknown Overwrite",
    UNKNOWN_ROLE: "Unknown Role",
    UNKNOWN_USER: "Unknown User",
    UNKNOWN_EMOJI: "Unknown Emoji",
    UNKNOWN_WEBHOOK: "Unknown Webhook",
    UNKNOWN_INTERACTION: "Unknown interaction",
    UNKNOWN_COMMAND: "Unknown application command",
}


class ApiError(Exception):
    def __init__(self, status: int, code: int, message: str, errors: JsonObject | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body: JsonObject = {"message": message, "code": code}
        if errors is not None:
            self.body["errors"] = errors


class UnauthorizedError(ApiError):
    def __init__(self) -> None:
        super().__init__(401, GENERAL, "401: Unauthorized")


class UnknownThingError(ApiError):
    def __init__(self, code: int) -> None:
        super().__init__(404, code, _WHAT[code])


class MissingAccessError(ApiError):
    def __init__(self) -> None:
        super().__init__(403, MISSING_ACCESS, "Missing Access")


class MissingPermissionError(ApiError):
    def __init__(self) -> None:
        super().__init__(403, MISSING_PERMISSION, "Missing Permissions")


class InvalidFormError(ApiError):
    """`mistakes` are (path of the field, Discord's short code, sentence)."""

    def __init__(self, mistakes: Iterable[tuple[Sequence[str | int], str, str]]) -> None:
        errors: JsonObject = {}
        for path, code, sentence in mistakes:
            node = errors
            for step in path:
                node = _child(node, str(step))
            found = node.setdefault("_errors", [])
            if isinstance(found, list):
                found.append({"code": code, "message": sentence})
        super().__init__(400, INVALID_FORM, "Invalid Form Body", errors)


def invalid(field: str, code: str, sentence: str) -> InvalidFormError:
    return InvalidFormError([((field,), code, sentence)])


def _child(node: JsonObject, name: str) -> JsonObject:
    child = node.setdefault(name, {})
    if not isinstance(child, dict):
        raise TypeError(f"{name} holds an error list, not fields")
    return child
