"""Reads what is wanted of us from words that are known to be for us, by the tables of `phrases`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from memory.commands.phrases import PHRASES, Phrases
from memory.commands.spelling import respelt
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
    """The longest first, so that none hides another that begins like it; each spelling once."""
    spelt = dict.fromkeys(spelling(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    return f"(?:{'|'.join(spelt)})"


def words_of(phrases: tuple[str, ...]) -> str:
    """One of the phrases as whole words, and what may stand behind it; taken or left, never taken in another way."""
    return rf"(?>{any_of(phrases)}{NOT_INSIDE_A_WORD}){GAP}"


def pause_of(marks: str) -> str:
    """One of the marks and its neighbours, with the space around; looked for only where such a stretch begins."""
    return rf"(?:(?<!\s)[^\S{marks}]++|(?<![\s{marks}]))[{marks}]++\s*+"


def spelling(phrase: str) -> str:
    """Accents, case, hyphens and apostrophes are optional."""
    escaped = re.escape(fold(phrase)).replace(r"\ ", r"[\s,]++").replace(r"\-", r"[\s\-‐–]?")
    return escaped.replace("'", r"'?\s?")


# Whether somebody says of what they tell that it may be known everywhere, not only where they tell it.
#
# Either right behind the verb, where the words themselves must be set off ("remember everywhere that …", "everywhere:
# …", but not "everywhere I go …"), or as a sentence of its own at the end ("…, everyone may know this").


_THIS = r"(?:this|that|it|das|dies|dieses|es|ca|cela|ceci|esto|eso|это)"
_THIS_AT_THE_END = re.compile(rf"\b{_THIS}\Z")
_AND = r"(?:and|und|et|y|и)"
_LONGEST = 80
"""No sentence of `for_all_to_know` is longer, however it is spelt."""


def without_the_word(text: str, start: int, end: int, language: Language) -> tuple[int, int, bool]:
    """The stretch of folded text that is left when the word has been taken off, and whether it was there."""
    this = _this_everywhere(language).fullmatch(text, start, end)
    if this is not None:
        return (*this.span("this"), True)
    before = _before(language).match(text, start, end)
    if before is not None:
        start = before.end("word")
    behind = _behind(language).search(text, max(start, end - _LONGEST), end)
    if behind is None or not text[start : behind.start()].strip():
        return start, end, before is not None
    return start, behind.start(), True


@cache
def _before(language: Language) -> re.Pattern[str]:
    phrases = PHRASES[language]
    conjunctions = "|".join(
        spelling(word) + (r"(?=[\s,:])" if not word.endswith("'") else "") for word in phrases.conjunctions
    )
    set_off = rf"(?:\s*+[,:]|\s++(?:{conjunctions})|\s++{_THIS}\b)"
    return re.compile(rf"{GAP}(?P<word>{any_of(phrases.everywhere)}){NOT_INSIDE_A_WORD}(?={set_off})")


@cache
def _this_everywhere(language: Language) -> re.Pattern[str]:
    """ "Remember this everywhere": with more words before it, it would say where something happens."""
    return re.compile(rf"{GAP}(?P<this>{_THIS})\s++{any_of(PHRASES[language].everywhere)}[\s.!]*+")


@cache
def _behind(language: Language) -> re.Pattern[str]:
    known = any_of(PHRASES[language].for_all_to_know)
    pause = rf"{pause_of(',;.!(–—-')}(?:{_AND}\s++)?|(?<!\s)\s++{_AND}\s++"
    return re.compile(rf"(?:{pause}){known}[\s.!?)]*+$")


@dataclass(frozen=True, slots=True)
class Command:
    """An intent, and where in the text as typed stands what is said."""

    intent: Intent
    start: int
    end: int
    language: Language
    everywhere: bool = False
    """What is told may be known everywhere, not only where it is told."""
    verb: str = ""
    """As it is spelt, where it was typed with slips."""


_TRAILING = " \t\n\r,;:!.…?¿¡"
_ENDING_MARKS = " \t\n\r.!?"
_LONGEST_COURTESY = 80
_LONGEST_OPENING = 300
"""The verb is looked for so far; what is said behind it may be longer."""
_LONGEST_ENDING = 80


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to say what is wanted: how it opens and, where what is said stands inside the phrase, how it ends."""

    intent: Intent
    opening: re.Pattern[str]
    ending: re.Pattern[str] | None
    of_anything: bool
    """It may ask for a person, and just as well for something else."""
    states: bool
    """It says that something does not hold any more, unless it ends as a question."""

    def stretch(self, text: str, marks: int) -> tuple[re.Match[str], int] | None:
        """The opening, and where what is said ends; only `marks` stand from there on."""
        end = len(text)
        if self.ending is not None:
            ending = self.ending.search(text, max(marks - _LONGEST_ENDING, 0), marks)
            if ending is None:
                return None
            end = ending.start()
        opening = self.opening.match(text, 0, min(end, _LONGEST_OPENING))
        return None if opening is None else (opening, end)


