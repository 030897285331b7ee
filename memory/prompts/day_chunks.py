"""A day too big for one prompt, in parts: along the pauses of its conversations, and never more than are allowed.

A day that is too big even for all of them is thinned out: what tells least is left out first, and counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.core.extract.day import Day, telling_of_messages
from memory.core.values import Message
from memory.log.reading import PAUSE
from memory.people.names import mentioned_ids
from memory.prompts.summarise_day import MOST_MENTIONED, Material, is_summarised, message_line, person_line
from memory.settings import tokens

BUDGET = 16_000
"""Tokens of the data of one prompt."""
LEAST_BUDGET = 8_000
"""One message with all whom it may mention always fits into this."""
MOST_CALLS = 6
_SLACK = 0.9
"""Of the room that all parts have, how much is filled at most: conversations do not fill it evenly."""


@dataclass(frozen=True, slots=True)
class Plan:
    parts: tuple[Material, ...]
    """Each for a call of its own; none for a day on which nobody said anything."""
    left_out: int = 0
    """Messages that did not fit into all of them."""


def planned(day: Material, *, budget: int = BUDGET, most: int = MOST_CALLS) -> Plan:
    """`day` as it was said; its conversations are cut anew, at the pauses in each channel."""
    budget = max(budget, LEAST_BUDGET)
    said = [message for talk in day.conversations for message in talk if is_summarised(message)]
    said.sort(key=lambda message: (message.sent_at, message.message_id))
    authors = {message.message_id: message.author_id for message in said}
    packer = _Packer(replace(day, authors={**day.authors, **authors}), budget)
    parts = packer.packed(said)
    kept = said
    share = 1.0
    ranked = _most_telling_first(said) if len(parts) > most else []
    while len(parts) > most:
        room = int(most * budget * _SLACK * share)
        chosen: set[int] = set()
        for message in ranked:
            cost = packer.cost_of(message)
            if cost > room:
                break
            room -= cost
            chosen.add(message.message_id)
        kept = [message for message in said if message.message_id in chosen]
        parts = packer.packed(kept)
        share *= _SLACK
    return Plan(tuple(parts), len(said) - len(kept))


def _most_telling_first(said: Sequence[Message]) -> list[Message]:
    worth = telling_of_messages(Day(said))
    least = min(worth.values(), default=0.0) - 1.0
    return sorted(said, key=lambda message: (-worth.get(message.message_id, least), message.message_id))


def conversations(said: Sequence[Message]) -> list[list[Message]]:
    """What was said in one channel without a long pause; in the order in which they began."""
    talks: list[list[Message]] = []
    last: dict[int, list[Message]] = {}
    for message in said:
        talk = last.get(message.channel_id)
        if talk is None or message.sent_at - talk[-1].sent_at >= PAUSE:
            talk = last[message.channel_id] = []
            talks.append(talk)
        talk.append(message)
    return talks


class _Packer:
    """Puts conversations into as few parts as their order allows."""

    def __init__(self, day: Material, budget: int) -> None:
        self._day = day
        self._budget = budget
        self._costs: dict[int, int] = {}

    def packed(self, said: Sequence[Message]) -> list[Material]:
        parts: list[list[list[Message]]] = []
        room = 0
        for talk in conversations(said):
            for piece in self._pieces(talk):
                cost = self._cost(piece)
                if cost > room:
                    parts.append([])
                    room = self._budget
                parts[-1].append(piece)
                room -= cost
        return [replace(self._day, conversations=tuple(map(tuple, talks))) for talks in parts]

    def cost_of(self, message: Message) -> int:
        if message.message_id not in self._costs:
            self._costs[message.message_id] = tokens(message_line(message, self._day, self._day.authors))
        return self._costs[message.message_id]

    def _cost(self, talk: Sequence[Message]) -> int:
        """Of its lines, and of the lines that say who is who; people of several conversations are counted twice."""
        authors = {message.author_id for message in talk}
        mentioned = {one for message in talk for one in mentioned_ids(message.text) if one in self._day.names} - authors
        people = [*authors, *sorted(mentioned)[:MOST_MENTIONED]]
        return sum(map(self.cost_of, talk)) + sum(tokens(person_line(one, self._day)) for one in people) + 10

    def _pieces(self, talk: list[Message]) -> list[list[Message]]:
        """A conversation that is too long is parted at its longest pause, but not near its ends."""
        if len(talk) == 1 or self._cost(talk) <= self._budget:
            return [talk]
        places = range(max(len(talk) // 4, 1), max(len(talk) * 3 // 4, 1) + 1)
        place = max(places, key=lambda one: (talk[one].sent_at - talk[one - 1].sent_at, -one))
        return [*self._pieces(talk[:place]), *self._pieces(talk[place:])]
