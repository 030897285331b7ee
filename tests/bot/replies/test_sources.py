"""Links below an answer."""

import pytest

from bot.replies.split import with_sources
from memory.answers.quote import MOST_LISTED
from memory.core.outcomes import Answer, Citation
from memory.core.values import Source
from memory.places.view import Audience

AUDIENCE = Audience(1, 2, frozenset((2, 3)))
TEA, CAKE, CLOSED = Source(2, 10), Source(3, 11), Source(4, 12)
LINKS = "\n-# ↪ [1](https://discord.com/channels/1/2/10) · [2](https://discord.com/channels/1/3/11)"
DAYS = "• Tea [↪](https://discord.com/channels/1/2/10)\n• Rum\n• Beer [↪](https://discord.com/channels/1/3/11)"


def cited(text: str, *citations: tuple[int, Source], at_lines: bool = False) -> Answer:
    made = tuple(Citation(place, source) for place, source in citations)
    sources = tuple(dict.fromkeys(source for _, source in citations))
    return Answer(text, sources, citations=made, links_at_lines=at_lines)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(Answer("Tea.", (TEA, CAKE, TEA)), f"Tea.{LINKS}", id="once each"),
        pytest.param(Answer("Tea.", (CLOSED,)), "Tea.", id="none that readers could not open"),
        (cited("Tea, and cake.", (3, TEA), (13, CAKE), (13, TEA)), f"Tea [1], and cake [1, 2].{LINKS}"),
        pytest.param(
            cited("Tea(http://x.y) yes", (3, TEA), (19, CAKE)),
            f"Tea(http://x.y) yes [2]{LINKS}",
            id="a number never becomes the text of another link",
        ),
        (cited("• Tea\n• Rum\n• Beer", (5, TEA), (11, CLOSED), (18, CAKE), at_lines=True), DAYS),
    ],
)
def test_the_text_says_what_comes_from_where(answer: Answer, said: str) -> None:
    assert with_sources(answer, AUDIENCE) == said


def test_every_line_of_the_longest_list_has_its_link_and_more_there_are_never() -> None:
    for count, linked in ((MOST_LISTED, MOST_LISTED), (50, 20)):
        answer = Answer("Tea.", tuple(Source(2, number) for number in range(count)))
        assert with_sources(answer, AUDIENCE).count("https://") == linked
