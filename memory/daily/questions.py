"""Finds the questions of a channel that are still open, without a model: by what was said behind them.

A reply to a question answers it. Otherwise it is weighed whether somebody turned to whoever asked, whether the one who
was asked spoke, what the asker did next, and whether others took up its words. The weights were fitted to real chat in
which people marked what answers what (`benchmarks/daily.py`).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from memory.core.values import Message
from memory.language.stems import topics
from memory.language.text import hide_borrowed, plain_words
from memory.people.names import mentioned_ids

WATCHED = 30
"""Messages behind a question in which its answer is looked for."""
LEAST_WORDS = 3
TEXT_LIMIT = 1_000
OPEN = 0.55
"""How probable it has to be that a question is open."""
AROUND, FEW = 10, 3
"""Where so few others spoke in so many messages before and behind a question, whoever speaks next answers it."""
SOON = timedelta(minutes=30)
_MARKS = "?？؟"


class Parts(NamedTuple):
    """Weighs what speaks for it that a question was answered; each from 0 to 1."""

    named: float
    """How soon somebody else turned to the asker."""
    addressee_spoke: float
    """Whom it was put to spoke soon after."""
    went_on: float
    """How soon the asker said something again."""
    spoke: float
    """The asker said something again at all."""
    turned: float
    """And turned to somebody then."""
    shared: float
    """How much of its words another took up, and how soon."""

    @property
    def openness(self) -> float:
        weighed = sum(weight * part for weight, part in zip(WEIGHTS, self, strict=True))
        return 1 / (1 + math.exp(-(BIAS + weighed)))


# Fitted by `python -m benchmarks.daily --fit`.
BIAS, WEIGHTS = 1.27, Parts(-2.31, -1.43, -0.45, -1.71, 0.73, -1.51)


def open_questions(messages: Sequence[Message]) -> list[Message]:
    """List a channel's open questions, in order. `messages` are all that people said there, in order."""
    asked = [place for place, one in enumerate(messages) if is_question(one.text)]
    if not asked:
        return []
    talk = Talk(messages)
    return [messages[place] for place in asked if talk.is_open(place)]


def is_question(text: str) -> bool:
    """Say whether somebody asks in their own words: no link, no code, nothing quoted, and more than "what?"."""
    if not any(mark in text for mark in _MARKS):
        return False
    own = hide_borrowed(text[:TEXT_LIMIT])
    return any(mark in own for mark in _MARKS) and len(plain_words(own)) >= LEAST_WORDS


class Talk:
    """Holds the messages of a channel, with whom each turns to and what each is about."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        authors = {one.message_id: one.author_id for one in messages}
        self._repliers: dict[int, set[int]] = {}
        for one in messages:
            if one.reply_to is not None:
                self._repliers.setdefault(one.reply_to, set()).add(one.author_id)
        self._turned_to = [_turned_to(one, authors) for one in messages]
        self._topics = [topics(one.text[:TEXT_LIMIT]) for one in messages]
        self._saying = Counter(topic for some in self._topics for topic in some)

    def is_open(self, place: int) -> bool:
        return not self._is_answered(place) and self.parts(place).openness >= OPEN

    def parts(self, place: int) -> Parts:
        asker, turned_to = self._messages[place].author_id, self._turned_to
        behind = range(place + 1, min(place + 1 + WATCHED, len(self._messages)))
        others = [at for at in behind if self._messages[at].author_id != asker]
        own = [at for at in behind if self._messages[at].author_id == asker]
        named = next((at - place - 1 for at in others if asker in turned_to[at]), None)
        asked = turned_to[place] - {asker}
        total = self._weight(self._topics[place]) + 4
        shared = (
            self._weight(self._topics[place] & self._topics[at]) / total * math.exp((place + 1 - at) / 20)
            for at in others
        )
        return Parts(
            0.0 if named is None else math.exp(-named / 8),
            float(any(self._messages[at].author_id in asked for at in others if at - place <= WATCHED // 2)),
            math.exp((place + 1 - own[0]) / 3) if own else 0.0,
            float(bool(own)),
            float(any(turned_to[at] for at in own)),
            max(shared, default=0.0),
        )

    def _is_answered(self, place: int) -> bool:
        """Say whether a question is answered by a reply; or, where hardly anybody else is there, by whoever speaks next
        and asks nothing back; what was put to somebody, only by them."""
        question = self._messages[place]
        if self._repliers.get(question.message_id, set()) - {question.author_id}:
            return True
        around = range(max(place - AROUND, 0), min(place + 1 + AROUND, len(self._messages)))
        others = [at for at in around if self._messages[at].author_id != question.author_id]
        asked = self._turned_to[place] - {question.author_id}
        at = next((at for at in others if at > place and (not asked or self._messages[at].author_id in asked)), None)
        if at is None or len({self._messages[one].author_id for one in others}) > FEW:
            return False
        spoke = self._messages[at]
        is_free = not self._turned_to[at] - {question.author_id} and not is_question(spoke.text)
        return is_free and spoke.sent_at - question.sent_at <= SOON

    def _weight(self, some: frozenset[str]) -> float:
        """Weigh topics: rare words weigh more."""
        return sum(math.log(len(self._messages) / self._saying[topic]) for topic in some)


def _turned_to(message: Message, authors: Mapping[int, int]) -> frozenset[int]:
    replied = authors.get(message.reply_to) if message.reply_to is not None else None
    return frozenset([*mentioned_ids(message.text), *([] if replied is None else [replied])])
