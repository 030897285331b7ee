"""What is quoted of a day: the sentences that tell something, each with its source, and nothing to be left out."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.values import AuthorKind, Source
from memory.language.sentences import sentences_of
from memory.summaries.extractive import AIM, LONGEST_ALONE, MOST_OF_ONE_MEMBER, happenings, quotes_of_members
from tests.memory.summaries.saying import ANNA, BERT, CLEO, GARDEN, HALL, US, Talk


def quoted(talk: Talk, author_id: int = ANNA) -> list[str]:
    return [quote.text for quote in quotes_of_members(talk.messages).get(author_id, ())]


def a_day() -> Talk:
    talk = Talk()
    talk.say(ANNA, "good morning everyone!! how are you all doing today?")
    talk.say(BERT, "morning")
    talk.say(ANNA, "lol that is so funny haha")
    talk.say(ANNA, "We decided to move the raid to Saturday because Cleo flies to Lisbon.")
    talk.say(BERT, "ok nice, that sounds really great to me")
    talk.say(ANNA, "I finally finished painting the old rowing boat yesterday. It took weeks.")
    talk.say(CLEO, "what colour is it?")
    talk.say(ANNA, "thanks, see you later everyone, have a nice evening")
    return talk


def test_the_telling_sentences_are_quoted_and_not_the_first_ones() -> None:
    assert quoted(a_day()) == [
        "We decided to move the raid to Saturday because Cleo flies to Lisbon.",
        "I finally finished painting the old rowing boat yesterday.",
    ]
    assert quoted(a_day(), BERT) == []


@pytest.mark.parametrize(
    ("chatter", "telling"),
    [
        ("Guten Morgen ihr alle, wie geht es euch so?", "Wir haben das Turnier auf Samstag verschoben."),
        ("Bonjour tout le monde, ça va bien ce matin ?", "J'ai enfin réparé le vieux bateau de mon voisin hier."),
        ("Buenas noches a todos, que tal estáis?", "Ayer terminé de pintar la barca vieja del puerto."),
        ("Всем привет, как у вас дела сегодня?", "Мы решили перенести турнир на субботу из-за поезда."),
        ("おはようございます！", "昨日ついに古いボートの塗装を終えた。"),
    ],
)  # fmt: skip
def test_in_every_language(chatter: str, telling: str) -> None:
    talk = Talk()
    talk.say(ANNA, chatter)
    talk.say(ANNA, telling)
    assert quoted(talk) == [telling]


@pytest.mark.parametrize(
    "left_out",
    [
        "!play the very long song about wooden boats",
        "/roll twenty dice for the dragon fight",
        "https://example.org/a-very-long-link/about/boats",
        "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉",
        "<:party:1234567890> <:party:1234567890> <:party:1234567890>",
        "> We decided to move the raid to Saturday",
        "```\nfor boat in boats: paint(boat)\n```",
        "good morning and a very good day to all of you",
        "hahaha lol",
        "The doctor told me about the tumour today. It takes six months.",
        "My daughter painted a boat in kindergarten",
        "12345 67890 12345",
    ],
)
def test_what_tells_nothing_or_should_not_be_told_is_left_out(left_out: str) -> None:
    talk = Talk()
    talk.say(ANNA, left_out)
    assert quoted(talk) == []
    assert happenings([talk.messages]) == ()


def test_only_people_are_quoted() -> None:
    talk = Talk()
    talk.say(US, "The boat was painted by Anna on Friday evening.", kind=AuthorKind.SELF)
    talk.say(BERT, "Server backup finished on Friday evening at eight.", kind=AuthorKind.BOT)
    talk.say(CLEO, "Release 3.5 was published on Friday evening.", kind=AuthorKind.WEBHOOK)
    assert quotes_of_members(talk.messages) == {}


def test_every_quote_names_its_message_and_stands_in_the_order_of_the_day() -> None:
    talk = a_day()
    elsewhere = talk.say(ANNA, "The garden gate broke again, so I ordered new hinges.", channel_id=GARDEN)
    quotes = quotes_of_members(random.Random(1).sample(talk.messages, len(talk.messages)))[ANNA]
    assert [quote.said_at for quote in quotes] == sorted(quote.said_at for quote in quotes)
    assert quotes[-1].source == Source(GARDEN, elsewhere.message_id)
    by_id = {message.message_id: message.text for message in talk.messages}
    assert all(quote.text in by_id[quote.source.message_id] for quote in quotes)


def test_the_same_thing_is_not_quoted_twice() -> None:
    talk = Talk()
    talk.say(ANNA, "I finished painting the old rowing boat yesterday.")
    talk.say(ANNA, "Yesterday I finished painting that old rowing boat!")
    assert len(quoted(talk)) == 1


def test_what_others_replied_and_reacted_to_weighs_more() -> None:
    talk = Talk()
    first = talk.say(ANNA, "The bakery opened near the harbour on Friday, with excellent rye bread and buns.")
    talk.say(ANNA, "The library opened near the station on Friday, with excellent old maps and globes.")
    other = talk.messages[-1]

    def best(**reactions: int) -> int:
        counts = {int(name[1:]): count for name, count in reactions.items()}
        day = [replace(one, reactions=counts.get(one.message_id)) for one in talk.messages]
        [quote] = quotes_of_members(day, aim=90)[ANNA]
        return quote.source.message_id

    assert best(_1000=5) == first.message_id
    assert best(_1001=5) == other.message_id
    talk.say(BERT, "oh nice", reply_to=first)
    talk.say(CLEO, "mhm", reply_to=first)
    talk.say(ANNA, "hm", reply_to=other)
    assert best() == first.message_id


def test_borrowed_words_inside_a_sentence_are_not_the_authors() -> None:
    talk = Talk()
    talk.say(ANNA, "I finally published the plans of the boat at https://example.org/boat yesterday")
    assert quoted(talk) == ["I finally published the plans of the boat at … yesterday"]


def test_one_long_sentence_is_quoted_whole_or_not_at_all() -> None:
    long = "I painted the boat and " + " and ".join(f"then plank number {n}" for n in range(18))
    assert 300 < len(long) < LONGEST_ALONE
    talk = Talk()
    talk.say(ANNA, long)
    talk.say(BERT, long * 3)
    assert quoted(talk) == [long]
    assert quoted(talk, BERT) == []


def test_what_happened_is_told_of_several_people_and_talks() -> None:
    talk = Talk()
    for number in range(6):
        talk.say(ANNA, f"I finished painting boat number {number} in the {'abcdef'[number] * 4} harbour yesterday.")
    talk.say(BERT, "We decided to move the raid to Saturday.", channel_id=GARDEN)
    talk.say(CLEO, "My flight to Lisbon was cancelled this morning.", minutes=60)
    told = happenings([talk.messages])
    assert {quote.author_id for quote in told} == {ANNA, BERT, CLEO}
    assert sum(quote.author_id == ANNA for quote in told) <= MOST_OF_ONE_MEMBER
    assert [quote.source.message_id for quote in told] == sorted(quote.source.message_id for quote in told)
    assert len(happenings([talk.messages], most=2)) == 2


TEXTS = st.lists(st.text(max_size=400) | st.sampled_from([message.text for message in a_day().messages]), max_size=12)


@settings(max_examples=60)
@given(TEXTS, st.randoms(use_true_random=False))
def test_any_day_gives_whole_sentences_within_bounds_and_always_the_same(texts: list[str], mix: random.Random) -> None:
    talk = Talk()
    for number, text in enumerate(texts):
        talk.say((ANNA, BERT)[number % 2], text)
    found = quotes_of_members(talk.messages)
    shuffled = list(talk.messages)
    mix.shuffle(shuffled)
    assert quotes_of_members(shuffled) == found
    by_id = {message.message_id: message for message in talk.messages}
    for author_id, quotes in found.items():
        assert len(quotes) == 1 or sum(len(quote.text) for quote in quotes) <= AIM
        for quote in quotes:
            message = by_id[quote.source.message_id]
            assert (message.author_id, message.channel_id) == (author_id, HALL)
            assert "…" in quote.text or quote.text in [sentence.text for sentence in sentences_of(message.text)]
