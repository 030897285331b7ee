"""Parts what a model says from what it thinks aloud before it.

Servers that know their model hand its reasoning out in a field of its own. Others leave it in the text, between
`<think>` and `</think>`; and where the opening mark belongs to the model's template, only the closing one is seen.
"""

import re
from typing import Final

_OPENED: Final = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
# On a line of its own: an answer may speak of the mark in the middle of a sentence.
_CLOSED_ONLY: Final = re.compile(r"(?:^|\n)\s*</(?:think|thinking|thought|reasoning)>[ \t]*(?:\n|$)", re.IGNORECASE)


def said(text: str) -> str:
    """What of the text is meant for whoever asked; nothing where it is all thinking."""
    if opened := _OPENED.match(text):
        closed = re.compile(f"</{opened[1]}>", re.IGNORECASE).search(text, opened.end()) if "</" in text else None
        return text[closed.end() :].strip() if closed else ""
    closed = _CLOSED_ONLY.search(text) if "</" in text else None
    return text[closed.end() :].strip() if closed else text.strip()
