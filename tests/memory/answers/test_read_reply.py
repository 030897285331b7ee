"""Where a model's citations stood: kept beside its words, and never at the price of what makes these harmless."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_clients.base import Prompt
from ai_clients.errors import BadReply
from memory.answers.generate import REPLY_LIMIT, cited_by, read
from memory.answers.prompt import Asked
from memory.core.values import Source
from memory.language.sentences import sentences_of

FIRST, SECOND = Source(1, 2), Source(1, 3)
ASKED = Asked(Prompt("Rules.", "A link: https://example.org/map steam://given/1"), "fence", (FIRST, SECOND))
PIECES = [
    "Tea ", "cake", "[1]", " [2]", "[1, 2]", "[9]", "[", "]", "(", ")", "@every", "one", "<@12>", "https://example.org/map",
    "https://evil.example/", "&#64;", "&#983040;", "\U000f0000", "\u200b", "||", "\n", ". ", "<data-fence>", "1]", " ",
]  # fmt: skip


def test_citations_stand_where_their_words_end() -> None:
    answer = read("Tea [1], with cake [2, 1]. And more.", ASKED)
    assert answer.text == "Tea, with cake. And more."
    assert [(answer.text[: one.at], one.source) for one in answer.citations] == [
        ("Tea", FIRST),
        ("Tea, with cake", SECOND),
        ("Tea, with cake", FIRST),
    ]
    assert answer.sources == (FIRST, SECOND)
    assert cited_by("Tea [1], with cake [2, 1].", ASKED) == [0, 1, 0]


MANY = Asked(Prompt("Rules.", "Data."), "fence", tuple(Source(1, number) for number in range(1, 201)))


@pytest.mark.parametrize(
    ("cites", "numbers"),
    [
        ("[24-25]", [24, 25]),
        ("[24–26]", [24, 25, 26]),
        ("[3, 5]", [3, 5]),
        ("[3,5;7]", [3, 5, 7]),
        ("[3][5]", [3, 5]),
        ("[3] [5]", [3, 5]),
        ("[2, 7-8]", [2, 7, 8]),
        ("[200-9999]", [200]),
        ("[0]", []),
        ("[201]", []),
        ("[9-3]", []),
    ],
)
def test_whatever_way_lines_are_cited_no_number_is_left_in_the_text(cites: str, numbers: list[int]) -> None:
    answer = read(f"Tea {cites}. Cake.", MANY)
    assert answer.text == "Tea. Cake."
    assert [one.source.message_id for one in answer.citations] == numbers
    assert {one.at for one in answer.citations} <= {len("Tea")}


def test_each_sentence_keeps_its_own_citation() -> None:
    """Whatever its number is: [8] is no face."""
    for number in range(1, 201):
        text = f"Tea is ready [{number}]. Cake comes later [{number}, 8]. (It is open until {number}.) Bye."
        assert len(sentences_of(text)) == 4, text
        assert [one.at for one in read(f"Tea [{number}]. Cake [{number}].", MANY).citations] == [3, 9]


@pytest.mark.parametrize(
    ("said", "posted"),
    [
        ("See steam://run/440 now", "See … now"),
        ("See steam://given/1 now", "See … now"),
        ("See [the map](https://evil.example/x) now", "See the map now"),
        ("See [the map](<javascript://evil.example>) now", "See the map now"),
        ("See [the map](https://example.org/map) now", "See [the map](https://example.org/map) now"),
        ("Seeяhttps://evil.example now", "Seeя… now"),
    ],
)
def test_links_that_came_from_no_line_are_taken_out(said: str, posted: str) -> None:
    assert read(said, ASKED).text == posted


def test_a_citation_behind_a_link_leaves_the_link_whole() -> None:
    answer = read("See https://example.org/map [2].", ASKED)
    assert answer.text == "See https://example.org/map."
    assert [one.at for one in answer.citations] == [len("See https://example.org/map")]


def test_a_number_in_the_middle_of_a_call_calls_nobody() -> None:
    answer = read("Hello @every[1]one!", ASKED)
    assert "@everyone" not in answer.text
    assert answer.citations == ()
    assert answer.sources == (FIRST,)


def test_what_is_cut_off_is_not_cited() -> None:
    answer = read(f"Tea [1] {'x' * REPLY_LIMIT} [2]", ASKED)
    assert [one.source for one in answer.citations] == [FIRST]


def test_a_number_that_is_too_long_is_no_citation() -> None:
    assert read(f"Tea [{'9' * 5_000}].", ASKED).sources == ()


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join))
def test_marks_never_change_what_is_said(text: str) -> None:
    try:
        answer = read(text, ASKED)
    except BadReply:
        return
    assert "evil" not in answer.text
    assert "@everyone" not in answer.text
    assert all(0 <= one.at <= len(answer.text) for one in answer.citations)
    assert [one.at for one in answer.citations] == sorted(one.at for one in answer.citations)
    assert {one.source for one in answer.citations} <= set(answer.sources)
