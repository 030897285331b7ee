"""What may be stored, as a table, and what is true of the rule whatever the policy."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.log_values import Consent
from memory.core.values import Answered, AuthorKind, Message
from memory.policy.rules import Policy, Verdict, may_store
from tests.memory.log.logbook import NOON

SAID = Message(1, 10, 1000, 7, AuthorKind.PERSON, "hello", NOON)
IN_THREAD = replace(SAID, channel_id=11, parent_id=10)
OF_A_BOT = replace(SAID, author_kind=AuthorKind.BOT)
OUR_OWN = replace(SAID, author_kind=AuthorKind.SELF)
OUR_ANSWER = replace(OUR_OWN, author_id=9, answers=Answered(author_id=7, message_id=900))
OF_A_WEBHOOK = replace(SAID, author_kind=AuthorKind.WEBHOOK)
OF_ZED = replace(OF_A_WEBHOOK, speaker="  ZÉD ")

ONLY_WITH_CONSENT = Policy(consent=Consent.OPT_IN)
SEVEN_SAID_NO = Policy(opted_out=frozenset({7}))


@pytest.mark.parametrize(
    ("message", "policy", "verdict"),
    [
        (SAID, Policy(), Verdict.ADMITTED),
        (SAID, SEVEN_SAID_NO, Verdict.NO_CONSENT),
        (SAID, Policy(opted_out=frozenset({8})), Verdict.ADMITTED),
        (SAID, ONLY_WITH_CONSENT, Verdict.NO_CONSENT),
        (SAID, replace(ONLY_WITH_CONSENT, opted_in=frozenset({7})), Verdict.ADMITTED),
        (OF_A_BOT, ONLY_WITH_CONSENT, Verdict.ADMITTED),
        (OUR_OWN, ONLY_WITH_CONSENT, Verdict.ADMITTED),
        (OF_A_WEBHOOK, SEVEN_SAID_NO, Verdict.ADMITTED),
        (OF_ZED, Policy(left_out=frozenset({"zed"})), Verdict.LEFT_OUT),
        (OF_ZED, Policy(left_out=frozenset({"ned"})), Verdict.ADMITTED),
        (SAID, Policy(left_out=frozenset({"zed"})), Verdict.ADMITTED),
        (SAID, Policy(excluded_channels=frozenset({10})), Verdict.EXCLUDED_CHANNEL),
        (IN_THREAD, Policy(excluded_channels=frozenset({10})), Verdict.EXCLUDED_CHANNEL),
        (IN_THREAD, Policy(excluded_channels=frozenset({11})), Verdict.EXCLUDED_CHANNEL),
        (OUR_OWN, Policy(excluded_channels=frozenset({10})), Verdict.EXCLUDED_CHANNEL),
        (SAID, Policy(excluded_channels=frozenset({11})), Verdict.ADMITTED),
        (SAID, Policy(excluded_authors=frozenset({7})), Verdict.EXCLUDED_ROLE),
        (OF_A_BOT, Policy(excluded_authors=frozenset({7})), Verdict.EXCLUDED_ROLE),
        (SAID, Policy(erased_through={7: 1000}), Verdict.ERASED),
        (SAID, Policy(erased_through={7: 999}), Verdict.ADMITTED),
        (SAID, Policy(erased_through={8: 2000}), Verdict.ADMITTED),
        (OF_A_BOT, Policy(erased_through={7: 1000}), Verdict.ERASED),
        (OUR_ANSWER, Policy(), Verdict.ADMITTED),
        (OUR_ANSWER, SEVEN_SAID_NO, Verdict.ANSWER),
        (OUR_ANSWER, Policy(opted_out=frozenset({9})), Verdict.ADMITTED),
        (OUR_ANSWER, ONLY_WITH_CONSENT, Verdict.ANSWER),
        (OUR_ANSWER, replace(ONLY_WITH_CONSENT, opted_in=frozenset({7})), Verdict.ADMITTED),
        (OUR_ANSWER, Policy(excluded_authors=frozenset({7})), Verdict.ANSWER),
        (OUR_ANSWER, Policy(erased_through={7: 900}), Verdict.ANSWER),
        (OUR_ANSWER, Policy(erased_through={7: 899}), Verdict.ADMITTED),
        (SAID, Policy(keep_since=NOON), Verdict.ADMITTED),
        (SAID, Policy(keep_since=NOON + timedelta(microseconds=1)), Verdict.TOO_OLD),
    ],
)
def test_may_it_be_stored(message: Message, policy: Policy, verdict: Verdict) -> None:
    assert may_store(message, policy) is verdict
