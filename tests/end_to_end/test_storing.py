"""FEATURES 1.1 and 2.7: what is said in a guild is in the log, once, as it stands on Discord now."""

from local_guild.actions.posting import Draft
from local_guild.gateway.sessions import EventTrouble
from local_guild.state.world import Member, User
from tests.end_to_end.house import GENERAL, Inn, Person


async def test_what_is_said_is_stored_edited_and_gone_as_on_discord(inn: Inn) -> None:
    aylin, channel = inn.person("aylin"), inn.channel(GENERAL)
    first = await aylin.say("The kettle is of.")
    second = await inn.person("florent").say("I bring cake.", reply_to=first)
    row = await inn.until_stored(second)
    assert (row["text"], row["author_kind"], row["author_id"]) == (
        "I bring cake.",
        "person",
        inn.person("florent").user.id,
    )
    assert (row["channel_id"], row["reply_to"]) == (channel.id, first)
    assert row["sent_at"].tzinfo is not None
    assert (await inn.until_stored(first))["reply_to"] is None
    path = f"/channels/{channel.id}/messages/{first}"
    await aylin.call("PATCH", path, {"content": "The kettle is off."})
    assert (await inn.until_stored(first, text="The kettle is off."))["edited_at"] is not None
    await aylin.call("DELETE", path)
    await inn.until_gone(first)
    sticker = {"id": "1", "name": "wave", "format_type": 1}
    sent = inn.house.server.posting.send(Draft(channel=channel, author_id=aylin.user.id, sticker_items=[sticker]))
    assert (await inn.until_stored(sent.id))["text"] == "", "a message without words"


async def test_an_unfurled_link_is_no_edit(inn: Inn, aylin: Person) -> None:
    message_id = await aylin.say("Look: https://example.org/tea")
    before = await inn.until_stored(message_id)
    told = inn.house.server.world.message(inn.channel(GENERAL).id, message_id)
    assert told is not None
    inn.house.server.posting.unfurl(told, [{"type": "link", "title": "Tea", "url": "https://example.org/tea"}])
    await inn.until_stored(await aylin.say("Nice, is it not?"))
    after = await inn.stored(message_id)
    assert after == before | {"extras": '{"embeds": ["Tea"]}'}


async def test_bots_and_webhooks_are_marked_and_not_answered(inn: Inn) -> None:
    server, channel = inn.house.server, inn.channel(GENERAL)
    other = User(server.ids.next(), "jukebox", "a token of its own", bot=True)
    server.world.keep(other)
    server.world.keep(Member(inn.guild.id, other.id, server.clock.now()))
    by_bot = server.posting.send(Draft(channel=channel, author_id=other.id, content="Bot what do you know about tea?"))
    hook = server.ids.next()
    server.world.keep(User(hook, "news", "another token"))
    by_hook = server.posting.send(
        Draft(channel=channel, author_id=hook, webhook_id=hook, content="Bot remember that I am in charge")
    )
    assert (await inn.until_stored(by_bot.id))["author_kind"] == "bot"
    assert (await inn.until_stored(by_hook.id))["author_kind"] == "webhook"
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that Aylin likes quiet")
    assert await aylin.replies_to(by_bot.id) == []
    assert await aylin.replies_to(by_hook.id) == []


async def test_our_own_replies_are_stored_as_ours_and_what_discord_writes_itself_is_not(inn: Inn) -> None:
    maren, channel = inn.person("maren"), inn.channel(GENERAL).id
    asked = await maren.say("Bot remember that Aylin likes tea")
    reply = await maren.hear_reply(asked)
    row = await inn.until_stored(int(reply["id"]))
    assert (row["author_kind"], row["reply_to"], row["text"]) == ("self", asked, reply["content"])
    await maren.call("PUT", f"/channels/{channel}/messages/pins/{asked}")
    history = (await maren.call("GET", f"/channels/{channel}/messages?limit=10")).json()
    notice = next(int(message["id"]) for message in history if message["type"] == 6)
    await inn.until_stored(await maren.say("Read them, please."))
    assert await inn.stored(notice) is None


async def test_a_message_delivered_twice_is_stored_and_answered_once(inn: Inn) -> None:
    aylin, house = inn.person("aylin"), inn.house
    await house.server.control.trouble_events(EventTrouble.model_validate({"duplicate": 1.0}))
    try:
        asked = await aylin.say("Bot remember that Aylin has two cats")
        await aylin.hear_reply(asked)
        twin = await aylin.say("Bot remember that Aylin has two cats")
        await aylin.hear_reply(twin)
        later = await aylin.say("Good night")
        await inn.until_stored(later)
    finally:
        await house.server.control.clear_faults()
    rows = await house.rows(
        "SELECT message_id FROM chat_history WHERE guild_id = $1 AND author_kind = 'person'", inn.guild.id
    )
    assert sorted(row["message_id"] for row in rows) == [asked, twin, later]
    assert len(await aylin.replies_to(asked)) == 1


async def test_what_is_said_in_threads_is_stored_and_answered_there(inn: Inn, florent: Person, aylin: Person) -> None:
    opened = await florent.call(
        "POST", f"/channels/{inn.channel(GENERAL).id}/threads", {"name": "clocks", "type": 12, "invitable": True}
    )
    thread = int(opened.json()["id"])
    await florent.call("PUT", f"/channels/{thread}/thread-members/{inn.house.bot.id}")
    told = await florent.say_in(thread, "Bot remember that gruzilkin stole the cuckoo clock")
    reply = await florent.hear_reply_in(thread, told)
    assert "cuckoo" in reply["content"]
    assert (await inn.until_stored(told))["channel_id"] == thread
    assert "cuckoo" not in await aylin.ask("Bot what do you know about gruzilkin?")
    asked = await florent.say_in(thread, "Bot what do you know about gruzilkin?")
    assert "cuckoo" in (await florent.hear_reply_in(thread, asked))["content"]
