"""7: what is told of somebody by menu or command: whose word it is, that they hear of it, and that their no holds."""

from tests.end_to_end.asking import at_home, labels_of, outcome_of, public_words
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn, Payload, Person, eventually
from tests.end_to_end.slash import words_of
from tests.end_to_end.test_telling_by_command import EPHEMERAL, point_at, press_labelled, tell

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


async def test_ones_own_words_are_ones_own_whoever_points_at_them(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    said = await florent.say("I like cardamom in the coffee.")
    told = await point_at(aylin, said)
    assert "cardamom" in words_of(told)
    assert labels_of(told["message"]) == ["Undo"], "the words are not hers to change"
    (row,) = await inn.house.rows(FACTS, inn.guild.id)
    assert (row["teller_id"], row["standing"]) == (florent.user.id, "self")
    known = await aylin.ask(f"Bot what do you know about {florent.mention}?")
    assert f"“I like cardamom in the coffee.” – {florent.mention}" in known
    assert aylin.mention not in known
    assert "Only" in await aylin.ask(f"Bot forget that {florent.mention} likes cardamom in the coffee")
    assert "Forgotten" in await florent.ask("Bot forget that I like cardamom in the coffee")


async def test_whom_it_is_about_is_told_in_the_place_and_says_that_it_is_not_true(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    told = await tell(aylin, "remember", fact="Florent owes me 50 euros")
    assert told["message"]["flags"] & EPHEMERAL
    line = await line_about(florent, f"{aylin.mention} asked me to remember about Florent: ")
    assert "50 euros" in line["content"]
    assert line["mentions"] == [], "nobody is pinged"
    assert labels_of(line) == ["Not true"]
    gruzilkin = inn.person("gruzilkin")
    refused = await press_labelled(gruzilkin, line, "Not true")
    await eventually(lambda: outcome_of(gruzilkin, refused), lambda now: "Only the person" in words_of(now))
    await press_labelled(florent, line, "Not true")
    (line,) = await eventually(lambda: lines_of(florent), lambda lines: "says that" in lines[0]["content"])
    assert "50 euros" not in line["content"]
    assert await inn.house.rows(FACTS, inn.guild.id) == []
    for way in ("florent owes 50 euro to me", "Florent owes me 50 Euros!"):
        assert "told me it's not true" in words_of(await tell(aylin, "remember", fact=way))
        assert "told me it's not true" in await aylin.ask(f"Bot remember that {way}")
    assert "remember about Florent" in await aylin.ask("Bot remember that Florent owes me 60 euros")


async def test_where_they_cannot_read_nothing_hints_at_it(inn: Inn) -> None:
    await at_home(inn)
    florent, aylin, maren = inn.person("florent"), inn.person("aylin"), inn.person("maren")
    told = await tell(florent, "remember", BACK_ROOM, fact="Aylin gets a surprise party")
    assert "surprise" in words_of(told)
    said = await florent.say("I know about the surprise", BACK_ROOM)
    await point_at(maren, said, BACK_ROOM)
    (line,) = await eventually(lambda: lines_of(florent, BACK_ROOM))
    assert "know about the surprise" in line["content"] or "knows about the surprise" in line["content"]
    assert await lines_of(aylin) == []
    assert await public_words(inn) == ""


async def test_the_line_goes_when_what_it_says_does(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await tell(aylin, "remember", fact="Florent likes elderberries")
    await line_about(aylin, "elderberries")
    await press_labelled(aylin, told["message"], "Undo")
    await eventually(lambda: lines_of(aylin), lambda lines: not any("elderberries" in one["content"] for one in lines))
