"""Every setting is declared once, and takes nothing that the commands would not take."""

from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.log_values import Consent
from memory.language.detect import Language
from memory.policy.setting_fields import FieldKind, NotASetting, SettingField, SettingValue
from memory.policy.settings import FIELDS, GROUPS, GuildSettings, Policy, changed, read

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SEEN = {"channels": frozenset({1, 2}), "roles": frozenset({7, 8})}
NOTED_BY_THE_HOUSE = {"set_up_at", "digest.since"}
PARTS = ("", "_help", "_none", "_value")


def leaves(value: Any, path: str = "") -> set[str]:  # noqa: ANN401 - settings of any kind
    found = set()
    for one in fields(value):
        inner, name = getattr(value, one.name), f"{path}{one.name}"
        found |= leaves(inner, f"{name}.") if is_dataclass(inner) else {name}
    return found


def after(settings: GuildSettings, **wanted: object) -> GuildSettings:
    return changed(settings, {name.replace("__", "."): value for name, value in wanted.items()}, NOW, **SEEN)


def shown(_kind: FieldKind, chosen: Any) -> str:  # noqa: ANN401 - a list of texts
    return " ".join(chosen)


def test_every_setting_is_declared_and_stands_in_one_group() -> None:
    assert leaves(GuildSettings()) == FIELDS.keys() | NOTED_BY_THE_HOUSE
    assert sorted(one.path for group in GROUPS.values() for one in group) == sorted(FIELDS)


@pytest.mark.parametrize("language", Language)
def test_each_has_a_label_of_its_own_and_a_line_of_help(language: Language) -> None:
    labels = [one.label(language) for one in FIELDS.values()]
    assert len(set(labels)) == len(labels)
    assert [label for label in labels if len(label.split()) > 3 and language is Language.EN] == []
    assert [one.path for one in FIELDS.values() if not 1 <= len(one.help(language)) <= 100] == []


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("one", FIELDS.values(), ids=lambda one: one.path)
def test_every_value_has_words(one: SettingField, language: Language) -> None:
    of_kind: dict[FieldKind, list[SettingValue]] = {
        FieldKind.SWITCH: [True, False],
        FieldKind.NUMBER: [one.most],
        FieldKind.CHANNELS: [["1", "2"]],
        FieldKind.TEXT: ["wit"],
        FieldKind.DAYS: [[0, 4]],
    }
    values = [one.of(GuildSettings()), *one.choices, *of_kind.get(one.kind, ())]
    assert all(one.said(language, value, shown) for value in values)
    assert one.bounds(language)


def test_what_was_read_can_be_written() -> None:
    settings = after(
        GuildSettings(),
        time_zone="berlin",
        speaks_in=["2", "1"],
        log__consent="opt_in",
        log__retention_days=0,
        log__excluded_roles=[8],
        answers__persona=" like\na  pirate\x00",
        summaries__policy="levels",
        digest__channel_id="2",
        digest__weekdays=[4, 0, 4],
    )
    assert settings.time_zone == "Europe/Berlin"
    assert settings.speaks_in == {1, 2}
    assert (settings.log.consent, settings.log.retention_days) == (Consent.OPT_IN, None)
    assert settings.answers.persona == "like a pirate\ufffd"
    assert settings.summaries.policy is Policy.LEVELS
    assert (settings.digest.weekdays, settings.digest.since) == ((0, 4), NOW.timestamp())
    assert changed(settings, read(settings), NOW, **SEEN) == settings


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("answers.exchanges", 9, "a whole number from 1 to 8"),
        ("answers.exchanges", True, "a whole number from 1 to 8"),
        ("answers.exchanges", None, "a whole number from 1 to 8"),
        ("answers.hourly_questions", -1, "from 0 to 1000, or null for none"),
        ("second_look", 1, "true or false"),
        ("log.consent", "never", "one of opt_out, opt_in"),
        ("summaries.policy", "history", "one of rolling, levels"),
        ("answers.persona", "x" * 601, "at most 600 characters"),
        ("time_zone", "Narnia", "time zone"),
        ("digest.weekdays", [], "a list of weekdays"),
        ("digest.weekdays", [7], "a list of weekdays"),
        ("digest.weekdays", [[]], "a list of weekdays"),
        ("digest.channel_id", "9", "channel that you can see"),
        ("hall_role_id", "1", "role that you can see"),
        ("speaks_in", ["1", "x"], "a list of ids of channels"),
        ("speaks_in", "1", "a list of ids of channels"),
        ("set_up_at", None, "one of time_zone"),
    ],
)
def test_what_cannot_be_is_named_with_its_range(path: str, value: object, expected: str) -> None:
    with pytest.raises(NotASetting, match=rf"^{path}: .*{expected}"):
        changed(GuildSettings(), {path: value}, NOW, **SEEN)


def test_what_one_cannot_see_stays_and_cannot_be_chosen() -> None:
    hidden = changed(GuildSettings(), {"log.excluded_channels": ["9", "1"]}, NOW, channels={1, 9}, roles=())
    assert after(hidden, log__excluded_channels=["2"]).log.excluded_channels == {2, 9}
    assert after(hidden, log__excluded_channels=["9"]).log.excluded_channels == {9}
    with pytest.raises(NotASetting):
        after(GuildSettings(), log__excluded_channels=["9"])


def test_there_is_always_something_to_sum_up() -> None:
    assert after(GuildSettings(), summaries__kept=40).summaries.first == 41


@given(st.sampled_from(sorted(FIELDS)), st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_anything_else_is_refused(path: str, value: object) -> None:
    with suppress(NotASetting):
        settings = changed(GuildSettings(), {path: value}, NOW, **SEEN)
        assert changed(settings, read(settings), NOW, **SEEN) == settings
