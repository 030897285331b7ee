"""Reminders through the front door: asked for, changed, delivered once, and gone with what asked for them."""

from datetime import UTC, datetime, timedelta

from local_guild.faults import RestTrouble
from local_guild.state.permissions import Permission
from memory.reminders.values import MOST_OPEN
from tests.end_to_end.asking import opt_out, outcome_of
from tests.end_to_end.choosing import becomes, heard, message_of
from tests.end_to_end.house import BACK_ROOM, KITCHEN, Inn, Person, eventually, until
from tests.end_to_end.reminding import change, hears, in_state, make_due, rows_of, said_in, said_privately
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import fill_in, labels_of, point_at, press, shown, use, words_of

SNOOZES = ["Done", "In 20 minutes", "In 1 hour", "Tomorrow 9:00"]


async def test_a_reminder_comes_as_a_reply_that_pings_its_owner_alone(inn: Inn, aylin: Person, florent: Person) -> None:
    asked = await aylin.say(f"Bot remind me in 20 minutes to call @everyone, {florent.mention} and **Ann**")
    confirmed = await aylin.hear_reply(asked)
    assert confirmed["content"].startswith("⏰ I'll remind you <t:")
    assert ":R>)" in confirmed["content"]
    assert labels_of(confirmed) == ["Change time", "Undo"], "an interval needs no zone"
    await make_due(inn)
    due = await hears(aylin, "⏰ call @")
    assert due["message_reference"]["message_id"] == str(asked)
    assert [one["id"] for one in due["mentions"]] == [str(aylin.user.id)]
    assert not due["mention_everyone"]
    assert r"\*\*Ann\*\*" in due["content"]
    assert labels_of(due) == SNOOZES
    await heard(florent, await press(florent, due, "Done"), "isn't yours")
    again = due
    for label, minutes in (("In 20 minutes", 20), ("In 1 hour", 60)):
        pressed_at = datetime.now(UTC)
        await press(aylin, again, label)
        await becomes(aylin, again, "I'll remind you")
        (row,) = await in_state(inn, "open")
        assert timedelta(minutes=minutes - 1) < row["due_at"] - pressed_at < timedelta(minutes=minutes + 5)
        await make_due(inn)
        await until(lambda: len(said_in(inn, row["channel_id"], "⏰ call @")) == 1)  # noqa: B023 - awaited here
        again = await hears(aylin, "⏰ call @")
    await press(aylin, again, "Done")
    done = await becomes(aylin, again, "✅ call")
    assert labels_of(done) == []
    await eventually(lambda: rows_of(inn), lambda rows: not rows or rows[0]["state"] == "sent")


async def test_what_is_not_clear_is_asked_and_what_was_made_can_be_changed_and_undone(inn: Inn, aylin: Person) -> None:
    unclear = await aylin.hear_reply(await aylin.say("Bot remind me to call Ann"))
    assert (unclear["content"], labels_of(unclear)) == ("When should I remind you?", ["When?"])
    await heard(aylin, await change(aylin, unclear, "When?", "whenever you like"), "When should I remind you?")
    await change(aylin, unclear, "When?", "tomorrow at 9")
    made = await becomes(aylin, unclear, "I'll remind you")
    assert labels_of(made) == ["Change time", "Undo", "My time zone"], "said once, with the first time by the clock"
    assert "-# In UTC" in made["content"]
    await change(aylin, made, "My time zone", "Tokyo")
    await becomes(aylin, made, "I'll remind you")
    (row,) = await eventually(lambda: rows_of(inn), lambda rows: rows[0]["zone"] == "Asia/Tokyo")
    assert (row["wall"][11:16], row["due_at"].hour) == ("09:00", 0), "its time is by the owner's clock"
    await press(aylin, made, "Undo")
    gone = await becomes(aylin, made, "Reminder deleted")
    await press(aylin, gone, "Undo")
    back = await becomes(aylin, gone, "It is back")
    often = await aylin.ask("Bot remind us every 10 minutes to stretch")
    assert "once an hour at most" in often
    assert "I'll remind only you" in often
    two = await change(aylin, back, "Change time", "on 3/4")
    assert two
    asked = await becomes(aylin, back, "Which one do you mean?")
    assert len(labels_of(asked)) == 3
    await press(aylin, asked, labels_of(asked)[0])
    await becomes(aylin, asked, "I'll remind you")


