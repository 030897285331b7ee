"""The order of what was found, each message judged with the talk around it; and what of it goes before a model: as much
as there is room for, talk by talk."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory.core.values import AuthorKind, Member, Message
from memory.language.question_words import signs_of
from memory.language.stems import words_of
from memory.recall.coverage import HOPELESS, Excerpt, Room, covering, in_order
from memory.recall.query import Found, Heard, Term, Terms, read_question
from memory.recall.ranking import Asking, Said, parts_of, shares_of
from memory.recall.results import Looked

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HALL = 1001
ANNA, BOB = Member(1, 11, "Anna"), Member(1, 12, "Bob")


class Pool:
    """Talk in one channel, a message a minute, found by whole words; long pauses are made by `pause`."""

    def __init__(self, question: str) -> None:
        self.asked = read_question(question, (ANNA, BOB), Member(1, 13, "Cara"), NOON + timedelta(days=1), UTC)
        self.said: list[Said] = []
        self._at = NOON
        self._conversation = 1

    def say(self, text: str, author: Member = ANNA, *, meaning: float = 0.0, reply_to: int | None = None) -> int:
        self._at += timedelta(minutes=1)
        message_id = len(self.said) + 1
        matched = frozenset(place for place, word in enumerate(self.asked.words) if word in words_of(text))
        said = (message_id, HALL, author.user_id, self._at, self._conversation, len(text.split()))
        found = Found(*said, words=0.0, matched=matched, meaning=meaning, conversation=0.0)
        message = Message(1, HALL, message_id, author.user_id, AuthorKind.PERSON, text, self._at, reply_to=reply_to)
        self.said.append(Said(Heard(found, text, reply_to, lambda: message), signs_of(text, self.asked.wants)))
        return message_id

    def pause(self, length: timedelta = timedelta(hours=2)) -> None:
        self._at += length
        self._conversation += 1

    def looked(self, closeness: dict[str, list[tuple[int, float]]] | None = None) -> Looked:
        terms = Terms(tuple(Term(word, place, 3) for place, word in enumerate(self.asked.words)), 100, 10.0, 20, 50.0)
        asking = Asking(self.asked, shares_of(self.asked, terms), NOON + timedelta(days=1), HALL)
        return Looked(asking, self.said, {one.found.message_id for one in self.said}, closeness or {})

    def order(self, closeness: dict[str, list[tuple[int, float]]] | None = None) -> list[int]:
        return [one.said.found.message_id for one in self.looked(closeness).ranked]


def test_an_answer_without_the_words_is_found_through_its_question() -> None:
    pool = Pool("Where does the heron sleep?")
    pool.say("nice weather")
    pool.pause()
    pool.say("So where does the heron sleep?", BOB)
    answer = pool.say("In the old willow behind the mill")
    pool.pause()
    pool.say("The mill is old", BOB)
    assert answer in pool.order()[:2]


def test_a_reply_is_understood_through_what_it_replies_to() -> None:
    pool = Pool("Where does the heron sleep?")
    question = pool.say("So where does the heron sleep?", BOB)
    pool.pause()
    pool.say("in the kitchen")
    pool.pause()
    reply = pool.say("in the kitchen", reply_to=question)
    pool.pause()
    pool.say("in the kitchen")
    assert pool.order()[:2] == [reply, question] or pool.order()[:2] == [question, reply]


def test_close_words_count_less_than_the_word_itself_and_more_than_none() -> None:
    pool = Pool("bicycle")
    other = pool.say("gardening all day")
    pool.pause()
    close = pool.say("biking all day")
    pool.pause()
    exact = pool.say("bicycle all day")
    assert pool.order({"biking": [(0, 0.7)]}) == [exact, close, other]


def test_what_is_needed_comes_along_and_nothing_twice() -> None:
    pool = Pool("Where does the heron sleep?")
    question = pool.say("So where does the heron sleep?", BOB)
    answer = pool.say("In the willow")
    for k in (1, 5):
        found = pool.looked().chosen(k=k)
        assert sorted(message.message_id for one in found for message in one.messages) == [question, answer]


def test_whoever_is_named_may_be_answered_by_name_by_mention_or_by_reply() -> None:
    pool = Pool("What did people tell Bob?")
    asked = pool.say("why is there no password?", BOB)
    called = [
        pool.say("bob: because it is a bad idea"),
        pool.say(f"<@{BOB.user_id}> use sudo"),
        pool.say("use sudo", reply_to=asked),
    ]
    pool.say("lunch is at noon")
    people = frozenset({BOB.user_id})
    asking = Asking(pool.asked, (), NOON, HALL, people=people, people_named=lambda text: "bob" in text)
    parts = parts_of(asking, pool.said, {one.found.message_id for one in pool.said}, {})
    assert [said.found.message_id for said, part in parts if part.calls] == called


CLEO = replace(BOB, user_id=77)


def shown(pool: Pool, budget: int = 1_500) -> list[list[int]]:
    excerpts = covering([pool.looked()], known=(), room=Room.of(budget))
    return [[message.message_id for message in excerpt.messages] for excerpt in excerpts]


def flat(talks: list[list[int]]) -> list[int]:
    return [message_id for talk in talks for message_id in talk]


def test_each_message_stands_once_in_the_order_of_its_talk_and_the_oldest_talk_first() -> None:
    pool = Pool("Where does the heron sleep?")
    old = [pool.say("the heron sleeps at the pond"), pool.say("no, the heron sleeps in the reeds", BOB)]
    pool.pause()
    new = [pool.say("the heron slept on the roof today"), pool.say("a heron on the roof?", BOB)]
    assert shown(pool) == [old, new]


def test_a_question_brings_all_its_replies_by_link_and_by_talk() -> None:
    pool = Pool("Who comes to the party?")
    asked = pool.say("Who comes to the party on Saturday?")
    replies = [pool.say(text, BOB) for text in ("me!", "count me in", "I have to work")]
    pool.pause()
    pool.say("what a day", BOB)
    late = pool.say("I made it after all", BOB, reply_to=asked)
    assert {asked, *replies, late} <= set(flat(shown(pool)))


def test_an_answer_brings_its_question() -> None:
    pool = Pool("What did Anna bring to the harbour festival?")
    asked = pool.say("And you, what will you take along?", BOB)
    answer = pool.say("a kite for the harbour festival")
    assert shown(pool) == [[asked, answer]]


def test_the_room_is_filled_and_never_overfilled() -> None:
    pool = Pool("heron")
    for number in range(60):
        pool.say(f"the heron was seen at place number {number} " + "and then it flew away " * 4)
        pool.pause()
    few, many = flat(shown(pool, budget=300)), flat(shown(pool, budget=1_500))
    assert 3 <= len(few) < len(many) < 60
    assert shown(pool, budget=10) == []


def test_what_was_said_before_is_not_repeated_and_who_said_it_is_kept() -> None:
    pool = Pool("Where is the heron?")
    for author in (ANNA, BOB, BOB):
        pool.say("The heron is down by the old mill", author)
    pool.pause()
    pool.say("the heron is down by the old mill", CLEO)
    [found] = covering([pool.looked()], known=(), room=Room.of(500))
    [kept] = found.messages
    [repeats] = found.repeats.values()
    assert sorted((kept.author_id, *repeats.author_ids)) == sorted(one.user_id for one in (ANNA, BOB, CLEO))
    assert repeats.last_at == max(one.found.sent_at for one in pool.said)


def test_of_two_looks_one_talk_is_told_once_in_the_order_in_which_it_was_said() -> None:
    pool = Pool("Where is the heron?")
    ids = [pool.say(f"the heron went to place {number}") for number in range(6)]
    said = {one.found.message_id: one.heard.message() for one in pool.said}
    first, second = ((ids[0], ids[3], ids[5]), (ids[1], ids[4]))
    looks = [Excerpt(tuple(said[one] for one in some)) for some in (first, second)]
    [found] = in_order(looks)
    assert [one.message_id for one in found.messages] == [ids[0], ids[1], ids[3], ids[4], ids[5]]


def test_a_short_answer_stands_with_each_question() -> None:
    pool = Pool("Was the heron seen?")
    for place in ("mill", "pond"):
        asked = pool.say(f"was the heron seen at the {place}?")
        pool.say("yes, the heron", BOB, reply_to=asked)
        pool.pause()
    assert len(flat(shown(pool, budget=500))) == 4


def test_thanks_are_evidence_of_nothing() -> None:
    pool = Pool("Where is the heron?")
    asked = pool.say("where is the heron?")
    pool.say("thank you so much!", BOB, reply_to=asked)
    where = pool.say("by the mill", reply_to=asked)
    assert flat(shown(pool, budget=500)) == [asked, where]


def test_of_several_who_are_named_each_has_a_part() -> None:
    pool = Pool("What do Anna and Bob both collect?")
    for number in range(20):
        pool.say(f"I collect stamps of number {number}, more than anybody else can collect", ANNA)
    pool.pause()
    bobs = pool.say("I collect a few", BOB)
    assert bobs in flat(shown(pool, budget=250))


def test_what_is_hopeless_is_left_out_however_much_room_there_is() -> None:
    pool = Pool("Where does the heron sleep at night?")
    good = pool.say("the heron sleeps at night at the pond")
    pool.pause()
    pool.say("pizza for everybody")
    assert flat(shown(pool, budget=10_000)) == [good]
    assert HOPELESS < 1


TALKS = ("my mum died in March", "the heron sleeps", "we mourn our grandmother", "lunch is at noon")


def look_for(question: str) -> Looked:
    """The same four talks, looked for in other words."""
    pool = Pool(question)
    for text in TALKS:
        pool.say(text)
        pool.pause()
    return pool.looked()


def test_what_other_words_find_stands_beside_what_the_question_finds() -> None:
    looks = [look_for("Whose mum died?"), look_for("we mourn our grandmother"), look_for("grandmother mourn")]
    alone = [one.text for excerpt in covering(looks[:1], known=(), room=Room.of(1_500)) for one in excerpt.messages]
    together = [one.text for excerpt in covering(looks, known=(), room=Room.of(1_500)) for one in excerpt.messages]
    assert alone == [TALKS[0]]
    assert together == [TALKS[0], TALKS[2]], "each once, in the order in which it was said"
    few = [one.text for excerpt in covering(looks, known=(), room=Room.of(30)) for one in excerpt.messages]
    assert few == [TALKS[2]], "what two ways of asking find comes first"


def test_where_ways_of_asking_find_different_things_there_is_more_room() -> None:
    """As with the rest of a list."""
    herons = ["the heron came by", "a heron on the pond", "our heron is back"]
    boats = ["the boat is for sale", "a boat went down the river", "our boat leaks"]
    looks: list[Looked] = []
    for question in ("heron", "boat"):
        pool = Pool(question)
        for text in (*herons, *boats):
            pool.say(text)
        fits = {said.found.message_id for said in pool.said if question in said.heard.text}
        looks.append(replace(pool.looked(), rankable=fits))
    room = Room(usual=30, most=300)
    alike = covering([looks[0], looks[0]], known=(), room=room)
    apart = covering(looks, known=(), room=room)
    assert len(flat([[one.message_id for one in excerpt.messages] for excerpt in alike])) <= 2
    assert len(flat([[one.message_id for one in excerpt.messages] for excerpt in apart])) == 6
