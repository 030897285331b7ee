"""How far dates and numbers reach that somebody sends, to the API and to the panel alike.

A calendar holds more than any time zone can be reckoned in, and a number field holds infinity.
"""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime

FIRST_DAY, LAST_DAY = date(2015, 1, 1), date(2080, 1, 1)
LARGEST = 2**53


def within(day: date) -> date:
    """The nearest day on which something may have been said: before Discord nothing was."""
    return min(max(day, FIRST_DAY), LAST_DAY)


def _within_reach(moment: AwareDatetime) -> AwareDatetime:
    if not FIRST_DAY <= moment.date() <= LAST_DAY:
        raise ValueError(f"a time from {FIRST_DAY.year} to {LAST_DAY.year - 1} is expected")
    return moment


Day = Annotated[date, AfterValidator(within)]
Moment = Annotated[AwareDatetime, AfterValidator(_within_reach)]


def whole(typed: float | None) -> int:
    """What stands in a number field, nothing being zero; what is no number at all is far below every other."""
    return int(min(LARGEST, max(-LARGEST, typed or 0)))
