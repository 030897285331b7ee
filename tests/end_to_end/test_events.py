"""Scheduled events through the front door: told of, reminded of, moved, cancelled, and gone with whoever made them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from local_guild.state.world import ChannelType
from tests.end_to_end.asking import opt_out
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn, Payload, Person, eventually
from tests.end_to_end.reminding import in_state, rows_of
from tests.end_to_end.slash import use, words_of
from tests.end_to_end.test_catchup import catch_up, section

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
