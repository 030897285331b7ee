"""One telling may say several things, of which one can be forgotten; and whoever edits it tells something else."""

import pytest

from tests.end_to_end.asking import at_home, labels_of, say_and_hear
from tests.end_to_end.choosing import becomes, press
from tests.end_to_end.house import GENERAL, Inn, Person


async def texts(inn: Inn) -> list[str]:
    rows = await inn.house.rows("SELECT text FROM facts WHERE guild_id = $1 ORDER BY fact_id", inn.guild.id)
    return [row["text"] for row in rows]


async def edit(person: Person, message_id: int, words: str) -> None:
    path = f"/channels/{person.inn.channel(GENERAL).id}/messages/{message_id}"
    await person.call("PATCH", path, {"content": words})


TOLD = {
    "Bot remember that {tom} likes pizza and hates olives, his birthday is 3 March, works at Siemens": (
        "Bot forget that {tom} hates olives",
        ["{tom} likes pizza", "{tom}'s birthday is 3 March", "{tom} works at Siemens"],
    ),
    "Bot merk dir, dass {tom} Pizza mag und Oliven hasst": (
        "Bot vergiss, dass {tom} Oliven hasst",
        ["{tom} Pizza mag"],
    ),
    "Bot souviens-toi que {tom} aime la pizza et déteste les olives": (
        "Bot oublie que {tom} déteste les olives",
        ["{tom} aime la pizza"],
    ),
    "Bot recuerda que {tom} vive en Madrid y odia las aceitunas": (
        "Bot olvida que {tom} odia las aceitunas",
        ["{tom} vive en Madrid"],
    ),
    "Bot запомни, что {tom} любит пиццу и ненавидит оливки": (
        "Bot забудь, что {tom} ненавидит оливки",
        ["{tom} любит пиццу"],
    ),
}


@pytest.mark.parametrize("telling", TOLD)
async def test_only_what_was_named_is_forgotten(inn: Inn, telling: str) -> None:
    await at_home(inn)
    aylin, tom = inn.person("aylin"), inn.person("florent").mention
    forgetting, left = TOLD[telling]
    said = await aylin.ask(telling.format(tom=tom))
    kept = await texts(inn)
    assert said.count("\n• ") == len(kept) > 1
    said = await aylin.ask(forgetting.format(tom=tom))
    assert said.count("\n• ") == 1
    assert await texts(inn) == [one.format(tom=tom) for one in left]
    await aylin.ask(f"Bot forget everything about {tom}")


async def test_a_list_is_kept_line_by_line_and_taken_back_at_once(inn: Inn) -> None:
    await at_home(inn)
    aylin, tom = inn.person("aylin"), inn.person("florent").mention
    told = await say_and_hear(aylin, f"Bot remember:\n- {tom} brings the grill\n- the key is under the mat\n- I cook")
    assert len(await texts(inn)) == 3
    assert labels_of(told) == ["Undo", "Not true"]
    await press(aylin, told, "Undo")
    await becomes(aylin, told, "Undone: I do not keep what I was told here.")
    assert await texts(inn) == []


async def test_whom_several_things_are_about_denies_them_all(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    told = await say_and_hear(aylin, f"Bot remember that {florent.mention} likes tea and hates olives, and I cook")
    kept = await texts(inn)
    await press(florent, told, "Not true")
    await becomes(florent, told, "says that this is not true")
    assert len(kept) == 3
    assert await texts(inn) == [f"{aylin.mention} cooks"]


async def test_a_forgotten_part_comes_back_in_its_place(inn: Inn) -> None:
    """What an older telling keeps in one, as a model may have put it down."""
    await at_home(inn)
    aylin = inn.person("aylin")
    await say_and_hear(aylin, "Bot remember that I like pizza")
    both = f"{aylin.mention} likes pizza and hates olives"
    await inn.house.rows("UPDATE facts SET text = $2 WHERE guild_id = $1 RETURNING 1", inn.guild.id, both)
    forgot = await say_and_hear(aylin, "Bot forget that I hate olives")
    assert (
        forgot["content"] == f"Forgotten:\n• {aylin.mention} hates olives\nThis stays:\n• {aylin.mention} likes pizza"
    )
    assert await texts(inn) == [f"{aylin.mention} likes pizza"]
    await press(aylin, forgot, "Undo")
    now = await becomes(aylin, forgot, "This holds again")
    assert both in now["content"]
    assert await texts(inn) == [both]


async def test_what_only_sounds_alike_is_asked_about(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await say_and_hear(aylin, "Bot remember that I prefer mint tea")
    asked = await say_and_hear(aylin, "Bot forget that I prefer tea")
    assert "prefers mint tea" in asked["content"]
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
    assert await texts(inn) == [f"{aylin.mention} drives a Skoda"]
    await press(aylin, now, "Undo")
    await becomes(aylin, now, "Undone")
    assert await texts(inn) == []


async def test_an_edit_that_tells_the_same_is_kept_under_the_same_line(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I drive a Fiat")
    asked_in = int(told["message_reference"]["message_id"])
    await edit(aylin, asked_in, "Bot, remember that I drive a Fiat!")
    await becomes(aylin, told, "drives a Fiat!")
    assert await texts(inn) == [f"{aylin.mention} drives a Fiat!"]
    assert [reply["id"] for reply in await aylin.replies_to(asked_in)] == [told["id"]]
    assert (await becomes(aylin, told, "I will remember"))["content"].endswith("drives a Fiat!")


async def test_a_telling_that_is_none_any_more_leaves_nothing(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I drive a Fiat")
    await edit(aylin, int(told["message_reference"]["message_id"]), "never mind")
    await becomes(aylin, told, "I have taken this answer back")
    assert await texts(inn) == []


async def test_a_slip_is_mended_by_an_edit(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    said = await aylin.say("Bto remember that I drive a Fiat")
    await inn.until_stored(said)
    await edit(aylin, said, "Bot remember that I drive a Fiat")
    assert "Fiat" in (await aylin.hear_reply(said))["content"]
    assert await texts(inn) == [f"{aylin.mention} drives a Fiat"]
