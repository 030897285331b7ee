"""People in a prompt whose reply is kept: each has a short number there, and the reply can name nobody else.

Ids of Discord are long, and models get them wrong. What somebody types that looks like such a number is taken apart.
"""

import re
from collections.abc import Iterable, Sequence

from ai_clients.errors import BadReply
from memory.core.values import Member
from memory.prompts.escape import as_data

_MENTION = re.compile(r"<@!?(\d{1,20})>")
_LOOKS_NUMBERED = re.compile(r"@(?=P\d)", re.IGNORECASE)
_NUMBERED = re.compile(r"@P(\d{1,4})\b")
SOMEONE = "someone"
NAME_LIMIT = 60


class NumberedPeople:
    def __init__(self, members: Iterable[Member]) -> None:
        self._members: Sequence[Member] = tuple(dict.fromkeys(members))
        self._numbers = {member.user_id: number for number, member in enumerate(self._members, start=1)}

    def lines(self) -> list[str]:
        """Who is who, for the data of a prompt."""
        return [
            f'<person n="@P{number}" name="{as_data(member.display_name, NAME_LIMIT)}"{_also(member)}/>'
            for number, member in enumerate(self._members, start=1)
        ]

    def called(self, user_id: int) -> str:
        return f"@P{self._numbers[user_id]}" if user_id in self._numbers else SOMEONE

    def as_data(self, text: str, limit: int) -> str:
        """Somebody's words, with mentions as numbers."""
        plain = _LOOKS_NUMBERED.sub("@ ", text)
        return as_data(_MENTION.sub(lambda mention: self.called(int(mention[1])), plain), limit)

    def with_ids(self, text: str) -> str:
        """A reply, with people as ids again."""
        if _MENTION.search(text):
            raise BadReply("a person was named in a way that nobody was given")
        return _NUMBERED.sub(lambda found: f"<@{self.member(int(found[1])).user_id}>", " ".join(text.split()))

    def member(self, number: int) -> Member:
        if not 0 < number <= len(self._members):
            raise BadReply("a person was named whom nobody was given")
        return self._members[number - 1]


def _also(member: Member) -> str:
    names = dict.fromkeys(name for name in (member.username, member.global_name, *member.aliases) if name)
    names.pop(member.display_name, None)
    return f' also="{as_data(", ".join(names), NAME_LIMIT * 2)}"' if names else ""
