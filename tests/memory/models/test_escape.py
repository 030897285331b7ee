"""People's words as data, and a model's words before people: nothing in them stays hidden."""

import html

from hypothesis import given
from hypothesis import strategies as st

from memory.language.text import is_invisible
from memory.models.prompt_data import as_data, calm, one_line

JOINERS = "\u200c\u200d\ufe0e\ufe0f"
DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from(f"aé<@&\u200b\u00ad\ufeff\u3164{JOINERS}{DIRECTIONS}")))


@given(TEXTS)
def test_data_keeps_every_character_but_hidden_ones(text: str) -> None:
    shown = "".join(one for one in text if one in JOINERS or not is_invisible(one))

    assert as_data(text, len(text) + 1) == html.escape(" ".join(shown.split()))


@given(TEXTS)
def test_a_model_hides_nothing(text: str) -> None:
    # The only one that is ours stands between "@" and a call of everybody.
    said = calm(text).replace("@\u200b", "@")

    assert not any(is_invisible(one) and one not in JOINERS for one in said)


@given(TEXTS)
def test_no_quotation_turns_our_line_around(text: str) -> None:
    assert not set(one_line(text, 500)) & set(DIRECTIONS)
