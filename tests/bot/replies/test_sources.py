"""Links below an answer."""

from bot.replies.split import with_sources
from memory.answers.quote import MOST_LISTED
from memory.core.outcomes import Answer, Citation
from memory.core.values import Source
from memory.places.view import Audience

AUDIENCE = Audience(1, 2, frozenset((2, 3)))


def test_sources_become_links_once_each() -> None:
    answer = Answer("Tea.", (Source(2, 10), Source(3, 11), Source(2, 10)))
    assert with_sources(answer, AUDIENCE) == (
        "Tea.\n-# ↪ [1](https://discord.com/channels/1/2/10) · [2](https://discord.com/channels/1/3/11)"
    )


def test_what_readers_could_not_open_is_not_linked() -> None:
    assert with_sources(Answer("Tea.", (Source(4, 10),)), AUDIENCE) == "Tea."


def test_every_line_of_the_longest_list_has_its_link_and_more_there_are_never() -> None:
    lines = Answer("Tea.", tuple(Source(2, number) for number in range(MOST_LISTED)))
    assert with_sources(lines, AUDIENCE).count("https://") == MOST_LISTED
    many = Answer("Tea.", tuple(Source(2, number) for number in range(50)))
    assert with_sources(many, AUDIENCE).count("https://") == 20


def test_the_text_says_by_numbers_what_comes_from_where() -> None:
    cited = (Citation(3, Source(2, 10)), Citation(13, Source(3, 11)), Citation(13, Source(2, 10)))
    answer = Answer("Tea, and cake.", (Source(2, 10), Source(3, 11)), citations=cited)
    text, links = with_sources(answer, AUDIENCE).split("\n")
    assert text == "Tea [1], and cake [1, 2]."
    assert links.count("https://") == 2


def test_a_number_never_becomes_the_text_of_another_link() -> None:
    cited = (Citation(3, Source(2, 10)), Citation(19, Source(3, 11)))
    answer = Answer("Tea(http://x.y) yes", (Source(2, 10), Source(3, 11)), citations=cited)
    assert with_sources(answer, AUDIENCE).startswith("Tea(http://x.y) yes [2]\n")


def test_a_list_of_days_has_each_link_at_its_line() -> None:
    cited = (Citation(5, Source(2, 10)), Citation(11, Source(4, 12)), Citation(18, Source(3, 11)))
    answer = Answer("• Tea\n• Rum\n• Beer", tuple(one.source for one in cited), citations=cited, links_at_lines=True)
    assert with_sources(answer, AUDIENCE) == (
        "• Tea [↪](https://discord.com/channels/1/2/10)\n• Rum\n• Beer [↪](https://discord.com/channels/1/3/11)"
    )
