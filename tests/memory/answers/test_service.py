"""Answers without a model: what is known, what fits, and the honest word when there is nothing."""

from memory.core.outcomes import Answer
from memory.core.values import AuthorKind, Question
from memory.language.detect import Language
from memory.places.view import PRESENT, Audience
from tests.memory.world import ALICE, BOB, CELLAR, DICE, FLORENT, GUILD, INNKEEPER, PUBLIC, World


async def test_an_unknown_name_that_was_told_of(world: World) -> None:
    await world.remember(BOB, "gruzilkin has a brother Sergey")
    answer = await world.ask_about(ALICE, "Sergey")
    assert "know anyone here called “Sergey”" in answer.text
    assert "<@3> has a brother Sergey" in answer.text


async def test_something_that_is_no_person_but_was_talked_about(world: World) -> None:
    await world.say(ALICE, "the barbecue was fun")
    assert "<@1>: “the barbecue was fun”" in (await world.ask_about(BOB, "the barbecue")).text


async def test_what_is_known_of_the_guild(world: World) -> None:
    assert "anything about this server yet" in (await world.ask_about(ALICE, "this server")).text
    await world.remember(BOB, "the quiz is on Friday")
    assert "<@2> says: the quiz is on Friday" in (await world.ask_about(ALICE, "us")).text


async def test_answers_come_in_the_language_of_the_question(world: World) -> None:
    for language, body, words in (
        (Language.EN, "me", "I don't know anything about you"),
        (Language.DE, "mich", "Über dich weiß ich noch nichts"),
        (Language.FR, "moi", "Je ne sais encore rien de toi"),
        (Language.ES, "mí", "Todavía no sé nada de ti"),
        (Language.RU, "мне", "Я пока ничего не знаю о тебе"),
    ):
        assert words in (await world.ask_about(ALICE, body, language=language)).text


async def test_a_question_without_a_name_finds_whom_it_fits(world: World) -> None:
    await world.remember(ALICE, "I love pizza")
    await world.remember(BOB, "I have a dog")
    answer = await world.ask(FLORENT, "who has a dog?")
    assert "“I have a dog” – <@2>" in answer.text
    assert "pizza" not in answer.text


async def test_neither_bots_nor_commands_nor_questions_are_quoted(world: World) -> None:
    await world.say(INNKEEPER, "The barbecue starts at nine.", kind=AuthorKind.SELF)
    await world.say(DICE, "The barbecue starts at ten.", kind=AuthorKind.BOT)
    await world.forget(ALICE, "that the barbecue starts at eleven")
    await world.ask(ALICE, "when does the barbecue start?")
    assert "nothing about that" in (await world.ask(BOB, "when does the barbecue start?")).text


async def test_at_most_three_are_quoted_newest_first(world: World) -> None:
    for number in range(5):
        await world.say(ALICE, f"barbecue number {number}")
    lines = (await world.ask(BOB, "barbecue?")).text.splitlines()[1:]
    assert lines == [f"• <@1>: “barbecue number {number}”" for number in (4, 3, 2)]


async def test_quotes_ping_nobody_and_do_not_break_out(world: World) -> None:
    await world.say(ALICE, "@everyone barbecue ```x``` **now**\n> <@&77> ||secret|| \u202e done")
    text = (await world.ask(BOB, "barbecue")).text
    assert "@everyone" not in text
    assert "<@&77>" not in text
    assert "\u202e" not in text
    assert r"\`\`\`x" in text
    assert len(text.splitlines()) == 2


async def test_long_quotes_end_at_a_word(world: World) -> None:
    await world.say(ALICE, "barbecue " + "sausage " * 200)
    answer: Answer = await world.ask(BOB, "barbecue")
    assert answer.text.endswith("sausage…”")
    assert len(answer.text) < 500


async def test_forms_and_accents_do_not_matter(world: World) -> None:
    for said, asked in (
        ("Das Grillfest beginnt um sieben.", "wann beginnt das Grillfest?"),
        ("La réunion commence à neuf heures.", "quand commence la reunion ?"),
        ("Встреча начинается в девять.", "когда начинается встреча?"),
        ("We were running in the parks", "who runs in a park?"),
    ):
        await world.say(ALICE, said)
        assert said in (await world.ask(BOB, asked)).text


async def test_where_not_all_can_read_back_there_is_the_conversation_of_the_moment(world: World) -> None:
    """Neither what was said there before nor what was told: the past of a place is for those who may read it back."""
    await world.say(BOB, "the spare key hangs behind the clock", CELLAR)
    await world.remember(BOB, "the spare key is made of brass", CELLAR)
    world.clock.move(PRESENT)
    await world.say(BOB, "the spare key is rusty", CELLAR)
    await world.memory.indexer.catch_up()
    said = {}
    for sources in (PUBLIC | {CELLAR}, PUBLIC):
        asked = await world.say(ALICE, "Bot where is the spare key?", CELLAR)
        question = Question(GUILD, CELLAR, asked.message_id, ALICE.user_id, "where is the spare key?", asked.sent_at)
        everyone, one = Audience(GUILD, CELLAR, sources), Audience(GUILD, CELLAR, sources, viewer_id=ALICE.user_id)
        said[sources] = [
            (await world.memory.answers.answer(question, everyone)).text,
            (await world.memory.answers.answer(question, one)).text,
            (await world.memory.answers.what_is_known(question, everyone)).text,
            str(await world.memory.recall.search("spare key", one, ALICE.user_id, world.clock.now())),
        ]
    assert all("clock" in said[PUBLIC | {CELLAR}][way] for way in (0, 1, 3))
    assert not any("clock" in text or "brass" in text for text in said[PUBLIC])
    assert "rusty" in said[PUBLIC][0]
    assert "rusty" not in said[PUBLIC][3]
