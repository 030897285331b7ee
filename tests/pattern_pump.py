"""Finds every pattern that the product compiles, and tries to make each slow.

Run as a program of its own, so that it stands behind `re` before anything of the product is imported: it records what
is compiled, in modules as in functions, and where. Then it takes each pattern apart, repeats whatever may be repeated
up to 4,000 characters, the longest message there is, and gives the pattern 50 ms of the processor. What it prints is
JSON: the slow patterns, and the places in the source that it has not seen at work.
"""

# ruff: noqa: ANN401 - the parser of `re`, which it builds upon, has no types

import asyncio
import gc
import importlib
import json
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any, NamedTuple, TypeAlias

from tests.pattern_sources import ANY_USE, PACKAGES, ROOT, Uses, compiled_in_source, place

LONGEST = 4_000
ALLOWED = 0.05
"""Seconds of the processor, for one pattern over one text."""
_TRIED = ((250, ALLOWED / 300), (1_000, ALLOWED / 20), (LONGEST, ALLOWED))
"""Whoever needs no more for the shorter text keeps within it for the longest, be it with the square of the length."""

_TRIES = 3

Node: TypeAlias = tuple[Any, Any]
Nodes: TypeAlias = Sequence[Node]
Known: TypeAlias = dict[tuple[str | bytes, int], set[str]]
"""Patterns and their flags, and where each is compiled."""

SAID = (
    "Bot, please remember everywhere that tea is good, please",
    "Bot, kannst du dir bitte merken, dass Tee gut ist, danke",
    "Bot, peux-tu retenir que le thé est bon, merci",
    "Bot, recuerda que el té es bueno, gracias",
    "Bot, запомни, что чай хорош, спасибо",
    "could you tell me when the train leaves?",
    "the bot is broken",
    "Bot is broken",
    "Bot `was` it",
)
"""Behind the verbs of each language, and where there is none, other patterns are asked for."""
_REPEATS = frozenset((op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT))
_MANY = 16
"""A repeat of fewer is not worth pumping."""
_MANY_REPEATS = 60
_MOST_TEXTS = 40
_SAMPLES = " \na1,.-'\"<>@:/_!?é[](){}`*#"
"""What people type, and patterns look for."""
_CLASSES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_NOT_WORD: r"\W",
}


class TooSlow(Exception):
    """Raised in the midst of a match, which looks for signals now and then."""


def record() -> Known:
    """From now on, what is compiled for the product: by itself, or by a library that it handed a pattern."""
    known: Known = {}
    compiled: Any = re._compile  # type: ignore[attr-defined]

    def _compile(pattern: Any, flags: int) -> Any:
        made = compiled(pattern, flags)
        site = _site(sys._getframe(2)) or _site(sys._getframe(3))
        if site is not None:
            known.setdefault((made.pattern, made.flags), set()).add(site)
        return made

    re._compile = _compile  # type: ignore[attr-defined]
    return known


def _site(frame: FrameType) -> str | None:
    path = Path(frame.f_code.co_filename)
    is_ours = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PACKAGES
    return place(path, frame.f_lineno) if is_ours else None


def import_all() -> None:
    for package in PACKAGES:
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)


class Attack(NamedTuple):
    """A text that reaches a repeat of a pattern, goes on and on there, and then does not end as it should."""

    start: str
    pump: str
    end: str

    def text(self, longest: int) -> str:
        return self.start + self.pump * ((longest - len(self.start) - len(self.end)) // len(self.pump)) + self.end


def attacks(pattern: str | bytes, flags: int) -> set[Attack]:
    found: set[Attack] = set()
    repeats = list(_repeats(list(parser.parse(pattern, flags)), [], []))
    # Where many phrases are spelt in the same way, one attack tells as much as a dozen.
    most, modes = (_MOST_TEXTS, (0, 1)) if len(repeats) < _MANY_REPEATS else (1, (1,))
    for before, body, after in repeats:
        end = _text(after, 1)
        pumps = {" ", end[:1], *(text for times in modes for text in islice(_texts(body, times), most))} - {""}
        for start, pump in product({_text(before, times) for times in modes}, pumps):
            found |= {Attack(start, pump, "x\n\0"), Attack(start, pump, end + "\0"), Attack("", start + pump, "")}
    return found


def _repeats(nodes: Nodes, before: Nodes, after: Nodes) -> Iterator[tuple[Nodes, Nodes, Nodes]]:
    """Each repeat's body, with what stands before and behind it on the way through the pattern."""
    for number, (kind, value) in enumerate(nodes):
        here, behind = [*before, *nodes[:number]], [*nodes[number + 1 :], *after]
        if kind in _REPEATS and value[1] >= _MANY:
            yield here, list(value[2]), behind
        for inner in _inside(kind, value):
            yield from _repeats(list(inner), here, behind)


def _inside(kind: Any, value: Any) -> list[Nodes]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[3]]
    if kind is op.BRANCH:
        return list(value[1])
    if kind is op.ATOMIC_GROUP:
        return [value]
    return [value[1]] if kind in (op.ASSERT, op.ASSERT_NOT) else []


def _text(nodes: Nodes, times: int) -> str:
    return next(_texts(nodes, times), "")


