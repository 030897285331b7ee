"""Answers made of lines keep the link of each line, however they are put together or whoever is named in them."""

import pytest

from memory.answers.quote import Line, answer_of, naming_those_who_left, together
from memory.core.outcomes import Answer
from memory.core.provenance import Read
from memory.core.values import Source
from memory.language.detect import Language


def linked(answer: Answer) -> dict[str, Source]:
    """The line that each link ends."""
    return {answer.text[: one.at].rpartition("\n")[2]: one.source for one in answer.citations}


ONE = answer_of([Line("One"), Line("<@7> sails", Source(1, 11)), Line("<@2> met <@7>", Source(1, 12))], Read())
OTHER = answer_of([Line("Other"), Line("<@77> sings", Source(2, 21))], Read())


def test_several_are_one_after_the_other() -> None:
    both = together([ONE, OTHER])
    assert both.text == f"{ONE.text}\n{OTHER.text}"
    assert linked(both) == linked(ONE) | linked(OTHER)
    assert both.sources == (*ONE.sources, *OTHER.sources)


@pytest.mark.parametrize("language", Language)
def test_whoever_left_is_named_as_such_and_nobody_else(language: Language) -> None:
    named = naming_those_who_left(together([ONE, OTHER]), frozenset((7,)), language)
    assert "<@7>" not in named.text
    assert list(linked(named).values()) == [Source(1, 11), Source(1, 12), Source(2, 21)]
    assert [line.rpartition(" ")[2] for line in linked(named)][::2] == ["sails", "sings"]
    assert "<@77> sings" in linked(named)
