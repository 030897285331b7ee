"""One telling may say several things, of which one can be forgotten; and whoever edits it tells something else."""

from tests.end_to_end.asking import at_home, say_and_hear
from tests.end_to_end.choosing import becomes
from tests.end_to_end.house import GENERAL, Inn, Person
from tests.end_to_end.slash import labels_of, press


async def texts(inn: Inn) -> list[str]:
    rows = await inn.house.rows("SELECT text FROM facts WHERE guild_id = $1 ORDER BY fact_id", inn.guild.id)
    return [row["text"] for row in rows]


async def edit(person: Person, message_id: int, words: str) -> None:
    path = f"/channels/{person.inn.channel(GENERAL).id}/messages/{message_id}"
    await person.call("PATCH", path, {"content": words})


async def test_what_only_sounds_alike_is_asked_about(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await say_and_hear(aylin, "Bot remember that I prefer mint tea")
    asked = await say_and_hear(aylin, "Bot forget that I prefer tea")
    assert "prefer mint tea" in asked["content"]
    assert len(await texts(inn)) == 1
    await press(aylin, asked, "1")
    await becomes(aylin, asked, "Forgotten")
    assert await texts(inn) == []


async def test_an_edited_telling_tells_what_it_says_now(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I drive a Fiat")
    await edit(aylin, int(told["message_reference"]["message_id"]), "Bot remember that I drive a Skoda")
    now = await becomes(aylin, told, "Skoda")
    assert "Fiat" not in now["content"]
    assert labels_of(now) == ["Undo", "Edit"]
    assert await texts(inn) == [f"“I drive a Skoda” – {aylin.mention}"]
    await press(aylin, now, "Undo")
    await becomes(aylin, now, "Undone")
    assert await texts(inn) == []


async def test_a_telling_that_is_none_any_more_leaves_nothing(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I drive a Fiat")
    await edit(aylin, int(told["message_reference"]["message_id"]), "never mind")
    await becomes(aylin, told, "I took this answer back")
    assert await texts(inn) == []
