"""Says which files that come with messages may be read, and as what, by what Discord says of them alone; and makes text
of their bytes, in whatever encoding their author's program writes."""

import codecs
import re

from memory.core.values import Attachment, ReadAs
from memory.language.detect import word_set

MOST_TEXT = 1024 * 1024
MOST_PDF = 10 * 1024 * 1024
MOST_PICTURE = 8 * 1024 * 1024
MOST_VOICE = 10 * 1024 * 1024
"""Bytes of a file. What is larger is left alone."""
LONGEST_VOICE = 20 * 60.0
PICTURES = ("image/png", "image/jpeg", "image/webp")
PDF = "application/pdf"
_TEXT_TYPES = word_set(
    "application/json application/xml application/javascript application/x-sh application/x-yaml application/yaml"
    " application/toml application/sql application/x-subrip application/x-httpd-php"
)
_TEXT_NAMES = word_set(
    "txt text md markdown rst adoc tex org log csv tsv json jsonl ndjson xml html htm css js mjs ts tsx jsx py pyi rb"
    " rs go java kt swift c h cc cpp hpp cs php pl lua r sql sh bash zsh ps1 bat cmd ini cfg conf toml yaml yml"
    " properties env gd diff patch srt vtt ics vcf ass"
)


def type_of(attachment: Attachment) -> str:
    """Give a file's type without parameters, in small letters."""
    return (attachment.content_type or "").partition(";")[0].strip().lower()


def is_pdf(attachment: Attachment) -> bool:
    return type_of(attachment) == PDF or (not attachment.content_type and _ending(attachment) == "pdf")


def readable_as(attachment: Attachment) -> ReadAs | None:
    """Say as what a file may be read; None: it is none of these, too large, or not Discord's to hand out."""
    kind, size = type_of(attachment), attachment.size
    if attachment.attachment_id is None or size <= 0:
        return None
    if attachment.seconds is not None and kind.startswith("audio/"):
        return ReadAs.VOICE if size <= MOST_VOICE and attachment.seconds <= LONGEST_VOICE else None
    if kind in PICTURES:
        return ReadAs.PICTURE if size <= MOST_PICTURE else None
    if is_pdf(attachment):
        return ReadAs.TEXT if size <= MOST_PDF else None
    if kind.startswith(("image/", "video/", "audio/", "font/")) and _ending(attachment) not in ("ts", "ics"):
        return None
    is_text = kind.startswith("text/") or kind in _TEXT_TYPES or _ending(attachment) in _TEXT_NAMES
    return ReadAs.TEXT if is_text and size <= MOST_TEXT else None


def _ending(attachment: Attachment) -> str:
    return attachment.name.rpartition(".")[2].strip().lower()


# The text of a file.


MOST_KEPT = 64 * 1024
"""Bytes of a file's text, as UTF-8."""
LOOKED_AT = 4_096
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ZEROS = 0.08
"""Of every other byte, in UTF-16 of any language that has spaces and line ends."""
_CONTROLS = 0.02
"""A share of control characters that no text has."""
_MOSTLY = 0.6
"""Of its letters, that are beyond ASCII: then they are no accents but another script."""
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_LETTERS = re.compile(rb"[A-Za-z]")
_HIGH_LETTERS = re.compile(rb"[\xc0-\xff]")


class NotText(Exception):
    """Says that the bytes are no text."""


def decoded(data: bytes) -> str:
    """Decode the text of a file and bound it. Raises `NotText`."""
    text = _decoded(data)
    looked_at = text[:LOOKED_AT]
    if len(_CONTROL.findall(looked_at)) > _CONTROLS * len(looked_at):
        raise NotText
    return bounded(tidy(text))


def tidy(text: str) -> str:
    """Give every line the same end, and take out what no reader sees."""
    return _CONTROL.sub("", _LINE_ENDS.sub("\n", text)).strip("\n")


def bounded(text: str, most: int = MOST_KEPT) -> str:
    """Cut a text after so many bytes, never within a character."""
    return text if len(text) * 4 <= most else text.encode("utf-8", "ignore")[:most].decode("utf-8", "ignore")


def _decoded(data: bytes) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    head = data[:LOOKED_AT]
    if len(head) >= 2 and b"\0" in head:
        for at, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if head[at::2].count(0) > _ZEROS * len(head) / 2 and head[1 - at :: 2].count(0) == 0:
                return data.decode(encoding, "replace")
        raise NotText
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        high, plain = len(_HIGH_LETTERS.findall(head)), len(_LETTERS.findall(head))
        return data.decode("cp1251" if high > _MOSTLY * (high + plain) else "cp1252", "replace")
