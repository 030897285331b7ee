"""What is quoted without a model: what answers a question, what belongs to it, and nothing that only sounds so."""

from datetime import timedelta

import pytest

from ai_clients.build import without_models
from local_guild.sample_week import FIRST, PARTS, PRIVATE, SCRIPT, read_script
from memory.core.outcomes import Answer
from memory.core.values import AuthorKind, Member, Message, Question, Source, last_id_of
from memory.db.database import Database
from memory.language.detect import Language
from tests.memory.answers.test_answer_recalled import bury
from tests.memory.world import ALICE, BOB, EVERYONE, FLORENT, GUILD, HALL, LOUNGE, World, audience

TOM = Member(GUILD, 8, "tom", global_name="Tom")


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database, without_models()).settle((*EVERYONE, TOM))


async def talk(world: World, *said: tuple[Member, str]) -> list[Source]:
    """Each an hour after the other, days ago."""
    sources = []
    for author, text in said:
        world.clock.move(timedelta(hours=1))
        sources.append(Source(HALL, (await world.say(author, text)).message_id))
    await bury(world)
    return sources


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        (Language.EN, "Electricity was 84 euros this month, so 21 each.", "how much do I owe for electricity?"),
        (Language.DE, "Strom war 84 Euro diesen Monat, also 21 für jeden.", "wie viel schulde ich für Strom?"),
        (Language.FR, "L'électricité, c'était 84 euros, donc 21 chacun.", "combien je dois pour l'électricité ?"),
        (Language.ES, "La electricidad fueron 84 euros, así que 21 cada uno.", "¿cuánto debo de electricidad?"),
        (Language.RU, "Электричество вышло 84 евро, по 21 с каждого.", "сколько я должен за электричество?"),
    ],
)
async def test_what_recall_finds_is_quoted_although_it_says_it_otherwise(
    world: World, language: Language, said: str, asked: str
) -> None:
    """Nobody here says "owe", and the asker has said nothing about it."""
    bill, _ = await talk(world, (BOB, said), (TOM, "The kettle whistles two notes at once."))
    answer = await world.ask(ALICE, asked, language=language)
    assert answer.sources[0] == bill
    assert "kettle" not in answer.text


@pytest.mark.parametrize(
    ("language", "thing", "age", "asked"),
    [
        (Language.EN, "The old one was overheating.", "I turned 34 yesterday!", "how old is Tom?"),
        (Language.DE, "Der alte Motor ist zu heiß, zu alt.", "Ich bin 34 Jahre alt, ihr Lieben.", "wie alt ist Tom?"),
        (Language.FR, "C'est un fromage d'un certain âge.", "J'ai 34 ans depuis lundi.", "quel âge a Tom ?"),
        (Language.ES, "Hace años que no funciona.", "Ayer cumplí, tengo 34 años.", "¿cuántos años tiene Tom?"),
        (Language.RU, "Сто лет не работает.", "Мне вчера исполнилось 34.", "сколько лет Тому?"),
    ],
)
async def test_an_age_is_quoted_and_not_what_is_old(
    world: World, language: Language, thing: str, age: str, asked: str
) -> None:
    asked = asked.replace("Тому", f"<@{TOM.user_id}>")
    await talk(world, (TOM, thing))
    assert (await world.ask(ALICE, asked, language=language)).sources == ()
    [told] = await talk(world, (TOM, age))
    assert (await world.ask(ALICE, asked, language=language)).sources[0] == told


@pytest.mark.parametrize(
    ("language", "other", "wanted", "said", "asked"),
    [
        (Language.EN, "The", "Forty", "{} slugs went to the compost.", "how many slugs went to the compost?"),
        (Language.DE, "Die", "40", "{} Schnecken sind im Kompost.", "wie viele Schnecken sind im Kompost?"),
        (Language.FR, "Les", "Il y a 40", "{} limaces au compost.", "combien de limaces au compost ?"),
        (Language.ES, "Las", "40", "{} babosas van al compost.", "¿cuántas babosas van al compost?"),
        (Language.RU, "Слизни", "40 слизней", "{} теперь в компосте.", "сколько слизней в компосте?"),
        (Language.EN, "dressing", "Marlene", "The salad comes with {}.", "who comes with the salad?"),
    ],
)
async def test_who_and_how_many_prefer_a_person_and_a_number(
    world: World, language: Language, other: str, wanted: str, said: str, asked: str
) -> None:
    # What is said last would come first otherwise.
    told, _ = await talk(world, (BOB, said.format(wanted)), (TOM, said.format(other)))
    assert (await world.ask(ALICE, asked, language=language)).sources[0] == told


