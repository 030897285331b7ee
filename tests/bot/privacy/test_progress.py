"""How far something has come is shown while it goes on, at whatever pace Discord lets us."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.privacy import export
from bot.privacy.export import Progress


async def test_what_discord_is_slow_to_show_is_not_waited_for_and_never_the_last_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(export, "EVERY_SECONDS", 0.0)
    shown: list[str] = []
    answered = asyncio.Event()

    async def edit(content: str, **_: object) -> None:
        await answered.wait()
        shown.append(content)

    interaction = SimpleNamespace(created_at=discord.utils.utcnow(), edit_original_response=edit)
    progress = Progress(cast(Any, interaction), "{} of {}".format, "later")
    for done in range(3):
        await asyncio.wait_for(progress.note(done, 9), 1)
        await asyncio.sleep(0.01)
    asyncio.get_running_loop().call_soon(answered.set)
    await progress.shown()
    assert shown == ["0 of 9"]
    await progress.note(9, 9)
    await progress.shown()
    assert shown == ["0 of 9", "9 of 9"]
