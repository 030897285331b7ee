"""Tells whether a message is for us, and what it wants.

For us are a message that starts with one of our names, also behind "hey" or "ok"; one that ends with ", Bot" and is a
command, a question or a kind word; a wish, a question about somebody or a kind word that ends so without a comma; kind
words around a name ("good bot"); one in which a later sentence starts with a name and a verb of ours; one that mentions
us (or our own role) anywhere; and a reply to us. A name counts
only where it stands as a word of its own: "Bot, …", "bot: …", "Bot …", but not "bots", "Bot-net", "bot.exe" or "Bot's".
Letters of it may be repeated ("botttt").
Followed directly by a word that speaks about us ("bot is broken again", "Bot and I …") it is chatter, unless the
message ends as a question; a comma makes it an address again. Quotes, code and links are not the author's voice: no
name, mention or verb in them counts. Characters that cannot be seen count as absent when names and verbs are compared,
while a mention must be exactly what Discord itself takes for one.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from memory.commands.grammar import any_of, is_chatter, is_wish, phrases_of, read_command
from memory.commands.phrases import shrunk, squeezed, ways
from memory.commands.small_talk import Kindness, chatter_in, is_kind, order_in, quotations_in, wanted_in
from memory.core.values import Intent
from memory.language.detect import Language, is_foreign, language_of, word_set
from memory.language.sentences import sentences_of
from memory.language.text import (
    FILLER,
    fold,
    fold_in_place,
    hide_borrowed,
    is_invisible,
    is_word_character,
    words_in,
)


@dataclass(frozen=True, slots=True)
class Addressed:
    """Holds a message for us, read."""

    intent: Intent
    body: str
    """What is said after name and verb, as typed; other people's mentions stay, ours are gone."""
    language: Language | None
    """Known from the verb or from the small words, English for what we do not speak; None where nothing tells."""
    everywhere: bool = False
    """What is told may be known everywhere, not only where it is told."""
    is_guess: bool = False
    """No verb says so: a model took it for that."""


# Decoration that may surround a name: emphasis, an opening question mark, an @ that is no mention.
_OPENING = " \t\r\n*_~|¿¡@"
_BORROWED_LINES = re.compile(rf"(?:[ \t\r{FILLER}]*\n)*")
_CLOSING = "*_~|"
_LOOK_AHEAD = 40
_DASHES = "-‐‑–—."
_JOINERS = _DASHES + "'/\\@#&+="
_PAUSES = " \t\r\n,:;!?.…、。،؟-–—"
_CALLS = ways(
    "hey, hi, hello, heya, hiya, ok, okay, yo, oi, dear, ey, hallo, moin, servus, na, jo, lieber, salut, bonjour, hé,"
    " coucou, dis, wesh, hola, oye, привет, эй, ей, слушай, ок, уважаемый, дорогой, fyi, psst, bonsoir, please, bitte,"
    " stp, good (morning|afternoon|evening|day), guten (tag|morgen|abend), buenos días, buenas (tardes|noches),"
    " добрый (день|вечер), доброе утро"
)
"""What people say before a name to call somebody."""
_CALL = re.compile(any_of(_CALLS) + r"[\s,!.]{1,3}")
_COURTESY = any_of(tuple(word for word in phrases_of("polite") if " " not in word))
_END = r"(?:(?P<comma>,)\s{0,3}|(?<=[^\s,])\s{1,3})(?P<name>\w{1,32})"
_AT_THE_END = re.compile(rf"{_END}(?:[,\s]{{1,3}}{_COURTESY})?(?P<marks>\W{{0,12}})$", re.IGNORECASE)
_ABOUT_A_BOT = word_set(
    "the a an this that these my your his her our their some any every no of about with like as for to by from is was"
    " be and or der die das den dem ein eine einen einem mein dein sein ihr unser dieser diesen diesem jeder kein über"
    " von mit wie als für zu ist war und oder le la un une mon ton son notre ce cet chaque de du sur avec comme pour"
    " est et ou el los mi tu su este ese cada del sobre con como para es y о об про от у с как для это этот того мой"
    " твой и или music spam discord telegram chat trading mod moderation other another new"
)
"""Behind these a name is one bot of many, and nobody is called."""
_ARTICLES = word_set("the a an der die das den dem le la les un une el los las una")
_MOST_WORDS_AROUND = 8
_LONGEST_KIND = 90


