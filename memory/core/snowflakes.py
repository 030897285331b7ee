"""Discord's ids tell when they were made, so that a moment can be compared with them."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
_STEP = timedelta(milliseconds=1)


def last_id_of(moment: datetime) -> int:
    """The highest id that can have been given out up to that moment."""
    return (((moment - _EPOCH) // _STEP + 1) << 22) - 1
