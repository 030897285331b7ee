"""Each way in which a model fails has a sentence of its own in every language, and none tells more than it should."""

from datetime import UTC, datetime

import pytest

from ai_clients.errors import (
    BadReply,
    BudgetExhausted,
    KeyRefused,
    ModelError,
    ModelGone,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
)
from memory.answers.gather import Material
from memory.answers.generate import Reason, Why
from memory.answers.quote import Say, without_model
from memory.core.values import AuthorKind, Message
from memory.language.detect import Language
from memory.language.wording import wording

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECRET = "gemini-good said 503 to key AIza-secret"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (RateLimited(SECRET), Why.BUSY),
        (RateLimited(SECRET, 17.5), Why.BUSY),
        (BudgetExhausted(SECRET), Why.SPENT),
        (Unavailable(SECRET), Why.AWAY),
        (TimedOut(SECRET), Why.SLOW),
        (Refused(SECRET), Why.REFUSED),
        (KeyRefused(SECRET), Why.MISCONFIGURED),
        (ModelGone(SECRET), Why.MISCONFIGURED),
        (BadReply(SECRET), Why.UNUSABLE),
        (ModelError(SECRET), Why.AWAY),
    ],
)
def test_each_error_has_its_reason_and_tells_nothing_of_itself(error: ModelError, why: Why) -> None:
    reason = Reason.of(error, NOW)
    assert reason.why is why
    for language in Language:
        assert not set(SECRET.split()) & set(reason.sentence(language).split())


def test_a_budget_says_when_there_is_more() -> None:
    reason = Reason.of(BudgetExhausted("", 3600.0), NOW)
    for language in Language:
        assert reason.sentence(language).endswith(f" (<t:{int(NOW.timestamp()) + 3600}:R>)")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("why", Why)
def test_quotations_are_labelled_with_it_found_or_not(language: Language, why: Why) -> None:
    sentence = Reason(why).sentence(language)
    said = Message(1, 2, 3, 4, AuthorKind.PERSON, "zinnober zinnober", NOW)
    found = without_model(Material("zinnober", language, frozenset(), (), (said,)), why=sentence)
    assert found.text.startswith(f"{wording(language, Say.QUOTING)}\n• <@4>")
    assert found.text.endswith(f"“zinnober zinnober”\n-# {sentence}")
    nothing = without_model(Material("zinnober", language, frozenset(), (), ()), why=sentence)
    assert nothing.text == f"{wording(language, Say.NOTHING_RELEVANT)}\n-# {sentence}"
    assert "{" not in found.text + nothing.text
