"""`/channel-memory`: what those who manage a server see, take along and erase of one channel, and who may not; and
`/innkeeper leave`, which takes all of it."""

import json
from pathlib import Path

from local_guild.state.permissions import Permission
from local_guild.state.world import Overwrite
from tests.end_to_end.asking import give_right, recall
from tests.end_to_end.files import document
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Person, eventually, until
from tests.end_to_end.ledger import logged
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import use, words_of
from tests.end_to_end.test_deleted_meanwhile import ABANDONED, import_abandoned


def id_of(inn: Inn, channel: str) -> str:
    return str(inn.channel(channel).id)


async def open_thread(person: Person, channel: str, name: str) -> int:
    made = await person.call("POST", f"/channels/{id_of(person.inn, channel)}/threads", {"name": name, "type": 11})
    return int(made.json()["id"])


async def audited(inn: Inn) -> list[tuple[str, int, int]]:
    query = "SELECT action, channel_id, items FROM audit WHERE guild_id = $1 AND action LIKE '% channel' ORDER BY at"
    rows = await inn.house.rows(query, inn.guild.id)
    return [(row["action"], row["channel_id"], row["items"]) for row in rows]


async def test_a_manager_sees_and_takes_along_what_is_held_of_a_channel_and_its_threads(inn: Inn) -> None:
    aylin, maren, kitchen = inn.person("aylin"), inn.person("maren"), inn.channel(KITCHEN)
    await inn.until_stored(await aylin.say("Soup is ready.", KITCHEN))
    await inn.until_stored(await aylin.say_in(await open_thread(aylin, KITCHEN, "spoons"), "I lost a spoon."))
    await inn.until_stored(await aylin.say("Elsewhere."))
    await aylin.ask("Bot remember that maren cooks", KITCHEN)
    said = words_of(await use(maren, "channel-memory", "show", channel=str(kitchen.id)))
    assert f"<#{kitchen.id}> and its threads" in said
    assert "• messages: 4 (since" in said
    assert "facts told there: 1" in said
    outcome = await use(maren, "channel-memory", "export", channel=str(kitchen.id))
    held = (await document(maren, outcome))["held"]
    texts = [message["text"] for message in held["messages"]]
    assert texts[:3] == ["Soup is ready.", "I lost a spoon.", "Bot remember that maren cooks"]
    assert "Elsewhere." not in texts
    assert held["messages"][0]["author"] == {"id": str(aylin.user.id), "name": "Aylin"}
    assert [fact["told_by"]["name"] for fact in held["facts_told_here"]] == ["Aylin"]
    assert await audited(inn) == [("showed channel", kitchen.id, 4), ("exported channel", kitchen.id, 4)]


async def test_who_cannot_read_a_channel_back_is_shown_nothing_of_it_but_may_erase_it(inn: Inn) -> None:
    aylin, florent, house, room = inn.person("aylin"), inn.person("florent"), inn.house, KITCHEN
    await inn.until_stored(await florent.say("Before your time.", room))
    await give_right(aylin, Permission.MANAGE_GUILD)
    no_history = Overwrite(aylin.user.id, for_member=True, allow=0, deny=int(Permission.READ_MESSAGE_HISTORY))
    house.server.places.put_overwrite(inn.channel(room), no_history)

    async def refused() -> str:
        return words_of(await use(aylin, "channel-memory", "show", channel=id_of(inn, room)))

    await eventually(refused, lambda said: "can't read" in said)
    outcome = await use(aylin, "channel-memory", "export", channel=id_of(inn, room))
    assert "can't read" in words_of(outcome)
    assert outcome["message"]["attachments"] == []
    screen = await Screen.open(aylin, "channel-memory", "erase", channel=id_of(inn, room))
    await screen.press("Delete")
    assert "messages: 1" in await screen.until("Deleted.")
    assert await logged(inn) == {}


async def test_whoever_stopped_managing_since_the_question_erases_nothing(inn: Inn) -> None:
    aylin, house = inn.person("aylin"), inn.house
    server, guild = house.server, inn.guild
    await inn.until_stored(await aylin.say("Soup is ready.", KITCHEN))
    await give_right(aylin, Permission.MANAGE_GUILD)
    erase = await Screen.open(aylin, "channel-memory", "erase", channel=id_of(inn, KITCHEN))
    leave = await Screen.open(aylin, "innkeeper", "leave")
    server.membership.change(guild, server.world.members(guild.id)[aylin.user.id], role_ids=[])
    for screen in (erase, leave):
        await screen.press("Delete")
        await screen.until("Only people who manage this server")
        assert screen.components == []
    assert house.bot.id in server.world.members(guild.id)
    assert {line.text for line in (await logged(inn)).values()} == {"Soup is ready."}
    assert await audited(inn) == []


async def test_only_managers_get_at_it_even_past_discords_own_lock(inn: Inn) -> None:
    house, aylin = inn.house, inn.person("aylin")
    await inn.until_stored(await aylin.say("Soup is ready.", KITCHEN))
    for command in house.server.commands.listed():
        command["default_member_permissions"] = None
    for verb in ("show", "export", "erase"):
        outcome = await use(aylin, "channel-memory", verb, channel=id_of(inn, KITCHEN))
        assert "Only people who manage this server" in words_of(outcome)
        assert outcome["message"]["components"] == []
        assert outcome["message"]["attachments"] == []
    assert await audited(inn) == []


