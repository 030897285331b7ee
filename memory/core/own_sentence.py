"""A sentence that was said to us, and that no verb of ours opens: the person's own words in it, and what they show.

Nothing that somebody else wrote decides what is wanted: quoted lines, code, what stands in quotation marks, and the
names behind mentions are not the person's own words.
"""

import re
from functools import cache

from memory.core.language import Language, word_set
from memory.core.phrase_patterns import GAP, NOT_INSIDE_A_WORD, any_of, spelling
from memory.core.quoted import FILLER, hide_borrowed
from memory.core.text import fold, fold_in_place, words_in
from memory.core.verbs import PHRASES

QUOTED = "[…]"
"""Stands where something was quoted."""
MEMBER, PLACE = "@member", "#channel"

_IN_MARKS = re.compile(r"\"[^\"\n]+\"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|»[^«\n]+«|‹[^›\n]+›")
_BORROWED = re.compile(rf"{FILLER}[{FILLER}\s]*")
_MENTION = re.compile(r"<@!?\d+>|<@&\d+>")
_CHANNEL = re.compile(r"<#\d+>|<id:\w+>")
_TOKEN = re.compile(r"<a?:\w+:\d+>|<t:-?\d+(?::\w)?>|</[^>\n]+:\d+>")
_BLOCKS = re.compile(r"^[ \t]*>>>[ ].*\Z|```.*?(?:```|\Z)|^[ \t]*>[ ][^\n]*$", re.MULTILINE | re.DOTALL)

_SENTENCES = re.compile(r"[^.!?…\n]+[.!?…]*")
_TAG = re.compile(r",\s*(?:\w+\s*){1,2}\?+$")

# Without a question mark only these open a question beyond doubt: "when I was young …" tells something.
_QUESTION_WORDS = (
    "who", "whose", "what", "what's", "whats", "who's", "where", "where's", "why", "how", "how's", "which",
    "is", "are", "was", "were", "does", "did", "has", "do you", "do we", "do they", "do i", "am i", "have we",
    "wer", "was", "wem", "wen", "wessen", "warum", "wieso", "weshalb", "wie", "wo", "wohin", "woher", "wann",
    "welche", "welcher", "welches", "ist", "sind", "hat", "haben", "gibt es",
    "qui", "pourquoi", "comment", "combien", "quel", "quelle", "quels", "quelles", "qu'est-ce", "est-ce", "c'est quoi",
    "quién", "quiénes", "cuál", "cuáles", "cuánto", "cuántos", "cuántas", "por qué", "dónde", "adónde",
    "кто", "где", "куда", "откуда", "почему", "зачем", "сколько", "какой", "какая", "какое", "какие", "чей", "чья",
)  # fmt: skip
_WANTS_TO_HEAR = (
    "tell me", "tell us", "show me", "show us", "explain", "describe", "list", "summarise", "summarize", "look up",
    "help me", "search for", "find out", "translate", "say",
    "sag mir", "sag uns", "erzähl", "erzähle", "zeig", "zeige", "erklär", "erkläre", "beschreib", "nenn", "nenne",
    "fass zusammen", "hilf mir", "suche",
    "dis-moi", "dites-moi", "raconte", "racontez", "montre", "explique", "décris", "résume", "aide-moi", "cherche",
    "dime", "cuéntame", "muéstrame", "explícame", "explica", "describe", "resume", "ayúdame", "busca",
    "скажи", "расскажи", "покажи", "объясни", "опиши", "перечисли", "помоги", "найди",
)  # fmt: skip
_ASKED_TO_TELL = (
    "tell", "say", "explain", "show", "describe", "list", "help", "find", "summarise", "summarize", "look", "translate",
    "mir sagen", "sagen", "mir", "uns", "erklären", "zeigen", "me dire", "dire", "nous dire", "m'expliquer",
    "expliquer", "montrer", "m'aider", "aider", "decirme", "decir", "decirnos", "explicarme", "explicar", "ayudarme",
    "сказать", "мне сказать", "рассказать", "объяснить", "показать", "помочь",
)  # fmt: skip

_THIS = r"(?:this|that|it|das|dies|es|ca|cela|le|la|esto|eso|lo|это|этого)"
_FOR_INFORMATION = (
    "just so you know", "so you know", "for the record", "for your information", "fyi", "for later", "for next time",
    "nur damit du es weißt", "damit du es weißt", "nur dass du es weißt", "zur info", "für später",
    "pour info", "pour information", "pour que tu le saches", "pour plus tard",
    "para que lo sepas", "para que sepas", "para más tarde", "para luego",
    "чтобы ты знал", "чтобы ты знала", "на будущее", "к сведению", "для справки",
)  # fmt: skip
_LONGEST_LEAD = 80
_LONGEST_TAIL = 120
_MOST_TAILS = 3
_SHORT_POINTING = 6
_POINTS = word_set("this that it these those das dies dieses es ça cela ceci esto eso это этого")