async def test_a_fact_and_the_message_it_came_from_are_quoted_once(world: World) -> None:
    said = await world.say(FLORENT, "I always fry my pancakes in goose fat")
    await talk(world)
    assert "goose fat" in (await world.ask(ALICE, "what does Florent fry pancakes in?")).text
    await world.remember(BOB, "this", about=said)
    assert (await world.ask(ALICE, "what does Florent fry pancakes in?")).text.count("goose fat") == 1


async def test_a_reply_says_itself_what_it_answers(world: World) -> None:
    asked = await world.say(BOB, "Where is the ladder of the boathouse?")
    for number in range(2):
        await world.say(FLORENT, f"morning {number}")
    await world.say(TOM, "Behind the sauna", reply_to=asked.message_id)
    await bury(world)
    answer = await world.ask(ALICE, "where is the ladder of the boathouse?")
    _, first, second, *_ = answer.text.splitlines()
    assert first.endswith("“Behind the sauna”")
    assert second == "-# ↑ <@2>: “Where is the ladder of the boathouse?”"


ONLY_ASKED = [
    (Language.EN, "Evening! Who brings the cards on Friday?", "who brings the cards?"),
    (Language.EN, "anyone know the wifi password of the guest network", "what is the wifi password?"),
    (Language.DE, "Weiß jemand, wo die Leiter vom Bootshaus ist?", "wo ist die Leiter vom Bootshaus?"),
    (Language.FR, "Salut ! Qui apporte les cartes vendredi ?", "qui apporte les cartes ?"),
    (Language.ES, "¿Alguien sabe dónde está la escalera?", "¿dónde está la escalera?"),
    (Language.RU, "Кто-нибудь знает, где лестница?", "где лестница?"),
]


@pytest.mark.parametrize(("language", "said", "asked"), ONLY_ASKED)
async def test_what_only_asks_the_same_is_not_quoted(world: World, language: Language, said: str, asked: str) -> None:
    await world.say(BOB, said)
    just_said = await world.ask(ALICE, asked, language=language)
    await bury(world)
    long_ago = await world.ask(ALICE, asked, language=language)
    assert just_said.sources == long_ago.sources == ()


async def test_greetings_and_questions_are_no_answer_to_what_was_asked(world: World) -> None:
    await world.say(BOB, "Where is the ladder of the boathouse?")
    await world.say(FLORENT, "Good morning!")
    await world.say(TOM, "Which ladder?")
    await bury(world)
    assert (await world.ask(ALICE, "where is the ladder of the boathouse?")).sources == ()


async def test_of_somebody_who_is_named_only_what_is_asked_is_told(world: World) -> None:
    for told in ("<@8> is allergic to nuts", "<@8> loves chess", "<@8> is 34", "<@8> works at the mill"):
        await world.remember(BOB, told)
    for asked, words in {
        "what does Tom like?": ["chess"],
        "how old is Tom?": ["34"],
        "what is Tom's job?": ["mill"],
        "where is Tom?": ["mill"],
        "what is Tom allergic to?": ["nuts"],
        "what does Tom think of the new roof?": [],
        "when does Tom come home?": [],
        "can somebody bring nuts for the cake?": [],
        "who brings the nuts?": [],
    }.items():
        text = (await world.ask(ALICE, asked)).text
        assert [word for word in ("nuts", "chess", "34", "mill") if word in text] == words, asked
    for asked in ("who is Tom?", "tell me about Tom", "erzähl mir was über Tom", "расскажи мне про Tom"):
        assert len((await world.ask(ALICE, asked)).sources) == 3, asked
    nothing = "I looked through what I was told and what was said, and found nothing about that."
    assert (await world.ask(ALICE, "what does Tom think of the new roof?")).text == nothing


@pytest.mark.parametrize(
    ("language", "asked", "words"),
    [
        (Language.EN, "tell me a joke", "I have no language model"),
        (Language.EN, "what is the capital of France?", "I have no language model"),
        (Language.EN, "how do I boil an egg?", "I have no language model"),
        (Language.DE, "erzähl mir einen Witz", "ich habe kein Sprachmodell"),
        (Language.FR, "raconte une blague", "je n’ai pas de modèle de langue"),
        (Language.ES, "cuéntame un chiste", "no tengo modelo de lenguaje"),
        (Language.RU, "расскажи анекдот", "сказать больше без языковой модели не могу"),
    ],
)
async def test_who_wants_talk_is_told_that_there_is_no_model(
    world: World, language: Language, asked: str, words: str
) -> None:
    await world.say(BOB, "The kettle whistles two notes at once.")
    answer = await world.ask(ALICE, asked, language=language)
    assert words in answer.text
    assert "docs/models.md" in answer.text
    assert "\n" not in answer.text


