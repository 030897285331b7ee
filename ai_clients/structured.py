"""Finds the JSON in a reply that was asked for it in words: between prose or fences, or with a comma too many."""

import json
import re
from collections.abc import Iterator
from functools import cache

from pydantic import BaseModel, ValidationError

from ai_clients.base import ShapeT
from ai_clients.errors import BadReply

MOST_STARTS = 50
"""So many brackets are tried as the beginning of JSON. A reply made of brackets would take for ever otherwise."""

FENCE = "```json\n"
"""The line break stands in no JSON: a fence within a text that is quoted in it is none."""

_OPENING = re.compile(r"[{\[]")
# A string that is never closed goes on to the end, so that nobody begins again at each of its quotes.
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*[}\]])', re.DOTALL)
_DECODER = json.JSONDecoder()


def in_words(shape: type[BaseModel]) -> str:
    """Ask for a reply of this shape, from a model that takes no schema."""
    return (
        "Reply with one JSON value and nothing else: no introduction, no explanation, no code fence. "
        f"It has to fit this JSON schema:\n{schema_of(shape)}"
    )


@cache
def schema_of(shape: type[BaseModel]) -> str:
    """Write the schema of a shape, once: pydantic works it out anew each time it is asked."""
    return json.dumps(shape.model_json_schema(), ensure_ascii=False, separators=(",", ":"))


def read_as(text: str, shape: type[ShapeT], model: str) -> ShapeT:
    """Read the first JSON in the text that has the shape. Raises `BadReply`, without a word of the text."""
    problem = "without any JSON"
    for value in _values(text):
        try:
            return shape.model_validate(value)
        except ValidationError as error:
            problem = f"of another shape ({error.error_count()} errors)"
        except RecursionError:
            problem = "nested too deep"
    raise BadReply(f"{model} gave a reply {problem}")


def _values(text: str) -> Iterator[object]:
    """Find whatever can be read as JSON: objects and lists, as it stands first; in the last fence before all else."""
    fenced = text.rpartition(FENCE)[2]
    for source in dict.fromkeys((fenced, text, _without_trailing_commas(text))):
        position = 0
        for _ in range(MOST_STARTS):
            found = _OPENING.search(source, position)
            if found is None:
                break
            try:
                value, position = _DECODER.raw_decode(source, found.start())
            except (ValueError, RecursionError):
                position = found.start() + 1
            else:
                yield value


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: "" if match[0] == "," else match[0], text)
