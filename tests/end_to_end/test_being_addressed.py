"""When the bot feels addressed, and when it keeps quiet: where it may not write, and when the command was deleted."""

import asyncio
import time
from dataclasses import replace

import pytest

from bot.words import Phrase, Voice
from memory.core.outcomes import RememberOutcome
from memory.core.values import RememberRequest
from memory.language.detect import Language
from memory.places.view import Audience
from tests.end_to_end.asking import ask_privately, overhearing, public_words, say_and_hear
from tests.end_to_end.choosing import call_by_nickname, facts_of
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, Payload, Person, eventually, until
from tests.end_to_end.slash import words_of
from tests.end_to_end.taken_back import TAKEN_BACK, delete, edit, is_gone, noted, nothing_left_to_do, says

HELP = {language: Voice(language, "Bot").say(Phrase.HELP) for language in Language}
ASKED = {
    "Bot help": Language.EN,
    "Bot, who are you?": Language.EN,
    "Bot wer bist du?": Language.DE,
    "Bot qui es-tu ?": Language.FR,
    "Bot ¿qué puedes hacer?": Language.ES,
    "Bot что ты умеешь?": Language.RU,
}


async def bot_words(inn: Inn, by: Person) -> list[str]:
    history = (await by.call("GET", f"/channels/{inn.channel(GENERAL).id}/messages?limit=100")).json()
    return [message["content"] for message in history if message["author"]["id"] == str(inn.house.bot.id)]


async def test_what_is_said_to_us_is_answered_and_other_talk_is_not(inn: Inn) -> None:
    """Talk about bots, and a reply to somebody else, are none of ours."""
    aylin, bot_id = inn.person("aylin"), inn.house.bot.id
    said = await inn.person("florent").say("Who has seen my hat?")
    ignored = [await aylin.say(words) for words in ("that robot is a bot", "remember the milk", "Botany!")]
    ignored.append(await aylin.say("what do you know about hats?", reply_to=said))
    first = await aylin.hear_reply(await aylin.say("Bot remember that gruzilkin whistles"))
    assert await bot_words(inn, aylin) == [first["content"]]
    assert [await aylin.replies_to(one) for one in ignored] == [[], [], [], []]
    await inn.until_stored(ignored[0])
    role = next(role for role in inn.guild.roles.values() if role.bot_id == bot_id)
    assert await aylin.ask(f"what do you think of this, <@{bot_id}>?")
    assert await aylin.ask(f"hello <@&{role.id}>")
    assert "whistles" in await aylin.ask("what do you know about gruzilkin?", reply_to=int(first["id"]))
    assert "bakes on Sundays" in await aylin.ask("hey botttt, remmeber that florent bakes on Sundays")
    assert "bakes on Sundays" in await aylin.ask("what do you know about florent, Bot?")
    assert "Forgotten" in await aylin.ask("froget that florent bakes on Sundays, bot")
    assert (await aylin.ask("Bot")).startswith("I'm here.")


@pytest.mark.parametrize(
    ("asked", "heard"),
    [
        *((asked, HELP[language]) for asked, language in ASKED.items()),
        ("Bot never remember what I say", "I won't note that"),
        ("Bot ne retiens pas ça", "je ne note pas ça"),
        ("Bot vergiss", "Was soll ich vergessen?"),
        ("Bot was isst Carol?", "habe ich nichts dazu gefunden"),
        ("Bot, cosa mangia Carol?", "nothing about that"),
    ],
)
async def test_whoever_speaks_to_us_is_answered_in_their_language(inn: Inn, asked: str, heard: str) -> None:
    """What we are, what is not done and what is not known: said, and nothing is kept."""
    assert heard in await inn.person("aylin").ask(asked)
    assert await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id) == []


async def test_who_greets_us_for_the_first_time_is_told_what_to_try(inn: Inn, aylin: Person, florent: Person) -> None:
    await inn.until_stored(await aylin.say("ich bin heute nicht so gut gelaunt"))
    assert HELP[Language.DE] in await aylin.ask("Hallo Bot!")
    assert HELP[Language.DE] not in await aylin.ask("Hallo Bot!")
    assert "habe ich nichts dazu gefunden" in await aylin.ask("Bot Carol?"), "as they spoke last"
    assert "nothing about that" in await florent.ask("Bot Carol?")
    assert HELP[Language.EN] != await florent.ask("Bot help me find the kettle")


async def test_nobody_is_pinged(aylin: Person, florent: Person) -> None:
    asked = await aylin.say(f"Bot remember that {florent.mention} shouts @everyone and @here in the hall")
    for reply in (
        await aylin.hear_reply(asked),
        await florent.hear_reply(await florent.say(f"Bot what do you know about {florent.mention}?")),
    ):
        assert "shouts" in reply["content"]
        assert reply["mentions"] == []
        assert reply["mention_roles"] == []
        assert reply["mention_everyone"] is False


async def test_it_is_typing_while_it_works_and_not_after(inn: Inn) -> None:
    aylin, us = inn.person("aylin"), str(inn.house.bot.id)
    with overhearing(inn.house) as heard:
        reply = await aylin.hear_reply(await aylin.say("Bot remember that gruzilkin whistles"))
    of_bot = [
        name
        for name, data in heard
        if data.get("id") == reply["id"] or (data.get("user_id"), data.get("channel_id")) == (us, reply["channel_id"])
    ]
    assert of_bot[-1] == "MESSAGE_CREATE"
    assert "TYPING_START" in of_bot


