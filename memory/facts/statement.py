"""Reads by rule what is to be kept when somebody tells us something: whom it is about, and the statement itself.

A statement names people by id (`<@7>`). It comes from the teller's own words or, where they said "this", from a
message: "remember this about Florent". What says "I" is kept in those words, with who said it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from memory.commands.grammar import (
    COURTESIES,
    GAP,
    NOT_INSIDE_A_WORD,
    any_of,
    behind_courtesies,
    conjunctions_of,
    pause_of,
    phrases_of,
    spelling,
    words_of,
)
from memory.core.outcomes import NothingToRemember, UnclearWho
from memory.core.values import Member, Message, RememberRequest
from memory.language.detect import Language, word_set
from memory.language.own_words import in_own_words, opens_with_own_verb, own_words_in, speaks_in_person
from memory.language.text import fold, fold_in_place, words_in
from memory.people.names import MENTION, Reference, people_in


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    subject: Member | None
    source: Message | None = None
    """The message it was taken from, if it is not the teller's own."""
    others: tuple[Member, ...] = ()
    """Whom it is about as well: "Anna and Bruno are married"."""

    @property
    def subjects(self) -> tuple[Member, ...]:
        return () if self.subject is None else (self.subject, *self.others)


@dataclass(frozen=True, slots=True)
class _Pointing:
    """Holds a body taken apart: "this", "about Florent", and what follows a colon."""

    this: bool
    about: str
    rest: str


_THIS = r"(?:this|that|it|das|dies|dieses|es|ca|cela|ceci|esto|eso|это|этого)"
_ABOUT_WORDS = (
    "about", "of", "regarding", "uber", "ueber", "von", "zu", "sur", "a propos de", "a propos d'", "au sujet de", "de",
    "d'", "sobre", "acerca de", "про", "обо", "об", "о",
)  # fmt: skip
_ABOUT = f"(?:{'|'.join(_ABOUT_WORDS)})"
_POINTING = re.compile(rf"\s*+(?:(?P<this>{_THIS})\s++)?{_ABOUT}(?:\s++|(?<='))")
_THIS_ALONE = re.compile(rf"\s*+{_THIS}\b\s*+[.!]*+\s*+")
_THIS_COLON = re.compile(rf"\s*+{_THIS}\s*+:\s*+")
_ENDING = " \t\r\n.!"
_AND = re.compile(r"\s*+(?:,?+\s*+(?P<and>&|\+|and|und|sowie|et|y|e|и)|,)\s*+")
_PRONOUN = re.compile(r"\s*+(?:he|she|er|sie|il|elle|el|ella|он|она)(?=\s)")

_LOOK_BACK = 40
# Behind these stands what somebody is called, not who is meant: "gruzilkin is Sergey".
_NAMING = frozenset(
    map(fold, ("is", "ist", "est", "es", "called", "named", "heißt", "appelle", "llama", "зовут", "это"))
)


def needs_source(body: str) -> bool:
    """Say whether the words point at a message instead of telling something themselves."""
    if not words_in(body):
        return True
    pointing = _pointing(body)
    return pointing is not None and not pointing.rest


# A telling is taken apart where a mark stands: a list by its lines, and a sentence where "I" or "my" begins anew.

MOST_PARTS = 25
"""Things of one telling; a text that seems to say more is no telling of ours, and stays whole."""
_ITEM = re.compile(r"^[ \t]*+(?:[-*+•‣◦▪–—]|\d{1,2}[.)])[ \t]++(?=\S)", re.MULTILINE)
_QUOTATION = re.compile(r'["“”„«»`]')
_OWN = r"(?:I|my|ich|meine?|je|j['’]|mon|ma|mes|yo|mis?|я|мо[йяёи])(?!\w)"
_OPENS_ANEW = re.compile(
    rf"(?<!\s)(?:[.!;\n]\s*+|,\s++)(?:(?:and|but|und|aber|et|mais|y|pero|и|а|но)\s++)?(?={_OWN})", re.IGNORECASE
)
_BEGINS = re.compile(rf"\A\s*+{_OWN}", re.IGNORECASE)
_LOOSE = " \t\r\n,;.!"
_SHORTEST_PART = 3