async def test_commands_make_list_change_and_delete(inn: Inn, maren: Person) -> None:
    assert "no reminders" in words_of(await use(maren, "reminders"))
    made = shown(await use(maren, "remind", when="every day at 9", what="water the plants"))
    assert "🔁 every day" in made["content"]
    for number in range(5):
        await use(maren, "remind", when=f"in {number + 2} days", what=f"task {number}")
    listed = shown(await use(maren, "reminders"))
    assert listed["flags"] & 64, "everybody would see it"
    assert "**1.** water the plants" in listed["content"]
    assert labels_of(listed) == ["1", "2", "3", "4", "5", "◀", "▶"]
    await press(maren, listed, "▶")
    last = await becomes(maren, listed, "task 4")
    await press(maren, last, "6")
    one = await becomes(maren, last, "task 4")
    one = await eventually(lambda: message_of(maren, one), lambda now: labels_of(now) == ["Edit", "Delete", "Back"])
    await change(maren, one, "Edit", "", "another task")
    await becomes(maren, one, "> another task")
    assert [row["text"] for row in await rows_of(inn)][-1] == "another task"
    assert "another task" not in str(words_of(await use(inn.person("florent"), "reminders")))
    for _ in range(MOST_OPEN - 6):
        await use(maren, "remind", when="in 3 days", what="much")
    assert f"{MOST_OPEN} open reminders, which" in words_of(await use(maren, "remind", when="in 3 days", what="more"))


