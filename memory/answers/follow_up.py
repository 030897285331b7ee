"""A question that goes on from the one before it: "and when?", "und wer noch?", "what about Ann?".

By itself it names no subject, so nothing can be looked for. It takes that of the asker's last question in the session.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from memory.answers.store import Exchange
from memory.core.values import Member, Question
from memory.language.detect import word_set
from memory.language.text import repair, words_in
from memory.recall.query import Asked, read_question

LONGEST = 8
"""Words. Whoever says more has named a subject."""
MOST_OWN = 2
"""Words with a meaning of their own in a question that begins with "and", points back, or replies to somebody."""
_GOES_ON = word_set(
    "and but also or then und aber auch oder dann et mais aussi ou alors y pero también o и а но или тогда"
)
_POINTS_BACK = word_set(
    "it that this there those these they them he she him her his its their then"
    " er es ihn ihm ihr das dies da dort dabei dafür damit davon dazu"
    " il elle ils elles lui ça cela y en là ce"
    " él ella ellos ellas eso esto allí ahí lo la los las"
    " он она оно они его её ее их ему ей им это там тогда"
)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the questions of one asker."""

    asker: Member
    question: Question
    zone: tzinfo

    def read(self, text: str, members: Iterable[Member]) -> Asked:
        question = self.question
        return read_question(text, members, self.asker, question.asked_at, self.zone, question.language)

    def goes_on(self, members: Sequence[Member]) -> bool:
        """Whether the question has no subject of its own."""
        words = [word.text for word in words_in(repair(self.question.text))[: LONGEST + 1]]
        if not 0 < len(words) <= LONGEST:
            return False
        own = self.read(self.question.text, members).words
        if not own:
            return True
        goes_on = self.question.about is not None or words[0] in _GOES_ON
        return len(own) <= MOST_OWN and (goes_on or not _POINTS_BACK.isdisjoint(words))

    def with_subject(self, members: Sequence[Member], before: Sequence[Exchange]) -> Question:
        """The question with the words, people and times of the last one that had them, as far as it names none itself.

        `members` are those whom any of them may mean; `before` are the asker's own, the oldest first.
        """
        own = self.read(self.question.text, members)
        for exchange in reversed(before):
            asked = repair(exchange.asked)
            last = self.read(asked, members)
            if not last.words:
                continue
            more = [word for word in last.words if word not in own.words]
            if not own.speakers and not own.spoken_of:
                more += [f"<@{user_id}>" for user_id in sorted(last.speakers | last.spoken_of)]
            if own.span is None and last.span is not None:
                more += [asked[start:end] for start, end in last.span.typed]
            return replace(self.question, text=f"{self.question.text} ({' '.join(more)})") if more else self.question
        return self.question