def read_command(said: Folded) -> Command | None:
    """What the words want, as they are typed, or None where no phrase is known: then it is a question."""
    return _best([wish for language in Language if (wish := _wish_in(language, said)) is not None], said)


def read_hasty(said: Folded) -> Command | tuple[Command, ...]:
    """The same for what is typed in haste, where `read_command` knows nothing; several where we have to ask.

    Two slips are a verb beyond doubt only if a conjunction follows: "rember that …".
    """
    certain: dict[int, list[Command]] = {0: [], 1: [], 2: []}
    doubtful: dict[Intent, Command] = {}
    for language in Language:
        for one in respelt(said, language):
            wish = _wish_in(language, one.text)
            if wish is None or (one.slips and wish.intent is Intent.KNOWLEDGE):
                continue
            wish = replace(wish, verb=one.verb or "")
            if one.slips < 2 or _conjunction(language).match(one.text.text[one.ends_at :].lstrip(" ,:")):
                certain[one.slips].append(wish)
            else:
                doubtful.setdefault(wish.intent, wish)
    for wishes in certain.values():
        if len({wish.intent for wish in wishes}) > 1:
            return tuple({wish.intent: wish for wish in wishes}.values())
        if (best := _best(wishes, said)) is not None:
            return best
    return tuple(doubtful.values())


def _best(wishes: Sequence[Command], said: Folded) -> Command | None:
    """A few phrases are spelt alike in two languages ("mémorise que …"): whoever understands more of it is right."""
    if not wishes:
        return None
    spoken = language_of(said.text)
    return min(wishes, key=lambda wish: (wish.end - wish.start, wish.language is not spoken))


def _wish_in(language: Language, said: Folded) -> Command | None:
    text = said.text
    marks = _without_courtesy(text, 0, len(text.rstrip(_ENDING_MARKS)), language)
    for form in _forms(language):
        found = form.stretch(text, marks)
        if found is None or (form.states and text.rstrip().endswith("?")):
            continue
        if said.typed(0, found[0].end()).endswith("é"):  # "effacé" has been done
            continue
        if form.intent is Intent.REMIND and not _is_reminder(text[found[0].end() : found[1]], language):
            continue
        first, last, everywhere = _trim(text, *found, language, form.intent)
        if form.intent is Intent.REMEMBER and _tells_nothing(text, text[first:last], language):
            return None
        if form.of_anything and not _sounds_like_a_person(said.typed(first, last), language):
            continue
        start, end = (said.origin(first), said.origin(last)) if first < last else (0, 0)
        return Command(form.intent, start, end, language, everywhere)
    return None


# What sounds like "remember", and wants something else.


def wants_nothing_kept(text: str) -> Language | None:
    """The language of folded words that want us not to remember: "never remember what I say"."""
    if text.rstrip().endswith("?"):
        return None
    return next((one for one in Language if _wishing(one, PHRASES[one].never).match(text)), None)


def _is_reminder(said: str, language: Language) -> bool:
    """Whether folded words behind "remind me" say when, or what is to be done: "remind me what Tom said" asks."""
    words = re.findall(r"[^\W_]+", said)
    asking = {fold(word) for word in PHRASES[language].interrogatives}
    has_time = not _TIMES.isdisjoint(words) or any(word[0].isdigit() for word in words)
    if not words or (words[0] in asking and not (has_time and words[0] == "que")):
        return False
    opens_a_time = words[0] in _BEFORE_TIMES and not asking.intersection(words[1:2])
    return has_time or opens_a_time or words[0] in _TASKS or words[0].endswith(_INFINITIVES[language])


def reminds_several(text: str, body: str) -> bool:
    """Whether what stands around the words of a reminder says "remind us"."""
    around = text.replace(body, " ", 1) if body else text
    return not _US.isdisjoint(re.findall(r"[^\W_]+", fold(around)))


