"""How values look on Discord's wire: ids are strings, times ISO 8601, bodies JSON."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import orjson

JsonObject = dict[str, object]
Json = Mapping[str, object] | Sequence[object] | str | int | float | bool | None


def encode(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)


def snowflake_or_none(value: int | None) -> str | None:
    return None if value is None else str(value)


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def iso_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)
