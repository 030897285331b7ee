"""Writes what is told of a channel as pages to read: its summaries, what they rest on, and what is in view of it.

What was said stands in them as data: it pings nobody, and its markup has no effect. Dates are shown in the time zone of
whoever reads them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from discord.utils import TimestampStyle, format_dt, snowflake_time

from bot.replies.split import jump_link
from bot.settings_ui.describe import describe_summary_rules
from bot.words import Notice, Voice
from memory.channels.service import Analysis, ChannelStatus, ContextViews
from memory.channels.topics import HIGHEST_PRIORITY, Returned, Topic
from memory.channels.values import LONGEST, ChannelSummary, Policy, Session, SessionState, cited_lines
from memory.core.values import Message, text_of
from memory.models.prompt_data import one_line
from memory.places.view import Audience

MOST_SOURCES = 20
MOST_PEOPLE = 5
MOST_TOPICS = 8
LAST_LINES = 5
MOST_RETURNED = 3
LINE_LENGTH = 160
_SESSIONS = {
    SessionState.ACTIVE: Notice.SESSION_ACTIVE,
    SessionState.IDLE: Notice.SESSION_IDLE,
    SessionState.CLOSED: Notice.SESSION_CLOSED,
}


def told(text: str, cites: Sequence[int], audience: Audience, *, by_sentence: bool = False) -> str:
    """Write a text of the place, line by line or sentence by sentence, each with one link to what it rests on."""
    lines = [
        f"• {one_line(said, LONGEST)}{'' if cited is None else f' [↪]({_link(cited, audience)})'}"
        for said, cited in cited_lines(text, cites, by_sentence=by_sentence)
    ]
    return "\n".join(lines)


def summary_page(summary: ChannelSummary, page: int, pages: int, audience: Audience, voice: Voice) -> str:
    """Write the page of a summary; `page` counts from 1."""
    heading = Notice.CHANNEL_HISTORY_OF if summary.policy is Policy.HISTORY else Notice.SUMMARY_OF
    small = [_made(summary, voice), _covers(summary, voice)]
    if summary.policy is Policy.LEVELS:
        small.append(voice.say(Notice.SUMMARY_LEVEL, level=summary.level))
    if summary.corrected_by is not None:
        small.append(voice.say(Notice.SUMMARY_CORRECTED_BY, name=f"<@{summary.corrected_by}>"))
    if pages > 1:
        small.append(voice.say(Notice.MEMORY_PAGE, page=page, pages=pages))
    return "\n".join(
        [
            voice.say(heading, channel=place_of(audience)),
            told(summary.text, summary.cites, audience, by_sentence=summary.model is not None),
            f"-# {' · '.join(small)}",
        ]
    )


def sources_page(summary: ChannelSummary, said: Sequence[Message], audience: Audience, voice: Voice) -> str:
    numbers = {message_id: number for number, message_id in enumerate(summary.cites, start=1)}
    numbered = sorted(said, key=lambda one: numbers[one.message_id])
    lines = [f"**{numbers[one.message_id]}.** {_line(one, audience, voice)}" for one in numbered[:MOST_SOURCES]]
    left = len(numbered) - len(lines)
    more = [voice.say(Notice.WHY_MORE, count=left)] if left else []
    return "\n".join([voice.say(Notice.SUMMARY_SOURCES), *lines, *more])


def status_page(status: ChannelStatus, audience: Audience, voice: Voice) -> str:
    last = max(status.summaries, key=lambda one: one.made_at, default=None)
    due = voice.say(Notice.SUMMARY_DUE if status.is_due else Notice.SUMMARY_NOT_DUE) if status.rules.is_on else ""
    told_of = voice.say(
        Notice.SUMMARY_STATUS,
        channel=place_of(audience),
        rules=describe_summary_rules(status.rules, voice),
        # Of what is open no more is counted than a rule may ask for.
        messages=max(status.open_talk.messages, status.total - status.covered),
        turns=status.open_talk.turns,
        due=due,
        total=status.total,
        covered=status.covered,
        active=len(status.summaries),
        level=status.highest_level,
        made=voice.say(Notice.SUMMARY_NEVER) if last is None else _made(last, voice),
    )
    return "\n".join([*correction_lost(status, voice), told_of])


def correction_lost(status: ChannelStatus, voice: Voice) -> list[str]:
    """Tell whoever put a summary right that it has gone since."""
    when = status.lost_correction_at
    return [] if when is None else [voice.say(Notice.SUMMARY_CORRECTION_LOST, when=format_dt(when, "f"))]


def views_page(views: ContextViews, audience: Audience, voice: Voice) -> str:
    history = views.history
    lines = [
        voice.say(
            Notice.CONTEXT_VIEW,
            channel=place_of(audience),
            short=_counted(views.short_term, voice),
            mid=_counted(views.mid_term, voice),
            total=voice.say(Notice.SO_MANY_MESSAGES, count=views.total),
            summaries=len(views.summaries),
            history=voice.say(Notice.CONTEXT_NO_HISTORY) if history is None else _made(history, voice),
        )
    ]
    if views.starts_after is not None:
        lines.append(voice.say(Notice.CONTEXT_BEGUN_ANEW, when=format_dt(snowflake_time(views.starts_after), "R")))
    if views.sessions:
        lines.append(voice.say(Notice.CONTEXT_SESSIONS))
        lines += [_session(one, voice) for one in views.sessions[:MOST_PEOPLE]]
    if views.short_term:
        lines.append(voice.say(Notice.CONTEXT_LATELY))
        lines += [f"• {_line(one, audience, voice)}" for one in views.short_term[-LAST_LINES:]]
    if views.returned:
        lines.append(voice.say(Notice.CONTEXT_RETURNED))
        lines += [_returned(one, audience, voice) for one in views.returned[:MOST_RETURNED]]
        left = len(views.returned) - MOST_RETURNED
        lines += [voice.say(Notice.WHY_MORE, count=left)] if left > 0 else []
    return "\n".join(lines)


def analysis_page(found: Analysis, about: str | None, audience: Audience, voice: Voice) -> str:
    if not found.messages or found.first_at is None or found.last_at is None:
        return voice.say(Notice.CONTEXT_NOTHING, channel=place_of(audience))
    most = [f"<@{user_id}> {count}" for user_id, count in list(found.people.items())[:MOST_PEOPLE]]
    lines = [
        voice.say(
            Notice.CONTEXT_ALL,
            channel=place_of(audience),
            messages=voice.say(Notice.SO_MANY_MESSAGES, count=found.messages),
            **_span(found.first_at, found.last_at),
        ),
        voice.say(Notice.CONTEXT_PEOPLE, people=" · ".join(most)),
    ]
    if found.topics:
        left = len(found.topics) - MOST_TOPICS
        lines.append(voice.say(Notice.CONTEXT_TOPICS))
        lines += [f"• {_topic(one, audience, voice)}" for one in found.topics[-MOST_TOPICS:]]
        lines += [voice.say(Notice.WHY_MORE, count=left)] if left > 0 else []
    asked = None if about is None else one_line(about, LINE_LENGTH)
    if found.extract is not None:
        quotes = Notice.CONTEXT_QUOTES if asked is None else Notice.CONTEXT_QUOTES_ABOUT
        lines += [voice.say(quotes, about=asked), told(found.extract.text, found.extract.cites, audience)]
    elif asked is not None:
        lines.append(voice.say(Notice.CONTEXT_NOTHING_ABOUT, about=asked))
    return "\n".join(lines)


def _made(summary: ChannelSummary, voice: Voice) -> str:
    how = Notice.SUMMARY_QUOTED if summary.model is None else Notice.SUMMARY_BY_MODEL
    return f"{format_dt(summary.made_at, 'R')}, {voice.say(how)}"


def _covers(summary: ChannelSummary, voice: Voice) -> str:
    span = summary.span
    shown = _span(snowflake_time(span.first_id), snowflake_time(span.last_id))
    return voice.say(Notice.SUMMARY_COVERS, count=span.messages, **shown)


def _span(first: datetime, last: datetime) -> dict[str, str]:
    """Show from when to when by days, or by the clock where a day would stand there twice."""
    styles: tuple[TimestampStyle, TimestampStyle] = ("f", "t") if last - first < timedelta(hours=12) else ("D", "D")
    return {"first": format_dt(first, styles[0]), "last": format_dt(last, styles[1])}


def _counted(messages: Sequence[Message], voice: Voice) -> str:
    said = voice.say(Notice.SO_MANY_MESSAGES, count=len(messages))
    since = [voice.say(Notice.SINCE, when=format_dt(messages[0].sent_at, "f"))] if messages else []
    return ", ".join([said, *since])


def _session(session: Session, voice: Voice) -> str:
    return voice.say(
        Notice.CONTEXT_SESSION,
        name=f"<@{session.user_id}>",
        state=voice.say(_SESSIONS[session.state]),
        messages=voice.say(Notice.SO_MANY_MESSAGES, count=session.messages),
        when=format_dt(session.last_at, "R"),
    )


def _topic(topic: Topic, audience: Audience, voice: Voice) -> str:
    quote = topic.quote
    said = "…" if quote is None else f"<@{quote.author_id}>: “{one_line(quote.text, LINE_LENGTH)}”"
    messages = voice.say(Notice.SO_MANY_MESSAGES, count=topic.messages)
    shown = topic.first_id if quote is None else quote.source.message_id
    return f"{format_dt(topic.began_at, 'D')}: {said} · {messages} · {_show(shown, audience, voice)}"


def _returned(one: Returned, audience: Audience, voice: Voice) -> str:
    small = [
        voice.say(Notice.CONTEXT_PRIORITY, priority=one.priority, most=HIGHEST_PRIORITY),
        *(f"#{one_line(tag, LINE_LENGTH)}" for tag in one.tags),
        voice.say(Notice.UNTIL, when=format_dt(one.expires_at, "f")),
    ]
    return f"• {_line(one.message, audience, voice)}\n-# {' · '.join(small)}"


def _line(said: Message, audience: Audience, voice: Voice) -> str:
    words = one_line(text_of(said), LINE_LENGTH) or "…"
    show = _show(said.message_id, audience, voice)
    return f"<@{said.author_id}> · {format_dt(said.sent_at, 'f')} · {show}: “{words}”"


def _show(message_id: int, audience: Audience, voice: Voice) -> str:
    return f"[{voice.say(Notice.WHY_SHOW)}]({_link(message_id, audience)})"


def _link(message_id: int, audience: Audience) -> str:
    return jump_link(audience.guild_id, audience.place_id, message_id)


def place_of(audience: Audience) -> str:
    return f"<#{audience.place_id}>"
