"""Fills the room that a prompt has for what was said: as much as may answer, each message once, talk by talk.

A model reads thirty messages as fast as three, so nothing has to be certain. What fits best comes first; a question
brings its replies and an answer its question; no talk takes all the room; whoever is named has a part of it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise
from typing import NamedTuple

from memory.commands.small_talk import is_kind
from memory.core.values import Message
from memory.language.text import fold
from memory.recall.ranking import Ranked, Said, in_one_talk
from memory.recall.results import Looked, outcome_of
from memory.settings import tokens

HOPELESS = 0.3
"""Of the best sum: what has less is left out, however much room there is."""
LEAST_TOTAL = 3.0
"""What everything has that has anything to do with the question."""
LINE_TOKENS = 6
"""Beside its words: the number of a message and the name of its author."""
HEADING_TOKENS = 12
"""Of each channel and date."""
LONGEST_MESSAGE = 600
"""Characters of a message that are counted, and told."""
OF_A_TOKEN = 0.01
"""What it has to fit better for each token that it takes."""
BEST_BY_ONE = 10
BY_ONE = 0.5
"""What being among the ten best by its words alone is worth, and by its meaning alone: either may be right."""
FIRST_OF_EACH = 3
"""So many of everyone who is named come before all others, where several are."""
RANKS_ALIKE = 20
"""How little the first few of a look differ in worth, where several are put together."""
DIFFERENT = 0.68
"""From this share of different messages among the ten best of each look, more room is given to them."""
EVERY_LOOK = 0.3
"""What each look counts for beside the chance of its best find: one that hardly fits says less."""
WITH_REPLIES = 5
"""So many of the best bring what belongs to them; of more looks, one for each."""
MOST_REPLIES = 8
SHORT = 20
"""Characters up to which a text says the same only within its talk: "yes" answers many questions."""
LONGEST_THANKS = 60
"""Characters of a message that may be nothing but a greeting or thanks, which is evidence of nothing."""


class Repeats(NamedTuple):
    """Notes what said the same as a message and was left out for it."""

    author_ids: tuple[int, ...]
    """Others than the author of the message."""
    last_at: datetime
    """When it was said last: it may have been said otherwise between."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Holds messages of one talk in the order in which they were said, though not all of it."""

    messages: tuple[Message, ...]
    repeats: Mapping[int, Repeats] = field(default_factory=dict)
    """By message."""


class Room(NamedTuple):
    """Limits the tokens for what was said earlier: usually, and where several ways of asking find different things."""

    usual: int
    most: int

    @classmethod
    def of(cls, tokens: int) -> "Room":
        return cls(tokens, tokens)


def covering(looks: Sequence[Looked], *, known: Collection[int], room: Room) -> tuple[Excerpt, ...]:
    """Choose what fits into the room, without what the reader has before them already; the oldest talk first.

    Chosen from all looks together: what several ways of asking find comes before what one of them does.
    """
    looks = [look for look in looks if look.ranked]
    if not looks:
        return ()
    pool = {said.found.message_id: said for look in reversed(looks) for said in look.pool}
    in_order = sorted(pool.values(), key=lambda said: (said.found.channel_id, said.found.message_id))
    budget = room.most if _differ(looks) else room.usual
    selection = _Selection(in_order, known, budget)
    for number, one in enumerate(_in_order(looks, known)):
        if selection.is_full:
            break
        if selection.take(selection.place(one)) and number < max(WITH_REPLIES, len(looks)):
            for place in selection.belonging(one):
                selection.take(place)
    return selection.excerpts()


def _differ(looks: Sequence[Looked]) -> bool:
    """Say whether ways of asking find different things: then there is much to find, such as the rest of a list."""
    best = [one.said.found.message_id for look in looks for one in look.ranked[:BEST_BY_ONE]]
    return len(set(best)) > DIFFERENT * len(best)


def _in_order(looks: Sequence[Looked], known: Collection[int]) -> list[Ranked]:
    """Order finds by reciprocal ranks: sums of different questions say less about each other than who comes first in
    each. A look counts for more, the likelier its best find is."""
    worth: dict[int, float] = {}
    found: dict[int, Ranked] = {}
    for look in looks:
        worths = _worths(_hopeful(look, known))
        best = [*_first_of_each(worths, look.asking.asked.speakers), *(one for _, one in worths)]
        weight = EVERY_LOOK + look.ranked[0].chance
        by_id = {one.said.found.message_id: one for one in reversed(best)}
        order = dict.fromkeys(one.said.found.message_id for one in best)
        for place, message_id in enumerate(order):
            worth[message_id] = worth.get(message_id, 0.0) + weight / (RANKS_ALIKE + place)
            found.setdefault(message_id, by_id[message_id])
    return [found[message_id] for message_id in sorted(worth, key=lambda one: (-worth[one], -one))]


def _hopeful(look: Looked, known: Collection[int]) -> list[Ranked]:
    least = max(look.ranked[0].total * HOPELESS, LEAST_TOTAL)
    return [one for one in look.ranked if one.total >= least and one.said.found.message_id not in known]


def _worths(hopeful: Sequence[Ranked]) -> list[tuple[float, Ranked]]:
    """Weigh what each is worth in a prompt, the best first: how well it fits, for what it takes."""
    by_words = {id(one) for one in sorted(hopeful, key=lambda one: -one.parts.said)[:BEST_BY_ONE]}
    by_meaning = {id(one) for one in sorted(hopeful, key=lambda one: -one.parts.meaning)[:BEST_BY_ONE]}
    worths = [
        (
            one.total
            + BY_ONE * ((id(one) in by_words) + (id(one) in by_meaning))
            - OF_A_TOKEN * tokens(one.said.heard.text[:LONGEST_MESSAGE]),
            one,
        )
        for one in hopeful
    ]
    return sorted(worths, key=lambda pair: -pair[0])


