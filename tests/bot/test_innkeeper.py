"""A health report as people read it in Discord."""

from datetime import UTC, datetime

from bot.innkeeper import describe
from memory.core.clock import SetClock
from memory.health import Health, HealthReport

HERE, NEXT_DOOR = 100, 200


def report() -> HealthReport:
    clock = SetClock(datetime(2026, 1, 1, tzinfo=UTC))
    health = Health("bot", clock)
    health.part("gateway").active(guilds=12, latency_ms=1234)
    health.part("messages").failing("The database at db.example.net does not answer.")
    health.part("replies").limited(in_guilds={NEXT_DOOR: "In <#4711> the bot may not write."})
    health.part("recall")
    return HealthReport((health.snapshot(),), clock.now())


def test_every_part_has_its_line() -> None:
    lines = describe(report(), HERE, with_counts=True).splitlines()
    assert lines[0] == "🔴 **Innkeeper is failing**"
    assert "🟢 gateway: active since <t:1767225600:R>, guilds 12, latency ms 1,234" in lines
    assert "🔴 messages: failing since <t:1767225600:R>" in lines
    assert "🟡 recall: initializing since <t:1767225600:R>" in lines
    assert lines[-1] == "What is wrong stands in the log of whoever runs me."


def test_a_server_is_told_what_is_wrong_in_it_alone_and_of_no_machine() -> None:
    assert "  ↳ In <#4711> the bot may not write." in describe(report(), NEXT_DOOR, with_counts=True).splitlines()
    for manages in (HERE, NEXT_DOOR, None):
        said = describe(report(), manages, with_counts=True)
        assert "db.example.net" not in said
        assert ("4711" in said) == (manages == NEXT_DOOR)


def test_counts_of_all_servers_together_are_for_nobody_where_there_are_several() -> None:
    lines = describe(report(), HERE, with_counts=False).splitlines()
    assert "🟢 gateway: active since <t:1767225600:R>" in lines


def test_who_manages_nothing_sees_whether_it_is_well() -> None:
    assert describe(report(), None, with_counts=True).splitlines() == [
        "🔴 **Innkeeper is failing**",
        "",
        "🔴 **bot**, running since <t:1767225600:R>",
    ]
