"""Splitting a reply: whatever goes in, Discord takes every part and a reader loses nothing."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from bot.replies.split import ENDING, LIMIT, sendable, split

ALL = 10_000
WILD = st.text(st.characters(), max_size=6000)
WORDS = st.text(st.sampled_from("abc é漢🙂\n\t.`*_<>@"), max_size=3000)
LINKS = st.from_regex(r"https://[a-z]{1,20}\.example/[a-zA-Z0-9/?=&%_-]{0,300}", fullmatch=True)
MENTIONS = st.integers(1, 2**63).map(lambda number: f"<@{number}>")
EMOJI = st.integers(1, 2**63).map(lambda number: f"<a:wave_{number % 7}:{number}>")
MASKED = LINKS.map(lambda link: f"[where it was said]({link})")


def squeezed(text: str) -> str:
    return "".join(text.split())


def without_fences(text: str) -> str:
    return squeezed(re.sub(r"```(?:python\n)?", "", text))


@given(WILD | WORDS)
@example("")
@example(" \n ")
@example("\x00\ud800")
@example("x" * LIMIT)
@example("x" * (LIMIT + 1))
@example("```" * 700)
@example("`" * 4001)
@example("```\n" + "x\n" * 3000)
def test_every_part_can_be_sent_and_code_blocks_are_closed(text: str) -> None:
    for part in split(text, most_parts=ALL):
        assert part.strip()
        assert len(part) <= LIMIT
        assert part.count("```") % 2 == 0
        part.encode()  # a lone surrogate would fail here


@given(WILD | WORDS)
def test_nothing_is_lost(text: str) -> None:
    parts = split(text, most_parts=ALL)
    assert without_fences("".join(parts)) == without_fences(sendable(text))


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=400), min_size=1, max_size=60))
def test_words_stay_whole(words: list[str]) -> None:
    parts = split(" ".join(words), most_parts=ALL)
    assert [word for part in parts for word in part.split()] == words


@given(st.lists(LINKS | MENTIONS | EMOJI | MASKED, min_size=1, max_size=30), st.sampled_from([" ", "", "x ", "\n"]))
def test_links_mentions_and_emoji_stay_whole(wholes: list[str], between: str) -> None:
    wholes = [whole for whole in wholes if between or not whole.startswith("http")]
    parts = split(between.join(wholes), most_parts=ALL)
    assert all(any(whole in part for part in parts) for whole in wholes)


@given(
    before=st.text("ab \n", max_size=2500),
    lines=st.lists(st.text("xyz =()", min_size=1, max_size=120), min_size=1, max_size=200),
    after=st.text("ab \n", max_size=500),
)
def test_a_cut_code_block_is_opened_again_with_its_language(before: str, lines: list[str], after: str) -> None:
    text = f"{before}\n```python\n" + "\n".join(lines) + f"\n```\n{after}"
    parts = split(text, most_parts=ALL)
    opened = [part for part in parts if "```" in part]
    assert all("```python\n" in part for part in opened)
    inside = "".join(re.sub(r"^.*?```python\n|\n```.*$", "", part, flags=re.DOTALL) for part in opened)
    assert squeezed(inside) == squeezed("".join(lines))


def test_past_the_most_parts_the_end_is_said() -> None:
    parts = split("word " * 10_000)
    assert len(parts) == 5
    assert parts[-1].endswith(ENDING)
    assert all(len(part) <= LIMIT for part in parts)


def test_what_is_far_too_long_is_cut_and_says_so() -> None:
    assert len(split("[" * 2_000_000)) == 5
    parts = split("word" + " " * 100_000 + "more words")
    assert parts == [f"word\n{ENDING}"]
