"""Tells a day by quoting it: for each member their most telling sentences, and for all what happened.

Pure: a day is what was said on it, in any order. Whoever asks hands in the messages that the readers of the result may
read, and nobody else's words come out. The same day gives the same sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime

from memory.core.values import AuthorKind, Message, Source, attention
from memory.language.sentences import Joined, sentences_of
from memory.language.text import plain_words
from memory.language.wording import SentenceKey
from memory.log.reading import PAUSE
from memory.summaries.sentence_weights import LONGEST, WEIGHTS, Candidate, DayOfWords, candidates, parts_of, read

# Which sentences are taken when there is room for some: the most telling, each of them saying something new.


SAMENESS = 0.6
"""Two texts that share as much of their words say the same."""
DULLNESS = 1.5
"""What a total loses for saying entirely what is said already."""


def alike(one: Set[str], other: Set[str]) -> float:
    """Work out which share of the shorter one's words both have."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


AIM = 300
"""Characters of what is quoted of one member."""
LEAST = 0.7
"""What a sentence must be worth to be quoted, however much room there is: about a quarter of chat is not."""
MOST_HAPPENINGS = 5
MOST_OF_ONE_MEMBER = 2
MOST_OF_ONE_TALK = 3
LONGEST_TALK = 50
"""Messages. Where talk never pauses, its topic has changed by then."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Holds a sentence as somebody wrote it. People in it stand as `<@id>`."""

    author_id: int
    text: str
    source: Source
    said_at: datetime


