"""What one telling says, thing by thing: "Tom likes pizza and hates olives, his birthday is in May" says three things.

A list is taken apart line by line. A sentence is, only where a new clause begins beyond doubt: with somebody and their
verb, with "he" or "his", or with a verb of whoever the sentence began with. In doubt it stays whole: half a sentence
may say what nobody said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from memory.language.detect import Language, language_of, word_set
from memory.language.text import Word, plain_words, words_in
from memory.language.third_person import english
from memory.language.third_person.others import verbs_of
from memory.people.names import MENTION

MOST = 25
"""Things of one telling; a text that seems to say more is no telling of ours, and stays whole."""

Span = tuple[int, int]

_ITEM = re.compile(r"^[ \t]*+(?:[-*+•‣◦▪–—]|\d{1,2}[.)])[ \t]++(?=\S)", re.MULTILINE)
_QUOTATION = re.compile(r'["“”„«»`]')
_LOOSE = " \t\r\n,;.!"
_BEHIND_PERSON = 6
"""Words among which the verb of "his birthday …" is looked for."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one language that open or join clauses."""

    joins: frozenset[str]
    first: frozenset[str]
    """ "I"."""
    own: frozenset[str]
    """ "My"."""
    third: frozenset[str]
    theirs: frozenset[str]
    beside: frozenset[str]
    """Between subject and verb."""
    denials: frozenset[str]
    """What they deny may go on behind an "and"."""
    holds_on: frozenset[str]
    """Within these a clause belongs to another: "because he likes …", "when she is …"."""
    bound: frozenset[str] = frozenset()
    """Behind these, verbs are said in their plain form: "to cook and bake"."""


_WORDS = {
    Language.EN: _Words(
        word_set("and but"),
        word_set("i"),
        word_set("my"),
        word_set("he she they"),
        word_set("his her their"),
        word_set("also now really always often just still currently usually"),
        word_set("not never neither nor don doesn didn isn aren wasn won can't cannot hasn haven t"),
        word_set(
            "if when while because since although though unless until before after that which who whom whose where"
            " what how why whether as than or said says thinks"
        ),
        word_set("to can could will would shall should may might must do let help make"),
    ),
    Language.DE: _Words(
        word_set("und aber"),
        word_set("ich"),
        word_set("mein meine"),
        word_set("er sie"),
        word_set("sein seine ihr ihre"),
        word_set("auch jetzt gerade immer oft nur noch"),
        word_set("nicht nie niemals weder"),
        word_set("wenn weil obwohl während bevor nachdem dass welche welcher wer was wie wo ob oder damit sagt meint"),
        word_set("kann will muss darf soll möchte würde könnte sollte werde zu"),
    ),
    Language.FR: _Words(
        word_set("et mais"),
        word_set("je j"),
        word_set("mon ma mes"),
        word_set("il elle"),
        word_set("son sa ses"),
        word_set("aussi toujours souvent encore"),
        word_set("ne n pas jamais plus ni sans"),
        word_set("si quand lorsque parce car bien depuis jusqu avant après que qu qui dont où comme ou dit pense"),
        word_set("peux peut veux veut dois doit vais va"),
    ),
    Language.ES: _Words(
        word_set("y e pero"),
        word_set("yo"),
        word_set("mi mis"),
        word_set("él ella"),
        word_set("su sus"),
        word_set("también siempre ahora ya"),
        word_set("no nunca tampoco ni sin"),
        word_set("si cuando mientras porque aunque hasta antes después que quien cuyo donde como o dice piensa"),
        word_set("puedo puede quiero quiere debo debe voy va"),
    ),
    Language.RU: _Words(
        word_set("и а но"),
        word_set("я"),
        word_set("мой моя моё мои"),
        word_set("он она"),
        word_set("его её"),
        word_set("тоже также ещё всегда часто сейчас теперь"),
        word_set("не ни никогда нет без"),
        word_set("если когда пока потому чтобы хотя до после что который которая которые где как или говорит думает"),
        word_set("могу может хочу хочет должен должна буду будет"),
    ),
}
# Those of English that are no nouns as well; with "s" behind, as many a plural is.
_ENGLISH = word_set(
    "like love hate dislike prefer enjoy adore want need live work play own drive speak eat drink wear know go come"
    " study collect teach learn keep sell owe believe"
)
_ENGLISH_OF_ALL = word_set(
    "can could will would should must had was moved lived worked studied graduated married left joined became got"
    " bought sold grew used owned"
)
_NOUNS_TOO = word_set("plays works drinks drives needs loves wants studies")
_BEHIND_A_NOUN = word_set("by of and or from with")
# What somebody has and what does nothing itself: "his birthday is in May, works at …" goes on about him.
_THINGS = word_set(
    "birthday name surname nickname address number phone email age job pronouns hometown timezone geburtstag adresse"
    " nummer handynummer telefonnummer alter beruf anniversaire nom prénom surnom numéro téléphone âge métier"
    " cumpleaños nombre apellido dirección número teléfono correo edad trabajo день имя адрес номер телефон почта"
    " возраст"
)