async def test_a_reminder_goes_with_the_message_it_points_at_or_was_asked_in(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    said = await florent.say("The boiler man comes on Thursday.")
    await inn.until_stored(said)
    outcome = await fill_in(aylin, await point_at(aylin, "Remind me of this", said), "tomorrow 9:00", "")
    assert "remind you of this" in shown(outcome)["content"]
    asked = await aylin.say("Bot remind me tomorrow of the soup")
    await aylin.hear_reply(asked)
    await make_due(inn)
    due = await hears(aylin, "reminded of this")
    assert due["message_reference"]["message_id"] == str(said)
    await hears(aylin, "⏰ the soup")
    channel = inn.channel("general").id
    await aylin.call("PATCH", f"/channels/{channel}/messages/{asked}", {"content": "Bot remind me tomorrow of lunch"})
    await until(lambda: not said_in(inn, channel, "the soup"))  # what it says no more is not said by us either
    assert [row["text"] for row in await rows_of(inn)] == ["", ""]
    await florent.call("DELETE", f"/channels/{channel}/messages/{said}")
    await aylin.call("DELETE", f"/channels/{channel}/messages/{asked}")
    asked = await aylin.say("Bot remind me tomorrow of the bread")
    confirmed = await aylin.hear_reply(asked)
    await aylin.call("DELETE", f"/channels/{channel}/messages/{asked}")
    assert await eventually(lambda: rows_of(inn), lambda rows: not rows) == []
    await until(lambda: confirmed["id"] not in {str(one.id) for one in said_in(inn, channel, "")})


async def test_where_others_came_to_read_it_comes_by_direct_message_and_else_on_the_next_contact(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    for what in ("the first surprise", "the second surprise", "the third surprise"):
        await florent.hear_reply(await florent.say(f"Bot remind me tomorrow of {what}", BACK_ROOM), BACK_ROOM)
    first, second, third = [row["reminder_id"] for row in await rows_of(inn)]
    await make_due(inn, only=first)
    await hears(florent, "⏰ the first surprise", BACK_ROOM)
    cellar = next(role for role in inn.guild.roles.values() if role.name == "Cellar")
    member = inn.house.server.world.member(inn.guild.id, aylin.user.id)
    assert member is not None
    maren = inn.person("maren")
    await maren.call("PUT", f"/guilds/{inn.guild.id}/members/{aylin.user.id}/roles/{cellar.id}")
    view, room = inn.house.memory.place_mirror.view(inn.guild.id), inn.channel(BACK_ROOM).id
    await until(lambda: aylin.user.id in view.people(view.viewers(room)))
    await make_due(inn, only=second)
    await until(lambda: said_privately(inn, florent, "⏰ the second surprise"))
    assert not said_in(inn, room, "⏰ the second surprise")
    no_private = RestTrouble(
        kind="error", status=403, path=r"POST .*/(users/@me/channels|channels/\d+/messages)$", seconds=600
    )
    inn.house.server.faults.trouble_rest(no_private)
    await make_due(inn, only=third)
    await eventually(lambda: rows_of(inn), lambda rows: [row["state"] for row in rows][-1] == "kept")
    inn.house.server.faults.clear()
    assert "that I couldn't deliver" in await florent.ask("Bot hello")
    outcome = await use(florent, "innkeeper", "about")
    told = await eventually(lambda: outcome_of(florent, outcome), lambda now: "the third surprise" in words_of(now))
    assert "couldn't deliver this when it was due" in words_of(told)
    assert "that I couldn't deliver" not in await florent.ask("Bot hello")


async def test_what_is_late_says_so_and_after_a_long_absence_it_is_one_note(inn: Inn) -> None:
    aylin, channel = inn.person("aylin"), inn.channel("general").id
    await aylin.ask("Bot remind me every day at 9 to stretch")
    await make_due(inn, timedelta(minutes=11))
    late = await hears(aylin, "⏰ stretch")
    assert "Late: I was away" in late["content"]
    assert "🔁 every day, next" in late["content"]
    await eventually(lambda: rows_of(inn), lambda rows: [row["due_at"].hour for row in rows] == [9])
    await press(aylin, late, "Tomorrow")
    await eventually(lambda: rows_of(inn), lambda rows: [row["every"] for row in rows] == ["day", None])
    for what in ("one", "two"):
        await aylin.ask(f"Bot remind me tomorrow of {what}")
    await make_due(inn, timedelta(hours=30))
    note = await hears(aylin, "I was away for a while")
    assert labels_of(note) == ["1", "2", "3", "4"]
    assert len(said_in(inn, channel, "⏰ one")) == 0
    (number,) = [line[2] for line in note["content"].splitlines() if line.endswith(" one")]
    assert labels_of(shown(await press(aylin, note, number))) == SNOOZES
    assert [one.content for one in said_in(inn, channel, "away for a while")] == [note["content"]]


async def test_the_time_zone_of_a_member_and_what_others_may_not_set(inn: Inn, aylin: Person) -> None:
    assert "**Asia/Tokyo**" in words_of(await use(aylin, "settings", "my-time-zone", zone="tokyo"))
    assert "don't know a time zone called" in words_of(await use(aylin, "settings", "my-time-zone", zone="Atlantis"))
    assert "manage" in words_of(await use(aylin, "settings", "time-zone", zone="tokyo")).lower()
    await aylin.ask("Bot remind me tomorrow at 9 to call Ann")
    (row,) = await rows_of(inn)
    assert (row["zone"], row["due_at"].hour) == ("Asia/Tokyo", 0)
    await opt_out(aylin)
    assert await rows_of(inn) == []
    assert "/privacy opt-in" in words_of(await use(aylin, "remind", when="tomorrow", what="nothing"))


async def test_where_its_owner_may_not_write_it_comes_to_them_alone_and_managers_end_what_comes_there(inn: Inn) -> None:
    aylin, florent, maren, kitchen = (
        *(inn.person(one) for one in ("aylin", "florent", "maren")),
        inn.channel(KITCHEN).id,
    )
    view = inn.house.memory.place_mirror.view(inn.guild.id)
    silenced = {"type": 1, "allow": "0", "deny": str(int(Permission.SEND_MESSAGES))}
    await maren.call("PUT", f"/channels/{kitchen}/permissions/{aylin.user.id}", silenced)
    await until(lambda: not view.may_write(aylin.user.id, kitchen))
    made = shown(await use(aylin, "remind", where=KITCHEN, when="tomorrow at 9", what="see https://sale.example"))
    assert f"You can't write in <#{kitchen}>, so it'll come as a direct message." in made["content"]
    for what in ("the soup", "the stew"):
        asked = shown(await use(florent, "remind", where=KITCHEN, when="tomorrow at 9", what=what))
        assert "direct message" not in asked["content"]
    listed = await Screen.open(maren, "channel-memory", "reminders", channel=str(kitchen))
    assert f"**1.** {florent.mention} the soup" in listed.words
    assert "sale.example" not in listed.words, "it is for its owner alone"
    await listed.press("End 1")
    await listed.until("'s reminder won't come")
    assert "ended a reminder" in words_of(await use(florent, "privacy", "show"))
    await make_due(inn)
    await hears(florent, "⏰ the stew", KITCHEN)
    await until(lambda: said_privately(inn, aylin, "⏰ see"))
    assert [one.content for one in said_in(inn, kitchen, "⏰")] == [f"{florent.mention} ⏰ the stew"]
