"""Which facts somebody means when they ask us to forget. Whether they may is decided in `memory.policy.authority`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory.core.outcomes import Wait
from memory.core.values import Fact
from memory.language.stems import MOST_WANTED, WordForms, coverage, topics, topics_in_order
from memory.language.text import fold_in_place
from memory.people.names import is_speaker_alone

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
    wait: Wait | None = field(default=None, compare=False)
    """Words alone decided: who wants it forgotten has a model asked more often than they may."""


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
    return meant_among([query], [facts], ())


def meant_among(queries: Sequence[str], ledgers: Sequence[Sequence[Fact]], over: Sequence[Fact]) -> Matches:
    """What one of the queries means for certain, in the first of the ledgers that has it, and at last in what is over.

    Otherwise what the first query may mean of what holds. Each fact is read once.
    """
    wanted = [_wanted(query) for query in queries]
    read: dict[int, _Read] = {}
    possible: tuple[Fact, ...] = ()
    for ledger in (*ledgers, over):
        known = [read.get(fact.fact_id) or read.setdefault(fact.fact_id, _Read.of(fact)) for fact in ledger]
        for one in wanted:
            matches = _meant(one, known)
            if matches.certain:
                return matches
            if one is wanted[0] and ledger is not over:
                possible = possible or matches.possible
    return Matches((), possible)


@dataclass(frozen=True, slots=True)
class _Read:
    """A fact with the words it is found by."""

    fact: Fact
    spoken: WordForms
    things: frozenset[str]

    @classmethod
    def of(cls, fact: Fact) -> "_Read":
        spoken = topics(fact.text)
        return cls(fact, WordForms(spoken), _things(spoken))


def _meant(wanted: Sequence[str], facts: Sequence[_Read]) -> Matches:
    whole = frozenset(wanted)
    exact = [one.fact for one in facts if whole and one.things == whole]
    if exact:
        return Matches(tuple(exact))
    if len(wanted) > MOST_WANTED:
        return Matches(())  # so many words mean what has the very same, and nothing else
    forms = WordForms(wanted)
    scored = [(coverage(wanted, one.spoken), one) for one in facts]
    focused = [one.fact for share, one in scored if share == 1.0 and coverage(one.things, forms) >= FOCUSED]
    if focused:
        return Matches(tuple(focused))
    possible = [(share, one.fact) for share, one in scored if share >= MENTIONS_ENOUGH]
    if len(possible) == 1 and possible[0][0] >= CERTAIN_ALONE:
        return Matches((possible[0][1],))
    return Matches((), tuple(fact for _, fact in possible))


def _wanted(query: str) -> list[str]:
    """What the query speaks of besides people, as it comes; people only if there is nothing else."""
    things = _things_of(topics_in_order(query))
    return [topic for topic in things if topic not in _VAGUE] or things


def _things(spoken: Iterable[str]) -> frozenset[str]:
    return frozenset(_things_of(list(spoken)))


def _things_of(spoken: list[str]) -> list[str]:
    return [topic for topic in spoken if not topic.startswith("@")] or spoken
