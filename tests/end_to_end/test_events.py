"""What a guild shares besides messages, through the front door: scheduled events, told of, reminded of, moved,
cancelled and gone with whoever made them; titles and tags of posts, pins, reactions and polls."""

from datetime import UTC, datetime, timedelta
from typing import Any

from local_guild.state.world import ChannelType
from tests.end_to_end.asking import opt_out, outcome_of, recall
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Payload, Person, eventually
from tests.end_to_end.reminding import in_state, rows_of
from tests.end_to_end.slash import use, words_of
from tests.end_to_end.test_catchup import catch_up, section
from tests.end_to_end.test_recall import all_indexed

VOICE, EXTERNAL = 2, 3


async def schedule(person: Person, name: str, starts_at: datetime, channel_id: int | None = None) -> Payload:
    body: Payload = {"name": name, "scheduled_start_time": starts_at.isoformat(), "entity_type": VOICE}
    if channel_id is None:
        ends_at = (starts_at + timedelta(hours=2)).isoformat()
        body |= {"entity_type": EXTERNAL, "scheduled_end_time": ends_at, "entity_metadata": {"location": "the park"}}
    else:
        body["channel_id"] = str(channel_id)
    made = await person.call("POST", f"/guilds/{person.inn.guild.id}/scheduled-events", body)
    await eventually(lambda: kept(person.inn), lambda rows: name in [row["name"] for row in rows])
    return dict(made.json())


async def voice_channel(inn: Inn, name: str, *, like: str | None = None) -> int:
    """One that everybody may enter, or those who may enter another channel."""
    body: Payload = {"name": name, "type": ChannelType.VOICE}
    if like is not None:
        overwrites = inn.channel(like).overwrites.values()
        body["permission_overwrites"] = [
            {"id": str(one.id), "type": int(one.for_member), "allow": str(one.allow), "deny": str(one.deny)}
            for one in overwrites
        ]
    made = await inn.person("maren").call("POST", f"/guilds/{inn.guild.id}/channels", body)
    return int(made.json()["id"])


async def kept(inn: Inn) -> list[dict[str, Any]]:
    return await inn.house.rows("SELECT * FROM events WHERE guild_id = $1 ORDER BY starts_at", inn.guild.id)


def path_of(event: Payload) -> str:
    return f"/guilds/{event['guild_id']}/scheduled-events/{event['id']}"


async def test_events_are_told_to_those_who_see_them_and_reminders_move_along(inn: Inn) -> None:
    maren, florent, aylin = (inn.person(name) for name in ("maren", "florent", "aylin"))
    assert "Nothing is scheduled" in await aylin.ask("Bot, what's coming up?")
    await inn.until_stored(await florent.say("Who brings the dice?"))
    starts_at = (datetime.now(UTC) + timedelta(hours=3)).replace(microsecond=0)
    game = await schedule(maren, "Game night", starts_at, await voice_channel(inn, "Lounge"))
    await schedule(maren, "Picnic", starts_at + timedelta(days=2))
    secret = await voice_channel(inn, "Cellar", like=BACK_ROOM)
    await schedule(maren, "Surprise for Aylin", starts_at + timedelta(hours=1), secret)

    # Everybody is told of what they see on Discord, in their own language; nobody of anything else.
    asked = await aylin.say("Bot, what's coming up?")
    listed = (await aylin.hear_reply(asked))["content"]
    stamp = int(starts_at.timestamp())
    assert f"• <t:{stamp}:F> (<t:{stamp}:R>) **Game night** [↪](https://discord.com/events/{inn.guild.id}/" in listed
    assert listed.index("Game night") < listed.index("Picnic")
    assert "· the park" in listed
    assert "Surprise" not in listed
    assert (await aylin.ask("Bot, when does the game night start?")).startswith(f"• <t:{stamp}:F>")
    german = await florent.ask("Bot, was steht an?", BACK_ROOM)
    assert german.startswith("Das steht auf diesem Server an:")
    assert "Surprise for Aylin" in german
    caught_up = section(words_of(await catch_up(aylin)), "Coming up")
    assert ["Game night" in caught_up[0], "Picnic" in caught_up[1], len(caught_up)] == [True, True, 2]
    await use(maren, "digest", "setup", channel=str(inn.channel(GENERAL).id), least=1)
    preview = words_of(await use(maren, "digest", "preview"))
    assert "Game night" in section(preview, "Coming up")[0]
    assert "Surprise" not in preview, "the channel it is meant for has other readers"

    # A reminder counts from the event, and moves along when that does. What told of the old time is taken back.
    assert "I'll remind you" in await aylin.ask("Bot remind me an hour before the game night to bring chips")
    (reminder,) = await in_state(inn, "open")
    assert reminder["due_at"] == starts_at - timedelta(hours=1)
    assert reminder["text"] == "the game night to bring chips"
    asks_when = await aylin.ask("Bot remind me an hour before the surprise to leave")
    assert asks_when == "When should I remind you?", "not where it is none of theirs"
    later = starts_at + timedelta(days=1)
    await maren.call("PATCH", path_of(game), {"scheduled_start_time": later.isoformat()})
    moved = await eventually(lambda: rows_of(inn), lambda rows: rows[0]["due_at"] != reminder["due_at"])
    assert (moved[0]["due_at"], moved[0]["wall"][11:16]) == (
        later - timedelta(hours=1),
        f"{later - timedelta(hours=1):%H:%M}",
    )
    await eventually(lambda: aylin.replies_to(asked), lambda replies: "Game night" not in str(replies))
    # The count of those who are interested is kept, and not who they are.
    await inn.person("gruzilkin").call("PUT", f"{path_of(game)}/users/@me")
    rows = await eventually(lambda: kept(inn), lambda rows: any(row["interested"] for row in rows))
    assert str(inn.person("gruzilkin").user.id) not in str(rows)
    assert "1 interested" in await aylin.ask("Bot, what's coming up?")


async def test_an_event_goes_when_it_is_cancelled_and_with_whoever_made_it(inn: Inn) -> None:
    maren, aylin = inn.person("maren"), inn.person("aylin")
    starts_at = datetime.now(UTC) + timedelta(hours=5)
    quiz = await schedule(maren, "Quiz", starts_at)
    dance = await schedule(maren, "Dance", starts_at)
    own = await schedule(aylin, "Aylin bakes", starts_at)
    asked = await maren.say("Bot, any upcoming events?")
    assert "Quiz" in (await maren.hear_reply(asked))["content"]
    await maren.call("PATCH", path_of(quiz), {"status": 4})
    await maren.call("DELETE", path_of(dance))
    await eventually(lambda: kept(inn), lambda rows: [row["name"] for row in rows] == ["Aylin bakes"])
    await eventually(lambda: maren.replies_to(asked), lambda replies: "Quiz" not in str(replies))
    await opt_out(aylin)
    assert await kept(inn) == []
    # Discord still lists it, and it is read again with the next one.
    await schedule(maren, "Choir", starts_at)
    assert [row["name"] for row in await kept(inn)] == ["Choir"]
    assert own["name"] not in await maren.ask("Bot, what's coming up?")


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
