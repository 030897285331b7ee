"""Defines summaries of a channel as values, and when which of them is due. Pure.

Two policies over one table. *Rolling*: one text for all but the last messages, made of the text before it and of what
was said since. *Levels*: each stretch of talk has a text of its own, and the oldest texts are merged into fewer. A
third text, the *history* of a channel, covers nothing: what it tells stays open to the other two.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, auto
from itertools import groupby

from memory.core.values import Message, time_of
from memory.language.sentences import sentences_of
from memory.policy.settings import Policy as Policy
from memory.policy.settings import SummaryRules as SummaryRules

NUMBERS = re.compile(r"\[(\d{1,4})\]")
"""How a text cites what it rests on."""
_BEHIND_WORDS = re.compile(r"(?:(?<!\s)\s++)?+\[\d{1,4}\](?=[\s.,;:!?…)”»[]|$)")
LONGEST = 2_000
"""Characters of a summary, numbers included."""
SHORT_TERM = 50
MID_TERM = 200
"""Messages before those of the short term."""
WINDOW = 10
"""The last messages of a channel, which stand before a model in any case."""
MOST_OF_A_LEVEL = 5
MOST_ACTIVE = 10
MERGED = 5
"""Summaries that become one of the next level."""
HISTORY_AGAIN = 50
"""Messages after which the history of a channel is told anew."""
HISTORY_LASTS = timedelta(hours=24)
IDLE_SHARE = 6
"""Silent for this part of the time that ends a session, somebody's session is idle."""


@dataclass(frozen=True, slots=True)
class Span:
    """Says what a text covers: messages of a channel from one id to another, as far as they were in the log by then."""

    first_id: int
    last_id: int
    messages: int
    seen_seq: int


