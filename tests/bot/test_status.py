"""A health report as people read it in Discord."""

from datetime import UTC, datetime

from bot.commands.status import describe
from memory.core.clock import SetClock
from memory.health import Health, HealthReport


def report() -> HealthReport:
    clock = SetClock(datetime(2026, 1, 1, tzinfo=UTC))
    health = Health("bot", clock)
    health.part("gateway").active(guilds=12, latency_ms=1234)
    health.part("messages").failing("Memory cannot be reached; 3 events were missed.")
    health.part("replies")
    return HealthReport((health.snapshot(),), clock.now())


def test_every_part_has_its_line() -> None:
    lines = describe(report(), with_issues=True, with_counts=True).splitlines()
    assert lines[0] == "🔴 **Innkeeper is failing**"
    assert "🟢 gateway: active since <t:1767225600:R>, guilds 12, latency ms 1,234" in lines
    assert "🔴 messages: failing since <t:1767225600:R>" in lines
    assert "  ↳ Memory cannot be reached; 3 events were missed." in lines
    assert "🟡 replies: initializing since <t:1767225600:R>" in lines


def test_issues_are_for_those_who_manage_the_server() -> None:
    assert "missed" not in describe(report(), with_issues=False, with_counts=True)


def test_counts_of_all_servers_together_are_for_nobody_where_there_are_several() -> None:
    lines = describe(report(), with_issues=True, with_counts=False).splitlines()
    assert "🟢 gateway: active since <t:1767225600:R>" in lines


def test_what_concerns_another_server_alone_is_not_told_any_closer() -> None:
    health = Health("bot", SetClock(datetime(2026, 1, 1, tzinfo=UTC)))
    health.part("log").failing("The log of server 7 cannot be written.", "The log of server 8 cannot be written.")
    told = describe(HealthReport((health.snapshot(),), datetime.now(UTC)), with_issues=True, with_counts=False, here=7)
    assert "server 7" in told
    assert "server 8" not in told
    assert "  ↳ Another server has a problem of its own." in told
