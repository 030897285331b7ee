"""Tells without a model which of two facts about somebody cannot both hold: only where that is beyond doubt.

Either both say something that is true of a person once at a time (where they live, what they work as), or one is the
other with a denial. What only looks like a contradiction stays: both are told, each with its date.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from memory.core.outcomes import Wait
from memory.core.values import Fact, Standing
from memory.language.detect import Language, word_set
from memory.language.own_words import own_words_in, statement_key, with_speaker
from memory.language.question_words import SAYING
from memory.language.sentences import sentences_of
from memory.language.stems import MOST_WANTED, WordForms, coverage, stem, topics, topics_in_order
from memory.language.text import fold, fold_in_place, plain_words
from memory.language.wording import Attribution, wording
from memory.people.names import is_speaker_alone
from memory.settings import fitting

_WHO = r"<@(?P<who>\d+)>"
_NOW = r"(?:now |currently |jetzt |maintenant |ahora |сейчас |теперь )?"
EXCLUSIVE_ATTRIBUTES = {
    "home": (
        rf"{_WHO} {_NOW}(?:lives?|(?:is|am) living|resides?) {_NOW}(?:in|at) ",
        rf"{_WHO} {_NOW}(?:ha(?:s|ve) )?moved (?:back )?to ",
        rf"{_WHO} (?:wohn|leb)[et] {_NOW}(?:in|bei) ",
        rf"{_WHO} {_NOW}(?:in|bei) [\w -]+ (?:wohn|leb)[et]\W*$",
        rf"{_WHO} (?:ist|bin) (?:\w+ )?nach .+ (?:um)?gezogen",
        rf"{_WHO}'? ?(?:habite|vi[ts]) {_NOW}(?:a|en|au|aux|dans) ",
        rf"{_WHO}'? ?ai? demenage (?:a|en|au|aux|dans) ",
        rf"{_WHO} {_NOW}viv[eo] {_NOW}en ",
        rf"{_WHO} (?:se )?(?:mudo|mude|ha mudado) a ",
        rf"{_WHO} {_NOW}жив(?:ет|у) {_NOW}(?:в|во) ",
        rf"{_WHO} переехала? (?:в|во) ",
    ),
    "name": (
        rf"{_WHO} (?:is|am) (?:really )?(?:called|named) ",
        rf"{_WHO}(?:'s)? (?:real )?name is ",
        rf"{_WHO} heisse?t? (?!auch )",
        rf"{_WHO} [sm]'appelle (?!aussi )",
        rf"{_WHO} (?:se )?llam[ao] (?!tambien )",
        rf"{_WHO} зовут ",
    ),
    "work": (
        rf"{_WHO} {_NOW}(?:works?|(?:is|am) working) {_NOW}as ",
        rf"{_WHO} arbeitet? {_NOW}als ",
        rf"{_WHO} travaille {_NOW}comme ",
        rf"{_WHO} {_NOW}trabaj[ao] {_NOW}(?:como|de) ",
        rf"{_WHO} {_NOW}работа(?:ет|ю) {_NOW}(?!в |во |на |с |по |у )",
    ),
    "age": (
        rf"{_WHO} (?:is|am) (?:now )?\d+(?: years old)?\W*$",
        rf"{_WHO} (?:ist|bin) (?:jetzt )?\d+(?: jahre alt)?\W*$",
        rf"{_WHO}'? ?ai? \d+ ans\W*$",
        rf"{_WHO} (?:tiene|tengo) \d+ anos\W*$",
        rf"{_WHO} \d+ (?:лет|год|года)\W*$",
    ),
    "birthday": (
        rf"{_WHO}(?:'s)? birthday is ",
        rf"{_WHO} (?:was born|ha(?:s|ve) (?:my|his|her|their) birthday) on ",
        rf"{_WHO} (?:hat|habe) am .+ geburtstag",
    ),
}
"""What holds of somebody once at a time, as they say it of themselves and as others say it."""
_PATTERNS = [(thing, re.compile(pattern)) for thing, patterns in EXCLUSIVE_ATTRIBUTES.items() for pattern in patterns]

_DENIAL = re.compile(
    r"\b(?:not|never|no longer|cannot)\b|n't\b"
    r"|\b(?:nicht|nie|niemals|kein(?:e|en|em|er|es)?)\b"
    r"|\b(?:ne\b|n')(?:(?!\b(?:ne\b|n')).)*?\b(?:pas|plus|jamais)\b"
    r"|\b(?:no|nunca|tampoco)\b"
    r"|\bне\b|\bникогда\b"
)
_OF_DENIAL = topics("longer anymore more never cannot mehr niemals nie plus jamais nunca tampoco больше никогда")

_RANK = {Standing.INFERRED: 0, Standing.HEARSAY: 1, Standing.CONFIRMED: 2, Standing.SELF: 3}


def contradicts(new: str, old: str) -> bool:
    """Say whether the old statement does not hold any more if the new one does. People are ids in both."""
    return contradicted_by(new)(old)


def contradicted_by(new: str) -> Callable[[str], bool]:
    """Make a test for many old statements, so that the new one is read once."""
    said, key = _said_once(new), statement_key(new)
    is_denied, without_denial = _is_denied(new), _without_denial(new)

    def contradicts(old: str) -> bool:
        if _is_denied(old) == is_denied:
            may_be_over = said is not None and said == _said_once(old)
        else:
            may_be_over = (said is None or said != _said_once(old)) and _without_denial(old) == without_denial
        # Of several sentences only one would be over.
        return may_be_over and statement_key(old) != key and len(sentences_of(with_speaker(old))) == 1

    return contradicts


def may_overturn(new: Standing, old: Standing) -> bool:
    """Let the newest win within a standing; a better one is never overturned by a lesser."""
    return _RANK[new] >= _RANK[old]


def _said_once(text: str) -> tuple[str, str] | None:
    """Find of whom and what of them a statement says something that holds once at a time."""
    folded = fold(with_speaker(text))
    if not folded.startswith("<@"):
        return None
    for thing, pattern in _PATTERNS:
        found = pattern.match(folded)
        if found is not None:
            return found["who"], thing
    return None


def _is_denied(text: str) -> bool:
    return _DENIAL.search(fold(text)) is not None


def _without_denial(text: str) -> frozenset[str]:
    return topics(text) - _OF_DENIAL


# What a statement claims of a member: by that it is known when somebody tells it again, in the same words or in others.


DENYING = word_set(
    "not never no cannot don doesn didn isn aren wasn weren hasn haven won nicht nie niemals kein keine keinen"
    " keinem keiner ne n pas jamais nunca tampoco не нет никогда"
)
"""Halves of contractions too; the digests of vetoes are made with it, and so it stays as it is."""
_OF_SAYING = frozenset(map(stem, SAYING))
"""What stays in the teller's own words stands behind "… says"."""


