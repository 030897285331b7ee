"""Where managers do not let the bot write, it says nothing, does what it was asked to, and leaves a sign."""

from dataclasses import replace

from tests.end_to_end.asking import ask_privately, public_words
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, Person, eventually
from tests.end_to_end.slash import words_of


async def speak_only_in(inn: Inn, *channels: str) -> None:
    allowed = frozenset(inn.channel(name).id for name in channels)
    await inn.house.memory.privacy.change_settings(inn.guild.id, lambda now: replace(now, speaks_in=allowed))


async def sign_on(person: Person, message_id: int, channel: str = GENERAL) -> list[str]:
    path = f"/channels/{person.inn.channel(channel).id}/messages/{message_id}"
    message = (await person.call("GET", path)).json()
    return [reaction["emoji"]["name"] for reaction in message.get("reactions") or []]


async def signed(person: Person, words: str) -> list[str]:
    message_id = await person.say(words)
    return await eventually(lambda: sign_on(person, message_id))


async def test_elsewhere_it_acts_and_leaves_a_sign(inn: Inn) -> None:
    aylin, maren = inn.person("aylin"), inn.person("maren")
    await speak_only_in(inn, KITCHEN)
    assert await signed(aylin, "Bot remember that gruzilkin hums") == ["✅"]
    assert "hums" in await aylin.ask("Bot what do you know about gruzilkin?", KITCHEN)
    assert await signed(aylin, "Bot what do you know about gruzilkin?") == ["🤐"]
    assert await signed(aylin, "Bot forget that gruzilkin likes submarines") == ["❓"]
    assert await signed(aylin, "Bot remember") == ["❓"]
    assert await signed(aylin, "Bot forget that gruzilkin hums") == ["✅"]
    assert "hums" not in await aylin.ask("Bot what do you know about gruzilkin?", KITCHEN)
    assert await public_words(inn) == ""
    # What was asked in vain is no conversation, and nobody is kept from asking alone.
    await inn.until_stored(await aylin.say("The kettle stands on the stove."))
    assert await signed(aylin, "Bot where does the kettle stand?") == ["🤐"]
    said = words_of(await ask_privately(aylin, "where does the kettle stand?"))
    assert "stove" in said
    assert "Bot where" not in said
    opened = await aylin.call("POST", f"/channels/{inn.channel(KITCHEN).id}/threads", {"name": "tea", "type": 11})
    thread = int(opened.json()["id"])
    asked = await aylin.say_in(thread, "Bot what do you know about me?")
    assert (await aylin.hear_reply_in(thread, asked))["content"]
    await speak_only_in(inn)
    assert await maren.ask("Bot what do you know about me?")
