"""Is a message for us, and what does it want?

For us are a message that starts with one of our names, also behind "hey" or "ok"; one that ends with ", Bot" and is a
command, a question or a kind word; one that mentions us (or our own role) anywhere; and a reply to us. A name counts
only where it stands as a word of its own: "Bot, …", "bot: …", "Bot …", but not "bots", "Bot-net", "bot.exe" or "Bot's".
Followed directly by a word that speaks about us ("bot is broken again", "Bot and I …") it is chatter, unless the
message ends as a question; a comma makes it an address again. Quotes, code and links are not the author's voice: no
name, mention or verb in them counts. Characters that cannot be seen count as absent when names and verbs are compared,
while a mention must be exactly what Discord itself takes for one.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memory.commands.grammar import is_chatter, read_command
from memory.commands.small_talk import chatter_in
from memory.core.values import Intent
from memory.language.detect import Language, language_of, word_set
from memory.language.text import FILLER, fold, fold_in_place, hide_borrowed, is_invisible, is_word_character, words_in


@dataclass(frozen=True, slots=True)
class Addressed:
    """A message for us, read."""

    intent: Intent
    body: str
    """What is said after name and verb, as typed; other people's mentions stay, ours are gone."""
    language: Language | None
    """Known from the verb or from the small words; None where nothing tells."""
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
_CALL = re.compile(r"(?P<word>\w{1,12})[\s,!.]{1,3}")
_CALLS = word_set(
    "hey hi hello heya hiya ok okay yo oi dear ey hallo moin servus na jo lieber salut bonjour hé coucou dis wesh hola"
    " oye привет эй ей слушай ок уважаемый дорогой"
)
"""What people say before a name to call somebody."""
_AT_THE_END = re.compile(r",\s{0,3}(?P<name>\w{1,32})(?P<marks>\W{0,12})$")


def address(
    text: str,
    *,
    names: Sequence[str],
    bot_id: int,
    bot_role_ids: Collection[int] = (),
    reply_to_us: bool = False,
) -> Addressed | None:
    """What the message wants of us, or None if it is not for us."""
    hidden = hide_borrowed(text)
    ours = _our_mentions(hidden, bot_id, bot_role_ids)
    spoken, hidden = _without(text, ours), _without(hidden, ours)
    name_end, paused = _name_at_start(hidden, names)
    if name_end is None and not ours and not reply_to_us:
        return _named_otherwise(spoken, hidden, names)
    start = name_end or 0
    said = fold_in_place(hidden[start:])
    wish = read_command(said, 0, len(said.text))
    if wish is not None:
        body = spoken[start:][said.origin(wish.start) : said.origin(wish.end)] if wish.start < wish.end else ""
        return Addressed(wish.intent, body.strip(), wish.language, wish.everywhere)
    if not (ours or reply_to_us or paused) and is_chatter(said.text):
        return None
    # What is quoted before our name belongs to the question.
    quoted = "".join(line for line in spoken[:start].splitlines(keepends=True) if line.startswith(">"))
    body = quoted + _question(spoken[start:])
    return Addressed(Intent.QUESTION, body, language_of(said.text.replace(FILLER, " ")))


def _named_otherwise(spoken: str, hidden: str, names: Sequence[str]) -> Addressed | None:
    """ "Hey Bot, …" as if it began with the name; "…, Bot" where what stands before it is for nobody else."""
    written = hidden.lower()
    if not any(name.split()[0].lower() in written for name in names):
        return None  # behind a call and at the end a name counts only as it is written
    called = _CALL.match(hidden, _opening_end(hidden))
    if called is not None and fold(called["word"]) in _CALLS:
        name_end, _ = _name_at_start(hidden[called.end() :], names)
        if name_end is not None:
            start = called.end() + name_end
            if words_in(hidden[start:]):
                return address(f"{names[0]} {spoken[start:]}", names=names, bot_id=0)
            return Addressed(Intent.QUESTION, called["word"], language_of(called["word"]))
    ended = _AT_THE_END.search(hidden, max(len(hidden) - _LOOK_AHEAD, 0))
    if ended is None or fold(ended["name"]) not in {fold(name) for name in names}:
        return None
    said = fold_in_place(hidden[: ended.start()])
    wish = read_command(said, 0, len(said.text))
    whole = spoken[: ended.start()] + ("?" if "?" in ended["marks"] else "")
    if wish is None and "?" not in ended["marks"] and chatter_in(whole) is None:
        return None
    return address(f"{names[0]}, {whole}", names=names, bot_id=0)


def _question(typed: str) -> str:
    """Pauses before a question go; the marks that end it stay."""
    return typed.lstrip(_PAUSES).rstrip() or typed.strip(_PAUSES.replace("?", "").replace("؟", ""))


def _our_mentions(hidden: str, bot_id: int, bot_role_ids: Collection[int]) -> list[tuple[int, int]]:
    ours = [rf"<@!?{bot_id}>", *(rf"<@&{role_id}>" for role_id in bot_role_ids)]
    return [found.span() for found in re.finditer("|".join(ours), hidden)]


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with these stretches taken out, each leaving at most one space behind."""
    kept: list[str] = []
    place = 0
    for start, end in spans:
        kept.append(text[place:start])
        place = end + 1 if text[end : end + 1] == " " and (start == 0 or text[start - 1].isspace()) else end
    kept.append(text[place:])
    return "".join(kept)


def _name_at_start(hidden: str, names: Sequence[str]) -> tuple[int | None, bool]:
    """Where a name that opens the text ends, and whether a pause such as a comma follows.

    Every message passes here, so no more is folded than a name and what directly follows it need.
    """
    start = _opening_end(hidden)
    folded_names = sorted({fold(name, keep_accents=True).strip() for name in names} - {""}, key=len, reverse=True)
    if not folded_names:
        return None, False
    folded = fold_in_place(hidden[start:], keep_accents=True, at_most=len(folded_names[0]) + _LOOK_AHEAD)
    for name in folded_names:
        if not folded.text.startswith(name):
            continue
        behind = folded.text[len(name) :]
        end = len(name) + len(behind) - len(behind.lstrip(_CLOSING))
        if _is_word_end(folded.text, end):
            rest = folded.text[end:].lstrip(" \t")
            return start + folded.origin_of_end(end), not rest or rest[0] in _PAUSES + FILLER
    return None, False


def _opening_end(hidden: str) -> int:
    """Where the author's own words begin: behind quoted lines, decoration and what cannot be seen."""
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
