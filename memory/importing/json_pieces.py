"""JSON in pieces: where a value ends in bytes that are only a part of a file, and what it is."""

import json
import re

import orjson

# Up to and including the next bracket outside of strings. Possessive, so that a cut string costs one look and no more.
_TO_NEXT_BRACKET = re.compile(rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+[{}\[\]]', re.DOTALL)
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
# A number or a word is known to have ended only by what follows it.
_WORD = re.compile(rb'[^\s,\]}"{\[]++(?=[\s,\]}])')
_SPACE = re.compile(rb"[ \t\r\n]*+")

_OPENING = frozenset(b"{[")
_CLOSING = frozenset(b"}]")


def skip_space(data: bytes, start: int) -> int:
    found = _SPACE.match(data, start)
    return found.end() if found else start


def end_of_value(data: bytes, start: int) -> int | None:
    """Just behind the value that begins at `start`, or None if these bytes do not hold all of it."""
    if data[start] in _OPENING:
        return _end_of_brackets(data, start)
    if data[start] in _CLOSING:
        return start + 1  # no value, and no reason to wait for more of it
    found = (_STRING if data[start] == ord('"') else _WORD).match(data, start)
    return found.end() if found else None


def _end_of_brackets(data: bytes, start: int) -> int | None:
    depth, end = 0, start
    # Not `finditer`: behind a string that is cut off it would look for brackets inside of it.
    while (found := _TO_NEXT_BRACKET.match(data, end)) is not None:
        end = found.end()
        depth += 1 if data[end - 1] in _OPENING else -1
        if not depth:
            return end
    return None


def read_json(data: bytes) -> object:
    """The value, or ValueError. Half of a surrogate pair and broken UTF-8 are for `repair`, not for refusal."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        value: object = json.loads(data.decode("utf-8", "replace"), strict=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value
