"""Undo in place: after every write into memory one line says what changed, and what can be done about it."""

import pytest

from tests.end_to_end.asking import outcome_of, say_and_hear
from tests.end_to_end.choosing import becomes, facts_of, field_of, form_of, message_of, tell
from tests.end_to_end.house import Inn, Payload, Person, eventually
from tests.end_to_end.slash import fill_in, labels_of, press, whispered_in
from tests.end_to_end.taken_back import TAKEN_BACK, answered, delete, is_gone, noted, nothing_left_to_do, says

MINE, OF_OTHERS = ["Undo", "Edit"], ["Undo", "Edit", "Not true"]


async def refused(person: Person, pressed: Payload) -> str:
    """What the one who pressed is told beside the line."""
    outcome = await eventually(lambda: outcome_of(person, pressed), whispered_in)
    return whispered_in(outcome)


async def reword(person: Person, line: Payload, words: str) -> Payload:
    return await fill_in(person, await form_of(person, line), words, message=line)


async def texts(inn: Inn) -> list[str]:
    """What holds."""
    rows = await inn.house.rows(
        "SELECT text FROM facts WHERE guild_id = $1 AND valid_to IS NULL ORDER BY fact_id", inn.guild.id
    )
    return [row["text"] for row in rows]


async def test_what_it_had_replaced_holds_again(inn: Inn, aylin: Person) -> None:
    lived = await say_and_hear(aylin, "Bot remember that I live in Bremen")
    moved = await say_and_hear(aylin, "Bot remember that I live in Lisbon")
    assert "This replaces" in moved["content"]
    since = await refused(aylin, await press(aylin, lived, "Undo"))
    assert since.startswith("It has changed since, so I didn't undo anything.\nIt says now:")
    assert "Lisbon" in since
    await press(aylin, moved, "Undo")
    now = await becomes(aylin, moved, "I'm keeping this again")
    assert "Bremen" in now["content"]
    assert "Lisbon" not in now["content"]
    assert ["Bremen" in text for text in await texts(inn)] == [True]


@pytest.mark.parametrize("words", ["Bot forget that I grow quinces", "Bot forget everything about me"])
async def test_what_was_forgotten_comes_back(inn: Inn, aylin: Person, words: str) -> None:
    await aylin.ask("Bot remember that I grow quinces")
    before = await facts_of(inn)
    forgotten = await say_and_hear(aylin, words)
    assert "quinces" in forgotten["content"]
    assert labels_of(forgotten) == ["Undo"]
    assert await facts_of(inn) == []
    await press(aylin, forgotten, "Undo")
    now = await becomes(aylin, forgotten, "I'm keeping this again")
    assert "quinces" in now["content"]
    assert await facts_of(inn) == before
    assert labels_of(now) == MINE, "as when it was told"
    await press(aylin, now, "Undo")
    assert labels_of(await becomes(aylin, forgotten, "I'm not keeping that")) == []


async def test_it_is_put_in_other_words_in_place(inn: Inn, florent: Person, aylin: Person) -> None:
    told = await say_and_hear(florent, f"Bot remember that {aylin.mention} grows quinces")
    assert labels_of(told) == OF_OTHERS
    form = await form_of(florent, told)
    assert field_of(form)["value"] == "@Aylin grows quinces"
    await fill_in(florent, form, "@Aylin grows radishes with Florent", message=told)
    now = await becomes(florent, told, "Changed. I'll remember about Aylin: ")
    assert f"{aylin.mention} grows radishes with {florent.mention}" in now["content"]
    assert "quinces" not in now["content"]
    assert labels_of(now) == OF_OTHERS
    assert await facts_of(inn) == [(aylin.user.id, f"{aylin.mention} grows radishes with {florent.mention}")]
    await reword(florent, now, "@Aylin grows leeks")
    again = await becomes(florent, told, "leeks")
    await press(florent, again, "Undo")
    back = await becomes(florent, told, "It says again")
    assert "radishes" in back["content"]
    assert "leeks" not in back["content"]
    for words in ("grows quinces", "I'm not keeping that"):
        assert labels_of(back) == OF_OTHERS
        await press(florent, back, "Undo")
        back = await becomes(florent, told, words)
    assert labels_of(back) == []


async def test_commands_say_what_changed_to_the_one_who_used_them(inn: Inn, florent: Person, aylin: Person) -> None:
    """Nobody else sees it, so there is nothing in it for those it is about."""
    told = await tell(florent, "remember", fact=f"{aylin.mention} grows quinces")
    assert labels_of(told) == MINE
    pressed = await fill_in(florent, await form_of(florent, told), "@Aylin grows radishes", message=told)
    await eventually(lambda: texts(inn), lambda now: "radishes" in str(now))
    changed = await eventually(lambda: outcome_of(florent, pressed), lambda seen: "Changed" in str(seen))
    assert labels_of(changed["message"]) == MINE
    forgotten = await tell(florent, "forget", fact=f"that {aylin.mention} grows radishes")
    assert labels_of(forgotten) == ["Undo"]
    pressed = await press(florent, forgotten, "Undo")
    await eventually(lambda: outcome_of(florent, pressed), lambda seen: "I'm keeping this again" in str(seen))
    assert "radishes" in str(await texts(inn))


async def test_a_day_later_it_is_said_that_it_is_too_late(inn: Inn, aylin: Person) -> None:
    told = await say_and_hear(aylin, "Bot remember that I grow quinces")
    await inn.house.rows("UPDATE changes SET until = now() - interval '1 minute' WHERE guild_id = $1", inn.guild.id)
    assert "more than a day old" in await refused(aylin, await press(aylin, told, "Undo"))
    assert "more than a day old" in await refused(aylin, await press(aylin, told, "Edit"))
    assert "quinces" in str(await texts(inn))


async def test_the_line_says_what_holds_now_and_is_not_taken_back(inn: Inn, florent: Person, aylin: Person) -> None:
    """What quoted it elsewhere is taken back; the line itself is put right by whoever pressed."""
    asked = await florent.say(f"Bot remember that {aylin.mention} grows quinces")
    told = await florent.hear_reply(asked)
    await noted(inn, asked, int(told["id"]))
    answer = await answered(florent, "Bot what do you know about aylin?", "quinces")
    await fill_in(florent, await form_of(florent, told), "@Aylin grows radishes", message=told)
    changed = await becomes(florent, told, "radishes")
    await says(florent, answer, TAKEN_BACK)
    await nothing_left_to_do(inn)
    assert (await message_of(florent, told))["content"] == changed["content"]

    await press(florent, changed, "Undo")
    back = await becomes(florent, told, "quinces")
    await nothing_left_to_do(inn)
    assert (await message_of(florent, told))["content"] == back["content"]

    await florent.ask(f"Bot forget that {aylin.mention} grows quinces")
    await says(florent, told, TAKEN_BACK)


async def test_what_was_brought_back_is_taken_back_with_its_fact_and_its_question(inn: Inn, aylin: Person) -> None:
    await aylin.ask("Bot remember that I grow quinces")
    asked = await aylin.say("Bot forget that I grow quinces")
    forgotten = await aylin.hear_reply(asked)
    await noted(inn, asked, int(forgotten["id"]))
    await press(aylin, forgotten, "Undo")
    await becomes(aylin, forgotten, "I'm keeping this again")
    lapsing = "SELECT 1 FROM receipts WHERE guild_id = $1 AND asked_in = $2 AND take_back_at IS NOT NULL"
    await eventually(lambda: inn.house.rows(lapsing, inn.guild.id, asked), lambda rows: not rows)
    await delete(aylin, asked)
    await is_gone(aylin, forgotten)
