"""Blobs, and which facts the words of somebody who wants to forget mean."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.outcomes import NothingToRemember
from memory.core.values import Fact, Member, RememberRequest, Standing
from memory.facts.blob import merge
from memory.facts.matching import Matches, everything_about, meant_among
from memory.facts.statement import Statement, needs_source, read_statement
from tests.loop_steps import quickest
from tests.memory.world import there

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def fact(number: int, text: str, standing: Standing = Standing.SELF, channel: int = 1) -> Fact:
    return Fact(1, number, 7, 7, channel, number, text, standing, NOON)


def test_a_blob_reads_in_the_order_of_telling() -> None:
    blob = there(merge([fact(2, "<@7> likes tea"), fact(1, "<@7> is tall.", channel=5)], 400))
    assert blob.text == "<@7> is tall. <@7> likes tea."


def test_a_blob_says_whose_word_each_sentence_is() -> None:
    blob = there(merge([fact(1, "<@7> bakes"), fact(2, "<@8> segelt mit dem Boot", Standing.HEARSAY)], 400))
    assert blob.text == "<@7> bakes. <@7> sagt: <@8> segelt mit dem Boot."


def test_of_duplicates_the_better_founded_is_kept() -> None:
    blob = there(merge([fact(1, "<@7> likes tea"), fact(2, "<@7> likes TEA!", Standing.HEARSAY, channel=5)], 400))
    assert blob.text == "<@7> likes tea."


FACTS = st.lists(
    st.builds(
        fact,
        st.integers(min_value=1, max_value=10**6),
        st.text(st.characters(categories=["L", "Nd", "Zs"]), min_size=1, max_size=120).filter(str.strip),
        st.sampled_from([one for one in Standing if one is not Standing.INFERRED]),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda one: one.fact_id,
)


@given(FACTS, st.integers(min_value=100, max_value=400))
def test_a_blob_holds_whole_facts_within_its_aim(facts: list[Fact], aim: int) -> None:
    blob = there(merge(facts, aim))
    sentences = {f"{one.text}." for one in facts}
    assert len(blob.text) <= max(aim, max(map(len, sentences)))
    assert any(sentence in blob.text for sentence in sentences)
    best = min(facts, key=lambda one: (list(Standing).index(one.standing), -one.fact_id))
    assert f"{best.text}." in blob.text


@pytest.mark.parametrize(
    ("body", "pointing"),
    [
        ("this", True),
        ("this about Florent", True),
        ("das über Anna", True),
        ("это про Аню", True),
        ("", True),
        ("this: I like tea", False),
        ("about Florent: he likes tea", False),
        ("that day was great", False),
        ("I like tea", False),
    ],
)
def test_what_points_at_a_message(body: str, pointing: bool) -> None:
    assert needs_source(body) is pointing


def test_a_telling_full_of_names_is_read_at_once_and_keeps_its_lines() -> None:
    teller, other = Member(1, 7, username="zoe"), Member(1, 8, username="Yi")
    telling = RememberRequest(1, 1, 1, teller.user_id, "Yi, zoe\n" * 500, NOON)
    statement = read_statement(telling, [teller, other])
    assert statement == NothingToRemember(), "names alone say nothing"
    assert quickest(lambda: read_statement(telling, [teller, other])) < 0.5
    told = read_statement(replace(telling, body="Yi likes tea\nand  cake"), [teller, other])
    assert told == Statement("<@8> likes tea\nand  cake", other)


@pytest.mark.parametrize(
    ("body", "who"),
    [
        ("everything about me", "me"),
        ("everything you know about <@7>", "<@7>"),
        ("alles über mich", "mich"),
        ("alles, was du über Anna weißt", "Anna"),
        ("всё обо мне", "мне"),
        ("that I like everything about tea", None),
        ("that I like tea", None),
    ],
)
def test_everything_about_somebody(body: str, who: str | None) -> None:
    assert everything_about(body) == who


def meant(query: str, facts: list[Fact]) -> Matches:
    return meant_among([query], [facts], ())


def test_words_of_different_form_match() -> None:
    likes_pizza, has_cats = fact(1, "<@7> likes pizza"), fact(2, "<@7> has two cats")
    assert meant("<@7> loves pizzas", [likes_pizza, has_cats]).certain == (likes_pizza,)
    assert meant("the cat", [likes_pizza, has_cats]).certain == (has_cats,)
    assert meant("<@7> likes olives", [likes_pizza, has_cats]).certain == ()


def test_a_fact_that_mentions_the_words_is_asked_about_where_another_may_be_meant() -> None:
    mentions = fact(1, "<@7> lent Florent a red mountain bike in July")
    other = fact(2, "<@7> rides a red bike")
    assert meant("my red mountain bike", [mentions, other]) == Matches((), (mentions, other))
    assert meant("my red mountain bike", [mentions]).certain == (mentions,)


@given(st.text(max_size=60), FACTS)
def test_no_query_fails_and_what_is_meant_was_known(query: str, facts: list[Fact]) -> None:
    matches = meant(query, facts)
    assert set(matches.certain) | set(matches.possible) <= set(facts)
    assert not (matches.certain and matches.possible)
