"""A health report as people read it in Discord."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.innkeeper import describe, how_it_is
from bot.words.voice import Voice
from memory.core.clock import SetClock
from memory.health import Health, HealthReport
from memory.language.detect import Language

HERE, NEXT_DOOR = 100, 200
VOICE = Voice(Language.EN, "Bot")


def report() -> HealthReport:
    clock = SetClock(datetime(2026, 1, 1, tzinfo=UTC))
    health = Health("bot", clock)
    health.part("gateway").active(guilds=12, latency_ms=1234)
    health.part("messages").failing("The database at db.example.net does not answer.")
    health.part("replies").limited(in_guilds={NEXT_DOOR: "In <#4711> the bot may not write."})
    health.part("recall")
    return HealthReport((health.snapshot(),), clock.now())


def test_a_server_is_told_what_is_wrong_in_it_alone_and_of_no_machine() -> None:
    assert "  ↳ In <#4711> the bot may not write." in describe(report(), NEXT_DOOR, with_counts=True).splitlines()
    assert "• In <#4711> the bot may not write." in how_it_is(report(), VOICE, NEXT_DOOR).splitlines()
    for manages in (HERE, NEXT_DOOR):
        for said in (describe(report(), manages, with_counts=True), how_it_is(report(), VOICE, manages)):
            assert "db.example.net" not in said
            assert ("4711" in said) == (manages == NEXT_DOOR)


def test_when_all_is_well_one_sentence_says_so_in_every_language() -> None:
    clock = SetClock(datetime(2026, 1, 1, tzinfo=UTC))
    health = Health("bot", clock)
    health.part("gateway").active()
    well = HealthReport((health.snapshot(),), clock.now())
    said = {language: how_it_is(well, replace(VOICE, language=language), HERE) for language in Language}
    assert said[Language.EN] == how_it_is(well, VOICE) == "🟢 Everything's working."
    assert said[Language.RU] == "🟢 Всё работает."
    assert len({*said.values()}) == len(Language)


def test_somebody_who_manages_learns_of_what_is_wrong_though_all_parts_work() -> None:
    clock = SetClock(datetime(2026, 1, 1, tzinfo=UTC))
    health = Health("bot", clock)
    health.part("replies").limited(in_guilds={HERE: "In <#4711> the bot may not write."})
    limited = HealthReport((health.snapshot(),), clock.now())
    assert how_it_is(limited, VOICE, HERE) == "🟡 Some things aren't working.\n• In <#4711> the bot may not write."
    assert how_it_is(limited, VOICE, NEXT_DOOR) == how_it_is(limited, VOICE) == "🟢 Everything's working."