@dataclass(frozen=True, slots=True)
class _Verbs:
    first: frozenset[str]
    third: frozenset[str]


@cache
def _verbs(language: Language) -> _Verbs:
    if language is Language.EN:
        with_s = set(map(english.with_s, _ENGLISH))
        return _Verbs(
            _ENGLISH | _ENGLISH_OF_ALL | word_set("am have do don haven m ve"),
            _ENGLISH_OF_ALL | with_s | word_set("is has does isn hasn doesn wasn"),
        )
    first, third = verbs_of(language)
    return _Verbs(first, third)


def parts_of(text: str, people: Sequence[Span], language: Language | None = None) -> list[str]:
    """Each thing that is told, as a sentence of its own; the text itself where it says one thing.

    `people` are the stretches that name somebody, in order. The parts name whom they are about as the text does.
    """
    listed = _listed(text, people, language)
    if listed is not None:
        return listed if len(listed) <= MOST else [text]
    spoken = language_of(text, language) or _language_of_verbs(text)
    if spoken is None or _QUOTATION.search(text):
        return [text]
    parts = _Sentence(text, people, spoken).parts()
    return parts if 1 < len(parts) <= MOST else [text]


def parts_of_fact(text: str) -> list[str]:
    """The same of a statement of the ledger, where people are mentions."""
    return parts_of(text, [found.span() for found in MENTION.finditer(text)])


def is_statement(text: str) -> bool:
    """Whether a text that names people by mentions says something of one: "<@7> likes tea", but not "<@7>'s tea"."""
    people = [found.span() for found in MENTION.finditer(text)]
    spoken = language_of(text) or _language_of_verbs(text)
    if spoken is None:
        return False
    return bool(people) and people[0][0] == 0 and _Sentence(text, people[:1], spoken).has_verb_behind(0)


def _language_of_verbs(text: str) -> Language | None:
    """Where the small words do not tell."""
    words = frozenset(plain_words(text))
    return next((language for language in Language if not words.isdisjoint(_verbs(language).third)), None)


def _listed(text: str, people: Sequence[Span], language: Language | None) -> list[str] | None:
    """The items of a list, each with what stands over all of them; None if there is no list."""
    marks = list(_ITEM.finditer(text))
    if not marks:
        return None
    before = text[: marks[0].start()].strip()
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    items = [text[mark.end() : end].strip(_LOOSE) for mark, end in zip(marks, ends, strict=True)]
    head = before.rstrip(":").strip() if before.endswith(":") else ""
    if not head:
        # The first line of a list has lost its mark where it follows the verb.
        every = [item for item in (before.strip(_LOOSE), *items) if item]
        return every if len(every) > 1 else None
    is_person = any(text[start:end].strip() == head for start, end in people)
    spoken = language_of(text, language) or _language_of_verbs(text)
    third = _verbs(spoken).third if spoken is not None else frozenset()

    def under(item: str) -> str:
        first = words_in(item)[:1]
        return f"{head} {item}" if is_person and first and first[0].text in third else f"{head}: {item}"

    return [under(item) for item in items if item]


@dataclass(frozen=True, slots=True)
class _Who:
    """Whom a clause is about, as typed."""

    typed: str
    is_speaker: bool
    may_be_left_out: bool
    """Behind "and" a verb alone is theirs: not so in "Tom's cat is black and likes fish"."""


