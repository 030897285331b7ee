"""An answer with links to what it draws upon.

The links stand small below the text, numbered. Where there are several, the text says with the same numbers what comes
from which; a single one needs none.
"""

from collections.abc import Mapping
from itertools import groupby

from memory.core.outcomes import Answer, Citation
from memory.core.values import Source
from memory.places.view import Audience
from memory.receipts.service import MOST_LINKS


def jump_link(guild_id: int, channel_id: int, message_id: int) -> str:
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"


def with_sources(answer: Answer, audience: Audience) -> str:
    """What the readers could not open is never linked."""
    open_to_all = [source for source in dict.fromkeys(answer.sources) if source.channel_id in audience.sources]
    numbers = {source: number for number, source in enumerate(open_to_all[:MOST_LINKS], start=1)}
    text = (_numbered(answer, numbers) if len(numbers) > 1 else answer.text).strip()
    if not text or not numbers:
        return text
    links = " · ".join(
        f"[{number}]({jump_link(audience.guild_id, source.channel_id, source.message_id)})"
        for source, number in numbers.items()
    )
    return f"{text}\n-# ↪ {links}"


def _numbered(answer: Answer, numbers: Mapping[Source, int]) -> str:
    """The text with the numbers of its links where they belong."""
    pieces: list[str] = []
    done = 0
    for at, here in groupby(sorted(answer.citations, key=_place), key=_place):
        linked = sorted({numbers[citation.source] for citation in here if citation.source in numbers})
        # Before a parenthesis a number would look like the text of another link.
        if linked and not answer.text.startswith("(", at):
            pieces.append(f"{answer.text[done:at]} [{', '.join(map(str, linked))}]")
            done = at
    return "".join([*pieces, answer.text[done:]])


def _place(citation: Citation) -> int:
    return citation.at