def reminds_other(typed: str) -> Language | None:
    """The language of words that want somebody else reminded: "remind Aylin to bring the keys tomorrow"."""
    said = fold_in_place(typed)
    for language, verbs in _REMIND_THEM.items():
        if _wishing(language, verbs).match(said.text):
            return language
    for language, verbs in _REMIND_OTHER.items():
        found = _wishing(language, verbs).match(said.text)
        if found is not None and _is_somebody_else(said.typed(found.end(), len(said.text)), language):
            return language
    words = re.findall(r"[^\W_]+", said.text)  # "Kannst du Aylin morgen daran erinnern?"
    is_german = words[-1:] == ["erinnern"] and is_wish(said.text) and _NOT_OTHERS.isdisjoint(words)
    return Language.DE if is_german else None


def _is_somebody_else(behind: str, language: Language) -> bool:
    first = _FIRST_WORD.match(behind)
    if first is None or first["mention"] is not None:
        return first is not None
    word = fold(first["word"])
    asking = {fold(one) for one in PHRASES[language].interrogatives}
    if not word or word[0].isdigit() or word in _NOT_OTHERS | _TASKS | _BEFORE_TIMES | _TIMES | asking:
        return False
    # Russian leaves "me" out: what is to be done follows as well.
    return language is not Language.RU or first["word"][0].isupper() or word in _RUSSIAN_OTHERS


_FIRST_WORD = re.compile(r"[\s,]*+(?:(?P<mention><@[!&]?\d+>|@\w)|(?P<word>\w+))")
_REMIND_OTHER: dict[Language, tuple[str, ...]] = {
    Language.EN: ("remind",),
    Language.DE: ("erinner", "erinnere"),
    Language.FR: ("rappelle à", "rappelez à", "rappeler à"),
    Language.RU: ("напомни", "напомните", "напомнить"),
}
_REMIND_THEM: dict[Language, tuple[str, ...]] = {
    Language.FR: ("rappelle-lui", "rappelle-leur", "lui rappeler", "leur rappeler"),
    Language.ES: ("recuérdale", "recuérdales", "recordarle", "recordarles"),
}
"""They say already that it is somebody else."""
_NOT_OTHERS = word_set("me us myself you yourself of about this it mich uns dich mir sich moi nous toi мне нам себе")
_RUSSIAN_OTHERS = word_set("ему ей им всем")
_US = word_set("us uns nous recuérdanos recordarnos нам")
_TASKS = word_set("to that an daran dass zu de d que qu чтобы")
_INFINITIVES: dict[Language, tuple[str, ...]] = dict.fromkeys(Language, ()) | {
    Language.ES: ("ar", "er", "ir"),
    Language.RU: ("ть", "ти", "ться", "чь"),
}
_BEFORE_TIMES = word_set(
    "in at on next every um am jeden jede jedes dans chaque dentro cada через каждый каждую каждое"
)
_TIMES = word_set(
    "tomorrow tonight today later tmrw soon noon midnight morning evening morgen später nachher bald heute mittag"
    " übermorgen abend demain tard bientôt soir midi matin mañana luego noche mediodía hoy завтра послезавтра сегодня"
    " позже потом вечером утром днём полдень через час полчаса"
) | {word for word in (*WEEKDAYS, *MONTHS, *UNITS) if len(word) > 3}


@cache
def _wishing(language: Language, words: tuple[str, ...]) -> re.Pattern[str]:
    """One of these words behind courtesies and, perhaps, a way to put it as a wish."""
    phrases = PHRASES[language]
    asking = rf"(?:{words_of(phrases.asking)}{courtesies()})?"
    return re.compile(rf"{GAP}[¿¡]?{courtesies()}{asking}{any_of(words)}{NOT_INSIDE_A_WORD}")


def is_chatter(text: str) -> bool:
    """Whether folded words that follow our name without a comma speak about us rather than to us.

    A question mark at the end makes them ours again: "Bot is Alice at home?".
    """
    if text.rstrip().endswith(("?", "؟")):
        return False
    if _GERMAN_QUESTION.match(text):
        return False
    return any(_chatter(language).match(text) for language in Language)


# English "was" speaks about us, German "was" asks us.
_GERMAN_QUESTION = re.compile(
    r"\s*+was\s++(?:macht|machst|weiss|weisst|ist|sind|hat|hast|haben|sagt|sagst|kann|kannst|soll|will|willst|bist|meint|"
    r"meinst|war|waren|fur|gibt|geht|mag|magst|denkst|halt|haltst|bedeutet|heisst|isst|trinkt|spielt|passiert)\b"
)