def parts_of(text: str) -> list[str]:
    """Take a telling apart into the things that it says; the text itself where it says one."""
    marks = list(_ITEM.finditer(text))
    if marks:
        before = text[: marks[0].start()].strip()
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        items = [text[mark.end() : end].strip(_LOOSE) for mark, end in zip(marks, ends, strict=True)]
        # Without a colon, the first line of a list has lost its mark where it follows the verb.
        parts = [f"{before} {one}" for one in items] if before.endswith(":") else [before.strip(_LOOSE), *items]
    elif _BEGINS.match(text) and not _QUOTATION.search(text):
        parts = [part.strip(_LOOSE) for part in _OPENS_ANEW.split(text)]
        if any(len(part.split()) < _SHORTEST_PART for part in parts):
            return [text]
    else:
        return [text]
    parts = [part for part in parts if part]
    return parts if 1 < len(parts) <= MOST_PARTS else [text]


def member_of(members: Iterable[Member], user_id: int) -> Member:
    return next(member for member in members if member.user_id == user_id)


def read_statements(
    telling: RememberRequest, members: Sequence[Member], source: Message | None = None
) -> tuple[Statement, ...] | UnclearWho | NothingToRemember:
    """Read what to keep, each thing that is told by itself."""
    pointing = _pointing(telling.body)
    said = telling.body if pointing is None else pointing.rest
    opening = telling.body[: telling.body.rfind(said)]
    parts = [opening + part for part in parts_of(said)] if said else [telling.body]
    read = [read_statement(replace(telling, body=part), members, source) for part in parts]
    unclear = next((one for one in read if isinstance(one, UnclearWho)), None)
    if unclear is not None:
        return unclear
    statements = tuple(one for one in read if isinstance(one, Statement))
    if len(statements) == len(parts):
        return statements
    whole = read_statement(telling, members, source)
    return (whole,) if isinstance(whole, Statement) else whole


def read_statement(
    telling: RememberRequest, members: Sequence[Member], source: Message | None = None
) -> Statement | UnclearWho | NothingToRemember:
    """Read what to keep, as one. `source` is what "this" means, and is used only if the body points at it. Its author
    and the teller are among the members."""
    teller = member_of(members, telling.teller_id)
    pointing = _pointing(telling.body) or (_Pointing(True, "", "") if not words_in(telling.body) else None)
    if pointing is None:
        return _told(telling.body, members, teller, telling)
    about = _named(pointing.about, members, teller)
    if isinstance(about, UnclearWho):
        return about
    if pointing.rest:
        return _told_about(pointing, about, members, teller, telling)
    if source is None or not words_in(source.text):
        return NothingToRemember()
    author = member_of(members, source.author_id)
    text = said_by(source.text, author, about or author, members)
    if pointing.about and about is None:
        return Statement(f"{pointing.about}: {text}", None, source)
    return Statement(text, about or author, source)


def said_by(text: str, author: Member, subject: Member, members: Sequence[Member]) -> str:
    """Make a statement of a message: in its author's own words, unless it speaks of its subject by name alone."""
    named, _ = _with_ids(text, members, author, None)
    said = _as_said(named, author, None)
    return said if f"<@{subject.user_id}>" in said else in_own_words(named, author.user_id)


def of_oneself(telling: RememberRequest, people: Sequence[Member]) -> str:
    """Read what somebody says of themselves, whether or not they begin with themselves."""
    teller = member_of(people, telling.teller_id)
    statement = read_statement(telling, people)
    if isinstance(statement, Statement) and teller in statement.subjects:
        return statement.text
    return in_own_words(_with_ids(telling.body, people, teller, telling.language)[0], teller.user_id)


_ABOUT_ONE = re.compile(r"\s*+about <@\d{1,20}>: ")


def typed_length(text: str, typed: str) -> int:
    """Measure how long a statement is for whoever typed it: people stand in it as numbers, and a form that asks whom it
    is about puts that before it."""
    return min(len(MENTION.sub("@", text)), len(_ABOUT_ONE.sub("", typed, count=1)))


def opening_person(body: str) -> str:
    """Find the words that open with whom a telling is about: behind "about", or the telling itself."""
    pointing = _pointing(body)
    return pointing.about if pointing is not None and pointing.about else body


