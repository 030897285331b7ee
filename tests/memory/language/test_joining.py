"""Texts put together sentence by sentence."""

from hypothesis import given
from hypothesis import strategies as st

from memory.language.sentences import Joined, in_turns, sentences_of

TEXTS = st.lists(
    st.text(max_size=120) | st.sampled_from(["One. Two. Three.", "Two! Four.", "“Five.” “Six”"]), max_size=5
)


def test_sentences_are_taken_while_they_fit_and_said_once() -> None:
    joined = Joined(20, said=["Known."])
    assert [joined.add(one) for one in ("First one.", "first ONE", "known", "much too long for it", "Last.")] == [
        True,
        False,
        False,
        False,
        True,
    ]
    assert joined.text == "First one. Last."
    assert joined.sentences == ("First one.", "Last.")


def test_what_stands_beside_a_sentence_needs_room_as_well() -> None:
    assert Joined(10).add("12345678", beside=2)
    assert not Joined(10).add("12345678", beside=3)


def test_every_text_has_its_turn() -> None:
    assert in_turns(["A one. A two. A three.", "B one. B two."], 27) == "A one. A two. B one. B two."
    assert in_turns(["A one. A two.", "B one."], 13) == "A one. B one."
    assert in_turns([], 100) == ""


@given(TEXTS, st.integers(0, 200))
def test_nothing_is_cut_and_nothing_is_too_long(texts: list[str], limit: int) -> None:
    known = {sentence.text for text in texts for sentence in sentences_of(text)}
    kept = in_turns(texts, limit)
    assert len(kept) <= limit
    assert kept == "" or any(kept.startswith(sentence) for sentence in known)
