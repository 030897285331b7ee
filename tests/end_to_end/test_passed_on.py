"""7 and B.15: what is told by menu or command: whose word it is, that whom it is about hear of it, and that their no
holds."""

import pytest

from local_guild.state.messages import EPHEMERAL
from tests.end_to_end.asking import outcome_of, public_words
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn, Payload, Person, eventually
from tests.end_to_end.slash import labels_of, point_at, press, use, words_of
from tests.end_to_end.taken_back import content_of

FACTS = "SELECT * FROM facts WHERE guild_id = $1"


async def lines_of(person: Person, channel: str = GENERAL) -> list[Payload]:
    """What the bot said in a channel on its own, as an answer to no message."""
    path = f"/channels/{person.inn.channel(channel).id}/messages?limit=100"
    messages: list[Payload] = (await person.call("GET", path)).json()
    ours = str(person.inn.house.bot.id)
    return [one for one in messages if one["author"]["id"] == ours and not one.get("message_reference")]


async def line_about(person: Person, words: str) -> Payload:
    (line,) = await eventually(lambda: lines_of(person))
    assert words in line["content"]
    return line


async def test_ones_own_words_are_ones_own_whoever_points_at_them(inn: Inn, florent: Person, aylin: Person) -> None:
    said = await florent.say("I like cardamom in the coffee.")
    told = await point_at(aylin, "Remember this", said)
    assert "cardamom" in words_of(told)
    assert labels_of(told) == ["Undo"], "the words are not hers to change"
    (row,) = await inn.house.rows(FACTS, inn.guild.id)
    assert (row["teller_id"], row["standing"]) == (florent.user.id, "self")
    known = await aylin.ask(f"Bot what do you know about {florent.mention}?")
    assert f"“I like cardamom in the coffee.” – {florent.mention}" in known
    assert aylin.mention not in known
    assert "Only" in await aylin.ask(f"Bot forget that {florent.mention} likes cardamom in the coffee")
    assert "Forgotten" in await florent.ask("Bot forget that I like cardamom in the coffee")
    # It goes with the message it was taken from.
    again = await point_at(aylin, "Remember this", said)
    assert again["message"]["flags"] & EPHEMERAL
    (row,) = await inn.house.rows(FACTS, inn.guild.id)
    assert row["source_message_id"] == said
    await florent.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{said}")
    await eventually(lambda: inn.house.rows(FACTS, inn.guild.id), lambda rows: not rows)


async def test_a_command_may_name_the_member_apart_and_stands_in_no_channel(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await use(aylin, "remember", fact="he collects stamps", about=str(florent.user.id))
    assert "Florent" in words_of(told)
    (row,) = await inn.house.rows(FACTS, inn.guild.id)
    assert (row["text"], row["subject_id"]) == (f"<@{florent.user.id}> collects stamps", florent.user.id)
    assert "stamps" in words_of(await use(aylin, "forget", fact=f"that {florent.mention} collects stamps"))
    assert not await inn.house.rows("SELECT 1 FROM addressed WHERE guild_id = $1 AND intent = 'forget'", inn.guild.id)


async def test_whom_it_is_about_is_told_in_the_place_and_says_that_it_is_not_true(inn: Inn) -> None:
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await use(aylin, "remember", fact="Florent owes me 50 euros")
    assert told["message"]["flags"] & EPHEMERAL
    line = await line_about(florent, f"{aylin.mention} asked me to remember about Florent: ")
    assert "50 euros" in line["content"]
    assert line["mentions"] == [], "nobody is pinged"
    assert labels_of(line) == ["Not true"]
    gruzilkin = inn.person("gruzilkin")
    refused = await press(gruzilkin, line, "Not true")
    await eventually(lambda: outcome_of(gruzilkin, refused), lambda now: "Only the person" in words_of(now))
    await press(florent, line, "Not true")
    (line,) = await eventually(lambda: lines_of(florent), lambda lines: "says that" in lines[0]["content"])
    assert "50 euros" not in line["content"]
    assert await inn.house.rows(FACTS, inn.guild.id) == []
    for way in ("florent owes 50 euro to me", "Florent owes me 50 Euros!"):
        assert "told me it's not true" in words_of(await use(aylin, "remember", fact=way))
        assert "told me it's not true" in await aylin.ask(f"Bot remember that {way}")
    assert "remember about Florent" in await aylin.ask("Bot remember that Florent owes me 60 euros")


async def test_where_they_cannot_read_nothing_hints_at_it(inn: Inn) -> None:
    florent, aylin, maren = inn.person("florent"), inn.person("aylin"), inn.person("maren")
    told = await use(florent, "remember", where=BACK_ROOM, fact="Aylin gets a surprise party")
    assert "surprise" in words_of(told)
    said = await florent.say("I know about the surprise", BACK_ROOM)
    await point_at(maren, "Remember this", said, BACK_ROOM)
    (line,) = await eventually(lambda: lines_of(florent, BACK_ROOM))
    assert "know about the surprise" in line["content"] or "knows about the surprise" in line["content"]
    assert await lines_of(aylin) == []
    assert await public_words(inn) == ""


async def test_the_line_goes_when_what_it_says_does_also_if_it_was_never_noted(
    inn: Inn, aylin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        """As if nobody had been there any more."""

    monkeypatch.setattr(inn.house.memory.receipts, "note_sent", never)
    told = await use(aylin, "remember", fact="Florent likes elderberries")
    line = await line_about(aylin, "elderberries")
    monkeypatch.undo()
    noted = await use(aylin, "remember", fact="Gruzilkin likes quinces")
    (other,) = [one for one in await eventually(lambda: lines_of(aylin), lambda lines: len(lines) == 2) if one != line]
    await inn.until_stored(int(line["id"]))
    await press(aylin, told, "Undo")
    await inn.until_gone(int(line["id"]))
    await eventually(lambda: lines_of(aylin), lambda lines: not any("elderberries" in one["content"] for one in lines))
    assert "quinces" in (await content_of(aylin, other) or ""), "another line stands as it was"
    await press(aylin, noted, "Undo")
    await eventually(lambda: lines_of(aylin), lambda lines: not any("quinces" in one["content"] for one in lines))
