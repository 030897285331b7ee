"""What is to be kept, or to be forgotten, of a sentence that asks for it without a verb of ours.

It is the person's own sentence. Only what stands around it is taken off: courtesies, and words that ask for it to be
kept ("…, just so you know"). What they quote on lines of its own stays out.
"""

import re
from functools import cache

from memory.commands.grammar import (
    NOT_INSIDE_A_WORD,
    any_of,
    behind_courtesies,
    courtesies,
    pause_of,
    phrases_of,
    spelling,
    words_of,
)
from memory.language.detect import word_set
from memory.language.text import fold_in_place, words_in

_BLOCKS = re.compile(r"^[ \t]*>>>[ ].*\Z|```.*?(?:```|\Z)|^[ \t]*>[ ][^\n]*$", re.MULTILINE | re.DOTALL)

_IT = r"(?:this|that|it|das|dies|es|ca|cela|le|la|esto|eso|lo|это|этого)"
_FOR_INFORMATION = (
    "just so you know", "so you know", "for the record", "for your information", "fyi", "for later", "for next time",
    "nur damit du es weißt", "damit du es weißt", "nur dass du es weißt", "zur info", "für später",
    "pour info", "pour information", "pour que tu le saches", "pour plus tard",
    "para que lo sepas", "para que sepas", "para más tarde", "para luego",
    "чтобы ты знал", "чтобы ты знала", "на будущее", "к сведению", "для справки",
)  # fmt: skip
_PAUSES = ",;:.!?\n–—-"
_LONGEST_LEAD = 80
_LONGEST_TAIL = 120
_MOST_TAILS = 3
_SHORT_POINTING = 6
_POINTS = word_set("this that it these those das dies dieses es ça cela ceci esto eso это этого")


def words_to_keep(body: str, *, answers_a_message: bool = False) -> str:
    """What is to be kept of a sentence that asks for it in its own way; "this" where it only points at a message."""
    typed = _BLOCKS.sub(" ", body).strip()
    folded = fold_in_place(typed)
    start, end = _within(folded.text)
    told = folded.typed(start, end).strip(" \t\r\n,;:–—-")
    words = [word.text for word in words_in(told)]
    if answers_a_message and len(words) <= _SHORT_POINTING and not _POINTS.isdisjoint(words):
        return "this"
    return told if words else typed


def asks_to_be_kept(body: str) -> bool:
    """Whether a clause of its own at the end asks for it, beyond doubt: "…, just so you know"."""
    folded = fold_in_place(body).text.rstrip()
    if folded.endswith("?"):  # "we went to Lyon, remember?" asks whether we know
        return False
    tail = _tail().search(folded, max(0, len(folded) - _LONGEST_TAIL))
    return tail is not None and tail["ending"] is not None and bool(words_in(folded[: tail.start()]))


def words_to_forget(body: str) -> str:
    """What is to be forgotten: the sentence itself, which is searched for by meaning."""
    return _BLOCKS.sub(" ", body).strip()


def _within(text: str) -> tuple[int, int]:
    """What is left when courtesies and the words that ask for it to be kept are taken off both ends."""
    lead = _lead().match(text, 0, _LONGEST_LEAD)
    start, end = behind_courtesies(text) if lead is None else lead.end(), len(text)
    for _ in range(_MOST_TAILS):
        tail = _tail().search(text, max(start, end - _LONGEST_TAIL), end)
        if tail is None or not words_in(text[start : tail.start()]):
            break
        end = tail.start()
    return start, end


@cache
def _keeping() -> str:
    """The verbs of remembering; where something stands inside them, only "this" may."""
    verbs = dict.fromkeys(phrases_of("remember") + phrases_of("remember_asked"))
    whole = any_of(tuple(verb for verb in verbs if "…" not in verb))
    around = [verb.split("…") for verb in verbs if "…" in verb]
    pointing = "|".join(rf"{spelling(one.strip())}\s*+{_IT}\s++{spelling(other.strip())}" for one, other in around)
    return rf"(?:{pointing}|{whole}(?:\s++{_IT})?)"


@cache
def _lead() -> re.Pattern[str]:
    """Up to a verb and its conjunction: "it would be great if you could remember that …"."""
    that = [spelling(word) for word in phrases_of("conjunctions") if not word.endswith("'")]
    verb = any_of(tuple(one for one in phrases_of("remember") + phrases_of("remember_asked") if "…" not in one))
    return re.compile(rf"[^\n]*?(?<!\w){verb}[\s,]++(?:{'|'.join(that)})[\s,:]++(?=\S)")


@cache
def _tail() -> re.Pattern[str]:
    """A clause of its own at the end: "…, please keep that in mind", "…, just so you know"."""
    asking = rf"(?:{words_of(phrases_of('asking'))}{courtesies()})?"
    ending = rf"(?P<ending>{_keeping()}|{any_of(_FOR_INFORMATION)})"
    courtesy = any_of(phrases_of("polite"))
    return re.compile(
        rf"{pause_of(_PAUSES)}{courtesies()}{asking}"
        rf"(?:{ending}|{courtesy}){NOT_INSIDE_A_WORD}(?:[\s,]++{courtesy}{NOT_INSIDE_A_WORD}){{0,9}}[\s.!?]*+$"
    )