class Diary(SentenceKey):
    """Words what is told of days."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    message: Message
    candidate: Candidate
    total: float
    stems: frozenset[str]
    talk: int

    @property
    def quote(self) -> Quote:
        source = Source(self.message.channel_id, self.message.message_id)
        return Quote(self.message.author_id, self.candidate.text, source, self.message.sent_at)


def quotes_of_members(day: Sequence[Message], aim: int = AIM) -> dict[int, tuple[Quote, ...]]:
    """Quote each member in the order in which it was said. Who said nothing that tells something is not in it."""
    of_member: dict[int, list[_Weighed]] = {}
    for one in _weighed(day):
        of_member.setdefault(one.message.author_id, []).append(one)
    found = {author_id: _chosen(said, aim) for author_id, said in of_member.items()}
    return {author_id: tuple(one.quote for one in _in_time(kept)) for author_id, kept in found.items() if kept}


def happenings(days: Iterable[Sequence[Message]], most: int = MOST_HAPPENINGS) -> tuple[Quote, ...]:
    """Quote what days come down to for everybody, in the order in which it was said: not all of one member or one talk.

    Of several days each has its turn before any has a second one, those with the most telling sentence first.
    """
    kept = [_happenings(day, most) for day in days]
    turns = ([of_day[turn] for of_day in kept if turn < len(of_day)] for turn in range(most))
    ordered = [one for turn in turns for one in sorted(turn, key=lambda one: -one.total)]
    return tuple(one.quote for one in _in_time(ordered[:most]))


def _happenings(day: Sequence[Message], most: int) -> list[_Weighed]:
    """Find the most telling sentences of a day, the most telling first."""

    def leaves_room_for_others(one: _Weighed, taken: Sequence[_Weighed]) -> bool:
        author_id = one.message.author_id
        of_member = sum(other.message.author_id == author_id for other in taken)
        of_talk = sum(other.talk == one.talk for other in taken)
        is_new = all(other.message.message_id != one.message.message_id for other in taken)
        return is_new and of_member < MOST_OF_ONE_MEMBER and of_talk < MOST_OF_ONE_TALK

    said = [one for one in _weighed(day) if len(one.candidate.text) <= LONGEST]
    return _best(said, most, size=lambda _: 1, may_follow=leaves_room_for_others)


def telling_of_messages(day: Sequence[Message]) -> dict[int, float]:
    """Say of each message what its best sentence is worth; those that say nothing are not in it."""
    best: dict[int, float] = {}
    for one in _weighed(day):
        best[one.message.message_id] = max(one.total, best.get(one.message.message_id, one.total))
    return best


def _chosen(said: Sequence[_Weighed], aim: int) -> list[_Weighed]:
    ordinary = [one for one in said if len(one.candidate.text) <= LONGEST]
    kept = _best(ordinary, aim, size=lambda one: len(one.candidate.text))
    # One long sentence whole is better than nothing, and better than a part of it.
    long = [one for one in said if len(one.candidate.text) > LONGEST and one.total > LEAST]
    return kept or sorted(long, key=lambda one: -one.total)[:1]


def _best(
    said: Sequence[_Weighed],
    room: int,
    *,
    size: Callable[[_Weighed], int],
    may_follow: Callable[[_Weighed, Sequence[_Weighed]], bool] = lambda _one, _taken: True,
) -> list[_Weighed]:
    """Choose the best first; at equal totals, the earlier one. `may_follow` can refuse one for those taken already."""
    sameness = [0.0] * len(said)
    left = list(range(len(said)))
    taken: list[_Weighed] = []

    def worth(place: int) -> float:
        return said[place].total - DULLNESS * sameness[place]

    def may_be_taken(place: int) -> bool:
        says_more = sameness[place] < SAMENESS and worth(place) > LEAST
        return says_more and size(said[place]) <= room and may_follow(said[place], taken)

    while left := [place for place in left if may_be_taken(place)]:
        best = max(left, key=lambda place: (worth(place), -place))
        taken.append(said[best])
        room -= size(said[best])
        left.remove(best)
        for place in left:
            sameness[place] = max(sameness[place], alike(said[best].stems, said[place].stems))
    return taken


def _weighed(day: Sequence[Message]) -> list[_Weighed]:
    messages = sorted(day, key=lambda message: message.message_id)
    found = [(message, list(candidates(message))) for message in messages]
    words = DayOfWords(one for _, said in found for one in said)
    answers = Counter(_answered(messages))
    talks = _talks(messages)
    weighed: list[_Weighed] = []
    for message, said in found:
        heard = answers[message.message_id] + attention(message)
        for one in said:
            total = WEIGHTS.total(parts_of(one, words, heard))
            weighed.append(_Weighed(message, one, total, frozenset(one.stems), talks[message.message_id]))
    return weighed


def _answered(messages: Sequence[Message]) -> list[int]:
    """List the messages that somebody else replied to, once for each who did."""
    author_of = {message.message_id: message.author_id for message in messages}
    replies: set[tuple[int, int]] = set()
    for message in messages:
        if message.reply_to is not None and message.author_kind is AuthorKind.PERSON:
            replies.add((message.reply_to, message.author_id))
    return [replied_to for replied_to, author_id in replies if author_of.get(replied_to, author_id) != author_id]


def _talks(messages: Sequence[Message]) -> dict[int, int]:
    """Find for each message the first one of its talk: what was said in one channel without a long pause."""
    talks: dict[int, int] = {}
    last: dict[int, Message] = {}
    lengths: Counter[int] = Counter()
    for message in messages:
        before = last.get(message.channel_id)
        talk = message.message_id
        if before is not None and message.sent_at - before.sent_at < PAUSE:
            talk = talks[before.message_id] if lengths[talks[before.message_id]] < LONGEST_TALK else talk
        talks[message.message_id] = talk
        lengths[talk] += 1
        last[message.channel_id] = message
    return talks


def _in_time(kept: Sequence[_Weighed]) -> list[_Weighed]:
    return sorted(kept, key=lambda one: (one.message.sent_at, one.message.message_id, one.candidate.place))


# A week told by its days: of each the sentences that tell most, under the date of the day.


WEEK_AIM = 500


def told_by_days(days: Mapping[date, str], aim: int = WEEK_AIM) -> dict[date, tuple[str, ...]]:
    """Choose, by day, whole sentences in their order, about `aim` characters with the dates. A day may find no room.

    Every day has its turn before any has a second one, and of two days the newer has it first.
    """
    ranked = _ranked(days)
    joined = Joined(aim)
    taken: dict[date, set[str]] = {}
    for turn in range(max(map(len, ranked.values()), default=0)):
        for day in sorted(ranked, reverse=True):
            sentence = ranked[day][turn] if turn < len(ranked[day]) else None
            # The date stands before the first sentence of a day.
            heading = "" if day in taken else f"{day:%Y-%m-%d}: "
            if sentence is not None and joined.add(sentence, beside=len(heading)):
                taken.setdefault(day, set()).add(sentence)
    return {
        day: tuple(one for one in dict.fromkeys(_sentences(days[day])) if one in taken[day]) for day in sorted(taken)
    }


def _ranked(days: Mapping[date, str]) -> dict[date, list[str]]:
    """Rank the sentences of each day, the most telling first; those that tell nothing only where a day has no other."""
    weighed = {day: {one.text: one for one in read(text, 0, day.toordinal())} for day, text in days.items()}
    week = DayOfWords(one for of_day in weighed.values() for one in of_day.values())
    ranked: dict[date, list[str]] = {}
    for day, text in days.items():
        totals = {one.text: WEIGHTS.total(parts_of(one, week)) for one in weighed[day].values()}
        telling = [one for one in _sentences(text) if totals.get(one, 0.0) > 0.0]
        telling.sort(key=totals.__getitem__, reverse=True)
        ranked[day] = telling or [one for one in _sentences(text) if plain_words(one)]
    return ranked


def _sentences(text: str) -> list[str]:
    return [sentence.text for sentence in sentences_of(text)]
