"""What a catch-up says of what is not in it, and a digest of more than fits into one message."""

from datetime import UTC, date, datetime

from bot.daily.pages import catch_up_page, digest_page, first_shown
from bot.replies.split import LIMIT
from bot.words.voice import Voice
from memory.core.values import AuthorKind, Message, Source
from memory.daily.digest_values import Digest, Edition
from memory.daily.values import Boundary, CatchUp, Line, Section, Since, Stretch
from memory.language.detect import Language

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
ENGLISH = Voice(Language.EN, "Bot")


def lines(count: int, text: str = "bread, oven", channel_id: int = 10) -> tuple[Line, ...]:
    return tuple(Line(text, (Source(channel_id, number),), (7,), messages=1) for number in range(1, count + 1))


def test_its_last_lines_say_what_is_left_out_and_that_a_model_was_given_a_part() -> None:
    said = {channel: [Message(1, channel, 5, 7, AuthorKind.PERSON, "hello", NOON)] for channel in (10, 11)}
    sections = {**dict.fromkeys(Section, ()), Section.TALKED: lines(12)}
    stretch = Stretch(said, 9_000, 2, bots=37, unread=4_000)
    found = CatchUp(Boundary(Since.TIME, NOON, 1), 99, stretch, sections, excluded=3, more_for_you=2, given=182)
    page = catch_up_page(found, 1, ENGLISH).splitlines()
    assert sum(line.startswith("• ") for line in page) == 10
    assert first_shown(found, Section.TALKED) == 10
    assert page[-2:] == [
        "-# Not in it: your own messages, 37 messages by bots, 1 channel without room here, 4000 older messages (I "
        "read the newest 5000), 2 older mentions and replies, 3 channels that I do not remember.",
        "-# A language model wrote what was decided and talked about, from 182 of 9000 messages.",
    ]


def test_a_digest_fits_into_one_message_and_tells_what_is_planned_first() -> None:
    digest = Digest(1, date(2026, 11, 17), 0, 10, NOON, 0, 1)
    plans = tuple(Line("We will meet " + "x" * 400, (Source(10, 5),), (7,), when=NOON) for _ in range(5))
    edition = Edition(digest, 500, 3, lines(10, "word " * 60), plans, lines(9))
    page = digest_page(edition, ENGLISH)
    assert len(page) <= LIMIT
    assert page.startswith(f"📰 **{digest.mark}** · 500 messages in 3 channels\n**Today and tomorrow**\n")
    assert page.index("Talked about") < page.index("New here:")
