"""One member's calls wait in a line of so many; whatever else they say to us is left alone until it is shorter."""

from typing import Any

import discord
import pytest

from bot.answering.answer import MOST_WAITING, Answerer, Call
from bot.reminders.command import ReminderCommand
from bot.replies.compose import Composer
from bot.replies.private import PrivateReplies
from bot.settings import BotOptions
from bot.translate import to_message
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.bot.discord_objects import HALL, channel, guild, message, user


@pytest.fixture
def answering(database: Database) -> Answerer:
    health = Health("bot", SystemClock())
    memory = MemoryManager(database, MemoryOptions(), SystemClock(), health)
    part = health.part("answers")
    composer = Composer(memory, part, 20.0)
    reminders = ReminderCommand(memory, PrivateReplies(memory, composer, "Bot"))
    return Answerer(memory, composer, reminders, BotOptions.model_validate({"token": "x"}), part)


async def test_a_line_takes_so_many_and_the_next_when_one_is_over(answering: Answerer) -> None:
    inn = guild([channel(HALL)])
    data: Any = user(9, "Innkeeper", bot=True)
    me = discord.ClientUser(state=inn._state, data=data)

    def hear(number: int, author: int) -> Call:
        said = message(inn, id=str(number), content="Bot remember that I like tea", author=user(author, "aylin"))
        stored = to_message(said, me.id)
        assert stored is not None
        call = answering.hear(said, stored, me.id)
        assert call is not None
        return call

    first, second, *others = [hear(number, 7) for number in range(500, 500 + MOST_WAITING)]
    assert not any(call.is_too_much for call in (first, second, *others))
    assert hear(600, 7).is_too_much
    assert not hear(601, 8).is_too_much, "another's line is another one"
    async with first.turn.acquired():
        assert hear(602, 7).is_too_much
    async with second.turn.acquired():
        assert not hear(603, 7).is_too_much
        assert hear(604, 7).is_too_much
