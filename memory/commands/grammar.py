"""Reads what is wanted of us from words that are known to be for us, by the tables of `phrases`."""

import re
from dataclasses import dataclass
from functools import cache

from memory.commands.phrases import PHRASES, as_meant
from memory.core.values import Intent
from memory.language.dates import MONTHS, UNITS, WEEKDAYS
from memory.language.detect import Language, language_of, word_set
from memory.language.text import FILLER, Folded, fold, fold_in_place

# Phrases as people type them, made into patterns over folded text.
#
# Whatever somebody writes is read in time that grows with its length alone: what is repeated is never given back
# (`++`, `*+`, `(?>…)`), or stands before something that it cannot be.


# What may stand between name, courtesy, verb and the words themselves.
GAP = r"[\s,:;!.…\-–—]*+"
# A hyphen goes on with the word, unless a French pronoun hangs on it: "oublie-moi".
NOT_INSIDE_A_WORD = r"(?![\w']|-(?!(?:moi|ca|le|la|les|nous)\b))"


def any_of(phrases: tuple[str, ...]) -> str:
    """Match any of the phrases, the longest first, so that none hides a longer one; each spelling once."""
    spelt = dict.fromkeys(spelling(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    return f"(?:{'|'.join(spelt)})"


def words_of(phrases: tuple[str, ...]) -> str:
    """Match a phrase as whole words, and what may stand behind it; taken or left, never in another way."""
    return rf"(?>{any_of(phrases)}{NOT_INSIDE_A_WORD}){GAP}"


def pause_of(marks: str) -> str:
    """Match a mark and its neighbours with the space around, only where such a stretch begins."""
    return rf"(?:(?<!\s)[^\S{marks}]++|(?<![\s{marks}]))[{marks}]++\s*+"


def spelling(phrase: str) -> str:
    """Match a phrase in any spelling: accents, case, hyphens and apostrophes are optional."""
    escaped = re.escape(fold(phrase)).replace(r"\ ", r"[\s,]++").replace(r"\-", r"[\s\-‐–]?")
    return escaped.replace("'", r"'?\s?")


@cache
def phrases_of(kind: str) -> tuple[str, ...]:
    """List the phrases of one kind, in every language."""
    return tuple(dict.fromkeys(phrase for table in PHRASES.values() for phrase in table[kind]))


# How a sentence may open before what is wanted: with courtesies, and with a way to put it as a wish.


_MOST_COURTESIES = 9


@dataclass(frozen=True, slots=True)
class _Opening:
    end: int
    """Where the words that say what is wanted may begin."""
    is_wish: bool = False
    """Behind "can you …"."""


def _openings(text: str) -> list[_Opening]:
    """List where what is wanted may begin, the longest first: a courtesy may begin it, as in "dis-moi"."""
    ends = [_match_end(_START, text, 0)]
    while len(ends) <= _MOST_COURTESIES and (end := _match_end(_COURTESY, text, ends[-1])) > ends[-1]:
        ends.append(end)
    found = []
    for end in reversed(ends):
        wish = _ASKING.match(text, end)
        if wish is not None:
            found.append(_Opening(wish.end(), is_wish=True))
        found.append(_Opening(end))
    return found


def behind_courtesies(text: str) -> int:
    """Find where what is said begins, behind courtesies."""
    return next(opening.end for opening in _openings(text) if not opening.is_wish)


def behind_wish(text: str) -> int:
    """Find where what is wanted begins, behind a wish such as "can you …"; 0 where it is not put so."""
    return next((opening.end for opening in _openings(text) if opening.is_wish), 0)


def is_wish(text: str) -> bool:
    return behind_wish(text) > 0


_START = re.compile(rf"{GAP}[¿¡]?")
_COURTESY = re.compile(words_of(phrases_of("openers") + phrases_of("polite")))
COURTESIES = rf"(?:{_COURTESY.pattern}){{0,{_MOST_COURTESIES}}}"
"""Matches as many courtesies as anybody says, as part of a pattern."""
_POLITE = re.compile(rf"{GAP}(?:{words_of(phrases_of('polite'))})*+")
_ASKING = re.compile(rf"{words_of(phrases_of('asking'))}{_POLITE.pattern}")


def _match_end(pattern: re.Pattern[str], text: str, start: int, end: int | None = None) -> int:
    found = pattern.match(text, start, len(text) if end is None else end)
    return start if found is None else found.end()


# One kind of phrase in one language.


_LONGEST_ENDING = 80


@dataclass(frozen=True, slots=True)
class _Form:
    """Matches how phrases of a kind open and, where what is said stands inside them, how they end."""

    plain: re.Pattern[str] | None
    asked: re.Pattern[str] | None
    """Behind a way to put it as a wish."""
    ending: re.Pattern[str] | None

    def stretch(self, text: str, openings: list[_Opening], marks: int) -> tuple[_Opening, int, int] | None:
        """Find how a text opens, and where what is said begins and ends; only `marks` stand from there on."""
        end = len(text)
        if self.ending is not None:
            ending = self.ending.search(text, max(marks - _LONGEST_ENDING, 0), marks)
            if ending is None:
                return None
            end = ending.start()
        for opening in openings:
            pattern = self.asked if opening.is_wish else self.plain
            phrase = pattern.match(text, opening.end, end) if pattern is not None else None
            if phrase is not None:
                return opening, phrase.end(), end
        return None


@cache
def _forms(language: Language, kind: str) -> tuple[_Form, ...]:
    """List the forms of a kind: phrases with a hole before those without, the longest first."""
    plain = [_parts(phrase) for phrase in PHRASES[language].get(kind, ())]
    asked = plain + [_parts(phrase) for phrase in PHRASES[language].get(f"{kind}_asked", ())]
    endings = sorted({ending for _, ending in asked}, key=len, reverse=True)
    return tuple(_Form(_heads(plain, ending), _heads(asked, ending), _tail(ending)) for ending in endings)


def _parts(phrase: str) -> tuple[str, str]:
    before, _, after = phrase.partition("…")
    return before.strip(), after.strip()


def _heads(phrases: list[tuple[str, str]], ending: str) -> re.Pattern[str] | None:
    """Match all phrases that end so, up to where what is said begins."""
    heads = tuple(head for head, end in phrases if end == ending)
    if not ending:
        return re.compile(any_of(heads) + NOT_INSIDE_A_WORD) if heads else None
    ways = [spelling(head) + r"\s++" if head else "" for head in sorted(heads, key=len, reverse=True)]
    return re.compile(rf"(?:{'|'.join(ways)})(?=\S)") if ways else None


def _tail(ending: str) -> re.Pattern[str] | None:
    return re.compile(rf"(?<!\s)\s++{spelling(ending)}\Z") if ending else None


def opens_with(text: str, kind: str) -> Language | None:
    """Find the language whose phrases of this kind folded words open with."""
    openings = _openings(text)
    spoken = (one for one in Language for form in _forms(one, kind) if form.stretch(text, openings, len(text)))
    return next(spoken, None)


@cache
def _interrogatives(language: Language) -> frozenset[str]:
    return frozenset(map(fold, PHRASES[language]["interrogatives"]))


# What is wanted of us, and where it is said.


@dataclass(frozen=True, slots=True)
class Command:
    """Holds an intent, and where in the text as typed stands what is said."""

    intent: Intent
    start: int
    end: int
    language: Language
    everywhere: bool = False
    """What is told may be known everywhere, not only where it is told."""


_TRAILING = " \t\n\r,;:!.…?¿¡"
_ENDING_MARKS = " \t\n\r.!?"
_LONGEST_COURTESY = 80
_INTENTS = {
    "remind": Intent.REMIND,
    "knowledge": Intent.KNOWLEDGE,
    "who_is": Intent.KNOWLEDGE,
    "remember": Intent.REMEMBER,
    "forget": Intent.FORGET,
    "untrue": Intent.FORGET,
}
"""Reminders first, whose "remember to remind me" tells nothing; remembering before forgetting: "don't forget"."""


def read_command(said: Folded) -> Command | None:
    """Read what the words want, as they are typed; None where no phrase is known: then it is a question."""
    said = as_meant(said)
    openings = _openings(said.text)
    wishes = [wish for language in Language if (wish := _wish_in(language, said, openings)) is not None]
    if not wishes:
        return None
    # A few phrases are spelt alike in two languages ("mémorise que …"): whoever understands more of it is right.
    spoken = language_of(said.text)
    return min(wishes, key=lambda wish: (wish.end - wish.start, wish.language is not spoken))


def _wish_in(language: Language, said: Folded, openings: list[_Opening]) -> Command | None:
    text = said.text
    marks = _without_courtesy(text, 0, len(text.rstrip(_ENDING_MARKS)))
    asks = text.rstrip().endswith("?")
    for kind, form in ((one, form) for one in _INTENTS for form in _forms(language, one)):
        found = form.stretch(text, openings, marks)
        if found is None or (kind == "untrue" and asks):
            continue
        opening, start, end = found
        if said.typed(0, start).endswith("é"):  # "effacé" has been done
            continue
        if kind == "remind" and not _is_reminder(text[start:end], language):
            continue
        first, last, everywhere = _trim(text, opening, start, end, language, _INTENTS[kind])
        if kind == "remember" and _tells_nothing(text[first:last], language, asks=asks):
            return None
        if kind == "who_is" and not _sounds_like_a_person(said.typed(first, last), language):
            continue
        typed = (said.origin(first), said.origin(last)) if first < last else (0, 0)
        return Command(_INTENTS[kind], *typed, language, everywhere)
    return None


def _trim(
    text: str, opening: _Opening, start: int, end: int, language: Language, intent: Intent
) -> tuple[int, int, bool]:
    """Take courtesies, conjunction and loose punctuation off both ends of what is said, and the word that everyone may
    know it; say whether that was there."""
    behind_verb, everywhere = start, False
    end = _without_courtesy(text, start, end)
    if intent in (Intent.KNOWLEDGE, Intent.REMIND) or opening.is_wish:
        end = start + len(text[start:end].rstrip(_TRAILING))
    start = _match_end(_POLITE, text, start, end)
    if intent is Intent.REMEMBER:
        start, end, everywhere = _without_everywhere(text, start, end)
        start = _match_end(_POLITE, text, start, end)
    if intent is not Intent.KNOWLEDGE:
        conjunction = _match_end(_CONJUNCTIONS[language], text, start, end)
        start = conjunction if conjunction < end else start
    if text[start:end].strip(_TRAILING):
        return start, end, everywhere
    # Marks alone, as in "remember!", say nothing; "save that" points at something.
    this = _THIS_AT_THE_END.search(text, 0, behind_verb) if intent is Intent.REMEMBER else None
    return (*(this.span() if this is not None else (start, start)), everywhere)


def _without_courtesy(text: str, start: int, end: int) -> int:
    ending = _TRAILING_COURTESY.search(text, max(start, end - _LONGEST_COURTESY), end)
    return end if ending is None else ending.start()


# Courtesies in the middle, but part of what is said at its end: "dass Alice nicht mehr raucht, jetzt".
_NOT_AT_THE_END = frozenset(
    ("mal", "doch", "noch", "auch", "jetzt", "eigentlich", "eig", "denn", "endlich", "bien", "aussi", "también", "себе",
     "ещё", "тоже", "for me", "für mich", "pour moi", "para mí", "для меня")
)  # fmt: skip
_TRAILING_COURTESY = re.compile(
    rf"(?:^|(?<![\s,;.!])[\s,;.!]++){any_of(tuple(one for one in phrases_of('polite') if one not in _NOT_AT_THE_END))}"
    rf"(?:<3|[^\w<{FILLER}])*+$"
)


def conjunctions_of(words: tuple[str, ...]) -> str:
    """Match a conjunction of these as a whole word, as part of a pattern."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(one) if one.endswith("'") else spelling(one) + r"(?=[\s,:])" for one in longest_first)


_CONJUNCTIONS = {
    language: re.compile(rf"(?:{conjunctions_of(PHRASES[language]['conjunctions'])}){GAP}") for language in Language
}


def _tells_nothing(said: str, language: Language, *, asks: bool) -> bool:
    """Say whether words behind "remember" only ask: "remember when we met?" wants to hear something."""
    first = re.match(r"\w*", said)
    word = "" if first is None else first[0]
    return (language is Language.EN and word == "when") or (asks and word in _interrogatives(language))


_LOOSE_ENDS = word_set(
    "it that this there here online right wrong next the a an in on at going coming he she they you to das da der die"
    " es hier dran du là ça le la un une il elle aquí ahí el una esto este там здесь тут это ты он она они"
)
_MENTION_OR_HANDLE = re.compile(r"<@!?\d+>|@\S")


def _sounds_like_a_person(typed: str, language: Language) -> bool:
    """Say if words behind "who is" mean a person: a mention, oneself, a likely name, or up to three with capitals."""
    if _MENTION_OR_HANDLE.match(typed):
        return True
    words = typed.split()
    if not 1 <= len(words) <= 3 or FILLER in typed:
        return False
    if not (_LOOSE_ENDS | _interrogatives(language)).isdisjoint(map(fold, words)):
        return False
    if len(words) == 1:
        return not (language is Language.EN and typed.islower() and typed.endswith("ing"))  # "who is playing"
    return all(word[0].isupper() for word in words)


# Whether somebody says of what they tell that it may be known everywhere, not only where they tell it: right behind the
# verb, the words themselves set off ("remember everywhere that …", "everywhere: …", but not "everywhere I go …").


_THIS = r"(?:this|that|it|das|dies|dieses|es|ca|cela|ceci|esto|eso|это)"
_THIS_AT_THE_END = re.compile(rf"\b{_THIS}\Z")


_WORD_EVERYWHERE = any_of(phrases_of("everywhere"))
_SHORT_GAP = GAP.replace("*+", "{0,60}+")  # whoever writes more blanks than that means something else
_SET_OFF = rf"(?:\s*+[,:]|\s++(?:{conjunctions_of(phrases_of('conjunctions'))})|\s++{_THIS}\b)"
# With more words before it, it would say where something happens.
_THIS_EVERYWHERE = re.compile(rf"{_SHORT_GAP}(?P<this>{_THIS})\s++{_WORD_EVERYWHERE}[\s.!]*+")
_EVERYWHERE = re.compile(rf"{_SHORT_GAP}{_WORD_EVERYWHERE}{NOT_INSIDE_A_WORD}(?={_SET_OFF})")


def _without_everywhere(text: str, start: int, end: int) -> tuple[int, int, bool]:
    """Take the word for "everywhere" off folded text: the stretch that is left, and whether it was there."""
    if (pointed := _THIS_EVERYWHERE.fullmatch(text, start, end)) is not None:
        return (*pointed.span("this"), True)
    first = _match_end(_EVERYWHERE, text, start, end)
    return first, end, first > start


# Reminders: what says when, and what wants somebody else reminded.


_FIRST_WORD = re.compile(r"[\s,]*+(?:(?P<mention><@[!&]?\d+>|@\w)|(?P<word>\w+))")
_NOT_OTHERS = word_set("me us myself you yourself of about this it mich uns dich mir sich moi nous toi мне нам себе")
_RUSSIAN_OTHERS = word_set("ему ей им всем")
_SENTENCE_END = re.compile(r"[.!?…\n]\s")
_US = word_set("us uns nous recuérdanos recordarnos нам")
_NO_NAMES = word_set(
    "to that an daran dass zu de d que qu чтобы in at on next every um am jeden jede jedes dans chaque dentro cada"
    " через каждый каждую каждое tomorrow tonight today later tmrw soon noon midnight morgen später nachher bald heute"
    " mittag übermorgen demain bientôt midi matin mañana luego hoy завтра послезавтра сегодня позже потом вечером"
    " утром полчаса"
) | {word for word in (*WEEKDAYS, *MONTHS, *UNITS) if len(word) > 3}
"""Behind "remind" these say what or when, and mean nobody."""


def _is_reminder(said: str, language: Language) -> bool:
    """Say whether folded words behind "remind me" want to be told, and do not ask: "remind me what Tom said" does."""
    words = re.findall(r"[^\W_]+", said)
    asking = _interrogatives(language)
    opens_with_question = bool(words) and words[0] in asking and words[0] != "que"
    return bool(words) and not opens_with_question and not asking.intersection(words[1:2])


def reminds_several(text: str, body: str) -> bool:
    """Say whether what stands around a reminder's words says "remind us"; before them only in the last sentence."""
    before, _, behind = text.partition(body) if body else ("", "", text)
    around = f"{_SENTENCE_END.split(before.strip())[-1]} {behind}"
    return not _US.isdisjoint(re.findall(r"[^\W_]+", fold(around)))


def reminds_other(typed: str) -> Language | None:
    """Find the language of words that want somebody else reminded: "remind Aylin to bring the keys tomorrow"."""
    said = fold_in_place(typed)
    openings, marks = _openings(said.text), len(said.text.rstrip(_ENDING_MARKS))
    for language in Language:
        for form in _forms(language, "remind_other"):
            found = form.stretch(said.text, openings, marks)
            if found is not None and _is_somebody_else(said.typed(*found[1:]), language):
                return language
    return opens_with(said.text, "remind_them")


def _is_somebody_else(behind: str, language: Language) -> bool:
    first = _FIRST_WORD.match(behind)
    if first is None or first["mention"] is not None:
        return first is not None
    word = fold(first["word"])
    if not word or word[0].isdigit() or word in _NOT_OTHERS | _NO_NAMES | _interrogatives(language):
        return False
    # Russian leaves "me" out: what is to be done follows as well.
    return language is not Language.RU or first["word"][0].isupper() or word in _RUSSIAN_OTHERS


def wants_nothing_kept(text: str) -> Language | None:
    """Find the language of folded words that want us not to remember: "never remember what I say"."""
    return None if text.rstrip().endswith("?") else opens_with(text, "never")


# English "was" speaks about us, German "was" asks us.
_WAS = re.compile(r"\s*+was\b")


_CHATTER = re.compile(rf"\s++{any_of(phrases_of('chatter'))}(?![\w'])")
_ASKS_AT_ITS_END = re.compile(r"[?؟][^\w?؟]*+(?:\w{1,20}+[^\w?؟]*+)?$")


def is_chatter(text: str) -> bool:
    """Say whether folded words that follow our name without a comma speak about us rather than to us.

    A question mark at the end, or before the last word, makes them ours again: "Bot is Alice at home?".
    """
    if _ASKS_AT_ITS_END.search(text) or (_WAS.match(text) and language_of(text) is Language.DE):
        return False
    return _CHATTER.match(text) is not None
