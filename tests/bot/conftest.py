"""The bot's voice in each of its languages."""

import pytest

from bot.words import Voice
from memory.language.detect import Language


@pytest.fixture(params=Language)
def voice(request: pytest.FixtureRequest) -> Voice:
    return Voice(request.param, "Innkeeper")