def claim_of(subject_id: int, text: str) -> str:
    """Find what a statement claims of a member, in any order and forms: its topics and numbers, and whether it denies.

    What has no topic but people claims no more than its very words.
    """
    spoken = topics(text) - _OF_SAYING - {f"@{subject_id}"}
    if all(topic.startswith("@") for topic in spoken):
        return statement_key(text)
    denies = not DENYING.isdisjoint(plain_words(text))
    return " ".join(["not" if denies else "so", *sorted(spoken)])


def digest(guild_id: int, subject_id: int, text: str) -> str:
    """Digest a claim with guild and member: equal claims about two people have different digests."""
    return sha256(f"{guild_id} {subject_id} {claim_of(subject_id, text)}".encode()).hexdigest()


def digests(guild_id: int, subject_id: int, text: str) -> list[str]:
    """List the digests of a claim, with the one of the very words that older vetoes have."""
    before = sha256(f"{guild_id} {subject_id} {' '.join(plain_words(text))}".encode()).hexdigest()
    return [digest(guild_id, subject_id, text), before]


# Which facts somebody means when they ask us to forget. Whether they may is decided in `memory.policy.authority`.


MENTIONS_ENOUGH = 0.6
"""A fact that has this share of the words might be meant."""

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
    """Holds facts: `certain` are meant; `possible` are worth asking about when nothing is certain."""

    certain: tuple[Fact, ...]
    possible: tuple[Fact, ...] = ()
    wait: Wait | None = field(default=None, compare=False)
    """Words alone decided: who wants it forgotten has a model asked more often than they may."""


