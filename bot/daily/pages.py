"""What somebody missed as pages to read: short lines for a phone, each with the way to what it rests on.

What was said stands in them as data: it pings nobody, and its markup has no effect. Dates and times are shown in the
time zone of whoever reads them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from bot.replies.split import LIMIT, jump_link
from bot.words.keys import Notice
from bot.words.voice import Voice
from memory.core.values import Source
from memory.daily.digest_values import MOST_TOPICS, Edition
from memory.daily.values import MOST_READ, Boundary, CatchUp, Line, Section, Since, Trouble, Why
from memory.models.prompt_data import one_line

ON_A_PAGE = 10
"""Lines of a section."""
ALTOGETHER = 3 * LIMIT
"""Characters of all sections; lines are shortened until they fit."""
_LENGTHS = (140, 100, 70, 50, 35)
MOST_NAMED, MOST_LINKED = 3, 3
HEADINGS = {
    Section.FOR_YOU: Notice.CATCHUP_FOR_YOU,
    Section.DECIDED: Notice.CATCHUP_DECIDED,
    Section.OPEN: Notice.CATCHUP_OPEN,
    Section.TALKED: Notice.CATCHUP_TALKED,
}
_SIGNS = {Why.QUESTION: "❓ ", Why.REPLY: "↩️ ", Why.MENTION: "🔔 ", Why.ROLE: "👥 ", None: ""}
_TROUBLES = {Trouble.FAILED: Notice.CATCHUP_FAILED, Trouble.TOO_OFTEN: Notice.CATCHUP_TOO_OFTEN}
_BLOCK = re.compile(r"^(?=[#>-])")
"""What would make a heading, a quotation or small print of a line."""


def catch_up_page(found: CatchUp, guild_id: int, voice: Voice) -> str:
    """The boundary first, the sections, and last what is not in it."""
    first, last = _first_lines(found, voice), _last_lines(found, voice)
    written = ""
    for length in _LENGTHS:
        sections = [
            line
            for section in Section
            if found.sections[section]
            for line in _section(section, found.sections[section][:ON_A_PAGE], guild_id, voice, length)
        ]
        written = "\n".join([*first, *sections, *last])
        if len(written) <= ALTOGETHER:
            break
    return written


def section_page(section: Section, lines: Sequence[Line], guild_id: int, voice: Voice) -> str:
    return "\n".join(_section(section, lines, guild_id, voice, _LENGTHS[1]))


def first_shown(found: CatchUp, section: Section) -> int | None:
    """With which line the rest of a section begins; None where there is no more."""
    if section in found.quoted:
        return 0
    return ON_A_PAGE if len(found.sections[section]) > ON_A_PAGE else None


def _section(section: Section, lines: Sequence[Line], guild_id: int, voice: Voice, length: int) -> Iterable[str]:
    yield f"**{voice.say(HEADINGS[section])}**"
    for line in lines:
        yield f"• {_topic(line, guild_id, voice, length) if line.messages else _line(line, guild_id, length)}"


def _line(line: Line, guild_id: int, length: int) -> str:
    when = f"{_at(line.when, 'D' if line.is_day else 'f')} " if line.when is not None else ""
    said = f"<@{line.people[0]}>: “{_words(line, length)}”" if line.people else _words(line, 2 * length)
    return f"{_SIGNS[line.why]}{when}{said} {_links(line.sources, guild_id)}"


def _topic(line: Line, guild_id: int, voice: Voice, length: int) -> str:
    named = ", ".join(f"<@{user_id}>" for user_id in line.people[:MOST_NAMED])
    more = f" +{len(line.people) - MOST_NAMED}" if len(line.people) > MOST_NAMED else ""
    place = f"<#{line.sources[0].channel_id}>"
    return f"{_told(line, voice, length)} · {named}{more} · {place} {_links(line.sources, guild_id)}"


def _told(line: Line, voice: Voice, length: int) -> str:
    words = f"“{_words(line, length)}”" if line.is_quote else f"**{_words(line, length)}**"
    return f"{words} · {voice.say(Notice.SO_MANY_MESSAGES, count=line.messages)}"


def _words(line: Line, length: int) -> str:
    return _BLOCK.sub(r"\\", one_line(line.text, length)) or "…"


def _links(sources: Sequence[Source], guild_id: int) -> str:
    return " ".join(f"[↪]({jump_link(guild_id, one.channel_id, one.message_id)})" for one in sources[:MOST_LINKED])


def _first_lines(found: CatchUp, voice: Voice) -> list[str]:
    stretch = found.stretch
    messages = voice.say(Notice.SO_MANY_MESSAGES, count=stretch.messages)
    what = voice.say(Notice.CATCHUP_COUNT, messages=messages, count=stretch.channels)
    if not stretch.messages:
        what = voice.say(Notice.CATCHUP_NOTHING)
    cut = [f"-# {voice.say(Notice.CATCHUP_CUT)}"] if found.boundary.is_cut else []
    return [_since(found.boundary, what, voice), *cut]


def _since(boundary: Boundary, what: str, voice: Voice) -> str:
    when = _at(boundary.at, "R")
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
            return voice.say(Notice.CATCHUP_SINCE_TIME, when=f"{_at(boundary.at, 'f')} ({when})", what=what)
        case Since.NEVER:
            return voice.say(Notice.CATCHUP_LAST_DAY, what=what)


def _last_lines(found: CatchUp, voice: Voice) -> list[str]:
    stretch = found.stretch
    shown = {one.channel_id for some in found.sections.values() for line in some[:ON_A_PAGE] for one in line.sources}
    counted = {
        Notice.CATCHUP_BOTS: stretch.bots,
        Notice.CATCHUP_NO_ROOM: sum(bool(some) and channel not in shown for channel, some in stretch.said.items()),
        Notice.CATCHUP_UNREAD: stretch.unread,
        Notice.CATCHUP_MORE_FOR_YOU: found.more_for_you,
        Notice.CATCHUP_EXCLUDED: found.excluded,
    }
    left = [voice.say(notice, count=count, most=MOST_READ) for notice, count in counted.items() if count]
    what = ", ".join([voice.say(Notice.CATCHUP_OWN), *left])
    lines = [f"-# {voice.say(Notice.CATCHUP_NOT_IN_IT, what=what)}"]
    if found.trouble is not None:
        lines.append(f"-# {voice.say(_TROUBLES[found.trouble])}")
    elif found.given:
        lines.append(f"-# {voice.say(Notice.CATCHUP_CHOSEN, given=found.given, count=stretch.messages)}")
    elif found.by_model:
        lines.append(f"-# {voice.say(Notice.CATCHUP_BY_MODEL)}")
    return lines


def _at(when: datetime, style: str) -> str:
    return f"<t:{int(when.timestamp())}:{style}>"


# The digest, which everyone in a channel reads.


def digest_page(edition: Edition, voice: Voice) -> str:
    """In one message: lines are shortened until they fit, and the least lively topics left out."""
    written = ""
    for length, most in (*((length, MOST_TOPICS) for length in _LENGTHS), *((35, most) for most in range(9, -1, -1))):
        written = "\n".join(_digest_lines(edition, voice, length, most))
        if len(written) <= LIMIT:
            break
    return written


def _digest_lines(edition: Edition, voice: Voice, length: int, most: int) -> Iterable[str]:
    guild_id = edition.digest.guild_id
    what = voice.say(Notice.DIGEST_NOTHING)
    if edition.lines:
        messages = voice.say(Notice.SO_MANY_MESSAGES, count=edition.messages)
        what = voice.say(Notice.DIGEST_COUNT, messages=messages, count=edition.channels)
    when = edition.digest.mark
    when = voice.say(Notice.DIGEST_OF_WEEK, when=when) if edition.digest.is_weekly else when
    yield f"📰 **{when}** · {what}"
    if edition.plans:
        yield f"**{voice.say(Notice.DIGEST_PLANNED)}**"
        yield from (f"• {_line(replace(line, sources=line.sources[:1]), guild_id, length)}" for line in edition.plans)
    if edition.topics and most:
        yield f"**{voice.say(Notice.CATCHUP_TALKED)}**"
        for line in edition.topics[:most]:
            told = _told(line, voice, length) if line.messages else _words(line, 2 * length)
            yield f"• {told} {_links(line.sources[:1], guild_id)}"
    if edition.newcomers:
        people = ", ".join(f"<@{line.people[0]}> {_links(line.sources, guild_id)}" for line in edition.newcomers[:5])
        more = f" +{len(edition.newcomers) - 5}" if len(edition.newcomers) > 5 else ""
        yield f"**{voice.say(Notice.DIGEST_NEW)}** {people}{more}"
    if edition.by_model:
        yield f"-# {voice.say(Notice.DIGEST_BY_MODEL)}"
