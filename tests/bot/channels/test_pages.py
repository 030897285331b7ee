"""Pages of what is told of a channel: they fit where Discord puts them, in every language; no words pass for ours."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.channels.pages import MOST_PEOPLE, MOST_TOPICS, analysis_page, sources_page, summary_page
from bot.channels.summary_command import SummaryButton, SummaryModal
from bot.replies.split import LIMIT, split
from bot.words import Voice
from memory.channels.service import Analysis
from memory.channels.topics import Topic
from memory.channels.values import ChannelSummary, Policy, Span
from memory.core.values import AuthorKind, Message, Source
from memory.language.detect import Language
from memory.places.view import Audience
from memory.summaries.extractive import Quote

LARGEST = 2**63 - 1
ME, ROOM = LARGEST - 1, LARGEST - 2
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
READER = Audience(LARGEST, ROOM, frozenset((ROOM,)), viewer_id=ME)
CITES = tuple(range(LARGEST - 60, LARGEST - 20))
SUMMARY = ChannelSummary(
    LARGEST, ROOM, Policy.LEVELS, 3, Span(CITES[0], CITES[-1], 999, 1), frozenset(), CITES, "", "m", NOON, 0.5, ME
)
SENTENCE = "Somebody *loudly* said that the boat is [painted] on Friday [{number}]."
EN = Voice(Language.EN, "Innkeeper")


def said(number: int) -> Message:
    return Message(LARGEST, ROOM, CITES[number], ME, AuthorKind.PERSON, "word *mark* " * 100, NOON)


def test_the_longest_text_is_told_in_full_a_line_and_a_link_for_each_sentence(voice: Voice) -> None:
    text = " ".join(SENTENCE.format(number=number) for number in range(1, 28))
    page = summary_page(replace(SUMMARY, text=text), 2, 10, READER, voice)
    parts = split(page)
    assert all(len(part) <= LIMIT for part in parts)
    assert "".join(parts).count("boat") == 27
    lines = [line for part in parts for line in part.splitlines() if line.startswith("• ")]
    assert len(lines) == 27
    assert all(re.search(r"Friday\. \[↪\]\(https://discord.com/channels/\d+/\d+/\d+\)$", line) for line in lines)
    assert parts[-1].endswith("10")


@pytest.mark.parametrize("words", ["[1](https://evil.example)", "x\n-# corrected by nobody", "`[1]`", "# [1] big"])
def test_no_words_pass_for_ours(words: str) -> None:
    page = summary_page(replace(SUMMARY, text=words, cites=(), corrected_by=None), 1, 1, READER, EN)
    body = page.splitlines()[1:-1]
    assert not [line for line in body if re.search(r"(?<!\\)\]\(|(?<!\\)`|^-#|^#", line)]


def test_sources_and_an_analysis_are_cut_short_and_the_rest_is_counted(voice: Voice) -> None:
    sources = sources_page(SUMMARY, [said(number) for number in range(30)], READER, voice)
    assert "**20.**" in sources
    assert "**21.**" not in sources
    assert len(split(sources)) < 5
    quote = Quote(ME, "The *boat* wants paint", Source(ROOM, CITES[0]), NOON)
    topic = Topic(CITES[0], 7, (ME,), quote, NOON)
    people = {LARGEST - number: 100 - number for number in range(50)}
    found = Analysis(5_000, people, NOON, NOON, (topic,) * 30, None)
    page = analysis_page(found, "the “boat”", READER, voice)
    assert page.count("<@") == MOST_PEOPLE + MOST_TOPICS
    assert page.count(f"<@{ME}>: “The \\*boat\\* wants paint” · ") == MOST_TOPICS
    assert "22" in page
    assert 'the "boat"' in page


async def test_buttons_and_the_form_are_as_short_as_discord_wants_them(voice: Voice) -> None:
    """What stands in the form may be longer than a summary, where names are longer than ids."""
    text = f"<@{ME}>" * 90
    form = SummaryModal(replace(SUMMARY, text=text), voice, lambda _: "x" * 32)
    [label] = form.to_dict()["components"]
    assert len(form.title) <= 45
    assert len(label["label"]) <= 45
    assert len(label["component"]["value"]) <= label["component"]["max_length"]
    assert len(form.custom_id) <= 100
    assert len(SummaryButton.of("sources", LARGEST, "x").custom_id) <= 100
