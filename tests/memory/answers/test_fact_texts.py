"""What is kept of facts is right, and not kept for long."""

from hypothesis import given
from hypothesis import strategies as st

from memory.answers import prompt as fact_texts
from memory.answers.prompt import KEPT_SECONDS, MOST, TEXT_LIMIT, FactTexts
from memory.language.stems import topics
from memory.models.prompt_data import as_text


@given(st.text(max_size=1_200))
def test_it_says_the_same_each_time(text: str) -> None:
    kept = FactTexts()
    for _ in range(2):
        assert kept.topics(text) == topics(text)
        assert kept.as_data(text) == as_text(text, TEXT_LIMIT)


def test_what_was_forgotten_goes_within_ten_minutes() -> None:
    moment = 0.0
    kept = FactTexts(lambda: moment)
    kept.topics("<@1> likes chess")
    kept.as_data("<@1> likes chess")
    kept.renew()
    assert kept._topics
    assert kept._data
    moment = KEPT_SECONDS + 1
    kept.renew()
    assert not kept._topics
    assert not kept._data


def test_there_are_never_many() -> None:
    kept = FactTexts()
    for number in range(fact_texts.MOST + 2):
        kept.as_data(f"fact {number}")
    kept.renew()
    assert len(kept._data) <= MOST
