"""Which facts somebody means when they ask us to forget. Whether they may is decided in `memory.core.authority`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.core.matching import coverage, topics
from memory.core.model import Fact
from memory.core.people import is_speaker_alone
from memory.core.text import fold_in_place

MENTIONS_ENOUGH = 0.6
"""A fact that has this share of the words might be meant."""
CERTAIN_ALONE = 0.75
"""The only fact that might be meant is taken for certain from here on."""
FOCUSED = 0.5
"""A fact of which the words make up less may be about something else, and only mentions them."""

_EVERYTHING = re.compile(
    r"\s*+(?:please\s++)?+(?:"
    r"(?:everything|all|anything)(?:\s++(?:that\s++)?you\s++(?:know|have|remember))?\s++(?:about|of|on)\s++"
    r"|alles(?:,?\s*+was\s++du)?\s++(?:uber|ueber|von|zu)\s++"
    r"|tout(?:\s++ce\s++que\s++tu\s++sais)?\s++(?:sur|de|d'|a\s++propos\s++de)\s*+"
    r"|todo(?:\s++lo\s++que\s++sabes)?\s++(?:sobre|de|acerca\s++de)\s++"
    r"|все(?:,?\s*+что\s++(?:ты\s++)?знаешь)?\s++(?:про|обо|об|о)\s++"
    r")"
)
_THIS = re.compile(r"\s*+(?:(?:this|that|it|das|dies|es|ca|cela|ceci|esto|eso|lo|это)\b)?+\s*+[.!]*+\s*+")
_ENDING = " \t\r\n.!"


# Words about the telling, not about what was told: "the pizza thing", "what I said about pizza".
_VAGUE = topics(
    "thing things stuff fact facts part bit said say told tell remember remembered know everything something"
    " sache ding gesagt gemerkt erzählt weißt truc chose dit retenu sais cosa dicho dije sabes вещь факт сказал"
    " говорил помнишь знаешь"
)


@dataclass(frozen=True, slots=True)
class Matches:
    """`certain` are meant; `possible` are worth asking about when nothing is certain."""

    certain: tuple[Fact, ...]
    possible: tuple[Fact, ...] = ()


def everything_about(body: str) -> str | None:
    """Whom "forget everything about …" names, as typed; None if the words ask for something else."""
    if is_speaker_alone(body):
        return body  # "forget me"
    folded = fold_in_place(body)
    found = _EVERYTHING.match(folded.text)
    if found is None:
        return None
    end = len(folded.text.rstrip(_ENDING).removesuffix(" weisst"))
    who = folded.typed(found.end(), end).strip()
    return who if who and "\n" not in who else None


def points_at_message(body: str) -> bool:
    """Whether the words say no more than "this", so that the replied-to message must tell."""
    return _THIS.fullmatch(fold_in_place(body).text) is not None


def meant(query: str, facts: Sequence[Fact]) -> Matches:
    """The facts that the words of the query mean. People are ids in both."""
    wanted = _wanted(query)
    exact = [fact for fact in facts if wanted and _things(topics(fact.text)) == wanted]
    if exact:
        return Matches(tuple(exact))
    scored = [
        (coverage(wanted, topics(fact.text)), coverage(_things(topics(fact.text)), wanted), fact) for fact in facts
    ]
    focused = [fact for share, focus, fact in scored if share == 1.0 and focus >= FOCUSED]
    if focused:
        return Matches(tuple(focused))
    possible = [(share, fact) for share, _, fact in scored if share >= MENTIONS_ENOUGH]
    if len(possible) == 1 and possible[0][0] >= CERTAIN_ALONE:
        return Matches((possible[0][1],))
    return Matches((), tuple(fact for _, fact in possible))


def _wanted(query: str) -> frozenset[str]:
    """What the query speaks of besides people; people only if there is nothing else."""
    spoken = topics(query)
    telling = frozenset(topic for topic in _things(spoken) if topic not in _VAGUE)
    return telling or _things(spoken)


def _things(spoken: Iterable[str]) -> frozenset[str]:
    found = frozenset(spoken)
    return frozenset(topic for topic in found if not topic.startswith("@")) or found