def address(
    text: str,
    *,
    names: Sequence[str],
    bot_id: int,
    bot_role_ids: Collection[int] = (),
    reply_to_us: bool = False,
) -> Addressed | None:
    """Read what the message wants of us; None if it is not for us."""
    whole = hide_borrowed(text)
    ours = _our_mentions(whole, bot_id, bot_role_ids)
    spoken, hidden = _without(text, ours), _without(whole, ours)
    name_end, paused = _name_at_start(hidden, names)
    later = partial(_named_later, text, whole, ours, names, bot_id, bot_role_ids)
    if name_end is None and not ours and not reply_to_us:
        return _named_otherwise(spoken, hidden, names) or later()
    start = _behind_question_marks(hidden, name_end or 0)
    said = fold_in_place(hidden[start:])
    typed = spoken[start:]
    is_order = order_in(hidden[start:]) is not None
    wish = None if is_order else read_command(said)
    if wish is not None:
        return Addressed(wish.intent, typed[wish.start : wish.end].strip(), wish.language, wish.everywhere)
    if not (ours or reply_to_us or paused or is_order) and is_chatter(said.text):
        return later()
    is_named_first = name_end is not None or any(first <= _opening_end(whole) for first, _ in ours)
    if not is_named_first and (command := later()) is not None:
        return command
    # What is quoted before our name belongs to the question.
    quoted = "".join(line for line in spoken[:start].splitlines(keepends=True) if line.startswith(">"))
    language = _language_to_answer_in(said.text.replace(FILLER, " "))
    return Addressed(Intent.QUESTION, quoted + _question(typed), language)


def _language_to_answer_in(text: str) -> Language | None:
    """Choose the language to answer in; whoever speaks none of ours is answered in English."""
    return language_of(text) or (Language.EN if is_foreign(text) else None)


def _behind_question_marks(hidden: str, start: int) -> int:
    """Find where a text goes on behind question marks: "Bot? Remember …" calls us first."""
    behind = len(hidden) - len(hidden[start:].lstrip("?! "))
    return behind if "?" in hidden[start:behind] and words_in(hidden[behind:]) else start


def _named_otherwise(spoken: str, hidden: str, names: Sequence[str]) -> Addressed | None:
    """Read "Hey Bot, …" as if it began with the name; "…, Bot" where what stands before it is for nobody else."""
    written = hidden.lower()
    if not any(name.split()[0].lower() in written for name in names):
        return None  # behind a call and at the end a name counts only as it is written
    opening = _opening_end(hidden)
    folded = fold_in_place(hidden[opening:], at_most=_LOOK_AHEAD)
    called = _CALL.match(folded.text)
    if called is not None:
        call_end = opening + folded.origin(called.end())
        name_end, _ = _name_at_start(hidden[call_end:], names)
        if name_end is not None:
            start = call_end + name_end
            if words_in(hidden[start:]):
                return address(f"{names[0]} {spoken[start:]}", names=names, bot_id=0)
            call = hidden[opening:call_end].strip(_PAUSES)
            return Addressed(Intent.QUESTION, call, language_of(call))
    return _named_at_the_end(spoken, hidden, names) or _kindly_named(spoken, hidden, names)


def _named_at_the_end(spoken: str, hidden: str, names: Sequence[str]) -> Addressed | None:
    """Read a name at the end: after a comma, or where nobody else can be meant by a wish or a question."""
    ended = _AT_THE_END.search(hidden, max(len(hidden) - _LOOK_AHEAD, 0))
    if ended is None or not _is_name(ended["name"], names):
        return None
    said = fold_in_place(hidden[: ended.start()])
    wish = read_command(said)
    whole = spoken[: ended.start()] + ("?" if "?" in ended["marks"] else "")
    if ended["comma"] is None:
        before = [word.text for word in words_in(said.original)]
        wanted = wanted_in(whole) if len(before) > 2 else None
        asks_for_help = wanted is not None and wanted[0] in (Kindness.HELP, Kindness.MISSED)
        if not before or before[-1] in _ABOUT_A_BOT or (wish is None and not asks_for_help):
            return None
        changes = wish is not None and wish.intent is not Intent.KNOWLEDGE
        if changes and (not is_wish(said.text) or not _ARTICLES.isdisjoint(before[-2:])):
            return None
    elif wish is None and "?" not in ended["marks"] and chatter_in(whole) is None:
        return None
    return address(f"{names[0]}, {whole}", names=names, bot_id=0)


def _kindly_named(spoken: str, hidden: str, names: Sequence[str]) -> Addressed | None:
    """Read kind words around our name and nothing else: "Good bot", "thanks bot, you're the best"."""
    words = words_in(hidden) if len(hidden) <= _LONGEST_KIND else []
    if not 1 < len(words) <= _MOST_WORDS_AROUND:
        return None
    for number, word in enumerate(words):
        if not _is_name(spoken[word.start : word.end], names) or (number and words[number - 1].text in _ABOUT_A_BOT):
            continue
        around = _without(spoken, [(word.start, word.end)])
        if is_kind(around):
            return Addressed(Intent.QUESTION, around.strip(_PAUSES), chatter_in(around))
    return None


