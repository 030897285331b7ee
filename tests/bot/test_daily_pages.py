"""What a catch-up says of what is not in it, and a digest of more than fits into one message."""

from dataclasses import replace
from datetime import UTC, date, datetime

from bot.daily.catchup_command import CatchUpButton
from bot.daily.pages import catch_up_card, digest_card
from bot.replies.draft import Block, fits, layout_of
from bot.words import Voice
from memory.core.values import AuthorKind, Message, Source
from memory.daily.values import Account, Boundary, CatchUp, Digest, Edition, Line, Section, Since, Talk
from memory.language.detect import Language

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
ENGLISH = Voice(Language.EN, "Bot")


def lines(count: int, text: str = "bread, oven", channel_id: int = 10) -> tuple[Line, ...]:
    return tuple(Line(text, (Source(channel_id, number),), (7,), messages=1) for number in range(1, count + 1))


def test_its_last_lines_say_what_is_left_out_and_that_a_model_was_given_a_part() -> None:
    said = {channel: [Message(1, channel, 5, 7, AuthorKind.PERSON, "hello", NOON)] for channel in (10, 11)}
    sections = {**dict.fromkeys(Section, ()), Section.TALKED: lines(12)}
    talk = Talk(said, 9_000, 2, bots=37, unread=4_000)
    found = CatchUp(Boundary(Since.TIME, NOON, 1), 99, talk, sections, excluded=3, more_for_you=2)
    found = replace(found, account=Account(messages=9_000, left_out=8_818))
    first, talked, last = catch_up_card(found, 1, ENGLISH, lambda section, start: CatchUpButton(section, start))
    assert sum(line.startswith("- ") for line in talked.text.splitlines()) == 10
    assert talked.button is not None
    assert talked.button.custom_id == "catchup:talked:10"
    assert "9000 messages" in first.text
    assert last.text.splitlines() == [
        "-# Not in it: your own messages, 37 messages by bots, 1 channel that didn't fit, 4000 older messages (I "
        "read the newest 5000), 2 older mentions and replies, 3 channels that I don't remember.",
        "-# What isn't quoted was written by a language model, from 182 of 9000 messages of these days.",
    ]


def test_a_digest_fits_into_one_message_and_tells_what_is_planned_first() -> None:
    digest = Digest(1, date(2026, 11, 17), 0, 10, NOON, 0, 1)
    plans = tuple(Line("We will meet " + "x" * 400, (Source(10, 5),), (7,), when=NOON) for _ in range(5))
    edition = Edition(digest, 500, 3, lines(10, "word " * 60), plans, lines(3), lines(9))
    card = digest_card(edition, ENGLISH)
    assert fits(card)
    headings = [block.text.splitlines()[0] for block in card]
    assert headings[:3] == [f"## 📰 {digest.mark}", "### Coming up", "### Decided"]
    assert "500 messages in 3 channels" in card[0].text
    assert card[-1].text.startswith("**New here:**")


def test_the_fullest_catch_up_is_one_message() -> None:
    long = tuple(Line("word " * 100, (Source(2**63 - 1, 2**63 - 1),) * 3, (2**63 - 1,), when=NOON) for _ in range(50))
    talk = Talk({}, 9_000, 200, bots=37, unread=4_000)
    found = CatchUp(Boundary(Since.TIME, NOON, 1), 99, talk, dict.fromkeys(Section, long), excluded=3)
    card = catch_up_card(found, 2**63 - 1, ENGLISH, lambda section, start: CatchUpButton(section, start, label="More"))
    assert fits(card)
    assert [block.button is not None for block in card] == [False, *[True] * len(Section), False]
    assert layout_of((*card, Block("-"))).total_children_count <= 40
