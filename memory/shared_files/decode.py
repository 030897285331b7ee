"""Makes text of the bytes of a file, in whatever encoding its author's program writes."""

import codecs
import re

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
    """The bytes are no text."""


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