def _told(
    body: str, members: Sequence[Member], teller: Member, telling: RememberRequest
) -> Statement | UnclearWho | NothingToRemember:
    named, references = _with_ids(body, members, teller, telling.language)
    if references and _covers_all(body, references):
        return NothingToRemember()
    subjects: list[Member] = []
    for reference in _coordinated(body, references):
        if reference.member is None:
            return UnclearWho(reference.typed, reference.candidates)
        if reference.member not in subjects:
            subjects.append(reference.member)
    if not references and opens_with_own_verb(named):
        subjects = [teller]
    text = _as_said(named, teller, telling.language)
    return Statement(text, subjects[0] if subjects else None, others=tuple(subjects[1:]))


def _coordinated(text: str, references: Sequence[Reference]) -> list[Reference]:
    """List the first person, and those who are named with them in one breath."""
    together = list(references[:1])
    joined = False
    for reference in references[1:]:
        link = _AND.fullmatch(fold(text[together[-1].end : reference.start]))
        if link is None:
            break
        joined = joined or link["and"] is not None
        together.append(reference)
    # "Anna, Bruno is late" is said to Anna.
    return together if joined else together[:1]


def _told_about(
    pointing: _Pointing, about: Member | None, members: Sequence[Member], teller: Member, telling: RememberRequest
) -> Statement | UnclearWho | NothingToRemember:
    """Read a telling with a heading: "about Florent: he likes tea"."""
    language = telling.language
    if about is None:
        prefix = f"{pointing.about}: " if pointing.about else ""
        return _told(prefix + pointing.rest, members, teller, telling)
    person = f"<@{about.user_id}>"
    pronoun = _PRONOUN.match(fold(pointing.rest))
    if pronoun is not None:
        return Statement(person + pointing.rest[pronoun.end() :], about)
    named = _as_said(_with_ids(pointing.rest, members, teller, language)[0], teller, language)
    return Statement(named if person in named else f"{person}: {named}", about)


def _as_said(named: str, speaker: Member, language: Language | None) -> str:
    """Quote a text with who said it, where it says "I", or would pass for the words of somebody else."""
    needs_speaker = speaks_in_person(named, language) or own_words_in(named) is not None
    return in_own_words(named, speaker.user_id) if needs_speaker else named


def _pointing(body: str) -> _Pointing | None:
    folded = fold_in_place(body)
    if _THIS_ALONE.fullmatch(folded.text):
        return _Pointing(True, "", "")
    this_colon = _THIS_COLON.match(folded.text)
    if this_colon is not None:
        return _Pointing(True, "", folded.typed(this_colon.end(), len(folded.text)).strip())
    found = _POINTING.match(folded.text)
    if found is None:
        return None
    colon = folded.text.find(":", found.end())
    if found["this"] is None and colon < 0:
        return None
    about = folded.typed(found.end(), colon if colon >= 0 else len(folded.text.rstrip(_ENDING))).strip()
    # A whole sentence may open like this as well: "that of all things is …".
    if "\n" in about or len(about.split()) > 4:
        return None
    rest = folded.typed(colon + 1, len(folded.text)).strip() if colon >= 0 else ""
    return _Pointing(found["this"] is not None, about, rest)


def _named(name: str, members: Sequence[Member], teller: Member) -> Member | UnclearWho | None:
    if not name:
        return None
    references = people_in(name, members, speaker=teller)
    if not references:
        return None
    return references[0].member or UnclearWho(references[0].typed, references[0].candidates)


def _with_ids(
    text: str, members: Sequence[Member], speaker: Member, language: Language | None
) -> tuple[str, list[Reference]]:
    """Replace names in a text by ids, and list everybody it refers to; who says "I" goes on saying so."""
    references = people_in(text, members, speaker=speaker, language=language)
    return MENTION.sub(r"<@\1>", by_ids(text, references, but_for_speaker=True)), references


def by_ids(text: str, references: Sequence[Reference], *, but_for_speaker: bool = False) -> str:
    """Replace the people of a text by ids. Left as typed are names that are not clear, and those that only say what
    somebody is called."""
    for one in reversed(references):
        if one.member is None or (one.is_speaker and but_for_speaker) or _only_names(text, one, references):
            continue
        text = f"{text[: one.start]}<@{one.member.user_id}>{text[one.end :]}"
    return text


def _only_names(text: str, reference: Reference, references: Sequence[Reference]) -> bool:
    """Say whether a name says what somebody is called, not who is meant: "gruzilkin is Sergey"."""
    if reference.is_mention or reference is references[0]:
        return False
    seen_from = max(reference.start - _LOOK_BACK, 0)
    before = words_in(text[seen_from : reference.start])
    is_whole = bool(before) and (before[-1].start > 0 or seen_from == 0)
    return is_whole and before[-1].text in _NAMING