def _trim(text: str, opening: re.Match[str], end: int, language: Language, intent: Intent) -> tuple[int, int, bool]:
    """Takes courtesies, conjunction and loose punctuation off both ends of what is said, and the word that everyone
    may know it; whether that was there."""
    start, said = opening.end(), opening.groupdict()
    everywhere = said.get("everywhere") is not None
    end = _without_courtesy(text, start, end, language)
    if intent in (Intent.KNOWLEDGE, Intent.REMIND) or said.get("asking") is not None:
        end = start + len(text[start:end].rstrip(_TRAILING))
    start = _past_courtesy(text, start, end, language)
    if intent is Intent.REMEMBER:
        start, end, said_so = without_the_word(text, start, end, language)
        if said_so:
            everywhere = True
            end = _without_courtesy(text, start, end, language)
            start = _past_courtesy(text, start, end, language)
    if intent is not Intent.KNOWLEDGE:
        conjunction = _conjunction(language).match(text, start, end)
        if conjunction is not None and conjunction.end() < end:
            start = conjunction.end()
    if text[start:end].strip(_TRAILING):
        return start, end, everywhere
    # Marks alone, as in "remember!", say nothing; "save that" points at something.
    this = _THIS_AT_THE_END.search(text, 0, opening.end()) if intent is Intent.REMEMBER else None
    return (*(this.span() if this is not None else (start, start)), everywhere)


def _without_courtesy(text: str, start: int, end: int, language: Language) -> int:
    ending = _trailing_courtesy(language).search(text, max(start, end - _LONGEST_COURTESY), end)
    return end if ending is None else ending.start()


def _past_courtesy(text: str, start: int, end: int, language: Language) -> int:
    lead = _leading(language).match(text, start, end)
    return start if lead is None else lead.end()


def _tells_nothing(text: str, said: str, language: Language) -> bool:
    """ "Remember when we met?" wants to hear something; it does not tell us anything. Others want nothing kept."""
    if wants_nothing_kept(text) is not None:
        return True
    first = re.match(r"\w+", said)
    if first is None:
        return False
    if language is Language.EN and first.group() == "when":
        return True
    interrogatives = {fold(word) for word in PHRASES[language].interrogatives}
    return text.rstrip().endswith("?") and first.group() in interrogatives


_LOOSE_ENDS = word_set(
    "it that this there here online right wrong next the a an in on at going coming he she they you to das da der die"
    " es hier dran du là ça le la un une il elle aquí ahí el una esto este там здесь тут это ты он она они"
)
_MENTION_OR_HANDLE = re.compile(r"<@!?\d+>|@\S")


def _sounds_like_a_person(typed: str, language: Language) -> bool:
    """Behind "who is": a mention, oneself, one word that could be a name, or up to three with capitals."""
    if _MENTION_OR_HANDLE.match(typed):
        return True
    words = typed.split()
    if not 1 <= len(words) <= 3 or FILLER in typed:
        return False
    asking = {fold(word) for word in PHRASES[language].interrogatives}
    if any(fold(word) in _LOOSE_ENDS or fold(word) in asking for word in words):
        return False
    if len(words) == 1:
        return not (language is Language.EN and typed.islower() and typed.endswith("ing"))  # "who is playing"
    return all(word[0].isupper() for word in words)


@cache
def _forms(language: Language) -> tuple[_Form, ...]:
    """Reminders first, whose "remember to remind me" tells nothing; then knowledge; then remembering, whose "don't
    forget" must not be read as forgetting."""
    phrases = PHRASES[language]
    return (
        *_forms_of(Intent.REMIND, phrases, phrases.remind, phrases.remind),
        *_forms_of(Intent.KNOWLEDGE, phrases, phrases.knowledge, phrases.knowledge),
        *_forms_of(Intent.KNOWLEDGE, phrases, phrases.who_is, phrases.who_is, of_anything=True),
        *_forms_of(Intent.REMEMBER, phrases, phrases.remember, phrases.remember_asked, phrases.everywhere),
        *_forms_of(Intent.FORGET, phrases, phrases.forget, phrases.forget_asked),
        *_forms_of(Intent.FORGET, phrases, phrases.untrue, states=True),
    )


def _forms_of(
    intent: Intent,
    phrases: Phrases,
    plain: tuple[str, ...],
    asked: tuple[str, ...] = (),
    everywhere: tuple[str, ...] = (),
    *,
    of_anything: bool = False,
    states: bool = False,
) -> Iterator[_Form]:
    """Those with a hole before those without, the longest first."""
    endings = {after for phrase in plain + asked if (after := _parts(phrase)[1])}
    for ending in (*sorted(endings, key=len, reverse=True), ""):
        opening = _opening(phrases, _ways(plain, ending), _ways(asked, ending), everywhere)
        yield _Form(intent, opening, _ending(ending) if ending else None, of_anything, states)


