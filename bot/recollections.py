"""Passages of the log as a page to read: who said it, when, where, a line or two of it, and the way there."""

from collections.abc import Iterable, Sequence

from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice
from bot.reply import LIMIT, sendable
from bot.sources import jump_link
from memory.core.values import Message, text_of
from memory.models.prompt_data import one_line
from memory.recall.results import Passage

ON_A_PAGE = 5
_LENGTHS = (260, 200, 150, 110, 80, 50, 30)
"""Characters of a message that are shown, the first of these with which a page fits into one of Discord's."""


def page(heading: str, passages: Sequence[Passage], first: int, voice: Voice) -> str:
    """`first` is the number of the first of them among all that was found."""
    if not passages:
        return f"{heading}\n{voice.say(Phrase.RECALL_GONE)}"
    written = ""
    for length in _LENGTHS:
        lines = (line for number, one in enumerate(passages, first) for line in _lines(number, one, length, voice))
        written = sendable("\n".join([heading, *lines]))
        if len(written) <= LIMIT:
            break
    return written[:LIMIT]


def heading_of(page: str) -> str:
    """What a page that stands somewhere says first."""
    return page.split("\n", 1)[0]


def _lines(number: int, passage: Passage, length: int, voice: Voice) -> Iterable[str]:
    said = passage.message
    link = jump_link(said.guild_id, said.channel_id, said.message_id)
    at = f"<t:{int(said.sent_at.timestamp())}:f>"
    yield f"**{number}.** <@{said.author_id}> · {at} · <#{said.channel_id}> · [{voice.say(Phrase.RECALL_SHOW)}]({link})"
    for before in passage.before:
        yield f"> -# {_beside(before, length)}"
    yield f"> {_words(said, length)}"
    for after in passage.after:
        yield f"> -# {_beside(after, length)}"


def _beside(message: Message, length: int) -> str:
    """What it is understood by, and no more of it."""
    return f"<@{message.author_id}>: {_words(message, length // 2)}"


def _words(message: Message, length: int) -> str:
    """Somebody's words. A sign that would make a heading, a list or a smaller line of them is taken at its word."""
    words = one_line(text_of(message), length)
    return f"\\{words}" if words.startswith(("#", "-", "+", ">")) else words or "…"
