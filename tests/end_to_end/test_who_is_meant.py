"""1.6: whom a question or a telling means, and which fact: asked with buttons, never guessed."""

from tests.end_to_end.asking import at_home, labels_of, outcome_of, say_and_hear
from tests.end_to_end.choosing import (
    becomes,
    call_by_nickname,
    facts_of,
    heard,
    message_of,
    press,
    shown,
    tell,
    two_chiefs,
)
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn, eventually
from tests.end_to_end.slash import words_of

EPHEMERAL = 64


async def test_which_of_two_is_asked_about_and_the_asker_chooses(inn: Inn) -> None:
    aylin = await two_chiefs(inn)
    asked = await say_and_hear(aylin, "Bot what do you know about Chief?")
    assert "Which “Chief” do you mean" in asked["content"]
    assert "grows" not in asked["content"]
    assert {label.rpartition("(")[2] for label in labels_of(asked)} == {"@gruzilkin)", "@florent)"}
    refused = await press(inn.person("florent"), asked, "@florent")
    assert "Only they know" in words_of(refused)
    assert refused["message"]["flags"] & EPHEMERAL
    await press(aylin, asked, "@florent")
    answered = await becomes(aylin, asked, "quinces")
    assert "radishes" not in answered["content"]
    assert labels_of(answered) == []


