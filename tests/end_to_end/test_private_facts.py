"""What is told in a private channel lives there: no word of it outside, unless its teller says so of themselves."""

import pytest

from tests.end_to_end.asking import say_and_hear
from tests.end_to_end.house import BACK_ROOM, KITCHEN, Inn, Payload, Person, eventually
from tests.end_to_end.slash import labels_of, press, words_of

ABOUT_FLORENT = "Bot what do you know about florent?"


async def reply_now(person: Person, reply: Payload) -> Payload:
    path = f"/channels/{reply['channel_id']}/messages/{reply['id']}"
    message: Payload = (await person.call("GET", path)).json()
    return message


async def test_the_teller_presses_and_everyone_may_know(inn: Inn) -> None:
    florent, maren, aylin = inn.person("florent"), inn.person("maren"), inn.person("aylin")
    told = await say_and_hear(florent, "Bot merk dir, dass ich heirate", BACK_ROOM)
    assert labels_of(told) == ["Das dürfen alle wissen", "Rückgängig", "Ändern"]
    assert "Only the person who told me" in words_of(await press(maren, told, "alle wissen"))
    assert "heirate" not in await aylin.ask(ABOUT_FLORENT)
    await press(florent, told, "alle wissen")
    opened = await eventually(lambda: reply_now(florent, told), lambda seen: len(labels_of(seen)) == 2)
    assert labels_of(opened) == ["Rückgängig", "Ändern"]
    assert opened["content"].endswith("\n-# Das dürfen alle auf diesem Server wissen.")
    assert opened["content"].split("\n")[0] == told["content"].split("\n")[0]
    assert "heirate" in await aylin.ask(ABOUT_FLORENT)
    assert "heirate" in await aylin.ask(ABOUT_FLORENT, KITCHEN)


@pytest.mark.parametrize(
    ("told", "word", "said"),
    [
        ("Bot remember everywhere that I play chess", "chess", "Everyone on this server may hear this."),
        ("Bot merk dir überall, dass ich Schach spiele", "Schach", "Das dürfen alle auf diesem Server wissen."),
        ("Bot souviens-toi partout que je joue aux échecs", "échecs", "Tout le monde sur ce serveur peut le savoir."),
        ("Bot recuerda en todas partes que yo juego al ajedrez", "ajedrez", "Todo el servidor puede oír esto."),
        ("Bot запомни везде, что я играю в шахматы", "шахматы", "Это могут услышать все на этом сервере."),
    ],
    ids=["English", "German", "French", "Spanish", "Russian"],
)
async def test_it_can_be_said_at_once(inn: Inn, told: str, word: str, said: str) -> None:
    reply = await say_and_hear(inn.person("florent"), told, BACK_ROOM)
    assert said in reply["content"]
    assert len(labels_of(reply)) == 2  # nothing but undoing and putting it in other words
    assert word in await inn.person("aylin").ask(ABOUT_FLORENT)
