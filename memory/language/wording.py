"""Holds every sentence that people read, in the language they read it in: from `words/`, one file for each language.

A translator needs nothing but such a file; docs/languages.md tells how it is written.
"""

import tomllib
from collections.abc import Mapping
from enum import EnumType, StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from memory.language.detect import Language

FOLDER = Path(__file__).parent / "words"
_Key = TypeVar("_Key")


def wording(language: Language, key: StrEnum, **values: object) -> str:
    """Word a sentence by its key, which stands in that part of the file which is called as its enumeration is.

    Whatever members wrote fills a place, and is never taken for a sentence itself. Of several forms that one is said
    which goes with `count`.
    """
    return worded(language, type(key).__name__.lower(), key.name.lower(), **values)


def worded(language: Language, part: str, key: str, **values: object) -> str:
    """Word a sentence by the name of its part and its key."""
    said = words_of(language)[part][key]
    if not isinstance(said, str):
        said = said[form_of(language, int(str(values["count"])))]
    return said.format(**values)


@cache
def words_of(language: Language) -> Mapping[str, Mapping[str, str | Mapping[str, str]]]:
    """Read the sentences of a language, by part and key."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def form_of(language: Language, count: int) -> str:
    """Choose which form of a word goes with so many, by the names that Unicode has for them."""
    match language:
        case Language.RU if count % 10 == 1 and count % 100 != 11:
            return "one"
        case Language.RU:
            return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"
        case Language.FR:
            return "one" if count in (0, 1) else "other"
    return "one" if count == 1 else "other"


class _KeysFromEnglish(EnumType):
    @classmethod
    # The dictionary of an enumeration has no public name before Python 3.13.
    def __prepare__(cls, name: str, bases: tuple[type, ...], /, **kwds: object) -> dict[str, Any]:  # type: ignore[override]
        members = super().__prepare__(name, bases, **kwds)
        for key in words_of(Language.EN).get(name.lower(), ()):
            members[key.upper()] = key
        return members

    if TYPE_CHECKING:

        def __getattr__(cls: type[_Key], name: str) -> _Key: ...


class SentenceKey(StrEnum, metaclass=_KeysFromEnglish):
    """Takes the keys of a part of `en.toml` in a subclass with its name: `Notice.ERASED` is `erased` of `[notice]`.

    The type checker takes any name for one of them; test_wording.py finds those that the file does not have.
    """


class Attribution(SentenceKey):
    """Holds keys of sentences that say whose word something is."""
