"""What is shared without being said: titles and tags of posts, pins, reactions and polls, through the front door."""

from typing import Any

from local_guild.state.world import ChannelType
from tests.end_to_end.asking import outcome_of, recall
from tests.end_to_end.house import KITCHEN, Inn, Payload, Person, eventually
from tests.end_to_end.slash import use, words_of
from tests.end_to_end.test_recall import all_indexed


async def post(person: Person, forum: Payload, title: str, words: str, tag: int = 0) -> int:
    body = {"name": title, "applied_tags": [forum["available_tags"][tag]["id"]], "message": {"content": words}}
    made = await person.call("POST", f"/channels/{forum['id']}/threads", body)
    await person.inn.until_stored(int(made.json()["id"]))
    return int(made.json()["id"])


async def told(person: Person, begun: Payload) -> str:
    return words_of(await eventually(lambda: outcome_of(person, begun), lambda now: bool(words_of(now))))


async def recalled(person: Person, query: str) -> str:
    return await told(person, await recall(person, query))


async def marks(inn: Inn, message_id: int) -> dict[str, Any]:
    row = await inn.stored(message_id)
    assert row is not None
    return row


async def test_a_post_is_found_by_its_title_and_tags_with_its_outcome_and_is_summed_up(inn: Inn) -> None:
    maren, florent, aylin = (inn.person(name) for name in ("maren", "florent", "aylin"))
    tags = [{"name": "plumbing"}, {"name": "garden"}]
    sent: Payload = {"name": "help", "type": ChannelType.FORUM, "available_tags": tags}
    forum = (await maren.call("POST", f"/guilds/{inn.guild.id}/channels", sent)).json()
    leak = await post(aylin, forum, "Dripping tap upstairs", "It goes on all night, what can I do?")
    for number in range(6):
        await florent.say_in(leak, f"I would look at that bathroom again, number {number}")
    await inn.until_stored(await maren.say_in(leak, "Fixed: the rubber ring was worn out"))

    await all_indexed(inn.house)
    # By the words of the title, and by the tag, neither of which anybody said; the last answer stands beside it.
    found = await recalled(florent, "dripping tap")
    assert "It goes on all night" in found
    assert "the rubber ring was worn out" in found
    assert "It goes on all night" in await recalled(florent, "plumbing")
    await aylin.call("PATCH", f"/channels/{leak}", {"name": "Leaking faucet", "archived": False})
    await eventually(lambda: marks(inn, leak), lambda row: "Leaking faucet" in row["extras"])
    assert "It goes on all night" in await recalled(florent, "faucet")

    assert "rubber ring" in await told(florent, await use(florent, "summary", "now", where=leak))


async def test_pins_reactions_and_the_result_of_a_poll_are_kept_without_a_name(inn: Inn) -> None:
    maren, florent, aylin = (inn.person(name) for name in ("maren", "florent", "aylin"))
    kitchen = inn.channel(KITCHEN).id
    assert "Nothing is pinned here" in await aylin.ask("Bot, what's pinned here?", KITCHEN)
    rules = await maren.say("Wash up before ten", KITCHEN)
    other = await florent.say("I like soup", KITCHEN)
    await inn.until_stored(other)
    await maren.call("PUT", f"/channels/{kitchen}/messages/pins/{rules}")
    await inn.until_stored(rules, pinned=True)
    pinned = await aylin.ask("Bot, was ist hier angepinnt?", KITCHEN)
    assert pinned.startswith("Hier ist angepinnt:\n• ")
    assert ("Wash up before ten" in pinned, "soup" in pinned) == (True, False)
    assert "Nothing is pinned here" in await aylin.ask("Bot, what's pinned here?"), "another channel"
    for person, way in ((florent, "PUT"), (aylin, "PUT"), (aylin, "DELETE"), (maren, "PUT")):
        await person.call(way, f"/channels/{kitchen}/messages/{other}/reactions/%F0%9F%8D%B2/@me")
    row = await inn.until_stored(other, reactions=2)
    assert str(aylin.user.id) not in str(row)
    await maren.call("DELETE", f"/channels/{kitchen}/messages/pins/{rules}")
    await inn.until_stored(rules, pinned=False)

    poll = {
        "question": {"text": "Which soup on Friday?"},
        "answers": [{"poll_media": {"text": one}} for one in ("Leek", "Onion")],
    }
    asked = int((await florent.call("POST", f"/channels/{kitchen}/messages", {"poll": poll})).json()["id"])
    await inn.until_stored(asked)
    for person in (maren, aylin):
        await person.call("PUT", f"/channels/{kitchen}/polls/{asked}/answers/@me", {"answer_ids": [2]})
    await florent.call("POST", f"/channels/{kitchen}/polls/{asked}/expire")
    ended = await eventually(lambda: marks(inn, asked), lambda row: "Onion (2)" in row["extras"])
    assert "Leek (0)" in ended["extras"]
    assert "Onion (2)" in await recalled(maren, "which soup on friday")
