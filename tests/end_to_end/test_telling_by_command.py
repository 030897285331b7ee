"""B.15: `/remember`, `/forget` and "Remember this"; and being asked whom one means, with buttons."""

from tests.end_to_end.asking import at_home, buttons_of
from tests.end_to_end.house import GENERAL, Inn, Payload, Person, eventually
from tests.end_to_end.slash import COMMAND, COMPONENT, words_of

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