def _named_later(
    text: str,
    hidden: str,
    ours: Sequence[tuple[int, int]],
    names: Sequence[str],
    bot_id: int,
    bot_role_ids: Collection[int],
) -> Addressed | None:
    """Read a later sentence that begins with a name and a verb of ours, such as "ok, six. Bot remember …".

    What a colon, a list or quotation marks show is an example for others.
    """
    calls = (*names, *{text[start:end] for start, end in ours})
    heads = tuple(name.split()[0].lower() for name in calls)
    written = hidden.lower()
    if not any(written.find(head, 1) > 0 for head in heads):
        return None
    quotations = quotations_in(text)
    for before, sentence in pairwise(sentences_of(text)):
        start = sentence.start
        if not sentence.text.lower().lstrip(_OPENING).startswith(heads):
            continue
        name_end, _ = _name_at_start(hidden[start:], calls)
        if name_end is None or before.text.endswith(":") or text[before.end : start].strip():
            continue
        if any(first < start < last for first, last in quotations):
            continue
        if read_command(fold_in_place(hidden[start + name_end :])) is None:
            return None
        return address(text[start:], names=names, bot_id=bot_id, bot_role_ids=bot_role_ids)
    return None


def _is_name(word: str, names: Sequence[str]) -> bool:
    return shrunk(word.lower()) in {name.lower() for name in names}


def _question(typed: str) -> str:
    """Strip pauses before a question; the marks that end it stay."""
    return typed.lstrip(_PAUSES).rstrip() or typed.strip(_PAUSES.replace("?", "").replace("؟", ""))


def _our_mentions(hidden: str, bot_id: int, bot_role_ids: Collection[int]) -> list[tuple[int, int]]:
    ours = [rf"<@!?{bot_id}>", *(rf"<@&{role_id}>" for role_id in bot_role_ids)]
    return [found.span() for found in re.finditer("|".join(ours), hidden)]


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Take these stretches out of the text, each leaving at most one space behind."""
    kept: list[str] = []
    place = 0
    for start, end in spans:
        kept.append(text[place:start])
        place = end + 1 if text[end : end + 1] == " " and (start == 0 or text[start - 1].isspace()) else end
    kept.append(text[place:])
    return "".join(kept)


def _name_at_start(hidden: str, names: Sequence[str]) -> tuple[int | None, bool]:
    """Find where a name that opens the text ends, and whether a pause such as a comma follows.

    Every message passes here, so no more is folded than a name and what directly follows it need.
    """
    start = _opening_end(hidden)
    folded_names = sorted({fold(name, keep_accents=True).strip() for name in names} - {""}, key=len, reverse=True)
    if not folded_names:
        return None, False
    folded = fold_in_place(hidden[start:], keep_accents=True, at_most=len(folded_names[0]) + _LOOK_AHEAD)
    end, paused = _name_in(folded.text, folded_names)
    if end is not None:
        return start + folded.origin_of_end(end), paused
    shorter = squeezed(folded)
    end, paused = _name_in(shorter.text, folded_names) if shorter is not folded else (None, False)
    return None if end is None else start + shorter.origin(end), paused


def _name_in(text: str, names: Sequence[str]) -> tuple[int | None, bool]:
    for name in names:
        if not text.startswith(name):
            continue
        behind = text[len(name) :]
        end = len(name) + len(behind) - len(behind.lstrip(_CLOSING))
        if _is_word_end(text, end):
            rest = text[end:].lstrip(" \t")
            return end, not rest or rest[0] in _PAUSES + FILLER
    return None, False


def _opening_end(hidden: str) -> int:
    """Find where the author's own words begin: behind quoted lines, decoration and what cannot be seen."""
    lines = _BORROWED_LINES.match(hidden)
    start = lines.end() if lines is not None else 0
    while start < len(hidden) and (hidden[start] in _OPENING or is_invisible(hidden[start])):
        start += 1
    return start


def _is_word_end(text: str, behind_marks: int) -> bool:
    if behind_marks >= len(text):
        return True
    following, after = text[behind_marks], text[behind_marks + 1 : behind_marks + 2]
    if is_word_character(following):
        return False
    if following not in _JOINERS:
        return True
    # A dash or a full stop joins only what follows at once: "Bot-net", "bot.exe", but "Bot - remember".
    return following in _DASHES and not (after and is_word_character(after))
