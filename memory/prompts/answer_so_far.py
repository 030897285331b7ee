"""What may be shown of a reply that is still growing: a beginning that no later word can turn into something else.

Whatever could still become a tag, a link, a citation or a line of the rules is held back until it is clear what it is.
"""

import re

from ai_clients.errors import ModelError
from memory.prompts.answer_by_model import Asked
from memory.prompts.answer_reading import LONGEST_ECHO, read
from memory.prompts.refusals import may_become_refusal

MOST_LOOKED_AT = 4_000
"""Characters. A growing reply is shown as one message, which holds half of that."""

_UNFINISHED = re.compile(
    r"\[[^\]\n]{0,500}+"  # a citation, or the text of a link
    r"(?:\]\([^)\n]{0,500}+)?+$"  # and its target
)
_SPOILER = "||"


def so_far(text: str, asked: Asked) -> str:
    """Cleaned like a finished reply; nothing where nothing can be said for certain."""
    text = text[:MOST_LOOKED_AT]
    sure = text[: _sure(text, asked)]
    try:
        answer = read(sure, asked) if sure.strip() else None
    except ModelError:
        return ""
    if answer is None or (not answer.sources and may_become_refusal(answer.text)):
        return ""
    said = answer.text
    # Of a spoiler that is not closed yet everyone would see what it hides.
    return said[: said.rindex(_SPOILER)].rstrip() if said.count(_SPOILER) % 2 else said


def _sure(text: str, asked: Asked) -> int:
    """Where that ends which will stay as it is. Words end at a space; so do links, mentions and entities."""
    end = next((place for place in range(len(text) - 1, -1, -1) if text[place].isspace()), 0)
    for line in asked.prompt.rules.splitlines():
        if len(line) >= LONGEST_ECHO:
            end = min(end, _echo_begins(text, end, line))
    our_tag = re.compile(rf"</?[\w-]*{re.escape(asked.fence)}[^>]*$")
    for pattern in (
        _UNFINISHED,
        our_tag,
    ):  # one of ours may hold what looks unfinished, and is then not finished itself
        held = pattern.search(text[:end])
        end = held.start() if held is not None else end
    return end


def _echo_begins(text: str, end: int, line: str) -> int:
    """Where the end of the text is the beginning of a line of the rules; `end` where it is not."""
    for length in range(min(len(line), end), 0, -1):
        if text.startswith(line[:length], end - length):
            return end - length
    return end
