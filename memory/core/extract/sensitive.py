"""Whether a text touches a topic that is left out of summaries: known by its words alone, as well as that can be.

Whoever writes around a topic is not recognised, and a harmless use of a word may be: "sick beat". A topic that is left
out for nothing costs a sentence; one that is kept for nothing costs trust.
"""

import re
from functools import cache

from memory.core.extract.sensitive_words import WORDS, Topic
from memory.core.text import fold

_SPACELESS = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FIRST_LETTERS = 3


def sensitive_topics(text: str) -> frozenset[Topic]:
    folded = fold(text)
    return frozenset(topic for topic in Topic if _pattern(topic).search(folded))


def is_sensitive(text: str) -> bool:
    return _anything().search(fold(text)) is not None


@cache
def _pattern(topic: Topic) -> re.Pattern[str]:
    return re.compile(_written(WORDS[topic].split()))


@cache
def _anything() -> re.Pattern[str]:
    return re.compile(_written([word for words in WORDS.values() for word in words.split()]))


def _written(words: list[str]) -> str:
    """Words that begin alike stand together, so that a text is looked at once and not once per word."""
    plain = sorted({fold(word) for word in words if not _SPACELESS.search(word)})
    spaceless = sorted({fold(word) for word in words if _SPACELESS.search(word)})
    groups: dict[str, list[str]] = {}
    for word in plain:
        head = word.rstrip("*")[:_FIRST_LETTERS]
        groups.setdefault(head if "-" not in head else head[:1], []).append(word)
    bundles = [
        f"{re.escape(head)}(?:{'|'.join(_form(word[len(head) :]) for word in sorted(group, key=len, reverse=True))})"
        for head, group in groups.items()
    ]
    return rf"(?<!\w)(?:{'|'.join(bundles)})|{'|'.join(map(re.escape, spaceless))}"


def _form(rest: str) -> str:
    """The end of a word. A hyphen stands for a space, a hyphen or nothing."""
    body, star, _ = rest.partition("*")
    return re.escape(body).replace(r"\-", r"[\s-]*") + (r"\w*" if star else r"(?!\w)")
