"""Contexts before the leak test: a careless model that merges whatever it is given, and who hears of it afterwards.

What it makes is read through the surfaces of `insides`, and stands in the prompts of answers, which repeat it.
"""

import html
import json
import re

_TAG = re.compile(r"<[^<>]*>")


def is_of_a_context(data: str) -> bool:
    """Whether a prompt asks for a history or for a merge."""
    return data.startswith("<days-") or "<today-" in data or "<history-" in data


def merged(data: str) -> str:
    """All that it says, as one text."""
    text = html.unescape(" ".join(_TAG.sub(" ", data).split()))
    return json.dumps({"summary" if data.startswith("<days-") else "context": text})
