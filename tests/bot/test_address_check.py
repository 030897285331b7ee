"""The quick look never overlooks what is said to us."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.settings import BotOptions
from bot.translate import AddressCheck
from memory.commands.addressing import address

BOT = 3000
USUAL: tuple[str, ...] = BotOptions.model_fields["names"].default
LATIN = ["Bot", "bot", "BOT,", "Old Bot", "old  bot", "Ｂot", "B\u200bot", "Wírt", "Wiiiírt", "WÍRT", "Wi\u0301rt"]
NAMES_TYPED = [*LATIN, "Бот", "бооот", "БОТ", "<@3000>", "<@!3000>"]
AROUND = ["**", "> ", "> quoted\n", "`code`", "```\nx\n```\n", "https://x.y/z", "\n", " ", "\u200b", "¿", "@", "🙂"]
BEHIND = ["remember", "that", "é", "?", "'s", "-net", "hey ", "ok, ", ", ", "thanks", "!"]
PIECES = st.sampled_from(NAMES_TYPED + AROUND + BEHIND)
NAMES = st.sampled_from([("Bot",), ("Old Bot", "Bot"), ("Wírt",), ("R2-D2", "bot"), USUAL, ("Ｂot",), ("\u3164",)])


@given(st.lists(PIECES | st.text(max_size=6), max_size=6).map("".join), NAMES)
def test_whatever_is_addressed_to_us_is_within_earshot(text: str, names: tuple[str, ...]) -> None:
    if address(text, names=names, bot_id=BOT) is not None:
        assert AddressCheck(names).may_be_addressed(text)


@pytest.mark.parametrize("names", [("Bot", "Old Bot"), ("Wírt",), USUAL])
@pytest.mark.parametrize("text", ["", "hello", "Today the soup reminds me of that film 😄", "boat", "  *by* the way"])
def test_plain_chat_is_not(text: str, names: tuple[str, ...]) -> None:
    assert not AddressCheck(names).may_be_addressed(text)
