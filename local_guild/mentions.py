"""Whom a message mentions, given its text and what its sender allowed to ping."""

import re
from collections.abc import Container
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

_USER = re.compile(r"<@!?(\d{15,20})>")
_ROLE = re.compile(r"<@&(\d{15,20})>")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_EVERYONE = re.compile(r"@(everyone|here)\b")


class AllowedMentions(BaseModel):
    """As sent with a message; a message sent without one may ping whomever it names."""

    parse: list[str] = Field(default_factory=list)
    users: list[int] = Field(default_factory=list, max_length=100)
    roles: list[int] = Field(default_factory=list, max_length=100)
    replied_user: bool = False


PING_ANYONE = AllowedMentions(parse=["users", "roles", "everyone"], replied_user=True)


@dataclass(frozen=True, slots=True)
class Mentions:
    user_ids: list[int] = field(default_factory=list)
    role_ids: list[int] = field(default_factory=list)
    everyone: bool = False


def mentioned(
    content: str,
    allowed: AllowedMentions | None,
    *,
    users: Container[int],
    roles: Container[int],
    may_mention_everyone: bool,
    replied_user_id: int | None = None,
) -> Mentions:
    """`users` and `roles` are those that exist here; what stands in code pings nobody."""
    rules = PING_ANYONE if allowed is None else allowed
    if "@" not in content:
        pinged = replied_user_id is not None and rules.replied_user
        return Mentions([replied_user_id] if pinged and replied_user_id is not None else [])
    text = _CODE.sub(" ", content)
    user_ids = [
        user_id
        for user_id in _ids(_USER, text)
        if user_id in users and ("users" in rules.parse or user_id in rules.users)
    ]
    role_ids = [
        role_id
        for role_id in _ids(_ROLE, text)
        if role_id in roles and ("roles" in rules.parse or role_id in rules.roles)
    ]
    if replied_user_id is not None and rules.replied_user and replied_user_id not in user_ids:
        user_ids.append(replied_user_id)
    everyone = may_mention_everyone and "everyone" in rules.parse and _EVERYONE.search(text) is not None
    return Mentions(user_ids, role_ids, everyone)


def _ids(pattern: re.Pattern[str], text: str) -> list[int]:
    return list(dict.fromkeys(int(found) for found in pattern.findall(text)))
