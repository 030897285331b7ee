"""The page that says what a reply was made from."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.replies.split import LIMIT
from bot.why import page, pages_of
from bot.words import Notice, Voice
from memory.core.provenance import Explanation, UsedDay, UsedFact, UsedMessage, UsedSummary
from memory.core.values import AuthorKind, Fact, Message, Source, Standing
from memory.language.detect import Language

GUILD, HALL, CELLAR = 1, 10, 11
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
MIDNIGHT = NOON - timedelta(hours=12)
ENGLISH = Voice(Language.EN, "Bot")


def fact(number: int, text: str = "likes tea", *, quoted: bool = False, linked: bool = True) -> UsedFact:
    told = Fact(GUILD, number, 5, 5, HALL, 100 + number, text, Standing.SELF, NOON)
    return UsedFact(told, quoted, Source(HALL, told.message_id) if linked else None)


def message(number: int, text: str = "the tower fell", *, quoted: bool = False) -> UsedMessage:
    return UsedMessage(Message(GUILD, HALL, number, 6, AuthorKind.PERSON, text, NOON), quoted)


def test_what_is_cited_comes_first_and_of_the_rest_nothing_is_claimed() -> None:
    days = (UsedDay(MIDNIGHT, 0, True), UsedDay(MIDNIGHT, CELLAR, False))
    found = Explanation(
        (fact(1, quoted=True), fact(2, linked=False)), days, (message(7),), (UsedSummary(3, CELLAR, False),)
    )
    noon = int(NOON.timestamp())
    assert page(found, GUILD, ENGLISH).split("\n") == [
        "**What that answer quotes or repeats, as far as you can see it now:**",
        f"• I was told: likes tea · <t:{noon}:D> · [show](https://discord.com/channels/1/10/101)",
        f"• summary of <t:{noon}:D>",
        "**I also had this in view. I can't say whether I used it:**",
        f"• I was told: likes tea · <t:{noon}:D>",
        f"• summary of <t:{noon}:D> in <#11>",
        "• summary of what was talked about in <#11>",
        f"• <@6> · <t:{noon}:f> · <#10> · [show](https://discord.com/channels/1/10/7): “the tower fell”",
    ]


@pytest.mark.parametrize("length", [1, 50, 2_000])
def test_however_much_it_is_pages_of_one_message_hold_it_all(voice: Voice, length: int) -> None:
    found = Explanation(
        tuple(fact(number, "x" * length, quoted=number < 3) for number in range(20)),
        tuple(UsedDay(MIDNIGHT - timedelta(days=number), CELLAR, False) for number in range(3)),
        tuple(message((1 << 60) + number, "y " * length, quoted=number < 5) for number in range(20)),
    )
    written = [page(found, GUILD, voice, number) for number in range(pages_of(found))]
    assert max(map(len, written)) <= LIMIT
    assert sum(text.count("\n• ") for text in written) == 43
    assert [voice.say(Notice.WHY_QUOTED) in text for text in written] == [True, True, *[False] * 6]


def test_words_of_members_stay_words() -> None:
    found = Explanation(messages=(message(1, "**@everyone** [x](http://y.z)"),))
    assert "@everyone" not in page(found, GUILD, ENGLISH).replace("@\u200beveryone", "")
