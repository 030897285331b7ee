"""Undo in place: after every write into memory one line says what changed, and what can be done about it."""

import asyncio

import pytest

from tests.end_to_end.asking import at_home, labels_of, outcome_of, say_and_hear
from tests.end_to_end.changing import field_of, fill_in, form_of, whispered_in
from tests.end_to_end.choosing import becomes, facts_of, message_of, press, tell, two_chiefs
from tests.end_to_end.house import BACK_ROOM, Inn, Payload, Person, eventually

MINE, OF_OTHERS = ["Undo", "Edit"], ["Undo", "Edit", "Not true"]


async def refused(person: Person, pressed: Payload) -> str:
    """What the one who pressed is told beside the line."""
    outcome = await eventually(lambda: outcome_of(person, pressed), whispered_in)
    return whispered_in(outcome)


async def reword(person: Person, line: Payload, words: str) -> Payload:
    return await fill_in(person, line, await form_of(person, line), words)


async def texts(inn: Inn) -> list[str]:
    """What holds."""
    rows = await inn.house.rows(
        "SELECT text FROM facts WHERE guild_id = $1 AND valid_to IS NULL ORDER BY fact_id", inn.guild.id
    )
    return [row["text"] for row in rows]


async def test_what_was_told_is_undone_by_its_teller(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I grow quinces")
    assert labels_of(told) == MINE
    await press(aylin, told, "Undo")
    now = await becomes(aylin, told, "Undone. I'm not keeping that.")
    assert "quinces" not in now["content"]
    assert labels_of(now) == []
    assert await facts_of(inn) == []


async def test_what_it_had_replaced_holds_again(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
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


async def test_what_was_hearsay_is_said_to_be_confirmed(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    await florent.ask("Bot remember that Aylin grows quinces")
    assert (await florent.ask("Bot remember that Aylin grows quinces")).startswith("I know that already: ")
    confirmed = await say_and_hear(aylin, "Bot remember that I grow quinces")
    assert confirmed["content"].startswith("I'd heard that, and now I have it from you: ")
    assert labels_of(confirmed) == ["Undo"]
    assert (await aylin.ask("Bot remember that I grow quinces")).startswith("I know that already: ")


@pytest.mark.parametrize("words", ["Bot forget that I grow quinces", "Bot forget everything about me"])
async def test_what_was_forgotten_comes_back(inn: Inn, words: str) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
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


async def test_forgetting_everything_is_undone_in_the_same_words_whatever_there_was(inn: Inn) -> None:
    """Whether something was told of Aylin where she cannot listen is not for her to learn by undoing."""
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")

    async def undone() -> tuple[str, list[str]]:
        forgotten = await say_and_hear(aylin, "Bot forget everything about me")
        assert labels_of(forgotten) == ["Undo"]
        await press(aylin, forgotten, "Undo")
        now = await becomes(aylin, forgotten, "Undone")
        return str(now["content"]), labels_of(now)

    nothing = await undone()
    await florent.ask("Bot remember that aylin hums", BACK_ROOM)
    assert await undone() == nothing
    await aylin.ask("Bot remember that I grow quinces")
    something = await undone()
    await florent.ask("Bot remember that aylin whistles", BACK_ROOM)
    assert await undone() == something
    assert "hums" in await florent.ask("Bot what do you know about aylin?", BACK_ROOM)


async def test_it_is_put_in_other_words_in_place(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, f"Bot remember that {aylin.mention} grows quinces")
    assert labels_of(told) == OF_OTHERS
    form = await form_of(florent, told)
    assert field_of(form)["value"] == "@Aylin grows quinces"
    await fill_in(florent, told, form, "@Aylin grows radishes with Florent")
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


async def test_what_cannot_be_put_so_is_said_and_changes_nothing(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, f"Bot remember that {aylin.mention} grows quinces")
    before = await facts_of(inn)
    for words, answer in (
        ("@Aylin grows quinces", "It says that already"),
        (f"{inn.person('gruzilkin').mention} grows quinces", "about someone else"),
        (f"@Aylin grows {'very ' * 150}old quinces", "too long"),
    ):
        assert answer in await refused(florent, await reword(florent, told, words))
    assert await facts_of(inn) == before
    assert (await message_of(florent, told))["content"] == told["content"]


async def test_who_may_know_it_stays_as_it_was_when_it_is_put_in_other_words(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, "Bot remember that I am getting married", BACK_ROOM)
    await reword(florent, told, "I am getting divorced")
    now = await becomes(florent, told, "divorced")
    assert now["content"].endswith("\n-# Only people who can read this channel will hear it.")
    assert labels_of(now) == ["Everyone may hear this", *MINE]
    await press(florent, now, "Everyone may hear")
    opened = await becomes(florent, told, "Everyone on this server may hear this.")
    assert labels_of(opened) == MINE
    known = await say_and_hear(aylin, "Bot what do you know about florent?")
    assert "divorced" in known["content"]
    await press(florent, opened, "Undo")
    closed = await becomes(florent, told, "Undone. It says again:")
    assert "divorced" in closed["content"]
    assert closed["content"].endswith("\n-# Only people who can read this channel will hear it.")
    assert labels_of(closed) == ["Everyone may hear this", *MINE]
    await becomes(aylin, known, "took this answer back")
    assert "divorced" not in await aylin.ask("Bot what do you know about florent?")
    assert "divorced" in await florent.ask("Bot what do you know about me?", BACK_ROOM)
    await press(florent, closed, "Undo")
    before = await becomes(florent, told, "married")
    assert before["content"].endswith("\n-# Only people who can read this channel will hear it.")
    assert labels_of(before) == ["Everyone may hear this", *MINE]
    await press(florent, before, "Undo")
    await becomes(florent, told, "I'm not keeping that")


async def test_whom_it_is_about_denies_it_and_may_think_again(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await say_and_hear(florent, f"Bot remember that {aylin.mention} grows quinces")
    await press(aylin, told, "Not true")
    denied = await becomes(aylin, told, "not true")
    assert "quinces" not in denied["content"]
    assert labels_of(denied) == ["Undo"]
    assert await facts_of(inn) == []
    assert "told me it's not true" in await florent.ask(f"Bot remember that {aylin.mention} grows quinces")
    assert "Only the person who did it" in await refused(florent, await press(florent, denied, "Undo"))
    await press(aylin, denied, "Undo")
    back = await becomes(aylin, told, "I'm keeping this again")
    assert "quinces" in back["content"]
    assert labels_of(back) == OF_OTHERS
    await press(aylin, back, "Not true")
    await becomes(aylin, told, "not true")


async def test_commands_say_what_changed_to_the_one_who_used_them(inn: Inn) -> None:
    """Nobody else sees it, so there is nothing in it for those it is about."""
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await tell(florent, "remember", fact=f"{aylin.mention} grows quinces")
    assert labels_of(told) == MINE
    pressed = await fill_in(florent, told, await form_of(florent, told), "@Aylin grows radishes")
    await eventually(lambda: texts(inn), lambda now: "radishes" in str(now))
    changed = await eventually(lambda: outcome_of(florent, pressed), lambda seen: "Changed" in str(seen))
    assert labels_of(changed["message"]) == MINE
    forgotten = await tell(florent, "forget", fact=f"that {aylin.mention} grows radishes")
    assert labels_of(forgotten) == ["Undo"]
    pressed = await press(florent, forgotten, "Undo")
    await eventually(lambda: outcome_of(florent, pressed), lambda seen: "I'm keeping this again" in str(seen))
    assert "radishes" in str(await texts(inn))


async def test_what_is_chosen_can_be_undone_where_it_was_asked(inn: Inn) -> None:
    aylin = await two_chiefs(inn)
    before = await facts_of(inn)
    asked = await say_and_hear(aylin, "Bot remember that Chief snores")
    await press(aylin, asked, "gruzilkin")
    told = await becomes(aylin, asked, "snores")
    assert labels_of(told) == OF_OTHERS
    await press(aylin, told, "Undo")
    await becomes(aylin, asked, "Undone")
    assert await facts_of(inn) == before


async def test_a_day_later_it_is_said_that_it_is_too_late(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I grow quinces")
    await inn.house.rows("UPDATE changes SET until = now() - interval '1 minute' WHERE guild_id = $1", inn.guild.id)
    assert "more than a day old" in await refused(aylin, await press(aylin, told, "Undo"))
    assert "more than a day old" in await refused(aylin, await press(aylin, told, "Edit"))
    assert "quinces" in str(await texts(inn))


async def test_two_at_once_do_it_once(inn: Inn) -> None:
    await at_home(inn)
    aylin, maren = inn.person("aylin"), inn.person("maren")
    await aylin.ask("Bot remember that I live in Bremen")
    told = await say_and_hear(aylin, "Bot remember that I live in Lisbon")
    people = (aylin, maren, aylin)
    presses = await asyncio.gather(*(press(person, told, "Undo") for person in people))
    await becomes(aylin, told, "I'm keeping this again")

    async def answers() -> list[str]:
        outcomes = [await outcome_of(person, one) for person, one in zip(people, presses, strict=True)]
        return [whispered_in(outcome) for outcome in outcomes if whispered_in(outcome)]

    late = await eventually(answers, lambda whispers: len(whispers) == 2)
    assert all("undone already" in whisper for whisper in late)
    assert ["Bremen" in text for text in await texts(inn)] == [True]


@pytest.mark.parametrize(
    ("told", "labels", "undone"),
    [
        ("Bot remember that I play chess", ["Undo", "Edit"], "Undone"),
        ("Bot merk dir, dass ich Schach spiele", ["Rückgängig", "Ändern"], "Rückgängig gemacht"),
        ("Bot souviens-toi que je joue aux échecs", ["Annuler", "Modifier"], "Annulé"),
        ("Bot recuerda que yo juego al ajedrez", ["Deshacer", "Editar"], "Deshecho"),
        ("Bot запомни, что я играю в шахматы", ["Отменить", "Изменить"], "Отменено"),
    ],
    ids=["English", "German", "French", "Spanish", "Russian"],
)
async def test_it_is_said_in_the_language_of_the_line(inn: Inn, told: str, labels: list[str], undone: str) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    line = await say_and_hear(aylin, told)
    assert labels_of(line) == labels
    await press(aylin, line, labels[0])
    await becomes(aylin, line, undone)
