"""Where a model's citations stood: kept beside its words, and never at the price of what makes these harmless."""

from hypothesis import given
from hypothesis import strategies as st

from ai_clients.base import Prompt
from ai_clients.errors import BadReply
from memory.answers.prompt import Asked
from memory.answers.read_reply import REPLY_LIMIT, cited_by, read
from memory.core.values import Source

FIRST, SECOND = Source(1, 2), Source(1, 3)
ASKED = Asked(Prompt("Rules.", "A link: https://example.org/map"), "fence", (FIRST, SECOND))
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