@dataclass(frozen=True, slots=True)
class ChannelSummary:
    summary_id: int
    channel_id: int
    policy: Policy
    level: int
    span: Span
    people: frozenset[int]
    """Whose words it was made from, and who is mentioned in them."""
    cites: tuple[int, ...]
    """The messages that its numbers in brackets mean, in their order."""
    text: str
    model: str | None
    """None: quoted."""
    made_at: datetime
    quality: float | None = None
    corrected_by: int | None = None
    """Who has put it right by hand."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """Holds a sentence of a summary, with the messages that it rests on."""

    summary_id: int
    channel_id: int
    message_ids: tuple[int, ...]
    text: str
    numbered: str
    """The text, with the numbers of these messages, from 1, where it cites them."""
    told_until: datetime
    """When the last message of its summary was said."""


def lines_of(summary: ChannelSummary) -> list[SummaryLine]:
    last = next(iter(summary.cites), summary.span.last_id)
    lines: list[SummaryLine] = []
    for said, bare in _said_in(summary.text, by_sentence=summary.model is not None):
        cited = list(dict.fromkeys(_cited_in(said, summary.cites))) or [last]
        numbers = {message_id: number for number, message_id in enumerate(cited, start=1)}

        def number(found: re.Match[str], numbers: dict[int, int] = numbers) -> str:
            return "".join(f"[{numbers[one]}]" for one in _cited_in(found[0], summary.cites))

        numbered = NUMBERS.sub(number, said) if _cited_in(said, summary.cites) else f"{bare} [1]"
        told_until = time_of(summary.span.last_id)
        lines.append(SummaryLine(summary.summary_id, summary.channel_id, tuple(cited), bare, numbered, told_until))
    return lines


def cited_lines(text: str, cites: Sequence[int], *, by_sentence: bool) -> list[tuple[str, int | None]]:
    """Split what a text says without its numbers by line or by sentence, each with the first message that it cites. A
    sentence with numbers ends with the last of them: in a quotation another may begin."""
    said_in = _said_in(text, by_sentence=by_sentence)
    return [(bare, next(iter(_cited_in(said, cites)), None)) for said, bare in said_in]


def _said_in(text: str, *, by_sentence: bool) -> list[tuple[str, str]]:
    """Split a text in lines or sentences, each with its numbers, and without them."""
    lines = text.splitlines()
    parts = [one.text for line in lines for one in sentences_of(line)] if by_sentence else lines
    said = ((part, " ".join(NUMBERS.sub(" ", _BEHIND_WORDS.sub("", part)).split())) for part in parts)
    return [(part, bare) for part, bare in said if bare]


def _cited_in(said: str, cites: Sequence[int]) -> list[int]:
    numbers = map(int, NUMBERS.findall(said))
    return [cites[number - 1] for number in numbers if 0 < number <= len(cites)]


@dataclass(frozen=True, slots=True)
class OpenTalk:
    """Counts what no active summary of the policy covers."""

    messages: int
    tokens: int
    turns: int


def is_due(rules: SummaryRules, covered: int, open_talk: OpenTalk) -> bool:
    """Say whether a summary is due. `covered`: messages in the summary there is; 0 without one."""
    if rules.policy is Policy.LEVELS:
        return open_talk.turns >= rules.turns
    if covered == 0:
        return open_talk.messages >= rules.first or open_talk.tokens >= rules.first_tokens
    return open_talk.messages - rules.kept >= rules.again


def turns_in(author_ids: Iterable[int]) -> int:
    """Count the turns of a talk: a turn is what one person says until another speaks."""
    return sum(1 for _ in groupby(author_ids))


def next_merge(active: Sequence[ChannelSummary]) -> tuple[ChannelSummary, ...]:
    """Choose summaries that become one of the next level now, the oldest first; none, where there is room.

    They stand side by side: what lies between two would be covered twice. Where there are too many in all, the oldest
    of the lowest level of which two do; one made again may stand alone among higher ones, and joins its neighbours.
    """
    ordered = sorted(active, key=lambda one: one.span.first_id)
    counts = Counter(one.level for one in active)
    crowded = [level for level, count in sorted(counts.items()) if count > MOST_OF_A_LEVEL]
    if not crowded and len(active) > MOST_ACTIVE:
        crowded = [level for level, count in sorted(counts.items()) if count > 1]
    if not crowded:
        return ()
    runs = [tuple(run) for _, run in groupby(ordered, key=lambda one: one.level)]
    together = [run for level in crowded for run in runs if run[0].level == level and len(run) > 1]
    return (together[0] if together else tuple(ordered))[:MERGED]


def is_history_due(told: ChannelSummary | None, new_messages: int, now: datetime, *, has_turned: bool) -> bool:
    """Say whether the history is due: at first, after many messages or a day, and when the topic has turned."""
    if told is None:
        return True
    return new_messages >= HISTORY_AGAIN or (new_messages > 0 and (has_turned or now - told.made_at >= HISTORY_LASTS))


def recent_window(
    messages: Sequence[Message], summaries: Sequence[ChannelSummary], asker_id: int, began_at: datetime
) -> list[Message]:
    """Choose what a model sees of what was said last in a channel: the last messages, what no summary covers, and what
    the asker said since their session began."""
    covered = max((one.span.last_id for one in summaries), default=0)
    last = {message.message_id for message in messages[-WINDOW:]}
    return [
        one
        for one in messages
        if one.message_id > covered or one.message_id in last or (one.author_id == asker_id and one.sent_at >= began_at)
    ]


# Sessions: what a member says to us in a channel, without a long pause.


class SessionState(StrEnum):
    ACTIVE = auto()
    IDLE = auto()
    CLOSED = auto()
    """The next word begins another."""


@dataclass(frozen=True, slots=True)
class Session:
    user_id: int
    began_at: datetime
    last_at: datetime
    messages: int
    """Said to us, with the questions among them."""
    state: SessionState


def session_state(last_at: datetime, now: datetime, length: timedelta) -> SessionState:
    """Say whether a session goes on; `length` is the silence that ends it."""
    silence = now - last_at
    if silence > length:
        return SessionState.CLOSED
    return SessionState.IDLE if silence > length / IDLE_SHARE else SessionState.ACTIVE


def last_sessions(spoken: Iterable[tuple[int, datetime]], now: datetime, length: timedelta) -> list[Session]:
    """List the last session of each member, the latest first. `spoken`: who said something to us and when, in order."""
    sessions: dict[int, Session] = {}
    for user_id, at in spoken:
        known = sessions.get(user_id)
        goes_on = known is not None and at - known.last_at <= length
        began_at, messages = (known.began_at, known.messages) if known is not None and goes_on else (at, 0)
        sessions[user_id] = Session(user_id, began_at, at, messages + 1, session_state(at, now, length))
    return sorted(sessions.values(), key=lambda session: session.last_at, reverse=True)
