"""What exactly is to be kept when somebody tells us something: whom it is about, and the statement itself.

A statement names people by id (`<@7>`), is in the third person, and comes either from the teller's own words or, where
they said "this", from a message: "remember this about Florent".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from memory.core.outcomes import NothingToRemember, UnclearWho
from memory.core.values import Member, Message, Telling
from memory.facts.clauses import parts_of
from memory.language.detect import Language, word_set
from memory.language.text import fold, fold_in_place, plain_words, words_in
from memory.language.third_person import in_third_person
from memory.language.third_person.sentence import quote
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
    """A body taken apart: "this", "about Florent", and what follows a colon."""

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
    """Whether the words point at a message instead of telling something themselves."""
    if not words_in(body):
        return True
    pointing = _pointing(body)
    return pointing is not None and not pointing.rest


def read_statements(
    telling: Telling, members: Sequence[Member], teller: Member, source: Message | None, author: Member | None
) -> tuple[Statement, ...] | UnclearWho | NothingToRemember:
    """What to keep, each thing that is told by itself."""
    pointing = _pointing(telling.body)
    said = telling.body if pointing is None else pointing.rest
    people = people_in(said, members, speaker=teller, language=telling.language)
    spans = [(one.start, one.end) for one in people if not one.is_speaker]
    parts = parts_of(said, spans, telling.language)
    opening = telling.body[: telling.body.rfind(said)]
    read: list[Statement] = []
    for part in parts if len(parts) > 1 else ():
        one = read_statement(replace(telling, body=opening + part), members, teller, source, author)
        if isinstance(one, UnclearWho):
            return one
        if isinstance(one, NothingToRemember):
            break
        read.append(one)
    else:
        if read:
            return tuple(read)
    whole = read_statement(telling, members, teller, source, author)
    return (whole,) if isinstance(whole, Statement) else whole


def read_statement(
    telling: Telling, members: Sequence[Member], teller: Member, source: Message | None, author: Member | None
) -> Statement | UnclearWho | NothingToRemember:
    """What to keep, as one. `source` and its `author` are what "this" means, and are used only if the body points at
    it."""
    pointing = _pointing(telling.body) or (_Pointing(True, "", "") if not words_in(telling.body) else None)
    if pointing is None:
        return _told(telling.body, members, teller, telling)
    about = _named(pointing.about, members, teller)
    if isinstance(about, UnclearWho):
        return about
    if pointing.rest:
        return _told_about(pointing, about, members, teller, telling)
    if source is None or author is None or not words_in(source.text):
        return NothingToRemember()
    text = said_by(source.text, author, about or author, members)
    if pointing.about and about is None:
        return Statement(f"{pointing.about}: {text}", None, source)
    return Statement(text, about or author, source)


def said_by(text: str, author: Member, subject: Member, members: Sequence[Member]) -> str:
    """A message as a statement about somebody: in the third person if it speaks of them, else quoted."""
    named, references = _with_ids(text, members, author, None)
    of_subject = any(reference.member == subject for reference in references)
    if subject.user_id != author.user_id and not of_subject:
        return quote(named, f"<@{author.user_id}>", Language.EN)
    converted = in_third_person(named, author.user_id)
    if f"<@{subject.user_id}>" in converted:
        return converted
    return quote(named, f"<@{author.user_id}>", Language.EN)


def of_oneself(telling: Telling, people: Sequence[Member]) -> str:
    """What somebody says of themselves, in the third person, whether or not they begin with themselves."""
    teller = next(member for member in people if member.user_id == telling.teller_id)
    for body in (telling.body, f"about <@{teller.user_id}>: {telling.body}"):
        statement = read_statement(replace(telling, body=body), people, teller, None, None)
        if isinstance(statement, Statement) and teller in statement.subjects:
            return statement.text
    return f"<@{teller.user_id}>: {telling.body}"


_ABOUT_ONE = re.compile(r"\s*+about <@\d{1,20}>: ")


def typed_length(text: str, typed: str) -> int:
    """How long a statement is for whoever typed it: people stand in it as numbers, and a form that asks whom it is
    about puts that before it."""
    return min(len(MENTION.sub("@", text)), len(_ABOUT_ONE.sub("", typed, count=1)))


def opening_person(body: str) -> str:
    """The words that open with whom a telling is about: behind "about", or the telling itself."""
    pointing = _pointing(body)
    return pointing.about if pointing is not None and pointing.about else body


def statement_key(text: str) -> str:
    """Equal for statements of the same words, whatever their case and punctuation."""
    return " ".join(plain_words(text))


def _told(
    body: str, members: Sequence[Member], teller: Member, telling: Telling
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
    text = in_third_person(named, teller.user_id, telling.language)
    return Statement(text, subjects[0] if subjects else None, others=tuple(subjects[1:]))


def _coordinated(text: str, references: Sequence[Reference]) -> list[Reference]:
    """The first person, and those who are named with them in one breath."""
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
    pointing: _Pointing, about: Member | None, members: Sequence[Member], teller: Member, telling: Telling
) -> Statement | UnclearWho | NothingToRemember:
    """ "about Florent: he likes tea"."""
    language = telling.language
    if about is None:
        prefix = f"{pointing.about}: " if pointing.about else ""
        return _told(prefix + pointing.rest, members, teller, telling)
    person = f"<@{about.user_id}>"
    pronoun = _PRONOUN.match(fold(pointing.rest))
    if pronoun is not None:
        return Statement(person + pointing.rest[pronoun.end() :], about)
    named, references = _with_ids(pointing.rest, members, teller, language)
    text = in_third_person(named, teller.user_id, language)
    spoken_of = any(reference.member == about for reference in references)
    return Statement(text if spoken_of else f"{person}: {text}", about)


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
    """The text with names replaced by ids, and everybody it refers to.

    Left as typed are names that are not clear, and those that only say what somebody is called.
    """
    references = people_in(text, members, speaker=speaker, language=language)
    pieces: list[str] = []
    place = 0
    for reference in references:
        if reference.is_speaker or reference.member is None or only_names(text, reference, references):
            continue
        pieces += [text[place : reference.start], f"<@{reference.member.user_id}>"]
        place = reference.end
    return MENTION.sub(r"<@\1>", "".join(pieces) + text[place:]), references


def only_names(text: str, reference: Reference, references: Sequence[Reference]) -> bool:
    """Whether a name says what somebody is called, not who is meant: "gruzilkin is Sergey"."""
    if reference.is_mention or reference is references[0]:
        return False
    seen_from = max(reference.start - _LOOK_BACK, 0)
    before = words_in(text[seen_from : reference.start])
    is_whole = bool(before) and (before[-1].start > 0 or seen_from == 0)
    return is_whole and before[-1].text in _NAMING


def _covers_all(text: str, references: Sequence[Reference]) -> bool:
    """Whether there is nothing but names in the text."""
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
