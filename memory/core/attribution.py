"""Whose word a fact is: what others say of somebody is told as theirs, however often it is put in other words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.core.values import Fact, Standing
from memory.language.detect import Language
from memory.language.sentences import sentences_of
from memory.language.stems import WordForms, topics
from memory.language.text import fold

REPEATED = 0.5
"""A sentence that says this share of what only another said repeats it."""

_SAYS = {
    Language.EN: "{teller} says: {fact}",
    Language.DE: "{teller} sagt: {fact}",
    Language.FR: "{teller} dit : {fact}",
    Language.ES: "{teller} dice: {fact}",
    Language.RU: "{teller} говорит: {fact}",
}
_SAYS_CONFIRMED = {
    Language.EN: "{teller} says, and {subject} confirmed: {fact}",
    Language.DE: "{teller} sagt, und {subject} hat es bestätigt: {fact}",
    Language.FR: "{teller} dit, et {subject} l'a confirmé : {fact}",
    Language.ES: "{teller} dice, y {subject} lo ha confirmado: {fact}",
    Language.RU: "{teller} говорит, и {subject} это подтверждает: {fact}",
}

_TOLD_BY_OTHERS = {
    Language.EN: "-# Hearsay, told by {tellers}.",
    Language.DE: "-# Hörensagen, erzählt von {tellers}.",
    Language.FR: "-# Ouï-dire, raconté par {tellers}.",
    Language.ES: "-# De oídas, contado por {tellers}.",
    Language.RU: "-# С чужих слов, рассказывает {tellers}.",
}


def told_by_others(teller_ids: Iterable[int], language: Language) -> str:
    """In small print under what was told as if it were so."""
    return _TOLD_BY_OTHERS[language].format(tellers=", ".join(f"<@{teller_id}>" for teller_id in teller_ids))


def attributed(fact: Fact, language: Language, text: str | None = None) -> str:
    """A fact, or a part of it, as it may be told: with who said it, unless they said it of themselves."""
    said = fact.text if text is None else text
    if fact.standing is Standing.SELF:
        return said
    confirmed_by = fact.subject_id if fact.standing is Standing.CONFIRMED else None
    return with_its_teller(said, fact.teller_id, confirmed_by, language)


def with_its_teller(said: str, teller_id: int, confirmed_by: int | None, language: Language) -> str:
    """What begins with the teller tells whose word it is already."""
    teller = f"<@{teller_id}>"
    if said.startswith(teller):
        return said
    if confirmed_by is None:
        return _SAYS[language].format(teller=teller, fact=said)
    return _SAYS_CONFIRMED[language].format(teller=teller, subject=f"<@{confirmed_by}>", fact=said)


@dataclass(frozen=True, slots=True)
class Hearsay:
    text: str
    teller: str
    """As the text that is looked at calls them."""


def is_unattributed(text: str, hearsay: Sequence[Hearsay], own: Iterable[str]) -> bool:
    """Whether a sentence repeats what only others said, and does not say who. `own`: what needs no such word."""
    return any(unattributed(text, hearsay, own))


def unattributed(text: str, hearsay: Sequence[Hearsay], own: Iterable[str]) -> list[bool]:
    """The same of each of them."""
    known = topics("\n".join(own))
    said = [(topics(sentence.text), fold(sentence.text)) for sentence in sentences_of(text)]
    return [_is_repeated(one, _telling(one.text, known), said) for one in hearsay]


def _is_repeated(one: Hearsay, telling: list[str], said: Sequence[tuple[frozenset[str], str]]) -> bool:
    forms, least, teller = WordForms(telling), len(telling) * REPEATED, fold(one.teller)
    return bool(telling) and any(
        len(forms.said_in(spoken)) >= least and teller not in folded for spoken, folded in said
    )


def _telling(text: str, known: frozenset[str]) -> list[str]:
    return [topic for topic in topics(text) - known if not topic.startswith("@")]
