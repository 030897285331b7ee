"""A question that nobody answers says so when its time is over, and nothing at an orderly stop."""

from typing import Any, cast
from unittest.mock import AsyncMock, Mock

import pytest

from bot.replies.interactions import Interaction, Question, Questions
from bot.words import Voice
from memory.language.detect import Language


@pytest.mark.parametrize("is_closed", [False, True])
async def test_an_open_question_is_edited_only_while_the_client_is_there(is_closed: bool) -> None:
    questions = Questions("Bot")
    question = Question(questions, Voice(Language.EN, "Bot"))
    shown: Any = Mock(edit_original_response=AsyncMock())
    shown.client.is_closed.return_value = is_closed
    question.shown_by(cast(Interaction, shown))
    await question.on_timeout()
    assert shown.edit_original_response.await_count == (not is_closed)


async def test_a_stop_ends_all_questions() -> None:
    questions = Questions("Bot")
    asked = [Question(questions, Voice(Language.EN, "Bot")) for _ in range(3)]
    questions.close()
    assert all(question.is_finished() for question in asked)
