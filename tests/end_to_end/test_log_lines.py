"""What is said never reaches the log, nor does the token; what happened does, with one id from event to reply."""

import asyncio
import logging

import pytest

from launch.logs import LineFormatter
from memory.tasks import RequestIdFilter
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn

CANARIES = ("zanzibarquartz", "flummoxedyak", "quizzicalnarwhal", "wobblytrombone", "kaleidowhisk")


@pytest.fixture
def lines() -> "list[str]":
    return []


class Keeping(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.addFilter(RequestIdFilter())
        self.setFormatter(LineFormatter(as_json=False))
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))


async def test_a_whole_run_leaves_neither_words_nor_the_token_in_the_log(own_inn: Inn, lines: list[str]) -> None:
    keeping = Keeping(lines)
    root = logging.getLogger()
    before = root.level
    root.addHandler(keeping)
    root.setLevel(logging.INFO)
    logging.getLogger("bot").setLevel(logging.DEBUG)
    logging.getLogger("memory").setLevel(logging.DEBUG)
    try:
        await live_a_little(own_inn)
    finally:
        root.removeHandler(keeping)
        root.setLevel(before)
        logging.getLogger("bot").setLevel(logging.NOTSET)
        logging.getLogger("memory").setLevel(logging.NOTSET)
    whole = "\n".join(lines)
    assert [word for word in (*CANARIES, own_inn.house.bot.token) if word in whole] == []
    asked = next(line for line in lines if "bot.answering.answer: asked" in line)
    request = next(word for word in asked.split() if word.startswith("request="))
    story = [line for line in lines if request in line]
    assert any("bot.listener: stored" in line for line in story)
    assert any("bot.answering.answer: answered" in line for line in story)


async def live_a_little(inn: Inn) -> None:
    house, aylin, maren = inn.house, inn.person("aylin"), inn.person("maren")
    async with house.bot_running():
        await aylin.ask("Bot remember that gruzilkin says zanzibarquartz")
        spoken = await aylin.say("flummoxedyak")
        await aylin.ask("Bot what about flummoxedyak?")
        await aylin.call("PATCH", f"/channels/{inn.channel(GENERAL).id}/messages/{spoken}", {"content": CANARIES[2]})
        await inn.until_stored(spoken, text=CANARIES[2])
        await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{spoken}")
        await inn.until_gone(spoken)
        await maren.call("PATCH", f"/guilds/{inn.guild.id}/members/{aylin.user.id}", {"nick": CANARIES[3]})
        await maren.ask("Bot forget that gruzilkin says zanzibarquartz")
        await maren.ask(f"Bot remember that {CANARIES[4]}", BACK_ROOM)
        await house.server.control.drop_sockets(user_id=house.bot.id)
        await aylin.ask("Bot what do you know about wobblytrombone?")
        await asyncio.sleep(0)
