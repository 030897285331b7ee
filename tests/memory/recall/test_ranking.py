"""The order of what was found: each message judged with the talk around it."""

from datetime import UTC, datetime, timedelta

from memory.core.values import AuthorKind, Member, Message
from memory.language.question_words import signs_of
from memory.language.stems import words_of
from memory.recall.query import Found, Heard, Term, Terms, read_question
from memory.recall.ranking import Asking, Ranked, Said, parts_of, rank, shares_of
from memory.recall.results import chosen

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
        found = Found(
            message_id,
            HALL,
            author.user_id,
            self._at,
            self._conversation,
            len(text.split()),
            words=0.0,
            matched=matched,
            meaning=meaning,
            conversation=0.0,
        )
        message = Message(1, HALL, message_id, author.user_id, AuthorKind.PERSON, text, self._at, reply_to=reply_to)
        self.said.append(Said(Heard(found, text, reply_to, lambda: message), signs_of(text, self.asked.wants)))
        return message_id

    def pause(self, length: timedelta = timedelta(hours=2)) -> None:
        self._at += length
        self._conversation += 1

    def ranked(self, closeness: dict[str, list[tuple[int, float]]] | None = None) -> list[Ranked]:
        terms = Terms(tuple(Term(word, place, 3) for place, word in enumerate(self.asked.words)), 100, 10.0, 20, 50.0)
        asking = Asking(self.asked, shares_of(self.asked, terms), NOON + timedelta(days=1), HALL)
        return rank(asking, self.said, {one.found.message_id for one in self.said}, closeness or {})

    def order(self, closeness: dict[str, list[tuple[int, float]]] | None = None) -> list[int]:
        return [one.said.found.message_id for one in self.ranked(closeness)]


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
        found = chosen(pool.ranked(), pool.said, k=k)
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
