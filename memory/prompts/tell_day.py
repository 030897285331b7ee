"""What a day was about, told to somebody who asks: the summaries of its members, and quotations of what has none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

from memory.core.extract.day import Day, happenings
from memory.core.outcomes import Answer
from memory.core.provenance import Evidence, Read
from memory.core.values import Message
from memory.language.detect import Language
from memory.prompts import happened
from memory.prompts.cited_lines import shifted
from memory.prompts.summaries import Summary, labelled

ROOM = 1_600
"""Characters of all summaries together: what one reads at a glance, and what Discord takes at once."""

MOST_LINKS = 3
"""To what a summarised day was made from, the most telling first to be found."""

NOTHING = Read()

_HEADING = {
    Language.EN: "What {day} was about, as far as I may tell here:",
    Language.DE: "Worum es am {day} ging, soweit ich es hier erzählen darf:",
    Language.FR: "Ce dont il s'agissait le {day}, pour autant que je puisse le dire ici :",
    Language.ES: "De qué se trató el {day}, hasta donde puedo contarlo aquí:",
    Language.RU: "О чём шла речь {day}, насколько я могу рассказать здесь:",
}
_MORE = {
    Language.EN: "… and {count} more. Ask me about one of them by name.",
    Language.DE: "… und {count} weitere. Frag mich nach jemandem mit Namen.",
    Language.FR: "… et {count} autres. Demandez-moi l'un d'eux par son nom.",
    Language.ES: "… y {count} más. Pregúntame por alguien por su nombre.",
    Language.RU: "… и ещё {count}. Спросите меня о ком-нибудь по имени.",
}


def told(
    day: date,
    zone: str,
    summaries: Mapping[int, Sequence[Summary]],
    said: Sequence[Message],
    sources: Sequence[Message],
    language: Language,
    read: Read = NOTHING,
) -> Answer:
    """`said` is what is not summarised of the day, `sources` some of what is; `read` are the days of the summaries.

    All of it is what the readers of the answer may read, and no more.
    """
    quoted = happened.without_model(Day(said), day, ZoneInfo(zone), language)
    if not summaries:
        return quoted
    lines = [_HEADING[language].format(day=f"{day:%Y-%m-%d}"), *_lines(summaries, language)]
    links = tuple(quote.source for quote in happenings(Day(sources), MOST_LINKS))
    is_quoted = all(one.is_quoted for of_member in summaries.values() for one in of_member)
    answer = Answer("\n".join(lines), links, without_model=is_quoted, evidence=Evidence.all_quoted(read))
    if not quoted.sources:
        return answer
    return replace(
        answer,
        text=f"{answer.text}\n{quoted.text}",
        sources=(*links, *quoted.sources),
        citations=shifted(quoted.citations, len(answer.text) + 1),
        evidence=answer.evidence | quoted.evidence,
    )


def _lines(summaries: Mapping[int, Collection[Summary]], language: Language) -> list[str]:
    """The most telling first; none of them is cut."""
    entries = [
        f"• <@{user_id}>: {' '.join(labelled(one, user_id, language) for one in of_member)}"
        for user_id, of_member in sorted(summaries.items(), key=lambda one: -sum(len(s.text) for s in one[1]))
    ]
    room = ROOM
    kept: list[str] = []
    for entry in entries:
        if kept and len(entry) > room:
            break
        kept.append(entry)
        room -= len(entry)
    left = len(entries) - len(kept)
    return [*kept, *([_MORE[language].format(count=left)] if left else [])]
