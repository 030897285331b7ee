"""A health report as people read it in Discord."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.innkeeper import describe, how_it_is
from bot.words import Voice
from memory.core.clock import SetClock
from memory.health import Health, HealthReport
from memory.language.detect import Language

HERE, NEXT_DOOR = 100, 200
VOICE = Voice(Language.EN, "Bot")


CLOCK = SetClock(datetime(2026, 1, 1, tzinfo=UTC))


def report_of(health: Health) -> HealthReport:
    return HealthReport((health.snapshot(),), CLOCK.now())


def report() -> HealthReport:
    health = Health("bot", CLOCK)
    health.part("gateway").active(guilds=12, latency_ms=1234)
    health.part("messages").failing("The database at db.example.net does not answer.")
    health.part("replies").limited(in_guilds={NEXT_DOOR: "In <#4711> the bot may not write."})
    health.part("recall")
    return report_of(health)


def test_a_server_is_told_what_is_wrong_in_it_alone_and_of_no_machine() -> None:
    said = describe(report(), NEXT_DOOR, VOICE, with_counts=True)
    assert "  ↳ In <#4711> the bot may not write." in said.splitlines()
    assert "• In <#4711> the bot may not write." in how_it_is(report(), VOICE, NEXT_DOOR).splitlines()
    for manages in (HERE, NEXT_DOOR):
        for said in (describe(report(), manages, VOICE, with_counts=True), how_it_is(report(), VOICE, manages)):
            assert "db.example.net" not in said
            assert ("4711" in said) == (manages == NEXT_DOOR)


def test_when_all_is_well_one_sentence_says_so_in_every_language() -> None:
    health = Health("bot", CLOCK)
    health.part("gateway").active()
    well = report_of(health)
    said = {language: how_it_is(well, replace(VOICE, language=language), HERE) for language in Language}
    assert said[Language.EN] == how_it_is(well, VOICE) == "🟢 Everything's working."
    assert said[Language.RU] == "🟢 Всё работает."
    assert len({*said.values()}) == len(Language)


def test_a_manager_is_told_what_does_not_work_since_when_and_who_can_mend_it() -> None:
    said = how_it_is(report(), VOICE, HERE)
    assert said.splitlines() == [
        "🔴 Not working since <t:1767225600:f>: Storage.",
        "The person who runs me can fix it; my log says what's wrong.",
    ]
    assert "<t:" not in how_it_is(report(), VOICE), "to others even a time would tell that something was kept"


def test_details_stand_by_area_with_problems_first_and_counters_last() -> None:
    assert describe(report(), NEXT_DOOR, VOICE, with_counts=True).splitlines()[1:] == [
        "**Discord**",
        "🟡 replies: working since <t:1767225600:f>",
        "  ↳ In <#4711> the bot may not write.",
        "🟢 gateway",
        "**Storage**",
        "🔴 messages: not working since <t:1767225600:f>",
        "**Answers**",
        "🟡 recall: starting since <t:1767225600:f>",
        "-# gateway: guilds 12, latency ms 1,234",
    ]


def test_a_manager_hears_of_their_own_server_alone_though_all_parts_work() -> None:
    health = Health("bot", CLOCK)
    issues = {HERE: "In <#4711> the bot may not write."}
    health.part("replies").limited("vectors are slow", in_guilds=issues)
    limited = report_of(health)
    here = "🟡 I'm working, but please take a look at this (since <t:1767225600:f>):"
    assert how_it_is(limited, VOICE, HERE) == f"{here}\n• In <#4711> the bot may not write."
    assert how_it_is(limited, VOICE, NEXT_DOOR) == how_it_is(limited, VOICE) == "🟢 Everything's working."
    health.part("replies").failing(in_guilds=issues)
    failing = report_of(health)
    assert how_it_is(failing, VOICE, HERE).startswith("🔴 Not working since")
    assert how_it_is(failing, VOICE, NEXT_DOOR) == "🟢 Everything's working."
    assert "🔴" not in describe(failing, NEXT_DOOR, VOICE, with_counts=True)
