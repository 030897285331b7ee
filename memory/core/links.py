"""Reads Discord's links to messages and channels in what people write.

A link says nothing by itself: whoever shows what it leads to has read that for those who will see it.
"""

import re
from collections.abc import Mapping

from memory.language.text import shorten

MOST_LINKS = 3
"""Of one text: whoever pastes more means a list."""
FIRST_WORDS = 160
"""Characters of a message that stand for a link to it."""

_LINK = re.compile(
    r"<?https?://(?:www\.|ptb\.|canary\.)?discord(?:app)?\.com/channels/(\d{1,20})/(\d{1,20})(?:/(\d{1,20}))?/?(?![\w/])>?"
)
_LARGEST = 2**63 - 1
UNREAD = "🔗"


def linked_ids(text: str, guild_id: int) -> tuple[int, ...]:
    """List the messages of this server that a text links to, in its order; no other server's."""
    if "/channels/" not in text:
        return ()
    found = (_message_in(link, guild_id) for link in _LINK.finditer(text))
    return tuple(dict.fromkeys(filter(None, found)))[:MOST_LINKS]


def without_links(text: str, guild_id: int) -> str:
    """Take links to messages of this server out of a text."""
    return " ".join(_LINK.sub(lambda link: " " if _message_in(link, guild_id) else link[0], text).split())


def with_first_words(text: str, guild_id: int, linked: Mapping[int, str]) -> str:
    """Put the first words of a message in the place of the link to it; `linked` has what is known of them.

    Nothing of a link is left whose message nobody read: whoever sees the text may not be somebody who can open it.
    """
    if "/channels/" not in text:
        return text

    def shown(link: re.Match[str]) -> str:
        message_id = _message_in(link, guild_id)
        words = " ".join(linked.get(message_id, "").split())
        return f"“{shorten(words, FIRST_WORDS)}”" if words else UNREAD if message_id else link[0]

    return _LINK.sub(shown, text)


def with_channel_mentions(text: str) -> str:
    """Turn links to channels into mentions of them, which are shown by name to whoever may know it."""
    if "/channels/" not in text:
        return text
    return _LINK.sub(lambda link: link[0] if link[3] else f"<#{link[2]}>", text)


def _message_in(link: re.Match[str], guild_id: int) -> int:
    """Find the message that a link leads to; 0 if it leads to none, or out of this server."""
    message_id = int(link[3] or 0)
    return message_id if int(link[1]) == guild_id and message_id <= _LARGEST else 0
