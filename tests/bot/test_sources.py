"""Links below an answer."""

from bot.sources import with_sources
from memory.core.audience import Audience
from memory.core.outcomes import Answer, Source

AUDIENCE = Audience(1, 2, frozenset((2, 3)))


def test_an_answer_without_sources_stands_alone() -> None:
    assert with_sources(Answer(" Tea. "), AUDIENCE) == "Tea."


def test_sources_become_links_once_each() -> None:
    answer = Answer("Tea.", (Source(2, 10), Source(3, 11), Source(2, 10)))
    assert with_sources(answer, AUDIENCE) == (
        "Tea.\n-# ↪ [1](https://discord.com/channels/1/2/10) · [2](https://discord.com/channels/1/3/11)"
    )


def test_what_readers_could_not_open_is_not_linked() -> None:
    assert with_sources(Answer("Tea.", (Source(4, 10),)), AUDIENCE) == "Tea."


def test_no_words_stay_no_words() -> None:
    assert with_sources(Answer("  ", (Source(2, 10),)), AUDIENCE) == ""


def test_there_are_never_many_links() -> None:
    answer = Answer("Tea.", tuple(Source(2, number) for number in range(50)))
    assert with_sources(answer, AUDIENCE).count("https://") == 5
