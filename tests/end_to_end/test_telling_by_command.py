"""B.15: `/remember`, `/forget` and "Remember this"; and being asked whom one means, with buttons."""

from local_guild.faults import RestTrouble
from tests.end_to_end.asking import at_home, buttons_of, labels_of, outcome_of, say_and_hear
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn, Payload, Person, eventually
from tests.end_to_end.slash import COMMAND, COMPONENT, commands_of, words_of

MESSAGE_MENU = 3
EPHEMERAL = 64


async def tell(person: Person, command: str, channel: str = GENERAL, **options: object) -> Payload:
    given = [{"name": name, "value": value} for name, value in options.items()]
    body = {
        "type": COMMAND,
        "channel_id": str(person.inn.channel(channel).id),
        "data": {"name": command, "options": given},
    }
    outcome: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    return outcome


async def point_at(person: Person, message_id: int, channel: str = GENERAL) -> Payload:
    data = {"name": "Remember this", "type": MESSAGE_MENU, "target_id": str(message_id)}
    body = {"type": COMMAND, "channel_id": str(person.inn.channel(channel).id), "data": data}
    outcome: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    return outcome


async def press_labelled(person: Person, message: Payload, label: str) -> Payload:
    button = next(one for one in buttons_of(message) if label in one["label"])
    body = {
        "type": COMPONENT,
        "channel_id": message["channel_id"],
        "message_id": message["id"],
        "data": {"component_type": button["type"], "custom_id": button["custom_id"]},
    }
    pressed: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    return pressed


async def content_of(person: Person, message: Payload) -> str:
    answer = await person.call("GET", f"/channels/{message['channel_id']}/messages/{message['id']}")
    return str(answer.json()["content"])


async def name_two_alike(inn: Inn) -> None:
    maren, aylin = inn.person("maren"), inn.person("aylin")
    for name in ("gruzilkin", "florent"):
        user_id = inn.person(name).user.id
        await maren.call("PATCH", f"/guilds/{inn.guild.id}/members/{user_id}", {"nick": "Chief"})
        assert "Chief" in await aylin.ask(f"Bot remember that <@{user_id}> answers to the bell {name}")


