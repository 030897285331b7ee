"""Pages of what is held: they fit where Discord puts them, in every language, and link only what can be opened."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.facts.memory_command import OWN_WORDS
from bot.facts.memory_pages import (
    ENTRIES_ON_A_PAGE,
    LABELS,
    NOBODY,
    ON_A_PAGE,
    Act,
    ChooseFact,
    Chosen,
    Sheet,
    TurnAudit,
    TurnMemory,
    audit_page,
    memory_page,
    one_fact,
)
from bot.words import Notice, Voice
from memory.audit import AuditEntry, AuditPage, Deed
from memory.core.values import Fact, Standing
from memory.facts.values import IN_LISTS, FactPage, ListedFact
from memory.language.detect import Language
from memory.places.view import Audience
from memory.policy.authority import Action

LARGEST = 2**63 - 1
ME, BOB, ROOM, ELSEWHERE = LARGEST - 1, LARGEST - 2, LARGEST - 3, LARGEST - 4
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
READER = Audience(LARGEST, ROOM, frozenset((ROOM,)), viewer_id=ME)
FACT = Fact(LARGEST, 1, ME, BOB, ROOM, 77, f"<@{ME}> likes tea", Standing.HEARSAY, NOON)
HELD = ListedFact(FACT, has_message=True, may=IN_LISTS)
EN = Voice(Language.EN, "Innkeeper")
LINK = "discord.com/channels"


def page_of(*held: ListedFact, voice: Voice = EN, reader: Audience = READER) -> str:
    return memory_page(FactPage(held, 100), Sheet(ME, 3), reader, voice)


@pytest.mark.parametrize("withheld", [True, False])
def test_the_fullest_page_fits_into_one_message(voice: Voice, *, withheld: bool) -> None:
    fact = replace(FACT, text="word *mark* " * 500, standing=Standing.CONFIRMED, valid_to=NOON, withheld=withheld)
    page = page_of(*[ListedFact(fact, has_message=True, may=IN_LISTS)] * ON_A_PAGE, voice=voice)
    assert len(page) <= 2000
    assert page.count(LINK) == ON_A_PAGE
    assert str(3 * ON_A_PAGE + ON_A_PAGE) in page
    assert len(one_fact(ListedFact(fact, has_message=True), READER, voice)) <= 2000


def test_the_fullest_log_fits_into_one_message(voice: Voice) -> None:
    for deed in Deed:
        entries = [AuditEntry(NOON, ME, deed, BOB, None, 100_000)] * ENTRIES_ON_A_PAGE
        for subject_id in (NOBODY, BOB):
            assert len(audit_page(AuditPage(tuple(entries), 10**6), Sheet(subject_id, 9), voice)) <= 2000


def test_labels_and_titles_are_no_longer_than_discord_takes(voice: Voice) -> None:
    labels = [voice.say(label) for label in LABELS.values()]
    assert [label for label in labels if len(label) > 80] == []
    assert max(len(voice.say(one)) for one in (Notice.CORRECT_TITLE, Notice.CORRECT_FIELD)) <= 45


def test_ids_are_no_longer_than_discord_takes() -> None:
    sheet = Sheet(LARGEST, 999_999)
    chosen = Chosen(sheet, LARGEST, 2**32 - 1)
    buttons = [TurnMemory("b", *sheet.values), TurnAudit("o", *sheet.values), ChooseFact(*chosen.values)]
    for button in (*buttons, *(Act.of(action, chosen, "x") for action in Action)):
        assert len(button.custom_id) <= 100
    assert len(":".join((OWN_WORDS, *chosen.values))) <= 100
    assert Chosen.read(*chosen.values) == chosen


def test_only_what_can_be_opened_is_linked() -> None:
    assert page_of(HELD).count(LINK) == 1
    assert LINK not in page_of(replace(HELD, has_message=False))
    elsewhere = replace(HELD, fact=replace(FACT, teller_id=ME, channel_id=ELSEWHERE, everywhere=True))
    page = page_of(elsewhere)
    assert LINK not in page
    assert str(ELSEWHERE) not in page
    assert "everyone may hear" in page
