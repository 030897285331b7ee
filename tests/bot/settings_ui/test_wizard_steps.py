"""A setup that was overtaken saves what its manager chose, and leaves everything else as the other has it."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.settings_ui.wizard_steps import MOST_CHOSEN, after_choice, carried_over, in_menu
from memory.core.log_values import Consent
from memory.policy.authority import FactRules, ModeratorsMay
from memory.policy.settings import GuildSettings, LogSettings

IDS = st.frozensets(st.integers(1, 6))
LOGS = st.builds(LogSettings, st.sampled_from(Consent), st.none() | st.integers(1, 9), IDS, IDS)
RULES = st.builds(FactRules, st.booleans(), st.sampled_from(ModeratorsMay))
SETTINGS = st.builds(
    GuildSettings, st.sampled_from(["UTC", "Europe/Rome"]), st.none() | st.integers(1, 3), IDS, log=LOGS, facts=RULES
)


@given(SETTINGS, SETTINGS)
def test_who_alone_changed_anything_gets_theirs(stored: GuildSettings, other: GuildSettings) -> None:
    assert carried_over(stored, stored, other) == carried_over(stored, other, stored) == other


@given(SETTINGS, IDS, IDS)
def test_channels_that_two_added_are_both_there(
    stored: GuildSettings, mine: frozenset[int], theirs: frozenset[int]
) -> None:
    both = [replace(stored, speaks_in=stored.speaks_in | added) for added in (mine, theirs)]
    assert carried_over(stored, *both).speaks_in == stored.speaks_in | mine | theirs


@given(st.frozensets(st.integers(1, 60)), st.frozensets(st.integers(1, 60)), st.frozensets(st.integers(1, 60)))
def test_a_menu_never_drops_what_it_could_not_show(
    ids: frozenset[int], here: frozenset[int], chosen: frozenset[int]
) -> None:
    shown = in_menu(ids & here)
    after = after_choice(ids, shown, [str(one) for one in sorted(chosen)])
    assert len(shown) <= MOST_CHOSEN
    assert chosen | (ids - shown) <= after <= ids | chosen