def _covers_all(text: str, references: Sequence[Reference]) -> bool:
    """Say whether there is nothing but names in the text."""
    left = text
    for reference in reversed(references):
        left = left[: reference.start] + left[reference.end :]
    return not words_in(left)


# What is to be kept, or to be forgotten, of a sentence that asks for it without a verb of ours.
#
# It is the person's own sentence. Only what stands around it is taken off: courtesies, and words that ask for it to be
# kept ("…, just so you know"). What they quote on lines of its own stays out.


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
_PAUSE = re.compile(rf"[{_PAUSES}]")
_LONGEST_TAIL = 120
_SHORT_POINTING = 6
_POINTS = word_set("this that it these those das dies dieses es ça cela ceci esto eso это этого")


def words_to_keep(body: str, *, answers_a_message: bool = False) -> str:
    """Find what a sentence in its own way asks to be kept; "this" where it only points at a message."""
    typed = _BLOCKS.sub(" ", body).strip()
    folded = fold_in_place(typed)
    start = behind_courtesies(folded.text)
    tail = _tail().search(folded.text, max(start, len(folded.text) - _LONGEST_TAIL))
    is_beside = tail is not None and bool(words_in(folded.text[start : tail.start()]))
    end = tail.start() if tail is not None and is_beside else len(folded.text)
    told = folded.typed(start, end).strip(" \t\r\n,;:–—-")
    words = [word.text for word in words_in(told)]
    if answers_a_message and len(words) <= _SHORT_POINTING and not _POINTS.isdisjoint(words):
        return "this"
    return told if words else typed


def asks_to_be_kept(body: str) -> bool:
    """Say whether a clause at a sentence's end asks to keep it, beyond doubt: "…, just so you know"."""
    folded = fold_in_place(body).text.rstrip()
    if folded.endswith("?"):  # "we went to Lyon, remember?" asks whether we know
        return False
    tail = _tail().search(folded, max(0, len(folded) - _LONGEST_TAIL))
    return tail is not None and tail["ending"] is not None and bool(words_in(folded[: tail.start()]))


def words_to_forget(body: str) -> str:
    """Find what is to be forgotten: what follows "forget that" in the sentence, otherwise the sentence itself."""
    typed = _BLOCKS.sub(" ", body).strip()
    folded = fold_in_place(typed)
    found = _forgetting().search(folded.text)
    if found is None:
        return typed
    behind = folded.typed(found.end(), len(folded.text))
    clause = words_in(_PAUSE.split(behind, maxsplit=1)[0])
    # "I adore pizza, time to forget it" has said before what "it" is.
    return typed if all(word.text in _POINTS for word in clause) else behind


@cache
def _forgetting() -> re.Pattern[str]:
    verbs = tuple(verb for verb in phrases_of("forget") + phrases_of("forget_asked") if "…" not in verb)
    return re.compile(rf"(?<!\w){words_of(verbs)}(?:(?:{conjunctions_of(phrases_of('conjunctions'))}){GAP})?")


@cache
def _tail() -> re.Pattern[str]:
    """Match a clause of its own at the end: "…, please keep that in mind", "…, just so you know"."""
    verbs = [verb.partition("…") for verb in dict.fromkeys(phrases_of("remember") + phrases_of("remember_asked"))]
    keeping = "|".join(
        rf"{spelling(head.strip())}\s++{_IT}\s++{spelling(end.strip())}" if hole else rf"{spelling(head)}(?:\s++{_IT})?"
        for head, hole, end in sorted(verbs, key=lambda verb: -len(verb[0]))
    )
    asking = rf"(?:{words_of(phrases_of('asking'))}{COURTESIES})?"
    ending = rf"(?P<ending>{keeping}|{any_of(_FOR_INFORMATION)})"
    courtesy = any_of(phrases_of("polite"))
    return re.compile(
        rf"{pause_of(_PAUSES)}{COURTESIES}{asking}"
        rf"(?:{ending}|{courtesy}){NOT_INSIDE_A_WORD}(?:[\s,]++{courtesy}{NOT_INSIDE_A_WORD}){{0,9}}[\s.!?]*+$"
    )