async def test_remembered_and_forgotten_by_command(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await tell(aylin, "remember", fact="that gruzilkin likes radishes")
    assert "gruzilkin" in words_of(told)
    assert "radishes" in words_of(told)
    assert told["message"]["flags"] & EPHEMERAL
    assert "radishes" in await inn.person("florent").ask("Bot what do you know about gruzilkin?")
    gone = await tell(aylin, "forget", fact="that gruzilkin likes radishes")
    assert "radishes" in words_of(gone)
    assert gone["message"]["flags"] & EPHEMERAL
    assert "radishes" not in await aylin.ask("Bot what do you know about gruzilkin?")
    left = await inn.house.rows("SELECT 1 FROM addressed WHERE guild_id = $1 AND intent = 'forget'", inn.guild.id)
    assert left == []  # a command stands in no channel


async def test_a_command_may_name_the_member_apart(inn: Inn) -> None:
    await at_home(inn)
    florent = inn.person("florent")
    told = await tell(inn.person("aylin"), "remember", fact="he collects stamps", about=str(florent.user.id))
    assert "Florent" in words_of(told)
    rows = await inn.house.rows("SELECT text, subject_id FROM facts WHERE guild_id = $1", inn.guild.id)
    assert [(row["text"], row["subject_id"]) for row in rows] == [
        (f"<@{florent.user.id}> collects stamps", florent.user.id)
    ]


async def test_a_command_in_the_back_room_stays_there(inn: Inn) -> None:
    await at_home(inn)
    florent = inn.person("florent")
    told = await tell(florent, "remember", BACK_ROOM, fact="I hide the truffles")
    assert "people who can read this channel will hear it" in words_of(told)
    assert "truffles" not in await inn.person("aylin").ask(f"Bot what do you know about {florent.mention}?")
    assert await inn.house.rows("SELECT 1 FROM texts WHERE guild_id = $1", inn.guild.id) == []
    # Of oneself one may say so at once.
    await tell(florent, "remember", BACK_ROOM, fact="I sing in a choir", everyone=True)
    assert "choir" in await inn.person("aylin").ask(f"Bot what do you know about {florent.mention}?")


async def test_forgetting_by_command_reaches_all_that_one_can_read(inn: Inn) -> None:
    await at_home(inn)
    florent = inn.person("florent")
    await florent.ask("Bot remember that I keep bees", BACK_ROOM)
    assert "bees" in words_of(await tell(florent, "forget", fact="that I keep bees"))
    assert await inn.house.rows("SELECT 1 FROM texts WHERE guild_id = $1", inn.guild.id) == []


async def test_a_message_is_remembered_from_its_menu(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    said = await florent.say("I always put cardamom into the coffee.")
    told = await point_at(aylin, said)
    assert "cardamom" in words_of(told)
    assert told["message"]["flags"] & EPHEMERAL
    assert "cardamom" in await aylin.ask(f"Bot what do you know about {florent.mention}?")
    (row,) = await inn.house.rows("SELECT * FROM facts WHERE guild_id = $1", inn.guild.id)
    assert (row["teller_id"], row["subject_id"]) == (florent.user.id, florent.user.id)
    assert row["source_message_id"] == said
    # It goes with the message it was taken from.
    await florent.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{said}")
    await eventually(
        lambda: inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id), lambda rows: not rows
    )


async def test_our_own_words_are_not_remembered_from_the_menu(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    reply = await say_and_hear(aylin, "Bot remember that gruzilkin owns a boat")
    assert "What should I remember?" in words_of(await point_at(aylin, int(reply["id"])))
    assert len(await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id)) == 1


async def test_the_teller_chooses_whom_they_mean(inn: Inn) -> None:
    await name_two_alike(inn)
    aylin = inn.person("aylin")
    asked = await say_and_hear(aylin, "Bot remember that Chief is fond of radishes")
    assert {label.rpartition("(")[2] for label in labels_of(asked)} == {"@gruzilkin)", "@florent)"}
    refused = await press_labelled(inn.person("florent"), asked, "@florent")
    assert "Only they know" in words_of(refused)
    facts = "SELECT subject_id FROM facts WHERE guild_id = $1 AND text LIKE '%radish%'"
    assert await inn.house.rows(facts, inn.guild.id) == []
    await press_labelled(aylin, asked, "@florent")
    said = await eventually(
        lambda: content_of(aylin, asked), lambda words: "radishes" in words and "Which" not in words
    )
    assert "remember" in said
    assert [row["subject_id"] for row in await inn.house.rows(facts, inn.guild.id)] == [inn.person("florent").user.id]


async def test_what_was_told_meanwhile_is_gone_is_said(inn: Inn) -> None:
    await name_two_alike(inn)
    aylin = inn.person("aylin")
    said = await aylin.say("Bot remember that Chief is fond of leeks")
    asked = await aylin.hear_reply(said)
    # Our question is taken back as well; this is about whoever presses before that.
    taking_back = f"(PATCH|DELETE) .*/channels/[0-9]+/messages/{asked['id']}$"
    inn.house.server.faults.trouble_rest(RestTrouble(kind="error", path=taking_back, seconds=600))
    await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{said}")
    stored = "SELECT 1 FROM chat_history WHERE guild_id = $1 AND message_id = $2"
    await eventually(lambda: inn.house.rows(stored, inn.guild.id, said), lambda rows: rows == [])
    await press_labelled(aylin, asked, "@florent")
    assert "say it again" in await eventually(lambda: content_of(aylin, asked), lambda words: "any more" in words)
    assert await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1 AND text LIKE '%leek%'", inn.guild.id) == []


async def test_a_part_of_a_name_is_asked_about(inn: Inn) -> None:
    await at_home(inn)
    aylin, facts = inn.person("aylin"), "SELECT subject_id, text FROM facts WHERE guild_id = $1"
    asked = await say_and_hear(aylin, "Bot remember that gruzilk likes elderberries")
    assert "know anyone called “gruzilk”" in asked["content"]
    assert await inn.house.rows(facts, inn.guild.id) == []
    await press_labelled(aylin, asked, "@gruzilkin")
    gruzilkin = inn.person("gruzilkin").user.id
    (row,) = await eventually(lambda: inn.house.rows(facts, inn.guild.id))
    assert (row["subject_id"], row["text"]) == (gruzilkin, f"<@{gruzilkin}> likes elderberries")
    other = await say_and_hear(aylin, "Bot remember that Floren street is closed")
    await press_labelled(aylin, other, "None of them")
    rows = await eventually(lambda: inn.house.rows(facts, inn.guild.id), lambda rows: len(rows) == 2)
    assert (None, "Floren street is closed") in [(one["subject_id"], one["text"]) for one in rows]


async def test_a_command_asks_whom_it_means(inn: Inn) -> None:
    await name_two_alike(inn)
    await at_home(inn)
    aylin = inn.person("aylin")
    asked = await tell(aylin, "remember", fact="Chief is fond of quinces")
    message = asked["message"] or asked["followups"][0]
    assert "Which “Chief”" in words_of(asked)
    pressed = await press_labelled(aylin, message, "@gruzilkin")
    await eventually(lambda: outcome_of(aylin, pressed), lambda outcome: "quinces" in words_of(outcome))
    rows = await inn.house.rows(
        "SELECT subject_id FROM facts WHERE guild_id = $1 AND text LIKE '%quince%'", inn.guild.id
    )
    assert [row["subject_id"] for row in rows] == [inn.person("gruzilkin").user.id]


async def test_discord_knows_the_ways_in(inn: Inn) -> None:
    await at_home(inn)
    known = await commands_of(inn.house)
    assert {"remember fact", "remember about", "forget fact"} <= set(known)
