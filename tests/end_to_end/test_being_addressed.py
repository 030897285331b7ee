"""When the bot feels addressed, and when it keeps quiet."""

import time

import pytest

from local_guild.actions.posting import Draft
from tests.end_to_end.ears import ears_of
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn, Person, eventually, until


async def bot_words(inn: Inn, by: Person) -> list[str]:
    history = (await by.call("GET", f"/channels/{inn.channel(GENERAL).id}/messages?limit=100")).json()
    return [message["content"] for message in history if message["author"]["id"] == str(inn.house.bot.id)]


@pytest.mark.parametrize(
    "words",
    ["that robot is a bot", "I am not a Bot", "bots are strange", "remember the milk", "robot, remember me", "Botany!"],
)
async def test_talk_about_bots_is_not_for_us(inn: Inn, words: str) -> None:
    aylin = inn.person("aylin")
    ignored = await aylin.say(words)
    answered = await aylin.ask("Bot remember that Aylin is patient")
    assert await aylin.replies_to(ignored) == []
    assert await bot_words(inn, aylin) == [answered]
    await inn.until_stored(ignored)


async def test_a_mention_anywhere_is_for_us(inn: Inn) -> None:
    assert await inn.person("aylin").ask(f"what do you think of this, <@{inn.house.bot.id}>?")


async def test_a_mention_of_our_role_is_for_us(inn: Inn) -> None:
    role = next(role for role in inn.guild.roles.values() if role.bot_id == inn.house.bot.id)
    assert await inn.person("aylin").ask(f"hello <@&{role.id}>")


async def test_a_reply_to_us_is_for_us(inn: Inn) -> None:
    aylin = inn.person("aylin")
    first = await aylin.hear_reply(await aylin.say("Bot remember that gruzilkin whistles"))
    assert "whistles" in await aylin.ask("what do you know about gruzilkin?", reply_to=int(first["id"]))


async def test_a_reply_to_someone_else_is_not(inn: Inn) -> None:
    aylin = inn.person("aylin")
    first = await inn.person("florent").say("Who has seen my hat?")
    ignored = await aylin.say("what do you know about hats?", reply_to=first)
    await aylin.ask("Bot remember that Aylin is patient")
    assert await aylin.replies_to(ignored) == []