def _parts(phrase: str) -> tuple[str, str]:
    before, _, after = phrase.partition("…")
    return before.strip(), after.strip()


def _ways(phrases: tuple[str, ...], ending: str) -> str | None:
    """All phrases that end so, up to where what is said begins."""
    before = [_parts(phrase)[0] for phrase in phrases if _parts(phrase)[1] == ending]
    if not before:
        return None
    if not ending:
        return any_of(tuple(before)) + NOT_INSIDE_A_WORD
    ways = [spelling(one) + r"\s++" if one else "" for one in sorted(before, key=len, reverse=True)]
    return rf"(?:{'|'.join(ways)})(?=\S)"


def _opening(phrases: Phrases, plain: str | None, asked: str | None, everywhere: tuple[str, ...]) -> re.Pattern[str]:
    courtesy = rf"(?:{words_of(phrases.greetings + phrases.polite)})*"
    polite = rf"(?:{words_of(phrases.polite)})*+"
    # "Kannst du dir überall merken, dass …".
    known = rf"(?:(?P<everywhere>{words_of(everywhere)}){polite})?+" if everywhere else ""
    wished = f"(?P<asking>{words_of(phrases.asking)}){polite}{known}{asked}" if asked is not None else None
    return re.compile(rf"{GAP}[¿¡]?{courtesy}(?:{'|'.join(way for way in (wished, plain) if way is not None)})")


def _ending(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\s)\s++{spelling(phrase)}\Z")


@cache
def _leading(language: Language) -> re.Pattern[str]:
    return re.compile(rf"{GAP}(?:{words_of(PHRASES[language].polite)})*+")


@cache
def _trailing_courtesy(language: Language) -> re.Pattern[str]:
    courteous = tuple(word for word in PHRASES[language].polite if word not in _NOT_AT_THE_END)
    return re.compile(rf"(?:^|(?<![\s,;.!])[\s,;.!]++){any_of(courteous)}(?:<3|[^\w<{FILLER}])*+$")


# Courtesies in the middle, but part of what is said at its end: "dass Alice nicht mehr raucht, jetzt".
_NOT_AT_THE_END = frozenset(
    ("mal", "doch", "noch", "auch", "jetzt", "eigentlich", "eig", "denn", "endlich", "bien", "aussi", "también", "себе",
     "ещё", "тоже", "for me", "für mich", "pour moi", "para mí", "для меня")
)  # fmt: skip


@cache
def _conjunction(language: Language) -> re.Pattern[str]:
    words = sorted(PHRASES[language].conjunctions, key=len, reverse=True)
    elided = [re.escape(fold(word)) for word in words if word.endswith("'")]
    whole = [spelling(word) + r"(?=[\s,:])" for word in words if not word.endswith("'")]
    return re.compile(rf"(?:{'|'.join(whole + elided)}){GAP}")


@cache
def _chatter(language: Language) -> re.Pattern[str]:
    return re.compile(rf"\s++{any_of(PHRASES[language].chatter)}(?![\w'])")


# The phrases of all languages taken together, and the courtesies that may stand before what is said.


@cache
def phrases_of(kind: str) -> tuple[str, ...]:
    """Of one kind, a field of `Phrases`, in every language."""
    return tuple(dict.fromkeys(phrase for language in Language for phrase in getattr(PHRASES[language], kind)))


@cache
def courtesies() -> str:
    """As many as anybody says, as part of a pattern."""
    return rf"(?:{words_of(phrases_of('greetings') + phrases_of('polite'))}){{0,9}}"


@cache
def opening(words: tuple[str, ...]) -> re.Pattern[str]:
    """One of these words behind courtesies; without words, the courtesies alone."""
    behind = rf"{any_of(words)}{NOT_INSIDE_A_WORD}" if words else ""
    return re.compile(rf"{GAP}[¿¡]?{courtesies()}{behind}")


def behind_courtesies(text: str) -> int:
    """Where what is said begins."""
    found = opening(()).match(text)
    return 0 if found is None else found.end()


def is_courtesy(word: str) -> bool:
    return fold(word) in {fold(one) for one in phrases_of("polite")}


def is_wish(text: str) -> bool:
    """Whether folded words open with a way to put a command as a wish: "can you …"."""
    return opening(phrases_of("asking")).match(text) is not None