def _texts(nodes: Nodes, times: int) -> Iterator[str]:
    """Texts that these match, each different in one part; what may be absent stands there as many times."""
    plain: list[str] = []
    for kind, value in nodes:
        first = next(_texts_of(kind, value, times), None)
        if first is None:
            return
        plain.append(first)
    yield "".join(plain)
    for number, (kind, value) in enumerate(nodes):
        before, behind = "".join(plain[:number]), "".join(plain[number + 1 :])
        yield from (before + other + behind for other in islice(_texts_of(kind, value, times), 1, _MOST_TEXTS))


def _texts_of(kind: Any, value: Any, times: int) -> Iterator[str]:
    if kind is op.LITERAL:
        yield chr(value)
    elif kind in (op.NOT_LITERAL, op.ANY, op.IN):
        yield from _characters(kind, value)
    elif kind in _REPEATS and min(max(value[0], times), value[1]):
        yield from (text * min(max(value[0], times), value[1]) for text in _texts(list(value[2]), times))
    elif kind in (op.SUBPATTERN, op.BRANCH, op.ATOMIC_GROUP):
        for inner in _inside(kind, value):
            yield from _texts(list(inner), times)
    else:
        yield ""


def _characters(kind: Any, value: Any) -> Iterator[str]:
    if kind is op.ANY:
        yield from "a \n<"
        return
    items: list[Node] = [(op.NEGATE, None), (op.LITERAL, value)] if kind is op.NOT_LITERAL else list(value)
    own = [chr(one if what is op.LITERAL else one[0]) for what, one in items if what in (op.LITERAL, op.RANGE)]
    yield from _accepted("".join(_written(*item) for item in items), "".join(own))


@cache
def _accepted(items: str, own: str) -> tuple[str, ...]:
    """The same few classes stand in nearly every pattern."""
    accepts = re.compile(f"[{items}]").match
    return tuple(dict.fromkeys(one for one in _SAMPLES + own if accepts(one)))


def _written(kind: Any, value: Any) -> str:
    if kind is op.NEGATE:
        return "^"
    if kind is op.RANGE:
        return f"\\U{value[0]:08x}-\\U{value[1]:08x}"
    return f"\\U{value:08x}" if kind is op.LITERAL else _CLASSES[value]


def slow(pattern: str | bytes, flags: int, uses: Uses) -> str | None:
    """How a use of the pattern takes too long, if one does."""
    compiled = re.compile(pattern, flags)
    # Whatever is matched at the beginning is searched for there first.
    for attack, use in product(attacks(pattern, flags), uses - {"match"} if "sub" in uses else uses):
        if use != "sub" and not attack.end:
            continue  # many places to begin at are worth something to a search alone
        for longest, allowed in _TRIED:
            text = attack.text(longest)
            # A machine that others keep busy charges a moment for nothing; a slow pattern is slow every time.
            if any((needed := _needed(compiled, use, text)) <= allowed for _ in range(_TRIES)):
                break
        else:
            return f"{use} of {attack}: {needed:.3f} s"
    return None


def _needed(pattern: re.Pattern[Any], use: str, text: str) -> float:
    """Seconds of the processor."""
    given: Any = text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")
    began = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, ALLOWED * 2)
        pattern.sub(given[:0], given) if use == "sub" else getattr(pattern, use)(given)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except TooSlow:
        pass
    return time.process_time() - began


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow


def build_all() -> None:
    """Has the functions that build patterns build them."""
    from ai_clients.base import Prompt
    from ai_clients.openai_compatible.model import said
    from memory.answers.generate import read
    from memory.answers.prompt import Asked
    from memory.commands.addressing import address
    from memory.commands.small_talk import asks_by_form
    from memory.facts.statement import words_to_forget, words_to_keep
    from memory.language.sensitive import is_sensitive
    from memory.people.names import with_ids

    for text in SAID:
        address(text, names=("Bot",), bot_id=1)
        asks_by_form(text)
        words_to_keep(text)
        words_to_forget(text)
        is_sensitive(text)
    said("<think>so</think>so")
    asyncio.run(_meet_trouble())
    read("so it is", Asked(Prompt("", ""), "fence", ()))
    with_ids("@Ada", "<@1>", lambda _user_id: "Ada")


async def _meet_trouble() -> None:
    from local_guild.faults import Faults, RestTrouble

    faults = Faults()
    faults.trouble_rest(RestTrouble(kind="error", path="/users"))
    faults.for_request("GET", "/users")


def main() -> None:
    gc.disable()  # modules and trees of their source, which stay to the end
    known = record()
    import_all()
    build_all()
    source = compiled_in_source()
    unseen = source.keys() - {site for seen in known.values() for site in seen}
    for site in unseen:
        if (literal := source[site].literal) is not None:
            known.setdefault(literal, set()).add(site)
    unseen -= {site for seen in known.values() for site in seen}
    signal.signal(signal.SIGVTALRM, _stop)
    found: dict[str, str] = {}
    for (pattern, flags), seen in sorted(known.items(), key=lambda one: min(one[1])):
        uses = frozenset[str]().union(*(source[site].uses if site in source else ANY_USE for site in seen))
        if (use := slow(pattern, flags, uses)) is not None:
            found[min(seen)] = use
    sys.stdout.write(
        json.dumps({"patterns": len(known), "places": len(source), "slow": found, "unseen": sorted(unseen)})
    )


if __name__ == "__main__":
    main()
