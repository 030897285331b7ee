"""Writes `/catchup` and the digest as cards: short lines for a phone, each with the way to what it rests on.

What was said stands in them as data: it pings nobody, and its markup has no effect. Dates and times are shown in the
time zone of whoever reads them.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from discord.utils import format_dt

from bot.replies.buttons import ReplyButton
from bot.replies.draft import Block, fits
from bot.replies.split import jump_link
from bot.words import Notice, Voice
from memory.daily.values import MOST_READ, Boundary, CatchUp, Edition, Line, Section, Since, Trouble, Why
from memory.models.prompt_data import one_line

ON_A_PAGE = 10
"""Lines of a section."""
_SIZES = ((10, 140), (10, 100), (8, 100), (8, 70), (6, 70), (5, 60), (4, 50), (3, 35))
"""Lines of each section and characters of each line, the first of these with which a card fits into one message."""
_LENGTH = 100
MOST_NEW = 5
HEADINGS = {
    Section.FOR_YOU: Notice.CATCHUP_FOR_YOU,
    Section.COMING: Notice.DIGEST_PLANNED,
    Section.DECIDED: Notice.CATCHUP_DECIDED,
    Section.OPEN: Notice.CATCHUP_OPEN,
    Section.TALKED: Notice.CATCHUP_TALKED,
}
_SIGNS = {Why.QUESTION: "❓ ", Why.REPLY: "↩️ ", Why.MENTION: "🔔 ", Why.ROLE: "👥 ", None: ""}
_TROUBLES = {Trouble.FAILED: Notice.CATCHUP_FAILED, Trouble.TOO_OFTEN: Notice.CATCHUP_TOO_OFTEN}
_BLOCK = re.compile(r"^(?=[#>-])")
"""What would make a heading, a quotation or small print of a line."""

More = Callable[[Section, int], ReplyButton]
"""To the rest of a section, from one of its lines on."""


def catch_up_card(found: CatchUp, guild_id: int, voice: Voice, more: More) -> tuple[Block, ...]:
    """Write a catch-up as a card: the boundary first, the sections, and last what is not in it."""
    blocks: list[Block] = []
    for most, length in _SIZES:
        blocks = [Block(_first_lines(found, voice))]
        for section, lines in ((one, found.sections[one]) for one in Section if found.sections[one]):
            text = section_text(section, lines[:most], guild_id, voice, length)
            blocks.append(Block(text, more(section, most) if len(lines) > most else None))
        blocks.append(Block(_last_lines(found, most, voice)))
        if fits(blocks):
            break
    return tuple(blocks)


def section_text(section: Section, lines: Sequence[Line], guild_id: int, voice: Voice, length: int = _LENGTH) -> str:
    told = (_topic(line, guild_id, voice, length) if line.messages else _line(line, guild_id, length) for line in lines)
    return _listed(voice.say(HEADINGS[section]), told)


def _listed(heading: str, lines: Iterable[str]) -> str:
    return "\n".join([f"### {heading}", *(f"- {line}" for line in lines)])


def _line(line: Line, guild_id: int, length: int) -> str:
    when = f"{format_dt(line.when, 'D' if line.is_day else 'f')} " if line.when is not None else ""
    said = f"<@{line.people[0]}>: “{_words(line, length)}”" if line.people else _words(line, 2 * length)
    return f"{_SIGNS[line.why]}{when}{said} {_link(line, guild_id)}"


def _topic(line: Line, guild_id: int, voice: Voice, length: int) -> str:
    return f"{_told(line, voice, length)} · <#{line.sources[0].channel_id}> {_link(line, guild_id)}"


def _told(line: Line, voice: Voice, length: int) -> str:
    more = f" · {voice.say(Notice.SO_MANY_MESSAGES, count=line.messages)}" if line.messages > 1 else ""
    return f"<@{line.people[0]}>: “{_words(line, length)}”{more}"


def _words(line: Line, length: int) -> str:
    return _BLOCK.sub(r"\\", one_line(line.text, length)) or "…"


def _link(line: Line, guild_id: int) -> str:
    if line.event is not None:
        return f"[↪]({line.event.link})"
    source = line.sources[0]
    return f"[↪]({jump_link(guild_id, source.channel_id, source.message_id)})"


def _first_lines(found: CatchUp, voice: Voice) -> str:
    talk = found.talk
    messages = voice.say(Notice.SO_MANY_MESSAGES, count=talk.messages)
    what = voice.say(Notice.CATCHUP_COUNT, messages=messages, count=talk.channels)
    if not talk.messages:
        what = voice.say(Notice.CATCHUP_NOTHING)
    cut = [f"-# {voice.say(Notice.CATCHUP_CUT)}"] if found.boundary.is_cut else []
    return "\n".join([_since(found.boundary, what, voice), *cut])


def _since(boundary: Boundary, what: str, voice: Voice) -> str:
    when = format_dt(boundary.at, "R")
    match boundary.since:
        case Since.MESSAGE if boundary.is_cut:
            return voice.say(Notice.CATCHUP_SINCE_TIME, when=when, what=what)
        case Since.MESSAGE if boundary.channel_id is not None:
            return voice.say(Notice.CATCHUP_SINCE_MESSAGE, channel=f"<#{boundary.channel_id}>", when=when, what=what)
        case Since.MESSAGE:
            return voice.say(Notice.CATCHUP_SINCE_OWN, when=when, what=what)
        case Since.CATCH_UP:
            return voice.say(Notice.CATCHUP_SINCE_READ, when=when, what=what)
        case Since.TIME:
            return voice.say(Notice.CATCHUP_SINCE_TIME, when=f"{format_dt(boundary.at, 'f')} ({when})", what=what)
        case Since.NEVER:
            return voice.say(Notice.CATCHUP_LAST_DAY, what=what)


def _last_lines(found: CatchUp, most: int, voice: Voice) -> str:
    talk = found.talk
    shown = {one.channel_id for some in found.sections.values() for line in some[:most] for one in line.sources}
    counted = {
        Notice.CATCHUP_BOTS: talk.bots,
        Notice.CATCHUP_NO_ROOM: sum(bool(some) and channel not in shown for channel, some in talk.said.items()),
        Notice.CATCHUP_UNREAD: talk.unread,
        Notice.CATCHUP_MORE_FOR_YOU: found.more_for_you,
        Notice.CATCHUP_EXCLUDED: found.excluded,
    }
    left = [voice.say(notice, count=count, most=MOST_READ) for notice, count in counted.items() if count]
    lines = [voice.say(Notice.CATCHUP_NOT_IN_IT, what=", ".join([voice.say(Notice.CATCHUP_OWN), *left]))]
    if found.trouble is not None:
        lines.append(voice.say(_TROUBLES[found.trouble]))
    elif (account := found.account).left_out:
        given = account.messages - account.left_out
        lines.append(voice.say(Notice.CATCHUP_CHOSEN, given=given, count=account.messages))
    elif account.by_model:
        lines.append(voice.say(Notice.CATCHUP_BY_MODEL))
    return "\n".join(f"-# {line}" for line in lines)


def digest_card(edition: Edition, voice: Voice) -> tuple[Block, ...]:
    """Write the digest, which everyone in a channel reads: what comes up and what was decided first."""
    blocks: list[Block] = []
    for most, length in _SIZES:
        blocks = [Block(text) for text in _digest_texts(edition, voice, most, length)]
        if fits(blocks):
            break
    return tuple(blocks)


def _digest_texts(edition: Edition, voice: Voice, most: int, length: int) -> Iterable[str]:
    guild_id, when = edition.digest.guild_id, edition.digest.mark
    what = voice.say(Notice.DIGEST_NOTHING)
    if edition.lines:
        messages = voice.say(Notice.SO_MANY_MESSAGES, count=edition.messages)
        what = voice.say(Notice.DIGEST_COUNT, messages=messages, count=edition.channels)
    when = voice.say(Notice.DIGEST_OF_WEEK, when=when) if edition.digest.is_weekly else when
    yield f"## 📰 {when}\n{what}"
    for heading, lines in ((Notice.DIGEST_PLANNED, edition.plans), (Notice.CATCHUP_DECIDED, edition.decided)):
        if lines:
            yield _listed(voice.say(heading), (_line(line, guild_id, length) for line in lines[:most]))
    if edition.topics:
        told = (
            (line, _told(line, voice, length) if line.messages else _words(line, 2 * length)) for line in edition.topics
        )
        topics = [f"{words} {_link(line, guild_id)}" for line, words in told]
        yield _listed(voice.say(Notice.CATCHUP_TALKED), topics[:most])
    if edition.newcomers:
        people = ", ".join(f"<@{line.people[0]}> {_link(line, guild_id)}" for line in edition.newcomers[:MOST_NEW])
        more = f" +{len(edition.newcomers) - MOST_NEW}" if len(edition.newcomers) > MOST_NEW else ""
        yield f"**{voice.say(Notice.DIGEST_NEW)}** {people}{more}"
    if edition.by_model:
        yield f"-# {voice.say(Notice.DIGEST_BY_MODEL)}"
