"""The page that says what a reply was made from."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.replies.split import LIMIT
from bot.why import page
from bot.words.voice import Voice
from memory.core.provenance import Explanation, UsedDay, UsedFact, UsedMessage
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


def test_facts_days_and_messages_stand_apart_with_dates_and_links() -> None:
    days = (UsedDay(date(2026, 3, 10), MIDNIGHT, 0, True), UsedDay(date(2026, 3, 10), MIDNIGHT, CELLAR, False))
    found = Explanation((fact(1, quoted=True), fact(2, linked=False)), days, (message(7),))
    noon = int(NOON.timestamp())
    assert page(found, GUILD, ENGLISH).split("\n")[1:-1] == [
        "**Told to me**",
        f"• ❝ likes tea · <t:{noon}:D> · [show](https://discord.com/channels/1/10/101)",
        f"• likes tea · <t:{noon}:D>",
        "**Summaries of days**",
        f"• ❝ summary of <t:{noon}:D>",
        f"• summary of <t:{noon}:D> in <#11>",
        "**Messages**",
        f"• <@6> · <t:{noon}:f> · <#10> · [show](https://discord.com/channels/1/10/7): “the tower fell”",
    ]


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("length", [1, 50, 2_000])
def test_however_much_it_is_one_message_holds_it_and_counts_the_rest(language: Language, length: int) -> None:
    found = Explanation(
        tuple(fact(number, "x" * length, quoted=number < 3) for number in range(200)),
        tuple(UsedDay(date(2026, 3, 1), MIDNIGHT - timedelta(days=number), CELLAR, False) for number in range(30)),
        tuple(message(number, "y " * length) for number in range(200)),
    )
    written = page(found, GUILD, Voice(language, "Bot"))
    assert len(written) <= LIMIT
    shown = written.count("\n• ")
    left = sum(int(number) for number in re.findall(r"^… \D+(\d+)", written, re.MULTILINE))
    assert shown + left == 430


def test_words_of_members_stay_words() -> None:
    found = Explanation(messages=(message(1, "**@everyone** [x](http://y.z)"),))
    assert "@everyone" not in page(found, GUILD, ENGLISH).replace("@\u200beveryone", "")


def test_of_nothing_it_says_so() -> None:
    assert page(Explanation(), GUILD, ENGLISH).startswith("There is nothing in my memory")