class _Sentence:
    """The words of a text, people as one word each, and where one clause ends and the next begins."""

    def __init__(self, text: str, people: Sequence[Span], language: Language) -> None:
        self._text = text
        self._words, self._verbs, self._language = _WORDS[language], _verbs(language), language
        self._known = self._verbs.first | self._verbs.third
        named = [Word("@", start, end) for start, end in people]
        inside = {place for start, end in people for place in range(start, end)}
        others = [word for word in words_in(text) if word.start not in inside]
        self._tokens = sorted([*named, *others], key=lambda word: word.start)

    def parts(self) -> list[str]:
        tokens, parts = self._tokens, list[str]()
        if len(tokens) < 4:
            return [self._text]
        begin, prefix, who = 0, "", self._who_at(0)
        place = 1
        while place < len(tokens):
            gap = self._gap(place)
            joined = tokens[place].text in self._words.joins
            at = place + joined
            ends = any(mark in gap for mark in ".!;\n") and any(mark.isspace() for mark in gap)
            if at < len(tokens) and (joined or ends or "," in gap):
                opened = self._opened(at, begin, place, who, is_new=ends)
                if opened is not None:
                    parts.append(prefix + self._typed(begin, place))
                    begin, prefix, who = opened
                    place = at
            place += 1
        parts.append(prefix + self._text[self._start(begin) :].strip(_LOOSE))
        return parts

    def has_verb_behind(self, place: int) -> bool:
        """Whether somebody's verb follows at once."""
        verb = self._past_beside(place + 1)
        return verb < len(self._tokens) and self._tokens[verb].text in self._verbs.third and not self._is_owner(place)

    def _opened(
        self, at: int, begin: int, end: int, who: _Who | None, *, is_new: bool
    ) -> tuple[int, str, _Who | None] | None:
        """If a clause begins there: its first word, what is put before it, and whom it is about."""
        tokens, words = self._tokens, self._words
        before = tokens[begin:end]
        if not any(token.text in self._known for token in before):
            return None
        spoken = {token.text for token in before}
        if not is_new and not spoken.isdisjoint(words.holds_on):
            return None
        word = tokens[at].text
        if word == "@":
            named = self.has_verb_behind(at) or (self._is_owner(at) and self._has_verb_soon(at))
            return (at, "", self._who_at(at)) if named else None
        if word in words.first and at + 1 < len(tokens):
            return at, "", self._who_at(at)
        if word in words.own and self._has_verb_soon(at):
            return at, "", self._who_at(at)
        if who is None or at + 1 >= len(tokens):
            return None
        if not who.is_speaker and word in words.third and self._past_beside(at + 1) < len(tokens):
            is_verb = tokens[self._past_beside(at + 1)].text in self._verbs.third
            return (at + 1, f"{who.typed} ", who) if is_verb else None
        if not who.is_speaker and word in words.theirs and self._has_verb_soon(at):
            owner = _Who(who.typed, False, self._owns_a_thing(at))
            is_english = self._language is Language.EN
            return (at + 1, f"{who.typed}'s ", owner) if is_english else (at, f"{who.typed}: ", owner)
        if who.may_be_left_out and spoken.isdisjoint(words.denials) and self._is_left_out(at, begin, end, who):
            return at, f"{who.typed} " if who.typed else "", who
        return None

    def _is_left_out(self, at: int, begin: int, end: int, who: _Who) -> bool:
        """Whether a verb of theirs stands there without them, or in German at the end of both clauses."""
        tokens = self._tokens
        if who.is_speaker and any(token.text in self._words.bound for token in tokens[begin:end]):
            return False
        verbs = self._verbs.first if who.is_speaker else self._verbs.third
        verb = self._past_beside(at)
        if verb < len(tokens) and tokens[verb].text in verbs:
            behind = verb + 1
            if behind >= len(tokens) or self._parts_before(behind):
                return False
            is_noun = tokens[verb].text in _NOUNS_TOO and tokens[behind].text in _BEHIND_A_NOUN
            is_noun = is_noun or tokens[behind].text in self._verbs.third  # "… and work is fun"
            return not (self._language is Language.EN and is_noun)
        if self._language is not Language.DE:
            return False
        last = next((place for place in range(at + 1, len(tokens)) if self._parts_before(place)), len(tokens)) - 1
        stands_second = begin + 1 < end and tokens[begin + 1].text in verbs
        return last > at and tokens[last].text in verbs and tokens[end - 1].text in verbs and not stands_second

    def _who_at(self, place: int) -> _Who | None:
        token, words = self._tokens[place], self._words
        if token.text == "@":
            following = self._tokens[place + 1 : place + 3]
            together = len(following) == 2 and following[0].text in words.joins and following[1].text == "@"
            typed = self._text[token.start : token.end]
            acts = not self._is_owner(place) or self._owns_a_thing(place + 1)
            return None if together else _Who(typed, False, acts)
        if token.text in words.first:
            # "J'" alone is no word.
            typed = "je" if token.text == "j" else self._text[token.start : token.end]
            return _Who(typed, True, True)
        if token.text in words.own:
            return None
        if self._language is Language.ES and token.text in self._verbs.first:
            return _Who("", True, True)
        if self._language is Language.ES and token.text == "a" and place + 1 < len(self._tokens):
            return self._who_at(place + 1) if self._tokens[place + 1].text == "@" else None
        return None

    def _is_owner(self, place: int) -> bool:
        """ "Tom's": an "s" on a person."""
        behind = self._text[self._tokens[place].end : self._tokens[place].end + 2].lower()
        return behind in {"'s", "’s"} or behind[:1] == "s"

    def _owns_a_thing(self, place: int) -> bool:
        return place + 1 < len(self._tokens) and self._tokens[place + 1].text in _THINGS

    def _has_verb_soon(self, place: int) -> bool:
        for number in range(place + 1, min(place + 1 + _BEHIND_PERSON, len(self._tokens))):
            if self._parts_before(number):
                return False
            if self._tokens[number].text in self._verbs.third:
                return True
        # Russian needs no verb for it: "его день рождения 3 марта".
        return self._language is Language.RU and self._owns_a_thing(place)

    def _past_beside(self, place: int) -> int:
        while place < len(self._tokens) and self._tokens[place].text in self._words.beside:
            place += 1
        return place

    def _parts_before(self, place: int) -> bool:
        """Whether a pause or an "and" stands there."""
        return self._tokens[place].text in self._words.joins or any(mark in self._gap(place) for mark in ",.!;\n")

    def _gap(self, place: int) -> str:
        return self._text[self._tokens[place - 1].end : self._tokens[place].start]

    def _start(self, place: int) -> int:
        return 0 if place == 0 else self._tokens[place].start

    def _typed(self, begin: int, end: int) -> str:
        return self._text[self._start(begin) : self._tokens[end - 1].end].strip(_LOOSE)
