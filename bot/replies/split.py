"""Splits a reply as Discord takes it: into parts of at most 2,000 characters that a reader can read.

Discord counts code points (its API measures the length of a Python string), so `len` is the measure here. A part never
ends inside a word, a link, a mention, a custom emoji or inline code unless that alone is longer than a message; a code
block that has to be cut is closed and opened again with its language in the next part.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from memory.core.outcomes import Answer, Citation
from memory.core.values import Source
from memory.places.view import Audience
from memory.receipts.service import MOST_LINKS

LIMIT = 2000
MOST_PARTS = 5
ENDING = "… (cut)"

_FENCE = "```"
_CLOSING = "\n```"
_BLOCK = re.compile(r"```(?:(?P<language>[A-Za-z0-9_+\-.#]+)\n)?(?P<code>.*?)(?:```|\Z)", re.DOTALL)
_LONGEST_LANGUAGE = 40
_WHOLE = re.compile(
    r"\[[^\]\n]{0,500}+\]\(<?https?://[^\s)]+>?\)"  # [text](link)
    r"|<?https?://[^\s]+"
    r"|<(?:@[!&]?|\#)\d{1,20}>"  # people, roles, channels
    r"|<a?:\w{2,32}:\d{1,20}>"  # custom emoji
    r"|<t:-?\d{1,17}(?::[tTdDfFR])?>"
    r"|</[^\s:>]{1,32}(?: [^\s:>]{1,32}){0,2}:\d{1,20}>"  # slash commands
    r"|`[^`\n]{1,500}+`"
)
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Prose:
    text: str


@dataclass(frozen=True, slots=True)
class _Code:
    language: str
    code: str
    verbatim: str
    """As it was written, closed: kept wherever the block need not be cut."""

    @property
    def opening(self) -> str:
        return f"{_FENCE}{self.language}\n"


def split(text: str, *, most_parts: int = MOST_PARTS, ending: str = ENDING) -> list[str]:
    """Split `text` into sendable parts; none when nothing is to say. Past `most_parts` the last ends with `ending`."""
    text = sendable(text)
    readable = text[: 2 * most_parts * LIMIT]  # more is never shown, and need not be looked at
    cut = len(readable) < len(text)
    parts: list[str] = []
    for part in _parts(_blocks(readable), LIMIT):
        if len(parts) == most_parts:
            cut = True
            break
        parts.append(part)
    if cut and parts:
        shortened = next(_parts(_blocks(parts[-1]), LIMIT - len(ending) - 1))
        parts[-1] = f"{shortened}\n{ending}"
    return parts


def sendable(text: str) -> str:
    """Clean `text` of what JSON and Discord refuse: lone surrogates are shown as such, NUL is left out."""
    return _SURROGATES.sub("\ufffd", text).replace("\x00", "").strip()


def _blocks(text: str) -> list[_Prose | _Code]:
    blocks: list[_Prose | _Code] = []
    end = 0
    for match in _BLOCK.finditer(text):
        if match.start() > end:
            blocks.append(_Prose(text[end : match.start()]))
        language, code, verbatim = match["language"] or "", match["code"], match[0]
        if len(language) > _LONGEST_LANGUAGE:
            language, code = "", f"{language}\n{code}"
        if match.end() == match.end("code"):  # it was never closed
            verbatim += _CLOSING
        blocks.append(_Code(language, code, verbatim))
        end = match.end()
    if end < len(text):
        blocks.append(_Prose(text[end:]))
    return blocks


def _parts(blocks: list[_Prose | _Code], limit: int) -> Iterator[str]:
    part = ""
    for block in blocks:
        pieces = _fill_prose(block.text, part, limit) if isinstance(block, _Prose) else _fill_code(block, part, limit)
        part = ""  # the pieces begin with it
        for piece in pieces:
            if part.strip():
                yield part.strip()
            part = piece
    if part.strip():
        yield part.strip()


def _fill_prose(text: str, part: str, limit: int) -> Iterator[str]:
    """Fill up the part begun with `text`; yield it, and the parts that follow."""
    whole = [match.span() for match in _WHOLE.finditer(text)]
    at = 0
    while len(part) + len(text) - at > limit:
        cut = _cut(text, at, at + limit - len(part), whole, must=not part)
        if cut > at or part:
            yield part + text[at:cut]
        part, at = "", cut
        while at < len(text) and text[at].isspace():
            at += 1
    yield part + text[at:]


def _cut(text: str, at: int, room_ends: int, whole: list[tuple[int, int]], *, must: bool) -> int:
    """Find where the text from `at` on is best cut, not after `room_ends`; `at` where a new part serves better."""
    whole = [span for span in whole if span[1] > at and span[0] < room_ends]

    def torn(cut: int) -> bool:
        return any(start < cut < end for start, end in whole)

    half = at + (room_ends - at) // 2
    for gap in ("\n\n", "\n"):
        cut = text.rfind(gap, half, room_ends + len(gap))
        if cut > at and cut <= room_ends and not torn(cut):
            return cut
    for cut in range(min(room_ends, len(text) - 1), at, -1):
        if text[cut].isspace() and not torn(cut):
            return cut
    if not must:
        return at
    return next((start for start, end in whole if at < start < room_ends < end), room_ends)


def _fill_code(block: _Code, part: str, limit: int) -> Iterator[str]:
    if len(part) + len(block.verbatim) <= limit:
        yield part + block.verbatim
        return
    if part:
        yield part
    if len(block.verbatim) <= limit:
        yield block.verbatim
        return
    code, room = block.code.strip("\n"), limit - len(block.opening) - len(_CLOSING)
    while len(code) > room:
        cut = code.rfind("\n", 1, room + 1)
        if cut < 1:
            cut = code.rfind(" ", room // 2, room + 1)
        if cut < 1:
            cut = room
        yield block.opening + code[:cut] + _CLOSING
        code = code[cut:].removeprefix("\n")
    yield block.opening + code + _CLOSING


# An answer with links to what it draws upon.
#
# The links stand small below the text, numbered. Where there are several, the text says with the same numbers what
# comes from which; a single one needs none. A list that bears its own links has each at its line.


def jump_link(guild_id: int, channel_id: int, message_id: int) -> str:
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"


def with_sources(answer: Answer, audience: Audience) -> str:
    """Add links to an answer's sources; what the readers could not open is never linked."""
    open_to_all = [source for source in dict.fromkeys(answer.sources) if source.channel_id in audience.sources]
    numbers = {source: number for number, source in enumerate(open_to_all[:MOST_LINKS], start=1)}
    links = [jump_link(audience.guild_id, source.channel_id, source.message_id) for source in numbers]
    if answer.links_at_lines:
        return _cited(answer, numbers, lambda cited: " ".join(f"[↪]({links[one - 1]})" for one in cited)).strip()
    named = _cited(answer, numbers, lambda cited: f"[{', '.join(map(str, cited))}]")
    text = (named if len(numbers) > 1 else answer.text).strip()
    if not text or not numbers:
        return text
    return f"{text}\n-# ↪ {' · '.join(f'[{number}]({link})' for number, link in enumerate(links, start=1))}"


def _cited(answer: Answer, numbers: Mapping[Source, int], mark: Callable[[list[int]], str]) -> str:
    """Mark in the text where the links with these numbers belong."""
    pieces: list[str] = []
    done = 0
    for at, here in groupby(sorted(answer.citations, key=_place), key=_place):
        linked = sorted({numbers[citation.source] for citation in here if citation.source in numbers})
        # Before a parenthesis a number would look like the text of another link.
        if linked and not answer.text.startswith("(", at):
            pieces.append(f"{answer.text[done:at]} {mark(linked)}")
            done = at
    return "".join([*pieces, answer.text[done:]])


def _place(citation: Citation) -> int:
    return citation.at
