"""What is held and what went, as text: every kind has its words, in every language, and fits one message."""

from datetime import UTC, datetime, timedelta

from bot.privacy.holdings import (
    describe_channel,
    describe_gone_of_channel,
    describe_gone_of_guild,
    describe_gone_of_me,
    describe_mine,
    describe_opted_out,
)
from bot.replies.split import LIMIT
from bot.words import Voice
from memory.audit import AuditEntry, AuditPage, Deed
from memory.core.log_values import Consent, Kind, erasure_report
from memory.language.detect import Language
from memory.policy.settings import LogSettings
from memory.privacy.export_queries import Amount, HeldOnMember, Inventory, Stock

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MANY = 1_234_567
FULL = Inventory(
    tuple(Amount(kind, MANY, NOW - timedelta(days=900), NOW, withheld=1_000, over=2_000) for kind in Stock)
)
EVERYTHING = erasure_report(dict.fromkeys(Kind, MANY))
LOOKS = AuditPage(tuple(AuditEntry(NOW, 10**18, deed, 10**18 + 1, None, 900) for deed in list(Deed)[:3]), 77)
CHANNEL = "<#1560674970769401267>"
EN = Voice(Language.EN, "Innkeeper")


def test_everything_at_once_still_fits_one_message(voice: Voice) -> None:
    log = LogSettings(consent=Consent.OPT_IN, retention_days=3650, summary_days=3650, fact_days=3650)
    mine = HeldOnMember(FULL, LOOKS, is_stored=False, decided_at=NOW, erased_at=NOW)
    for words in (
        describe_mine(mine, log, voice),
        describe_channel(FULL, CHANNEL, log, voice),
        describe_gone_of_me(EVERYTHING, voice),
        describe_opted_out(EVERYTHING, voice),
        describe_gone_of_channel(EVERYTHING, CHANNEL, voice),
        describe_gone_of_guild(EVERYTHING, "x" * 100, voice),
    ):
        assert len(words) <= LIMIT
        assert "{" not in words


OWN = {Kind.MESSAGES: 3, Kind.FACTS_TOLD: 1, Kind.NAMES: 2}
OF_OTHERS: dict[Kind, int] = dict.fromkeys((Kind.REPLIES, Kind.FACTS_ABOUT, Kind.SUMMARIES, Kind.RECEIPTS), 7)


def test_a_members_receipt_counts_what_was_theirs_and_never_what_was_told_of_them() -> None:
    said = describe_gone_of_me(erasure_report(OWN | OF_OTHERS), EN)
    head, *lines, rest = said.splitlines()
    assert (head, lines) == ("Deleted.", ["• your messages: 3", "• facts you told me: 1", "• names: 2"])
    assert rest.startswith("What others told me about you is gone too")
    assert said == describe_gone_of_me(erasure_report(OWN), EN)
    assert describe_gone_of_me(erasure_report(OF_OTHERS), EN) == describe_gone_of_me(erasure_report({}), EN)
