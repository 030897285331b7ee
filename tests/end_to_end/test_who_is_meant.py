"""1.6: whom a question or a telling means, and which fact: asked with buttons, never guessed."""

from tests.end_to_end.asking import at_home, outcome_of, say_and_hear
from tests.end_to_end.choosing import becomes, facts_of, heard, message_of, tell, two_chiefs
from tests.end_to_end.house import Inn, Person, eventually
from tests.end_to_end.slash import labels_of, press, words_of

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


async def test_an_alias_means_its_member(aylin: Person) -> None:
    await aylin.ask("Bot remember that gruzilkin is Sergey")
    await aylin.ask("Bot remember that gruzilkin grows radishes")
    assert "radishes" in await aylin.ask("Bot what do you know about Sergey?")
    assert "radishes" in await aylin.ask("Bot what does Sergey grow?")


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


async def test_one_of_several_facts_is_chosen_to_be_forgotten(inn: Inn, aylin: Person, florent: Person) -> None:
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


async def test_every_choice_can_be_made_after_a_restart(own_inn: Inn) -> None:
    inn, house = own_inn, own_inn.house
    async with house.bot_running():
        aylin = await two_chiefs(inn)
        await aylin.ask("Bot remember that I sail a red boat on Sundays with friends")
        await aylin.ask("Bot remember that I rent a red boat for tourists in summer")
        question = await say_and_hear(aylin, "Bot what do you know about Chief?")
        telling = await say_and_hear(aylin, "Bot remember that Chief owns a kite")
        list_of_facts = await say_and_hear(aylin, "Bot forget the red boat regatta")
        asked = await tell(aylin, "ask", question="what do you know about Chief?")
        told = await tell(aylin, "remember", fact="that Chief owns a sledge", everyone=False)
        forgetting = await tell(aylin, "forget", fact="everything about gruzilk")
    gruzilkin, florent = (inn.person(name).user.id for name in ("gruzilkin", "florent"))
    async with house.bot_running():
        await at_home(inn)
        await press(aylin, question, "@florent")
        await becomes(aylin, question, "quinces")
        await press(aylin, telling, "@gruzilkin")
        await becomes(aylin, telling, "kite")
        await press(aylin, list_of_facts, "1")
        await becomes(aylin, list_of_facts, "Forgotten:")
        assert "quinces" not in await heard(aylin, await press(aylin, asked, "@gruzilkin"), "radishes")
        await heard(aylin, await press(aylin, told, "@florent"), "sledge")
        known = await facts_of(inn)
        assert (gruzilkin, f"<@{gruzilkin}> owns a kite") in known
        assert (florent, f"<@{florent}> owns a sledge") in known
        await heard(aylin, await press(aylin, forgetting, "@gruzilkin"), "Forgotten:")
        assert gruzilkin not in [subject for subject, _ in await facts_of(inn)]


async def test_nobody_is_neither_nothing_nor_an_outage(inn: Inn) -> None:
    aylin = inn.person("aylin")
    nobody = await say_and_hear(aylin, "Bot what do you know about Zaphod?")
    assert "know anyone here called “Zaphod”" in nobody["content"]
    assert labels_of(nobody) == []
    nothing = await say_and_hear(aylin, "Bot what do you know about gruzilkin?")
    assert "I don't know anything about" in nothing["content"]
