"""Which of the asker's memories stand before a model, where, and what stands there beside them."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory.answers.gather import Material
from memory.answers.prompt import MEMORIES_BUDGET, render
from memory.answers.quote import MOST_LISTED, known_of
from memory.core.values import Category, Fact, Standing, Traits
from memory.language.detect import Language
from memory.policy.settings import AnswerRules
from memory.settings import tokens

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = {1: "Anna", 2: "Bob"}


def memory(number: int, text: str, importance: int = 5, category: Category = Category.PREFERENCE, who: int = 1) -> Fact:
    traits = Traits(category, importance)
    return Fact(9, number, who, who, 10, number, text, Standing.INFERRED, NOON, traits=traits)


def told(number: int, text: str) -> Fact:
    return Fact(9, number, 1, 1, 10, number, text, Standing.SELF, NOON)


def data_of(*facts: Fact, question: str = "what shall we do?", rules: AnswerRules | None = None) -> str:
    material = Material(question, Language.EN, frozenset(), facts, (), now=NOON, rules=rules or AnswerRules())
    return render(material, asker_id=1, names=NAMES, language=None, fence="f").prompt.data


def lines_of(part: str, data: str) -> list[str]:
    found = re.search(rf"<{part}-f>\n(.*?)\n</{part}-f>", data, re.DOTALL)
    return found[1].splitlines() if found else []


def test_they_stand_under_their_category_and_are_cited_by_number() -> None:
    exam = replace(
        memory(3, "<@1>'s exam is on Friday", 9), traits=Traits(Category.SCHEDULE, 9, (), NOON + timedelta(days=5))
    )
    noted = replace(memory(4, "<@1> feeds the cat", 2, Category.TASK), standing=Standing.SELF)
    data = data_of(told(1, "<@1> lives in Kyoto"), memory(2, "<@1> prefers tea", 7), exam, noted)
    assert lines_of("facts", data) == ["1 about Anna, since 2026-03-01 12:00: @Anna lives in Kyoto"]
    assert lines_of("memories", data) == [
        "schedule:",
        "2 since 2026-03-01 12:00, until 2026-03-06, let on: @Anna's exam is on Friday",
        "task:",
        "3 since 2026-03-01 12:00: @Anna feeds the cat",
        "preference:",
        "4 since 2026-03-01 12:00, let on: @Anna prefers tea",
    ]


def test_as_many_as_the_guild_says_the_most_important_first_and_none_twice() -> None:
    facts = [memory(number, f"<@1> collects {word}", number % 10 + 1) for number, word in enumerate(WORDS, start=1)]
    few = lines_of("memories", data_of(*facts, rules=AnswerRules(memories=3)))
    assert [line.split()[-1] for line in few[1:]] == ["ropes", "maps", "shells"]
    data = data_of(*facts, question="who collects stamps?", rules=AnswerRules(memories=3, least_importance=3))
    assert "@Anna collects stamps" not in data, "what is less important than the guild wants stays out"
    data = data_of(*facts, question="who collects coins?", rules=AnswerRules(memories=3))
    assert any(line.endswith("let on: @Anna collects coins") for line in lines_of("facts", data)), (
        "it fits the question"
    )


WORDS = ("stamps", "coins", "spoons", "boats", "stones", "masks", "shells", "maps", "ropes")


def test_of_others_only_what_fits_and_endless_ones_leave_room() -> None:
    assert lines_of("facts", data_of(memory(1, "<@2> rows a boat", who=2))) == []
    assert lines_of("facts", data_of(memory(1, "<@2> rows a boat", who=2), question="who rows a boat?"))
    many = [memory(number, f"<@1> likes {'very ' * 60}much {number}") for number in range(1, 11)]
    shown = lines_of("memories", data_of(*many))
    assert 0 < sum(map(tokens, shown)) <= MEMORIES_BUDGET + 20


def test_what_is_known_lists_what_was_told_first() -> None:
    facts = [memory(1, "<@1> prefers tea", 9), *(told(number, f"<@1> owns hat {number}") for number in range(2, 9))]
    known = known_of(1, 1, facts, None, Language.EN, has_left=False).text.splitlines()
    assert known[-1] == "• <@1> prefers tea (mentioned in passing)"
    facts += [told(number, f"<@1> owns hat {number}") for number in range(9, 30)]
    assert "tea" not in known_of(1, 1, facts, None, Language.EN, has_left=False).text
    assert len(facts) > MOST_LISTED
