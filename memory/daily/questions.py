"""Finds the questions of a channel that are still open, without a model: by what was said behind them.

A reply to a question answers it. So does whoever turns to its asker soon, or is spoken to in it and speaks; and an
asker who goes on talking has their answer. Of real chat in which people marked what answers what, 87 % of what is found
so is open (`benchmarks/daily.py`).
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from memory.core.values import Message
from memory.language.text import hide_borrowed, plain_words
from memory.people.names import mentioned_ids

WATCHED = 30
"""Messages behind a question in which its answer is looked for."""
LEAST_WORDS = 3
TEXT_LIMIT = 1_000
AROUND, FEW = 10, 3
"""Where so few others spoke in so many messages before and behind a question, whoever speaks next answers it."""
SOON = timedelta(minutes=30)
_MARKS = "?？؟"


def open_questions(messages: Sequence[Message]) -> list[Message]:
    """List a channel's open questions, in order. `messages` are all that people said there, in order."""
    authors = {one.message_id: one.author_id for one in messages}
    replied = {one.reply_to for one in messages if one.author_id != authors.get(one.reply_to or 0)}
    turned_to = [_turned_to(one, authors) for one in messages]
    return [
        one
        for place, one in enumerate(messages)
        if is_question(one.text) and one.message_id not in replied and _is_open(place, messages, turned_to)
    ]


def is_question(text: str) -> bool:
    """Say whether somebody asks in their own words: no link, no code, nothing quoted, and more than "what?"."""
    if not any(mark in text for mark in _MARKS):
        return False
    own = hide_borrowed(text[:TEXT_LIMIT])
    return any(mark in own for mark in _MARKS) and len(plain_words(own)) >= LEAST_WORDS


def _is_open(place: int, messages: Sequence[Message], turned_to: Sequence[frozenset[int]]) -> bool:
    question, asker = messages[place], messages[place].author_id
    asked = turned_to[place] - {asker}
    behind = range(place + 1, min(place + 1 + WATCHED, len(messages)))
    if any(messages[at].author_id in {asker, *asked} or asker in turned_to[at] for at in behind):
        return False
    around = range(max(place - AROUND, 0), min(place + 1 + AROUND, len(messages)))
    others = {messages[at].author_id for at in around} - {asker}
    if asked or not behind or len(others) > FEW:
        return True
    # Hardly anybody else is there: whoever speaks next answers, unless they ask back.
    spoke = messages[place + 1]
    is_free = not turned_to[place + 1] and not is_question(spoke.text)
    return not is_free or spoke.sent_at - question.sent_at > SOON


def _turned_to(message: Message, authors: Mapping[int, int]) -> frozenset[int]:
    replied = authors.get(message.reply_to) if message.reply_to is not None else None
    return frozenset([*mentioned_ids(message.text), *([] if replied is None else [replied])])
