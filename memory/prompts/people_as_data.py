"""People in the data of a prompt: by the names they go by today, each with the id that tells two of one name apart."""

import re
from collections.abc import Mapping

from memory.prompts.escape import as_data

NAME_LIMIT = 40
_PERSON = re.compile(r"<@!?(\d{1,20})>")
_ROLE = re.compile(r"<@&\d+>")
_CHANNEL = re.compile(r"<#\d+>")
_EMOJI = re.compile(r"<a?:(\w{2,32}):\d+>")
SOMEONE = "someone"


def name_of(user_id: int, names: Mapping[int, str]) -> str:
    return as_data(names.get(user_id, SOMEONE), NAME_LIMIT) or SOMEONE


def words_as_data(text: str, names: Mapping[int, str], limit: int) -> str:
    """Somebody's words in one line, escaped, with mentions shown as people, roles and channels."""
    shown = _PERSON.sub(lambda mention: _mentioned(int(mention[1]), names), text)
    shown = _EMOJI.sub(r":\1:", _CHANNEL.sub("#channel", _ROLE.sub("@role", shown)))
    return as_data(shown, limit)


def _mentioned(user_id: int, names: Mapping[int, str]) -> str:
    # Two members may call themselves alike, and one of them on purpose.
    return f"@{names[user_id]} ({user_id})" if user_id in names else f"@{SOMEONE}"
