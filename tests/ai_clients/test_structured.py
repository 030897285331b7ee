"""JSON is found in a wordy reply, and nothing of the reply is repeated in an error."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, RootModel

from ai_clients.errors import BadReply
from ai_clients.structured import in_words, read_as


class Tea(BaseModel):
    leaves: list[str]
    minutes: int


class Anything(RootModel[dict[str, object]]):
    pass


TEA = Tea(leaves=["assam, strong", "}{"], minutes=4)
PLAIN = TEA.model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"\n  {PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"Sure, here it is:\n```\n{PLAIN}\n```\nAnything else?",
        f"Here you are: {PLAIN} I hope this helps :-}}",
        f"With {{braces}} and [brackets] before {PLAIN}",
        'First {"leaves": "of another shape"} and then ' + PLAIN,
        '{"leaves": ["assam, strong", "}{",], "minutes": 4,}',
        'Well: {"leaves": ["assam, strong", "}{"  ,\n ], "minutes": 4 , }.',
        f"<think>Perhaps {{}} or [1, 2]?</think>{PLAIN}",
        f'He said "{{" and then {PLAIN}',
        "As told [3]. " * 60 + f"```json\n{PLAIN}\n```",
    ],
)
def test_it_is_found(text: str) -> None:
    assert read_as(text, Tea, "m") == TEA


@pytest.mark.parametrize("text", ["", "tea", "{", "[[[[", '{"leaves": ["tea"', '{"minutes": 4}', "null", '"tea"'])
def test_what_is_not_there_is_a_bad_reply(text: str) -> None:
    with pytest.raises(BadReply) as raised:
        read_as(text, Tea, "m")
    assert "tea" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 500_000,
        "{" * 500_000,
        '{"a":' * 200_000,
        "[{" * 250_000 + "}]" * 250_000,
        '"' * 500_001,
        "[," * 500_000,
        "[" * 49 + '"a",' * 200_000,
        "```" + "\n" * 500_000,
        "```\n" * 200_000,
        "[" + '\\"' * 300_000,
        "[" + ",   " * 200_000,
        "[1]" * 200_000,
    ],
    ids=range(12),
)
def test_a_reply_made_of_brackets_takes_no_time_to_speak_of(text: str) -> None:
    began = time.process_time()
    with pytest.raises(BadReply):
        read_as(text, Tea, "m")
    assert time.process_time() - began < 5  # tried from each bracket to its end, it would be hours


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=9), JSON, max_size=4), st.text("abc \n.:'", max_size=20), st.booleans())
def test_any_object_survives_prose_around_it(value: dict[str, object], prose: str, is_fenced: bool) -> None:
    written = json.dumps(value, ensure_ascii=False)
    text = f"{prose}\n```json\n{written}\n```\n{prose}" if is_fenced else f"{prose}{written}{prose}"
    assert read_as(text, Anything, "m").root == value


@given(st.text())
def test_any_text_is_a_value_or_a_bad_reply(text: str) -> None:
    try:
        read_as(text, Tea, "m")
    except BadReply:
        return


def test_the_words_hold_the_schema() -> None:
    words = in_words(Tea)
    assert json.loads(words[words.index("\n") :]) == Tea.model_json_schema()