async def test_a_direct_message_gets_a_friendly_sentence_and_is_not_stored(inn: Inn, aylin: Person) -> None:
    channel = (await aylin.call("POST", "/users/@me/channels", {"recipient_id": str(inn.house.bot.id)})).json()["id"]
    said = (await aylin.call("POST", f"/channels/{channel}/messages", {"content": "Bot remember my secret"})).json()

    async def look() -> list[str]:
        history = (await aylin.call("GET", f"/channels/{channel}/messages")).json()
        return [message["content"] for message in history if message["author"]["id"] == str(inn.house.bot.id)]

    assert "server" in (await eventually(look))[0]
    assert await inn.house.rows("SELECT 1 FROM chat_history WHERE message_id = $1", int(said["id"])) == []
    assert await inn.house.rows("SELECT 1 FROM facts WHERE text LIKE '%secret%'") == []


@pytest.mark.parametrize(
    "words",
    ["Bot " + "s'il te plaît " * 24 + "!", "Bot remember this about" + " " * 150 + "x\ny"],
    ids=["polite", "space"],
)
async def test_a_message_made_to_be_slow_to_read_holds_nobody_up(inn: Inn, aylin: Person, words: str) -> None:
    """Before, one of these kept everyone waiting for half a minute, in whatever guild."""
    direct = (await aylin.call("POST", "/users/@me/channels", {"recipient_id": str(inn.house.bot.id)})).json()["id"]
    before = time.process_time()
    said = await aylin.say(words)
    whispered = await aylin.say_in(int(direct), words)
    assert await aylin.hear_reply(said)
    assert await aylin.hear_reply_in(int(direct), whispered)
    assert time.process_time() - before < 5.0, "all that the house does for both, not only the reading"
    assert (await inn.until_stored(said))["text"] == words, "the log keeps what was written"


async def test_where_too_much_is_waiting_already_a_sign_is_left(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    aylin = inn.person("aylin")
    monkeypatch.setattr("bot.answering.answer.MOST_WAITING", 0)
    said = await aylin.say("Bot remember that gruzilkin sails")
    assert await eventually(lambda: sign_on(aylin, said)) == ["⏳"]
    assert await aylin.replies_to(said) == []
    assert await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id) == []


async def test_where_it_may_not_write_it_stays_calm(inn: Inn) -> None:
    maren, channel = inn.person("maren"), inn.channel("kitchen-table").id
    await maren.call(
        "PUT", f"/channels/{channel}/permissions/{inn.house.bot.id}", {"type": 1, "allow": "0", "deny": str(1 << 11)}
    )
    asked = await maren.say("Bot remember that gruzilkin whistles", "kitchen-table")
    await until(lambda: str(channel) in inn.house.issues_of("replies"))
    assert await inn.stored(asked) is not None
    assert "whistles" in await maren.ask("Bot what do you know about gruzilkin?")
    await until(lambda: inn.house.issues_of("replies") == "")


async def test_a_long_answer_comes_in_parts(inn: Inn, aylin: Person) -> None:
    for number in range(8):
        await aylin.ask(f"Bot remember that gruzilkin keeps {number} jars of {'very ' * 90}old marmalade {number}")
    asked = await aylin.say("Bot what do you know about gruzilkin?")
    await aylin.hear_reply(asked)
    await aylin.ask("Bot remember that Aylin is patient")
    history = (await aylin.call("GET", f"/channels/{inn.channel(GENERAL).id}/messages?after={asked}&limit=100")).json()
    parts = [message["content"] for message in reversed(history) if "marmalade" in message["content"]]
    assert len(parts) > 1
    assert all(len(part) <= 2000 for part in parts)
    assert "marmalade 7" in "".join(parts)


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


async def test_elsewhere_it_acts_and_leaves_a_sign(inn: Inn, aylin: Person, maren: Person) -> None:
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


async def test_what_is_gone_before_it_was_carried_out_is_neither_kept_nor_answered(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    aylin, remember, gone = inn.person("aylin"), inn.house.memory.remember, asyncio.Event()

    async def too_late(telling: RememberRequest, audience: Audience) -> RememberOutcome:
        if not gone.is_set():
            await delete(aylin, telling.message_id)
            await inn.until_gone(telling.message_id)
            gone.set()
        return await remember(telling, audience)

    monkeypatch.setattr(inn.house.memory, "remember", too_late)
    await aylin.say("Bot remember that gruzilkin whistles")
    await gone.wait()
    thanked = await say_and_hear(aylin, "Bot thank you")  # answered in turn
    assert await bot_words(inn, aylin) == [thanked["content"]]
    assert await facts_of(inn) == []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("Bot forget that gruzilkin whistles at night", "whistles at night"),
        ("Bot remember that Chief whistles at night", "“Chief”"),
        ("Bot forget everything about Chief", "“Chief”"),
    ],
)
async def test_a_reply_that_repeats_the_command_goes_with_it(inn: Inn, aylin: Person, command: str, words: str) -> None:
    await call_by_nickname(inn, gruzilkin="Chief", florent="Chief")
    said = await aylin.say(command)
    reply: Payload = await aylin.hear_reply(said)
    assert words in reply["content"]
    await noted(inn, said, int(reply["id"]))
    await delete(aylin, said)
    await is_gone(aylin, reply)
    await nothing_left_to_do(inn)


async def test_a_telling_that_is_edited_into_none_leaves_nothing(inn: Inn, aylin: Person) -> None:
    told = await say_and_hear(aylin, "Bot remember that I drive a Fiat")
    await edit(aylin, int(told["message_reference"]["message_id"]), "never mind")
    await says(aylin, told, TAKEN_BACK)
    assert await facts_of(inn) == []
