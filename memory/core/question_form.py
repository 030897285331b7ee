"""Whether a sentence is a question by its form alone, in five languages. Careful: in doubt it is not."""

import re

from memory.core.courtesy import behind_courtesies, opening, phrases_of
from memory.core.text import fold, words_in

_SENTENCES = re.compile(r"[^.!?…\n]+[.!?…]*")
_TAG = re.compile(r",\s*+\w++(?:\s++\w++)?+\s*+\?++$")

# Without a question mark only these open a question beyond doubt: "when I was young …", "what I said …" tell something.
_VERBS = (
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "would", "will", "has", "have",
)  # fmt: skip
_QUESTION_WORDS = (
    *(f"{word} {verb}" for word in ("what", "where", "when") for verb in _VERBS),
    "who", "whose", "what's", "whats", "what happened", "what happens", "what about", "what time", "what day",
    "who's", "where's", "when's", "why", "how", "how's", "which",
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
    "sagen", "mir sagen", "uns sagen", "mir erzählen", "mir erklären", "mir zeigen", "mir helfen", "erklären", "zeigen",
    "me dire", "dire", "nous dire", "m'expliquer",
    "expliquer", "montrer", "m'aider", "aider", "decirme", "decir", "decirnos", "explicarme", "explicar", "ayudarme",
    "сказать", "мне сказать", "рассказать", "объяснить", "показать", "помочь",
)  # fmt: skip


def asks_by_form(sentence: str) -> bool:
    """Whether an own sentence is a question by its form alone, in each of its parts."""
    parts = [part.strip() for part in _SENTENCES.findall(fold(sentence)) if words_in(part)]
    return bool(parts) and all(_is_question(part) for part in parts)


def _is_question(part: str) -> bool:
    if opening(_WANTS_TO_HEAR).match(part):
        return True
    wished = opening(phrases_of("asking")).match(part)
    if wished is not None:  # "could you …?" may want anything
        return opening(_ASKED_TO_TELL).match(part, wished.end()) is not None
    opens = opening(_QUESTION_WORDS).match(part) is not None
    if part.endswith("?"):
        return opens or not _TAG.search(part)  # "My sister is called Mira, ok?" tells something
    return opens and "," not in part[behind_courtesies(part) :]