@pytest.mark.parametrize("asked", ["what does Tom eat?", "where do I live?", "when do we meet?", "where is my hat?"])
async def test_who_asks_about_people_here_is_only_told_that_there_is_nothing(world: World, asked: str) -> None:
    assert (await world.ask(ALICE, asked)).text.endswith("found nothing about that.")


@pytest.mark.parametrize("asked", ["what does Florent play in the band?", "what does Zed play in the band?"])
async def test_of_somebody_who_is_named_nothing_is_quoted_that_has_nothing_to_do_with_them(
    world: World, asked: str
) -> None:
    await talk(world, (BOB, "I play the drums in the band."), (TOM, "In the band I play the bass."))
    assert (await world.ask(ALICE, asked)).sources == ()
    [told] = await talk(world, (BOB, "Florent plays the flute in the band, and Zed the harp."))
    assert (await world.ask(ALICE, asked)).sources[0] == told


async def test_a_word_that_only_looks_like_what_is_asked_for_is_not_quoted(world: World) -> None:
    await talk(world, (BOB, "There is a lot of soup left for whoever passes by."))
    assert (await world.ask(ALICE, "what is the wifi password?")).sources == ()


async def play_the_sample_week(world: World) -> None:
    """As the local guild has it, in two channels that everyone reads."""
    people = {name: Member(GUILD, 20 + number, name, name.capitalize()) for number, name in enumerate(PARTS)}
    await world.settle((*EVERYONE, *people.values()))
    names = {name: member.global_name for name, member in people.items()}
    days = {f"day{days_ago}": f"{world.clock.now() + timedelta(days=6 - days_ago):%A}" for days_ago in range(7)}
    began = world.clock.now().replace(hour=0) + timedelta(days=1)
    for line in (one for one in read_script(SCRIPT.read_text("utf-8")) if one.room != PRIVATE):
        at = began + timedelta(days=6 - line.days_ago) + line.at
        text = line.text.replace("@{", "{").format(**names, **days)
        place = HALL if line.room == FIRST else LOUNGE
        author = people[line.part].user_id
        said = Message(GUILD, place, last_id_of(at), author, AuthorKind.PERSON, text, at)
        await world.memory.ingest_message(said)
        world.clock.move(at - world.clock.now())
    await world.memory.log.settled()
    await world.memory.indexer.catch_up()


async def ask_after_it(world: World, text: str) -> Answer:
    world.clock.move(timedelta(minutes=1))
    now = world.clock.now()
    question = Question(GUILD, HALL, last_id_of(now), ALICE.user_id, text, now)
    return await world.memory.answers.answer(question, audience())


async def test_the_sample_week_answers_what_was_said_in_it_and_nothing_else(world: World) -> None:
    await play_the_sample_week(world)
    for question, words in {
        "when did we beat the volcano?": "WE BEAT THE VOLCANO",
        "how much does a new key cost?": "A new key takes a week and costs twelve",
        "who drove the library bus?": "I drove the library bus",
        "how many slugs were moved to the compost?": "forty-one moved to the compost",
        "what is the name of the cat?": "The cat is called Invoice",
        "when is the seed swap?": "The seed swap at the allotments is next month",
    }.items():
        assert words in (await ask_after_it(world, question)).text.splitlines()[1], question
    for question in (
        "what is the wifi password?",
        "who plays the flute?",
        "how much did the piano cost?",
        "when does the dentist open?",
        "what is the rent of the flat?",
        "how old is Tom?",
        "what is the capital of Peru?",
    ):
        assert (await ask_after_it(world, question)).sources == (), question


@pytest.mark.parametrize("asked", ["what happened today?", "what happened yesterday?", "what happened last week?"])
async def test_the_sample_week_is_told_in_a_few_lines_with_a_link_each(world: World, asked: str) -> None:
    await play_the_sample_week(world)
    answer = await ask_after_it(world, asked)
    heading, *lines = answer.text.splitlines()
    assert heading == "From what was said here:"
    assert 3 <= len(lines) <= 6
    assert [citation.at for citation in answer.citations] == [
        len("\n".join((heading, *lines[:number]))) for number in range(1, len(lines) + 1)
    ]
    assert len(answer.sources) == len(lines) == len(answer.evidence.quoted.messages)