async def test_erasing_a_channel_asks_first_and_stays_done(inn: Inn, aylin: Person, maren: Person) -> None:
    for number in range(7):
        await inn.until_stored(await aylin.say(f"line {number}", KITCHEN))
    await aylin.ask("Bot remember that maren cooks", KITCHEN)
    await inn.until_stored(await aylin.say("Elsewhere.", GENERAL))
    screen = await Screen.open(maren, "channel-memory", "erase", channel=id_of(inn, KITCHEN))
    await screen.press("Keep")
    assert "Nothing was deleted" in screen.words
    assert len(await logged(inn)) > 7
    screen = await Screen.open(maren, "channel-memory", "erase", channel=id_of(inn, KITCHEN))
    await screen.press("Delete")
    said = await screen.until("Deleted.")
    assert "• messages: 8" in said
    assert "• facts: 1" in said
    assert {line.text for line in (await logged(inn)).values()} == {"Elsewhere."}
    assert [one for one in await audited(inn) if one[0] == "erased channel"] != []
    assert "cooks" not in await aylin.ask("Bot what do you know about maren?")
    await inn.until_stored(await aylin.say("A new pot of soup.", KITCHEN))
    outcome = await use(maren, "channel-memory", "export", channel=id_of(inn, KITCHEN))
    assert "line 3" not in json.dumps(await document(maren, outcome))


async def test_a_manager_opens_what_an_import_alone_knows_to_the_readers_of_a_channel_and_closes_it(
    inn: Inn, tmp_path: Path
) -> None:
    florent, aylin, maren, back_room = *map(inn.person, ("florent", "aylin", "maren")), inn.channel(BACK_ROOM)
    memory, rooms = inn.house.memory, "SELECT parent_id FROM places WHERE guild_id = $1 AND channel_id = $2"
    await import_abandoned(inn, tmp_path)

    async def finds(person: Person) -> bool:
        return f"{ABANDONED}/77" in words_of(await recall(person, "long ago"))

    async def kept() -> list[int | None]:
        return [row["parent_id"] for row in await inn.house.rows(rooms, inn.guild.id, ABANDONED)]

    general = id_of(inn, GENERAL)
    for wrong in (general, "4041", "no number"):
        assert "know that imported channel" in words_of(
            await use(maren, "channel-memory", "open-import", imported=wrong, readers=id_of(inn, KITCHEN))
        )
    assert "know that imported channel" in words_of(
        await use(maren, "channel-memory", "close-import", imported=general)
    )
    opening = {"imported": str(ABANDONED), "readers": str(back_room.id)}
    assert not await finds(florent)
    assert "Opened. Everyone who can read" in words_of(await use(maren, "channel-memory", "open-import", **opening))
    assert [await finds(one) for one in (florent, aylin)] == [True, False]
    await eventually(kept, lambda found: found == [back_room.id])  # for other processes, and the next start
    assert "Closed. Nobody" in words_of(await use(maren, "channel-memory", "close-import", imported=str(ABANDONED)))
    assert not await finds(florent)
    await eventually(kept, lambda found: not found)
    deeds = [(deed, channel) for deed, channel, _ in await audited(inn)]
    assert deeds == [("opened channel", ABANDONED), ("closed channel", ABANDONED)]
    await use(maren, "channel-memory", "open-import", **opening)
    await eventually(kept, lambda found: found == [back_room.id])
    await maren.call("DELETE", f"/channels/{back_room.id}")
    await until(lambda: memory.place_mirror.known_place(inn.guild.id, ABANDONED) is None)
    await memory.log.settled()
    assert [one.channel_id for one in await memory.imported_channels.all(inn.guild.id)] == [ABANDONED], "it is kept"


async def test_everything_goes_at_once_and_the_bot_with_it(inn: Inn) -> None:
    aylin, maren, house = inn.person("aylin"), inn.person("maren"), inn.house
    await aylin.ask("Bot remember that maren cooks")
    refused = await use(aylin, "innkeeper", "leave")
    assert "Only people who manage this server" in words_of(refused)
    assert refused["message"]["components"] == []
    screen = await Screen.open(maren, "innkeeper", "leave")
    assert inn.guild.name in screen.words
    assert inn.guild.name in screen.labels()[0]
    await screen.press("Stay")
    assert "nothing was deleted" in screen.words
    assert await logged(inn) != {}
    screen = await Screen.open(maren, "innkeeper", "leave")
    await screen.press("Delete all")
    said = await screen.until("Goodbye")
    assert "• messages: " in said
    assert "• facts: 1" in said
    await until(lambda: house.bot.id not in house.server.world.members(inn.guild.id))
    await eventually(lambda: logged(inn), lambda left: left == {})
    await aylin.say("Anybody there?", GENERAL)
    assert await logged(inn) == {}
