"""A JSON document that people can read, written as it comes: a head, then lists of rows under their names."""

from collections.abc import Mapping, Sequence
from io import BufferedIOBase

import orjson

_IN_HEAD, _IN_LIST = b"\n    ", b"\n      "


class ExportFile:
    def __init__(self, file: BufferedIOBase) -> None:
        self._file = file
        self._is_first_list = True
        self._rows = 0
        self.size = 0
        """In bytes."""

    def head(self, values: Mapping[str, object]) -> None:
        """Comes first, and once; everything else stands under "held"."""
        self._write(orjson.dumps(values, option=orjson.OPT_INDENT_2).removesuffix(b"\n}") + b',\n  "held": {')

    def begin(self, name: str) -> None:
        self._write((b"" if self._is_first_list else b",") + _IN_HEAD + orjson.dumps(name) + b": [")
        self._is_first_list = False
        self._rows = 0

    def rows(self, rows: Sequence[object]) -> None:
        for row in rows:
            # A line break inside of a text is written as \n, so every real one is of the layout.
            written = orjson.dumps(row, option=orjson.OPT_INDENT_2).replace(b"\n", _IN_LIST)
            self._write((b"," if self._rows else b"") + _IN_LIST + written)
            self._rows += 1

    def end(self) -> None:
        self._write(_IN_HEAD + b"]" if self._rows else b"]")

    def close(self) -> None:
        """The document is complete; the file stays open."""
        self._write(b"\n  }\n}\n")

    def _write(self, piece: bytes) -> None:
        self.size += self._file.write(piece)