def own_sentence(body: str) -> str:
    """The person's own words, with marks where they quoted, mentioned somebody or named a channel."""
    own = _BORROWED.sub(f" {QUOTED} ", hide_borrowed(body))
    own = _IN_MARKS.sub(f" {QUOTED} ", own)
    own = _CHANNEL.sub(PLACE, _MENTION.sub(MEMBER, own))
    return " ".join(_TOKEN.sub(" ", own).split())


def says_something(sentence: str) -> bool:
    """Whether there is anything in it beside quotations and names."""
    return bool(words_in(sentence.replace(MEMBER, " ").replace(PLACE, " ")))


def asks_by_form(sentence: str) -> bool:
    """Whether an own sentence is a question by its form alone, in each of its parts."""
    parts = [part.strip() for part in _SENTENCES.findall(fold(sentence)) if words_in(part)]
    return bool(parts) and all(_is_question(part) for part in parts)


def _is_question(part: str) -> bool:
    if _opening(_WANTS_TO_HEAR).match(part):
        return True
    wished = _wish().match(part)
    if wished is not None:  # "could you …?" may want anything
        return _leading(_ASKED_TO_TELL).match(part, wished.end()) is not None
    opens = _opening(_QUESTION_WORDS).match(part) is not None
    if part.endswith("?"):
        return opens or not _TAG.search(part)  # "My sister is called Mira, ok?" tells something
    return opens and "," not in _behind_courtesies(part)


def _behind_courtesies(part: str) -> str:
    courtesies = _opening(()).match(part)
    return part if courtesies is None else part[courtesies.end() :]


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


def words_to_forget(body: str) -> str:
    """What is to be forgotten: the sentence itself, which is searched for by meaning."""
    return _BLOCKS.sub(" ", body).strip()


def _within(text: str) -> tuple[int, int]:
    """What is left when courtesies and the words that ask for it to be kept are taken off both ends."""
    start, end = 0, len(text)
    lead = _lead().match(text, 0, _LONGEST_LEAD)
    if lead is not None:
        start = lead.end()
    else:
        courtesy = _opening(()).match(text)
        start = courtesy.end() if courtesy is not None else 0
    for _ in range(_MOST_TAILS):
        tail = _tail().search(text, max(start, end - _LONGEST_TAIL), end)
        if tail is None or not words_in(text[start : tail.start()]):
            break
        end = tail.start()
    return start, end


def _phrases(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(phrase for language in Language for phrase in getattr(PHRASES[language], name)))


@cache
def _courtesy() -> str:
    return rf"(?:{any_of(_phrases('greetings') + _phrases('polite'))}{NOT_INSIDE_A_WORD}{GAP})*"


@cache
def _opening(words: tuple[str, ...]) -> re.Pattern[str]:
    """Behind courtesies, one of these words; with none of them, the courtesies alone."""
    behind = rf"{any_of(words)}{NOT_INSIDE_A_WORD}" if words else ""
    return re.compile(rf"{GAP}[¿¡]?{_courtesy()}{behind}")


@cache
def _leading(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"{GAP}{_courtesy()}{any_of(words)}{NOT_INSIDE_A_WORD}")


@cache
def _wish() -> re.Pattern[str]:
    return _opening(_phrases("asking"))


@cache
def _keeping() -> str:
    """The verbs of remembering; where something stands inside them, only "this" may."""
    verbs = dict.fromkeys(_phrases("remember") + _phrases("remember_asked"))
    whole = any_of(tuple(verb for verb in verbs if "…" not in verb))
    around = [verb.split("…") for verb in verbs if "…" in verb]
    pointing = "|".join(rf"{spelling(one.strip())}\s*{_THIS}\s+{spelling(other.strip())}" for one, other in around)
    return rf"(?:{pointing}|{whole}(?:\s+{_THIS})?)"


@cache
def _lead() -> re.Pattern[str]:
    """Up to a verb and its conjunction: "it would be great if you could remember that …"."""
    that = [spelling(word) for word in _phrases("conjunctions") if not word.endswith("'")]
    verb = any_of(tuple(one for one in _phrases("remember") + _phrases("remember_asked") if "…" not in one))
    return re.compile(rf"[^\n]*?(?<!\w){verb}[\s,]+(?:{'|'.join(that)})[\s,:]+(?=\S)")


@cache
def _tail() -> re.Pattern[str]:
    """A clause of its own at the end: "…, please keep that in mind", "…, just so you know"."""
    asking = rf"(?:{any_of(_phrases('asking'))}{NOT_INSIDE_A_WORD}{GAP})?"
    ending = rf"(?:{_keeping()}|{any_of(_FOR_INFORMATION)})"
    courtesy = any_of(_phrases("polite"))
    return re.compile(
        rf"(?:[\s]*[,;:.!?\n–—-]+\s*){_courtesy()}{asking}{_courtesy()}"
        rf"(?:{ending}|{courtesy}){NOT_INSIDE_A_WORD}(?:[\s,]+{courtesy}{NOT_INSIDE_A_WORD})*[\s.!?]*$"
    )