async def test_nobody_is_pinged(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
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
    aylin = inn.person("aylin")
    async with ears_of(aylin) as events:
        reply = await aylin.hear_reply(await aylin.say("Bot remember that gruzilkin whistles"))
        await until(lambda: any(event["d"].get("id") == reply["id"] for event in events))
        of_bot = [
            event["t"]
            for event in events
            if event["d"].get("user_id") == str(inn.house.bot.id) or event["d"].get("id") == reply["id"]
        ]
    assert of_bot[-1] == "MESSAGE_CREATE"
    assert "TYPING_START" in of_bot


async def test_a_direct_message_gets_a_friendly_sentence_and_is_not_stored(inn: Inn) -> None:
    aylin = inn.person("aylin")
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
async def test_a_message_made_to_be_slow_to_read_holds_nobody_up(inn: Inn, words: str) -> None:
    """Before, one of these kept everyone waiting for half a minute, in whatever guild."""
    aylin = inn.person("aylin")
    direct = (await aylin.call("POST", "/users/@me/channels", {"recipient_id": str(inn.house.bot.id)})).json()["id"]
    before = time.process_time()
    said = await aylin.say(words)
    whispered = await aylin.say_in(int(direct), words)
    assert await aylin.hear_reply(said)
    assert await aylin.hear_reply_in(int(direct), whispered)
    assert time.process_time() - before < 5.0, "all that the house does for both, not only the reading"
    assert (await inn.until_stored(said))["text"] == words, "the log keeps what was written"


async def test_whoever_writes_to_us_directly_again_and_again_is_greeted_a_few_times(inn: Inn) -> None:
    florent = inn.person("florent")
    channel = (await florent.call("POST", "/users/@me/channels", {"recipient_id": str(inn.house.bot.id)})).json()["id"]
    for number in range(8):
        await florent.call("POST", f"/channels/{channel}/messages", {"content": f"hello {number}"})

    async def greetings() -> int:
        history = (await florent.call("GET", f"/channels/{channel}/messages")).json()
        return sum(message["author"]["id"] == str(inn.house.bot.id) for message in history)

    await eventually(greetings, lambda seen: seen >= 5)
    assert await florent.ask("Bot what do you know about me?")
    assert await greetings() == 5


async def test_where_too_much_is_waiting_already_a_sign_is_left(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    aylin = inn.person("aylin")
    monkeypatch.setattr("bot.answering.answer.MOST_WAITING", 0)
    said = await aylin.say("Bot remember that gruzilkin sails")
    path = f"/channels/{inn.channel(GENERAL).id}/messages/{said}"

    async def signs() -> list[str]:
        message = (await aylin.call("GET", path)).json()
        return [reaction["emoji"]["name"] for reaction in message.get("reactions") or []]

    assert await eventually(signs) == ["⏳"]
    assert await aylin.replies_to(said) == []
    assert await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id) == []


async def test_a_reply_to_what_is_gone_is_sent_all_the_same(inn: Inn) -> None:
    """Discord has deleted it, and nobody has told us yet."""
    aylin, channel, house = inn.person("aylin"), inn.channel(GENERAL), inn.house
    said = house.server.posting.send(
        Draft(channel=channel, author_id=aylin.user.id, content="Bot remember that gruzilkin whistles")
    )
    house.server.world.drop(said)
    [words] = await eventually(lambda: bot_words(inn, aylin))
    assert "whistles" in words


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


async def test_what_was_told_in_a_private_channel_stays_there(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    await florent.ask("Bot remember that gruzilkin dreads the surprise party", BACK_ROOM)
    await inn.until_stored(await florent.say("The password is swordfish.", BACK_ROOM))
    for question in (
        "Bot what do you know about gruzilkin?",
        "Bot what is the password?",
        "Bot when is the surprise party?",
    ):
        said = await aylin.ask(question)
        assert "dreads" not in said
        assert "swordfish" not in said
    assert "dreads" in await florent.ask("Bot what do you know about gruzilkin?", BACK_ROOM)
    assert "swordfish" in await florent.ask("Bot what is the password?", BACK_ROOM)


async def test_what_was_told_in_the_hall_is_known_in_the_back_room(inn: Inn) -> None:
    await inn.person("aylin").ask("Bot remember that gruzilkin juggles")
    assert "juggles" in await inn.person("florent").ask("Bot what do you know about gruzilkin?", BACK_ROOM)


async def test_a_channel_that_closes_takes_its_facts_out_of_view(inn: Inn) -> None:
    maren, aylin = inn.person("maren"), inn.person("aylin")
    await aylin.ask("Bot remember that gruzilkin breeds newts", "kitchen-table")
    assert "newts" in await aylin.ask("Bot what do you know about gruzilkin?")
    kitchen = inn.channel("kitchen-table").id
    await maren.call(
        "PUT", f"/channels/{kitchen}/permissions/{inn.guild.id}", {"type": 0, "allow": "0", "deny": str(1 << 10)}
    )
    await maren.call(
        "PUT", f"/channels/{kitchen}/permissions/{inn.house.bot.id}", {"type": 1, "allow": str(1 << 10), "deny": "0"}
    )
    assert "newts" not in await aylin.ask("Bot what do you know about gruzilkin?")


async def test_a_long_answer_comes_in_parts(inn: Inn) -> None:
    aylin = inn.person("aylin")
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


async def test_a_call_before_the_name_and_a_name_at_the_end_are_heard(inn: Inn) -> None:
    aylin = inn.person("aylin")
    assert "bakes on Sundays" in await aylin.ask("hey bot, remember that florent bakes on Sundays")
    assert "bakes on Sundays" in await aylin.ask("what do you know about florent, Bot?")
    assert "`/catchup`" in await aylin.ask("ok bot what can you do?")
    assert "Forgotten" in await aylin.ask("forget that florent bakes on Sundays, bot")
