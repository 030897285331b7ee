"""A week of chat at the press of a button."""

from datetime import UTC, datetime, timedelta

import pytest

from local_guild.sample_week import SCRIPT, moment_of, read_script


@pytest.mark.parametrize(
    "now", [timedelta(), timedelta(minutes=3), timedelta(hours=8, minutes=30), timedelta(hours=23)]
)
def test_today_is_never_in_the_future(now: timedelta) -> None:
    script = read_script(SCRIPT.read_text("utf-8"))
    moment = datetime(2026, 3, 18, tzinfo=UTC) + now
    latest = max(line.at for line in script if line.days_ago == 0)
    moments = [moment_of(line, moment, latest) for line in script]
    assert moments == sorted(moments)
    assert moments[-1] <= moment
    assert moment - moments[0] > timedelta(days=5)