async def test_a_part_of_a_name_is_asked_about(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that gruzilkin grows radishes")
    asked = await say_and_hear(aylin, "Bot was weißt du über gruzilk?")
    assert "niemanden namens „gruzilk“" in asked["content"]
    assert "radishes" not in asked["content"]
    assert labels_of(asked) == ["gruzilkin (@gruzilkin)"]
    await press(aylin, asked, "@gruzilkin")
    await becomes(aylin, asked, "radishes")


async def test_nobody_is_neither_nothing_nor_an_outage(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    nobody = await say_and_hear(aylin, "Bot what do you know about Zaphod?")
    assert "know anyone here called “Zaphod”" in nobody["content"]
    assert labels_of(nobody) == []
    nothing = await say_and_hear(aylin, "Bot what do you know about gruzilkin?")
    assert "I don't know anything about" in nothing["content"]


async def test_an_alias_means_its_member(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that gruzilkin is Sergey")
    await aylin.ask("Bot remember that gruzilkin grows radishes")
    assert "radishes" in await aylin.ask("Bot what do you know about Sergey?")
    assert "radishes" in await aylin.ask("Bot what does Sergey grow?")


async def test_privately_it_is_asked_privately(inn: Inn) -> None:
    """In `/ask`, and under a public answer: nobody else sees the question, nor what is answered."""
    aylin = await two_chiefs(inn)
    asked = await tell(aylin, "ask", question="what do you know about Chief?")
    assert asked["flags"] & EPHEMERAL
    assert asked["embeds"][0]["description"] == "what do you know about Chief?"
    said = await heard(aylin, await press(aylin, asked, "@gruzilkin"), "radishes")
    assert "quinces" not in said
    florent = inn.person("florent")
    public = await say_and_hear(florent, "Bot what do you know about Chief?")
    again = shown(await press(florent, public, "Answer only to me"))
    assert again["flags"] & EPHEMERAL
    assert "quinces" in await heard(florent, await press(florent, again, "@florent"), "quinces")


async def test_to_one_alone_what_they_can_read_is_told_of_the_chosen(inn: Inn) -> None:
    await two_chiefs(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    await florent.ask(f"Bot remember that <@{inn.person('gruzilkin').user.id}> dreads the surprise party", BACK_ROOM)
    for person, hears in ((florent, True), (aylin, False)):
        asked = await tell(person, "ask", question="what do you know about Chief?")
        assert "dreads" not in asked["content"]
        said = await heard(person, await press(person, asked, "@gruzilkin"), "radishes")
        assert ("dreads" in said) is hears
    asked = await say_and_hear(florent, "Bot what do you know about Chief?")
    await press(florent, asked, "@gruzilkin")
    assert "dreads" not in (await becomes(florent, asked, "radishes"))["content"]


async def test_an_ordinary_question_is_answered_for_both_and_can_be_narrowed(inn: Inn) -> None:
    aylin = await two_chiefs(inn)
    answered = await say_and_hear(aylin, "Bot what does Chief grow in the garden?")
    assert "radishes" in answered["content"]
    assert "quinces" in answered["content"]
    assert "“Chief” could be" in answered["content"]
    await press(aylin, answered, "@florent")
    narrowed = await eventually(
        lambda: message_of(aylin, answered), lambda now: "radishes" not in now["content"] and now["content"]
    )
    assert "quinces" in narrowed["content"]
    privately = await tell(aylin, "ask", question="what does Chief grow in the garden?")
    assert "radishes" in privately["content"]
    assert "“Chief” could be" in privately["content"]
    pressed = await press(aylin, privately, "@florent")
    narrowed = (await eventually(lambda: outcome_of(aylin, pressed), lambda seen: seen.get("followups")))["followups"][
        0
    ]
    assert ("quinces" in narrowed["content"], "radishes" in narrowed["content"]) == (True, False)


async def test_the_chosen_one_is_meant_under_another_name_too(inn: Inn) -> None:
    aylin = await two_chiefs(inn)
    asked = await say_and_hear(aylin, "Bot what do you know about Chief?")
    told = await say_and_hear(aylin, "Bot remember that Chief owns a boat")
    await call_by_nickname(inn, florent="Captain")
    await press(aylin, asked, "@florent")
    assert "radishes" not in (await becomes(aylin, asked, "quinces"))["content"]
    await press(aylin, told, "@florent")
    await becomes(aylin, told, "Captain")
    florent = inn.person("florent").user.id
    assert (florent, f"<@{florent}> owns a boat") in await facts_of(inn)


async def test_the_chosen_one_may_have_left(inn: Inn) -> None:
    aylin = await two_chiefs(inn)
    asked = await say_and_hear(aylin, "Bot what do you know about Chief?")
    florent = inn.person("florent").user.id
    await inn.person("maren").call("DELETE", f"/guilds/{inn.guild.id}/members/{florent}")
    await eventually(
        lambda: inn.house.rows("SELECT 1 FROM members WHERE guild_id = $1 AND user_id = $2", inn.guild.id, florent),
        lambda rows: not rows,
    )
    await press(aylin, asked, "@florent")
    await becomes(aylin, asked, "quinces")


async def test_a_question_that_is_gone_is_said(inn: Inn) -> None:
    aylin = await two_chiefs(inn)
    said = await aylin.say("Bot what do you know about Chief?")
    asked = await aylin.hear_reply(said)
    # As if another process were about to take our reply back: it still stands when the button is pressed.
    await inn.house.rows(
        "INSERT INTO claims VALUES ($1, 'taking back', gen_random_uuid(), now() + interval '1 hour')", inn.guild.id
    )
    await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{said}")
    await inn.until_gone(said)
    assert "can't find your question" in await heard(aylin, await press(aylin, asked, "@florent"), "find")
    assert labels_of(await message_of(aylin, asked)) == []


async def test_names_that_are_markup_or_another_members(inn: Inn) -> None:
    """Nobody is told of in another's name, and no name becomes a mention, a ping or too long a label."""
    aylin = await two_chiefs(inn)
    florent = inn.person("florent")
    await call_by_nickname(inn, maren="gruzilkin", florent=f"<@{inn.person('maren').user.id}>")
    asked = await say_and_hear(aylin, "Bot what do you know about gruzilkin?")
    assert "radishes" not in asked["content"]
    assert {label.rpartition("(")[2] for label in labels_of(asked)} == {"@gruzilkin)", "@maren)"}
    assert asked["mentions"] == [] or {one["username"] for one in asked["mentions"]} <= {"aylin"}
    await call_by_nickname(inn, maren=florent.mention)
    told = await say_and_hear(aylin, "Bot remember that floren owns a boat")
    assert f"• {florent.mention}" not in told["content"]
    assert any("@florent" in label for label in labels_of(told))


async def test_one_of_several_facts_is_chosen_to_be_forgotten(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    sails = "that I sail a red boat on Sundays with friends"
    rents = "that I rent a red boat for tourists in summer"
    for fact in (sails, rents):
        await aylin.ask(f"Bot remember {fact}")
    asked = await say_and_hear(aylin, "Bot forget the red boat regatta")
    assert "1. " in asked["content"]
    assert labels_of(asked) == ["1", "2"]
    assert "Only they know" in words_of(await press(florent, asked, "1"))
    assert len(await facts_of(inn)) == 2
    listed = asked["content"].splitlines()
    (first,) = [line.removeprefix("1. ") for line in listed if line.startswith("1. ")]
    await press(aylin, asked, "1")
    await becomes(aylin, asked, "Forgotten:")
    assert first not in [text for _, text in await facts_of(inn)]
    assert len(await facts_of(inn)) == 1


async def test_a_command_to_forget_lets_one_choose_too(inn: Inn) -> None:
    await at_home(inn)
    florent = inn.person("florent")
    await florent.ask("Bot remember that I sail a red boat on Sundays with friends", BACK_ROOM)
    await florent.ask("Bot remember that I rent a red boat for tourists in summer", BACK_ROOM)
    asked = await tell(florent, "forget", fact="the red boat regatta")
    assert asked["flags"] & EPHEMERAL
    assert labels_of(asked) == ["1", "2"]
    await press(florent, asked, "2")
    await eventually(lambda: facts_of(inn), lambda facts: len(facts) == 1)