def _first_of_each(worths: Sequence[tuple[float, Ranked]], named: Collection[int]) -> list[Ranked]:
    """Find the best of each of several who are named, to come before the rest of all."""
    first: list[Ranked] = []
    of_each: Counter[int] = Counter()
    for _, one in worths if len(named) > 1 else ():
        author = one.said.found.author_id
        if author in named and of_each[author] < FIRST_OF_EACH:
            of_each[author] += 1
            first.append(one)
    return first


class _Selection:
    def __init__(self, pool: Sequence[Said], known: Collection[int], budget: int) -> None:
        self._pool = pool
        self._known = known
        self._left = budget
        self._place_of = {said.found.message_id: place for place, said in enumerate(pool)}
        self._talk_of = _talks(pool)
        self._taken: set[int] = set()
        self._first_with: dict[tuple[int | None, str], int] = {}
        self._repeats: dict[int, set[int]] = {}
        self._headings: set[tuple[int, date]] = set()

    @property
    def is_full(self) -> bool:
        return self._left < 2 * LINE_TOKENS

    def place(self, one: Ranked) -> int:
        return self._place_of[one.said.found.message_id]

    def take(self, place: int) -> bool:
        """Take a message; say whether it stands there now, or stood there before."""
        said, talk = self._pool[place], self._talk_of[place]
        if place in self._taken:
            return True
        if said.found.message_id in self._known:
            return False
        if len(said.heard.text) <= LONGEST_THANKS and is_kind(said.heard.text):
            return False
        text = fold(said.heard.text)
        key = (talk if len(text) <= SHORT else None, text)
        if key in self._first_with:
            self._repeats.setdefault(self._first_with[key], set()).add(place)
            return True
        heading = (said.found.channel_id, said.found.sent_at.date())
        cost = LINE_TOKENS + tokens(said.heard.text[:LONGEST_MESSAGE])
        cost += HEADING_TOKENS * (heading not in self._headings)
        if cost > self._left:
            return False
        self._left -= cost
        self._taken.add(place)
        self._first_with[key] = said.found.message_id
        self._headings.add(heading)
        return True

    def belonging(self, one: Ranked) -> Iterator[int]:
        """Find what goes with one: a question's replies and the talk up to the next question; what a reply answers."""
        place = self.place(one)
        if one.said.found.is_post:
            yield from outcome_of(self._pool, place)
        if one.said.signs.asks:
            own = one.said.found.message_id
            yield from [at for at, said in enumerate(self._pool) if said.heard.reply_to == own][:MOST_REPLIES]
            for at in range(place + 1, min(place + 1 + MOST_REPLIES, len(self._pool))):
                if not self._is_joined(at) or (self._pool[at].signs.asks and self._pool[at].heard.reply_to != own):
                    return
                yield at
            return
        answered = self._place_of.get(one.said.heard.reply_to or 0)
        if answered is not None:
            yield answered
        elif self._is_joined(place) and self._pool[place - 1].signs.asks:
            yield place - 1

    def _is_joined(self, place: int) -> bool:
        return place > 0 and self._talk_of[place] == self._talk_of[place - 1]

    def excerpts(self) -> tuple[Excerpt, ...]:
        talks: dict[int, list[Message]] = {}
        for place in sorted(self._taken):
            talks.setdefault(self._talk_of[place], []).append(self._pool[place].heard.message())
        in_time = sorted(talks.values(), key=lambda messages: messages[0].message_id)
        return tuple(Excerpt(tuple(talk), self._repeats_of(talk)) for talk in in_time)

    def _repeats_of(self, talk: Sequence[Message]) -> dict[int, Repeats]:
        found = {}
        for one in talk:
            if places := sorted(self._repeats.get(one.message_id, ())):
                said = [self._pool[place].found for place in places]
                authors = dict.fromkeys(each.author_id for each in said if each.author_id != one.author_id)
                found[one.message_id] = Repeats(tuple(authors), max(one.sent_at, *(each.sent_at for each in said)))
        return found


def in_order(excerpts: Iterable[Excerpt]) -> tuple[Excerpt, ...]:
    """Put excerpts of several looks in the order in which they were said; those of one talk become one."""
    ordered: list[Excerpt] = []
    for excerpt in sorted(excerpts, key=lambda one: one.messages[0].message_id):
        channel, first = excerpt.messages[0].channel_id, excerpt.messages[0].message_id
        places = (place for place, one in enumerate(ordered) if one.messages[0].channel_id == channel)
        around = next((place for place in places if ordered[place].messages[-1].message_id > first), None)
        if around is None:
            ordered.append(excerpt)
            continue
        both = sorted((*ordered[around].messages, *excerpt.messages), key=lambda one: one.message_id)
        ordered[around] = Excerpt(tuple(both), {**ordered[around].repeats, **excerpt.repeats})
    return tuple(ordered)


def _talks(pool: Sequence[Said]) -> list[int]:
    """Number the talk that each place belongs to. The pool is in the order of channel and id."""
    numbers = [0] if pool else []
    for one, two in pairwise(pool):
        numbers.append(numbers[-1] + (not in_one_talk(one.found, two.found)))
    return numbers
