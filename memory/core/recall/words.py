"""The words of a text as recall compares them: the same for what was said and for what is asked.

Case, accents, compatibility forms and invisible characters do not matter. Where a script has no spaces, every two
neighbouring characters are taken for a word: whatever is asked is found, at the cost of some that is not meant.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from memory.core.model import Message

MOST_WORDS = 2_000
"""Of one message. More is a file that somebody pasted."""
LONGEST_WORD = 40

_OF_LINKS = frozenset(("http", "https", "www"))
_PLAIN_WORD = re.compile("[a-z0-9]+")

# й is a letter of its own, not an и with an accent: the endings of Russian words depend on it.
_ACCENTS = re.compile("(?<!и)[\u0300-\u036f]+")
# Vowel signs of Hebrew and Arabic, which are hardly ever written, and the stroke that lengthens Arabic words.
_POINTS = re.compile("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+")

_BASIC_PLANE = range(0x80, 0x10000)
_MARKS = "".join(chr(code) for code in _BASIC_PLANE if unicodedata.category(chr(code)) in ("Mn", "Mc"))
_INVISIBLE = re.compile(f"[{''.join(chr(code) for code in _BASIC_PLANE if unicodedata.category(chr(code)) == 'Cf')}]+")
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")

# Thai, Lao, Burmese, Khmer; kana, Chinese characters, Korean syllables.
_WITHOUT_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003134f"
)
_RUN = re.compile(f"[{_WITHOUT_SPACES}]+|[^{_WITHOUT_SPACES}]+")
_HAS_RUN = re.compile(f"[{_WITHOUT_SPACES}]")


def text_of(message: Message) -> str:
    """All that a reader sees of a message, its text first."""
    if not (message.embeds or message.attachments or message.forwarded or message.poll or message.stickers):
        return message.text
    parts = [message.text, *message.forwarded, *message.embeds]
    if message.poll is not None:
        parts.append(message.poll)
    for attachment in message.attachments:
        parts += (attachment.name, attachment.description or "")
    parts += message.stickers
    return "\n".join(part for part in parts if part)


def words_of(text: str) -> list[str]:
    """In the order in which they stand there."""
    words = _PLAIN_WORD.findall(text.lower()) if text.isascii() else list(_words_of_any_script(text))
    return [word[:LONGEST_WORD] for word in words[:MOST_WORDS] if word not in _OF_LINKS]


def _words_of_any_script(text: str) -> Iterator[str]:
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)).casefold())
    folded = unicodedata.normalize("NFC", _POINTS.sub("", _ACCENTS.sub("", apart)))
    for word in _WORD.findall(folded):
        if _HAS_RUN.search(word) is None:
            yield word
            continue
        for run in _RUN.findall(word):
            if _HAS_RUN.match(run) is None or len(run) == 1:
                yield run
            else:
                yield from map("".join, pairwise(run))
