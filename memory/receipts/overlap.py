"""What of all that a reply was made from it repeats, judged by the words that they share.

Whatever a reply cites, it repeats. Beyond that a telling word decides: one that is not in the question already, and
that not every text has. Numbers and names tell the most. In doubt something counts as repeated: better to take back a
reply too many than to leave one standing whose source is gone.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

from memory.core.provenance import Evidence, Read
from memory.language.detect import word_set
from memory.language.stems import WordForms, stem, topics
from memory.language.text import fold

# What is said of anything at all, in replies as in what they are made from.
_SAID_OF_ANYTHING = frozenset(
    stem(word)
    for word in word_set(
        "know knows known say says said told tell tells mention mentioned remember remembers thing things someone"
        " something anything nothing day days today yesterday tomorrow time date server also there think"
        " weiß weiss wissen sagt sagte gesagt erzählt erzählte erwähnt erinnere ding dinge jemand tag tage heute"
        " gestern morgen zeit uhr"
        " sais sait savoir dit disait raconté mentionné souviens chose choses quelqu rien jour jours aujourd hui hier"
        " demain temps heure"
        " sé sabe saber dice dijo dicho contó mencionó recuerdo cosa cosas alguien nada día días hoy ayer mañana"
        " tiempo hora"
        " знаю знает знать сказал сказала сказали говорит говорил рассказал рассказала упомянул помню вещь кто-то"
        " что-то ничего день дни сегодня вчера завтра время час"
    )
)

# Written without spaces, every character nearly a word: two of them tell something.
_DENSE = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f\uac00-\ud7af]+")
# Written without spaces, in letters: it takes about a syllable or two.
_SPELT = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
_SPELT_LENGTH = 4
_GRAMMAR = re.compile("^[\u3041-\u309f]+$|[的了是不在有我你他她它们這这那和也就都说說吗嗎呢吧]")
"""Endings and particles of Japanese, and what no Chinese sentence can do without."""


@dataclass(frozen=True, slots=True)
class Input:
    """Something a reply could be made from: what it says, and what it goes back to."""

    text: str
    read: Read
    people: str = ""
    """The names of those whose words it is, or whom it is about: in the text they tell nothing."""
    parts: tuple["Input", ...] = field(default=(), repr=False)
    """Of a text that was merged: what it was merged from, as far as that is known."""


def quoted_by(reply: str, question: str, inputs: Sequence[Input], cited: Iterable[int] = ()) -> Evidence:
    """`cited` are places of inputs that the reply points to itself."""
    used = Read.of_all(one.read for one in inputs)
    asked = telling_words(question)
    echo = WordForms(telling_words(reply) - asked)
    pointed_to = frozenset(cited)
    quoted: list[Read] = []
    explained: set[str] = set()
    for place, one in enumerate(inputs):
        if one.parts:
            continue
        words = _words_of(one)
        shared = _repeated(words, echo)
        if shared or place in pointed_to or _answers_who(one, words, asked, echo):
            quoted.append(one.read)
            explained |= shared
    # What somebody's very words explain need not come from a text that was made of them as well.
    quoted += [read for one in inputs if one.parts for read in _repeated_parts(one, echo, explained)]
    if not any(quoted):
        # "Yes, she does": it repeats what the question says, and that stands in these.
        quoted = [one.read for one in inputs if not asked.isdisjoint(telling_words(one.text))]
    return Evidence(used, Read.of_all(quoted))


def telling_words(text: str) -> frozenset[str]:
    """The words that tell something, roughly without their endings; of scripts without spaces, pieces of them."""
    words = {word for word in topics(text) if word not in _SAID_OF_ANYTHING and (len(word) > 1 or word.isdigit())}
    if text.isascii():
        return frozenset(words)
    # Folding takes syllables and voiced kana apart; for these scripts they are put together again.
    whole = unicodedata.normalize("NFC", fold(text))
    words = {word for word in words if not (_DENSE.search(_composed(word)) or _SPELT.search(_composed(word)))}
    for run in _DENSE.findall(whole):
        pieces = [run] if len(run) == 1 else [run[place : place + 2] for place in range(len(run) - 1)]
        words.update(piece for piece in pieces if not _GRAMMAR.search(piece))
    for run in _SPELT.findall(whole):
        places = range(max(len(run) - _SPELT_LENGTH, 0) + 1)
        words.update(run[place : place + _SPELT_LENGTH] for place in places)
    return frozenset(words)


def _repeated(words: Iterable[str], echo: WordForms) -> frozenset[str]:
    """Those of the words that are forms of the reply's."""
    return frozenset(word for word in words if word in echo)


def _words_of(one: Input) -> frozenset[str]:
    return telling_words(one.text) - telling_words(one.people)


def _answers_who(one: Input, words: frozenset[str], asked: frozenset[str], echo: WordForms) -> bool:
    """Asked who likes it, the reply is a name: it repeats what says of them that they do."""
    return not asked.isdisjoint(words) and bool(_repeated(telling_words(one.people), echo))


def _repeated_parts(merged: Input, echo: WordForms, explained: Set[str]) -> list[Read]:
    """Those parts that have the words nothing else explains. If some are in none of them, whoever merged it found
    others: then all."""
    known = WordForms(explained)
    shared = {word for word in _repeated(_words_of(merged), echo) if word not in known}
    unexplained = WordForms(shared)
    repeated: list[Read] = []
    found: set[str] = set()
    for part in merged.parts if shared else ():
        words = _words_of(part)
        in_reply = {word for word in _repeated(words, echo) if word in unexplained}
        if in_reply:
            repeated.append(part.read)
            found |= in_reply
    of_parts = WordForms(found)
    return repeated if all(word in of_parts for word in shared) else [merged.read]


def _composed(word: str) -> str:
    return unicodedata.normalize("NFC", word)
