"""How the bot talks: a script is played against it, and what everyone reads is written down in docs/conversation.md.

Whoever changes a sentence sees the change there. `UPDATE_CONVERSATION=1` writes it anew.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from memory.recall import indexer
from tests.end_to_end.asking import at_home
from tests.end_to_end.choosing import call_by_nickname, message_of
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, NOON, Inn, Payload, Person, eventually, until
from tests.end_to_end.slash import labels_of, press
from tests.end_to_end.test_recall import all_indexed

AT = NOON
"""Today is told once an hour, for whoever asks first; a month's conversation should not meet with two of them."""
SCRIPT = Path(__file__).with_name("conversation.toml")
WRITTEN = Path(__file__).parents[2] / "docs" / "conversation.md"
HEAD = """\
# How it talks

A month in short, as a household lives it: what people type, and what the bot answers without a language model. Buttons
stand in brackets, and so do the numbers of links to what was said. A test plays it and writes this page anew
(`tests/end_to_end/conversation.toml` is the script), so it is what people read, word by word.
"""


class Playing:
    def __init__(self, inn: Inn) -> None:
        self._inn = inn
        self._page = [HEAD]
        self._last: Payload = {}
        self._said: dict[str, int] = {}
        self.unheard: list[int] = []

    @property
    def page(self) -> str:
        return "\n".join(self._page)

    async def play(self, scene: dict[str, Any]) -> None:
        self._page += [f"\n## {scene['title']}\n", f"{scene['about']}\n"]
        if "nicknames" in scene:
            await call_by_nickname(self._inn, **scene["nicknames"])
        for line in scene["lines"]:
            person = self._inn.person(line["who"].lower())
            await all_indexed(self._inn.house)
            await self._all_told()
            if "presses" in line:
                await self._press(person, line)
            elif "edits" in line:
                await self._edit(person, line)
            else:
                await self._say(person, line)

    async def _all_told(self) -> None:
        """What a question finds missing of today is told behind its answer: of what was said until then alone."""
        contexts = self._inn.house.memory.contexts
        await until(lambda: not contexts._running)

    async def _say(self, person: Person, line: dict[str, Any]) -> None:
        where = line.get("where", GENERAL)
        place = "" if where == GENERAL else f" in #{where}"
        self._page += [f"**{line['who']}**{place}: {_lines(line['says'])}\n"]
        said = await person.say(self._typed(line["says"]), where)
        self._said[line["who"]] = said
        await self._inn.until_stored(said)
        if line.get("silent"):
            self.unheard.append(said)
            return
        self._last = await person.hear_reply(said, where)
        self._write(self._last)

    async def _press(self, person: Person, line: dict[str, Any]) -> None:
        self._page += [f"**{line['who']}** presses [{line['presses']}]\n"]
        before = self._last["content"]
        await press(person, self._last, line["presses"])
        self._last = await self._becomes(person, before)
        self._write(self._last)

    async def _edit(self, person: Person, line: dict[str, Any]) -> None:
        self._page += [f"**{line['who']}** edits that: {_lines(line['edits'])}\n"]
        before = self._last["content"]
        path = f"/channels/{self._last['channel_id']}/messages/{self._said[line['who']]}"
        await person.call("PATCH", path, {"content": self._typed(line["edits"])})
        self._last = await self._becomes(person, before, but="took this answer back")
        self._write(self._last)

    async def _becomes(self, person: Person, before: str, but: str = "\0") -> Payload:
        last = self._last
        return await eventually(
            lambda: message_of(person, last), lambda now: now["content"] != before and but not in now["content"]
        )

    def _typed(self, text: str) -> str:
        """Mentions as Discord sends them."""
        text = text.replace("@Innkeeper", f"<@{self._bot_id}>")
        for name in ("Maren", "Florent", "Aylin", "gruzilkin"):
            text = text.replace(f"@{name}", self._inn.person(name.lower()).mention)
        return text

    def _write(self, reply: Payload) -> None:
        words = reply["content"]
        for name in ("Maren", "Florent", "Aylin", "gruzilkin"):
            words = words.replace(self._inn.person(name.lower()).mention, f"@{name}")
        words = words.replace(f"<@{self._bot_id}>", "@Innkeeper")
        words = re.sub(r"<#(\d+)>", lambda found: f"#{self._channel(int(found[1]))}", words)
        words = re.sub(r"\[(\d+)\]\(https?://\S*?/channels/[\d/]+\)", r"[\1]", words)
        words = re.sub(r"<t:\d+(:\w)?>", "(date)", words)
        words = re.sub(r"\d{4}-\d\d-\d\d", "(date)", words)
        labels = " ".join(f"[{label}]" for label in labels_of(reply))
        lines = [*words.split("\n"), *([labels] if labels else [])]
        self._page += [*(f"> {line.removeprefix('-# ')}  " for line in lines), ""]

    def _channel(self, channel_id: int) -> str:
        return next(name for name in (GENERAL, KITCHEN, BACK_ROOM) if self._inn.channel(name).id == channel_id)

    @property
    def _bot_id(self) -> int:
        bot = self._inn.house.server.world.bot
        assert bot is not None
        return bot.id


def _lines(text: str) -> str:
    return text.replace("\n", "  \n")


async def test_the_conversation_reads_as_it_is_written_down(own_inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "PAUSE_SECONDS", 0.05)  # each line waits until the one before it is in the index
    async with own_inn.house.bot_running():
        await at_home(own_inn)
        playing = Playing(own_inn)
        for scene in tomllib.loads(SCRIPT.read_text(encoding="utf-8"))["scene"]:
            await playing.play(scene)
        for said in playing.unheard:
            assert await own_inn.person("maren").replies_to(said) == []
    if os.environ.get("UPDATE_CONVERSATION"):
        WRITTEN.write_text(playing.page, encoding="utf-8")
    assert playing.page == WRITTEN.read_text(encoding="utf-8"), "look at the difference; see UPDATE_CONVERSATION above"
