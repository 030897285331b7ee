"""Finds the JSON in a reply that was asked for it in words: in a fence, between prose, or with a comma too many."""

import json
import re
from collections.abc import Iterator

from pydantic import BaseModel, ValidationError

from ai_clients.base import ShapeT
from ai_clients.errors import BadReply

MOST_STARTS = 50
"""So many brackets are tried as the beginning of JSON. A reply made of brackets would take for ever otherwise."""

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_DECODER = json.JSONDecoder()


def in_words(shape: type[BaseModel]) -> str:
    """Asks for a reply of this shape, from a model that takes no schema."""
    schema = json.dumps(shape.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return (
        "Reply with one JSON value and nothing else: no introduction, no explanation, no code fence. "
        f"It has to fit this JSON schema:\n{schema}"
    )


def read_as(text: str, shape: type[ShapeT], model: str) -> ShapeT:
    """The first JSON in the text that has the shape. Raises `BadReply`, without a word of the text."""
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
    """Whatever can be read as JSON, the likeliest first."""
    for part in (text, *_FENCED.findall(text)):
        try:
            yield json.loads(part)
        except (ValueError, RecursionError):
            continue
    position = starts = 0
    while starts < MOST_STARTS and (found := re.compile(r"[{\[]").search(text, position)):
        starts += 1
        position = found.start()
        value, end = _value_at(text, position)
        if end > position:
            yield value
        position = max(end, position + 1)


def _value_at(text: str, start: int) -> tuple[object, int]:
    """The value that begins here and where it ends; the same place where none does."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        end = _closing(text, start)
    try:
        return json.loads(_without_trailing_commas(text[start:end])), end
    except (ValueError, RecursionError):
        return None, start


def _closing(text: str, start: int) -> int:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text, start):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]":
            depth -= 1
        if depth == 0:
            return match.end()
    return start


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: "" if match[0] == "," else match[0], text)
