"""A week told by its days: of each the sentences that tell most, under the date of the day."""

from collections.abc import Mapping
from datetime import date

from memory.core.extract.weighing import WEIGHTS, DayOfWords, parts_of
from memory.core.extract.worth_quoting import read
from memory.language.sentences import Joined, sentences_of
from memory.language.text import plain_words

WEEK_AIM = 500


def told_by_days(days: Mapping[date, str], aim: int = WEEK_AIM) -> dict[date, tuple[str, ...]]:
    """By day, whole sentences in their order, about `aim` characters with the dates. A day may find no room.

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
    """The sentences of each day, the most telling first; those that tell nothing only where a day has no other."""
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