def everything_about(body: str) -> str | None:
    """Find whom "forget everything about …" names, as typed; None if the words ask for something else."""
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
    """Say whether the words say no more than "this", so that the replied-to message must tell."""
    return _THIS.fullmatch(fold_in_place(body).text) is not None


def meant_among(queries: Sequence[str], ledgers: Sequence[Sequence[Fact]], over: Sequence[Fact]) -> Matches:
    """Find what one of the queries means for certain, in the first of the ledgers that has it, at last in what is over.

    Otherwise what the first query that may mean something of what holds may mean. People are ids in all of them.
    """
    wanted = [_wanted(query) for query in queries]
    exactly = any(map(_is_statement, queries))
    possible: tuple[Fact, ...] = ()
    for ledger in (*ledgers, over):
        known = [_Read.of(fact) for fact in ledger]
        for one in wanted:
            matches = _meant(one, known, exactly=exactly)
            if matches.certain:
                return matches
            if ledger is not over:
                possible = possible or matches.possible
    return Matches((), possible)


def _is_statement(query: str) -> bool:
    """Say whether a query says something of somebody, "that I like tea", and does not only name a topic, "my tea"."""
    words = _STATEMENT.match(query)
    return words is not None and len(query[words.end() :].split()) > 1


_STATEMENT = re.compile(r"\A\s*+(?:<@!?\d{1,20}>|I|ich|je|yo|я)\s++", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Read:
    """Holds a fact with the words it is found by."""

    fact: Fact
    spoken: WordForms
    things: frozenset[str]

    @classmethod
    def of(cls, fact: Fact) -> "_Read":
        spoken = topics(fact.text)
        return cls(fact, WordForms(spoken), frozenset(_things_of(list(spoken))))


def _meant(wanted: Sequence[str], facts: Sequence[_Read], *, exactly: bool) -> Matches:
    """Find which facts are meant. `exactly`: as statements. "That I prefer tea" may not mean "prefers mint tea"."""
    whole = frozenset(wanted)
    exact = [one.fact for one in facts if whole and one.things == whole]
    if exact:
        return Matches(tuple(exact))
    if all(topic.startswith("@") for topic in wanted):
        # Somebody's name alone says whom it is about, and not what of it is meant.
        return Matches((), tuple(one.fact for one in facts if any(topic in one.spoken for topic in whole)))
    if len(wanted) > MOST_WANTED:
        return Matches(())  # so many words mean what has the very same, and nothing else
    forms = WordForms(wanted)
    scored = [(coverage(wanted, one.spoken), one) for one in facts]
    full = [one for share, one in scored if share == 1.0]
    same = [one for one in full if coverage(one.things - _VAGUE, forms) == 1.0]
    may_be = tuple(one.fact for share, one in scored if share >= MENTIONS_ENOUGH)
    certain = same or (full if len(may_be) == 1 and not exactly else [])
    return Matches(tuple(one.fact for one in certain)) if certain else Matches((), may_be)


def _wanted(query: str) -> list[str]:
    """List what the query speaks of besides people, as it comes; people only if there is nothing else."""
    things = _things_of(topics_in_order(query))
    return [topic for topic in things if topic not in _VAGUE] or things


def _things_of(spoken: list[str]) -> list[str]:
    return [topic for topic in spoken if not topic.startswith("@")] or spoken


# Which facts a model is shown when somebody tells something, or wants something forgotten.


RARE = 0.05
"""A word that a larger share of the facts have tells none of them apart."""
RARE_IN_ANY_CASE = 3
"""Facts that may share a word, however few there are in all."""
MOST_TOKENS = 1_500
"""Of all facts that one prompt lists."""


def listed_for(
    said: str, facts: Iterable[Fact], people: Collection[int | None], most: int, *, others: bool = False
) -> list[Fact]:
    """Choose the facts that a prompt lists beside what was said: those that share rare words with it, then those about
    these people, each the newest first. So what contradicts it stands side by side. `others`: at last the others, too.
    """
    each = list({(fact.fact_id, fact.text): fact for fact in facts}.values())
    wanted = WordForms([topic for topic in topics(said) if not topic.startswith("@")])
    shared = [wanted.said_in(topics(fact.text)) for fact in each]
    times = Counter(topic for words in shared for topic in words)
    rare = {topic for topic in times if times[topic] <= max(RARE_IN_ANY_CASE, len(each) * RARE)}
    ranks = [(len(words & rare), fact.subject_id in people) for words, fact in zip(shared, each, strict=True)]
    ranked = sorted(zip(ranks, each, strict=True), key=lambda one: (*one[0], one[1].fact_id), reverse=True)
    chosen = [fact for rank, fact in ranked if others or any(rank)]
    return fitting(chosen[:most], MOST_TOKENS, lambda fact: fact.text)


# Whose word a fact is: what others say of somebody is told as theirs, however often it is put in other words.


REPEATED = 0.5
"""A sentence that says this share of what only another said repeats it."""


def told_by_others(teller_ids: Iterable[int], language: Language) -> str:
    """Name in small print who told what was told as if it were so."""
    return wording(
        language, Attribution.TOLD_BY_OTHERS, tellers=", ".join(f"<@{teller_id}>" for teller_id in teller_ids)
    )


def attributed(fact: Fact, language: Language, text: str | None = None) -> str:
    """Word a fact, or a part of it, as it may be told: with who said it, unless they said it of themselves."""
    said = fact.text if text is None else text
    if fact.standing is Standing.SELF:
        return said
    if fact.standing is Standing.INFERRED:
        return wording(language, Attribution.LET_ON, fact=said)
    confirmed_by = fact.subject_id if fact.standing is Standing.CONFIRMED else None
    return with_its_teller(said, fact.teller_id, confirmed_by, language)


def with_its_teller(said: str, teller_id: int, confirmed_by: int | None, language: Language) -> str:
    """Add who said it, unless it begins or ends with them."""
    teller, own = f"<@{teller_id}>", own_words_in(said)
    if said.startswith(teller) or (own is not None and own.speaker == teller):
        return said
    if confirmed_by is None:
        return wording(language, Attribution.SAYS, teller=teller, fact=said)
    return wording(language, Attribution.SAYS_CONFIRMED, teller=teller, subject=f"<@{confirmed_by}>", fact=said)


@dataclass(frozen=True, slots=True)
class Hearsay:
    text: str
    teller: str
    """As the text that is looked at calls them."""


def is_unattributed(text: str, hearsay: Sequence[Hearsay], own: Iterable[str]) -> bool:
    """Say whether a sentence repeats what only others said, and does not say who. `own`: what needs no such word."""
    return any(unattributed(text, hearsay, own))


def unattributed(text: str, hearsay: Sequence[Hearsay], own: Iterable[str]) -> list[bool]:
    """Say for each piece of hearsay whether a sentence repeats it without naming who said it."""
    known = topics("\n".join(own))
    said = [(topics(sentence.text), fold(sentence.text)) for sentence in sentences_of(text)]
    telling = ([topic for topic in topics(one.text) - known if not topic.startswith("@")] for one in hearsay)
    return [_is_repeated(one, words, said) for one, words in zip(hearsay, telling, strict=True)]


def _is_repeated(one: Hearsay, telling: list[str], said: Sequence[tuple[frozenset[str], str]]) -> bool:
    forms, least, teller = WordForms(telling), len(telling) * REPEATED, fold(one.teller)
    return bool(telling) and any(
        len(forms.said_in(spoken)) >= least and teller not in folded for spoken, folded in said
    )
