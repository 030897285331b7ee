"""What is kept of a day, a week or a member: a text, whether it is quoted, and which messages it was taken from."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.core.extract.day import Quote
from memory.core.values import Source
from memory.language.detect import Language
from memory.language.sentences import in_turns
from memory.language.text import is_invisible
from memory.prompts.summary_phrases import PHRASES, Say

_ROLE = re.compile(r"<@&\d+>")
_CALL = re.compile(r"@(everyone|here)", re.IGNORECASE)
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"


@dataclass(frozen=True, slots=True)
class Summary:
    text: str
    """Without a label: `labelled` puts it there. People may stand in it as `<@id>`."""
    is_quoted: bool = False
    """Nobody summarised it: these are sentences as people wrote them, each in “ ”."""
    sources: tuple[Source, ...] = ()
    """Known for quotations alone; what a model made of a day comes from all of it."""


def of_quotes(quotes: Sequence[Quote]) -> Summary:
    sources = tuple(dict.fromkeys(quote.source for quote in quotes))
    return Summary(" ".join(quoted(quote.text) for quote in quotes), is_quoted=True, sources=sources)


def quoted(text: str) -> str:
    """Somebody's words between marks that they cannot close, with nothing hidden in them and calling nobody."""
    visible = "".join(one for one in text if one in _JOINERS or not is_invisible(one))
    calm = _CALL.sub("@\u200b\\1", _ROLE.sub("@role", visible)).replace("“", '"').replace("”", '"')
    return f"“{calm}”"


def labelled(summary: Summary, user_id: int, language: Language) -> str:
    """A member's day as it is shown: what is quoted says so."""
    if not summary.is_quoted:
        return summary.text
    return PHRASES[language][Say.QUOTED].format(who=f"<@{user_id}>", text=summary.text)


def joined(parts: Iterable[Mapping[int, Summary]], limit: int) -> dict[int, Summary]:
    """The summaries of parts of a day as one of each member, the parts in their order."""
    of_member: dict[int, list[Summary]] = {}
    for part in parts:
        for user_id, summary in part.items():
            of_member.setdefault(user_id, []).append(summary)
    return {user_id: _as_one(summaries, limit) for user_id, summaries in of_member.items()}


def _as_one(summaries: Sequence[Summary], limit: int) -> Summary:
    if len(summaries) == 1:
        return summaries[0]
    sources = tuple(dict.fromkeys(source for summary in summaries for source in summary.sources))
    is_quoted = any(summary.is_quoted for summary in summaries)
    return Summary(in_turns([summary.text for summary in summaries], limit), is_quoted, sources)
