"""What a model is told of what went before a question: the session, and the message it replies to."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from ai_clients.gemini import GeminiApi, GeminiModel
from memory.core.outcomes import Answer
from memory.core.provenance import Evidence
from memory.core.values import AuthorKind, Intent, Member, Message, Question, last_id_of
from memory.db.database import Database
from memory.language.detect import Language
from memory.places.view import Audience
from memory.policy.settings import AnswerRules
from tests.gemini_server import GeminiServer, data_of
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, INNKEEPER, LOUNGE, World, audience
from tests.models import answering

COMING = "who is coming on Saturday?"
NOT = "and who is not?"


class Hosts(World):
    """Whose bot's answers stand in the channel, with their receipts; ids tell the time, as Discord's do."""

    posted: Message
    """Our latest answer."""

    def _next_id(self) -> int:
        self.clock.move(timedelta(seconds=1))
        return last_id_of(self.clock.now())

    async def exchange(
        self,
        asker: Member,
        text: str,
        channel: int = HALL,
        *,
        readers: Audience | None = None,
        about: Message | None = None,
    ) -> Answer:
        said = await self.say(asker, f"<@{INNKEEPER.user_id}> {text}", channel)
        question = Question(GUILD, channel, said.message_id, asker.user_id, text, said.sent_at, about=about)
        readers = readers or audience(channel)
        answer = await self.memory.answers.answer(question, readers)
        await self.receipt(said, readers, answer.evidence)
        self.posted = await self.say(INNKEEPER, answer.text, channel, kind=AuthorKind.SELF, reply_to=said.message_id)
        return answer

    async def receipt(self, asked: Message, readers: Audience, evidence: Evidence) -> None:
        receipts = self.memory.receipts
        await receipts.put(receipts.receipt_of(readers, asked.message_id, asked.author_id, Language.EN, evidence))


@pytest.fixture
async def hosts(database: Database, gemini: GeminiServer) -> AsyncIterator[Hosts]:
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=60)
    models = answering(model, seconds=120)
    await models.embedder.embed(["ready"])
    world = Hosts(database, models, member_cooldown_seconds=0)
    await world.settle()
    gemini.says = lambda _: "Only Bob comes."
    yield world
    await world.memory.log.settled()
    await model.close()


def part(gemini: GeminiServer, name: str) -> str:
    found = re.search(rf"<{name}-(\w+)>\n(.*?)\n</{name}-\1>", data_of(gemini.requests[-1]), re.DOTALL)
    return "" if found is None else found[2]


async def test_a_follow_up_is_understood(hosts: Hosts, gemini: GeminiServer) -> None:
    await hosts.exchange(ALICE, COMING)
    await hosts.exchange(ALICE, NOT)
    assert part(gemini, "earlier") == f"Alice asked: {COMING}\nYou answered: Only Bob comes."


async def test_at_most_four_and_none_of_a_session_that_is_over(hosts: Hosts, gemini: GeminiServer) -> None:
    for number in range(6):
        await hosts.exchange(ALICE, f"question {number}?")
    await hosts.exchange(ALICE, NOT)
    assert re.findall(r"question \d", part(gemini, "earlier")) == [f"question {number}" for number in range(2, 6)]
    hosts.clock.move(timedelta(minutes=31))
    await hosts.exchange(ALICE, NOT)
    assert part(gemini, "earlier") == ""


async def test_what_others_asked_here_is_heard_by_name_and_nothing_of_another_channel(
    hosts: Hosts, gemini: GeminiServer
) -> None:
    await hosts.exchange(ALICE, COMING)
    await hosts.exchange(BOB, NOT)
    assert part(gemini, "earlier") == f"Alice asked: {COMING}\nYou answered: Only Bob comes."
    await hosts.exchange(ALICE, NOT, LOUNGE)
    assert part(gemini, "earlier") == ""


async def test_a_session_outlives_what_others_ask_meanwhile(hosts: Hosts, gemini: GeminiServer) -> None:
    await hosts.exchange(ALICE, "my own question?")
    for number in range(6):
        await hosts.exchange(BOB, f"question {number}?")
    await hosts.exchange(ALICE, NOT)
    asked = re.findall(r"asked: (.*)", part(gemini, "earlier"))
    assert asked == ["my own question?", *(f"question {number}?" for number in range(2, 6))]


async def test_what_begins_anew_leaves_out_what_was_asked_before(hosts: Hosts, gemini: GeminiServer) -> None:
    await hosts.say(BOB, "The goat is in the garden")
    await hosts.exchange(ALICE, COMING)
    hosts.clock.move(timedelta(seconds=1))
    await hosts.memory.channels.restart(audience())
    hosts.clock.move(timedelta(seconds=1))
    said = await hosts.say(BOB, "The tea is ready")
    await hosts.exchange(ALICE, NOT)
    assert part(gemini, "earlier") == ""
    assert "goat" not in part(gemini, "conversation")
    assert said.text in part(gemini, "conversation")


async def test_what_not_everyone_here_may_hear_now_is_left_out(hosts: Hosts, gemini: GeminiServer) -> None:
    """The answer went back to a room that somebody who reads this channel now cannot read."""
    secret = await hosts.say(GRUZILKIN, "Only Bob comes, and he brings the treasure", CELLAR)
    among_friends = Audience(GUILD, HALL, audience().sources | {CELLAR})
    gemini.says = lambda _: "Only Bob comes, with the treasure."
    answer = await hosts.exchange(ALICE, COMING, readers=among_friends)
    assert secret.message_id in answer.evidence.quoted.messages
    await hosts.exchange(ALICE, NOT, readers=among_friends)
    assert "treasure" in part(gemini, "earlier")
    hosts.clock.move(timedelta(seconds=1))
    await hosts.exchange(ALICE, "really?")
    assert "treasure" not in data_of(gemini.requests[-1])


async def test_whoever_repeats_an_earlier_answer_repeats_what_that_quotes(hosts: Hosts, gemini: GeminiServer) -> None:
    told = await hosts.say(BOB, "The treasure lies under the stairs", LOUNGE)
    await hosts.memory.indexer.catch_up()
    gemini.says = lambda _: "It lies under the stairs."
    await hosts.exchange(ALICE, "where is the treasure?")
    gemini.says = lambda _: "Because of the stairs."
    answer = await hosts.exchange(ALICE, "why?")
    assert told.message_id in answer.evidence.quoted.messages


async def test_what_a_question_replies_to_stands_with_its_neighbours(hosts: Hosts, gemini: GeminiServer) -> None:
    before, about, after = [await hosts.say(BOB, text) for text in ("The boat leaks", "I sold it", "For a goat")]
    for number in range(60):
        await hosts.say(GRUZILKIN, f"something else {number}")
    await hosts.exchange(ALICE, "what did he sell?", about=about)
    assert [line.split(": ")[1] for line in part(gemini, "replied-to").splitlines()[1:]] == [
        one.text for one in (before, about, after)
    ]
    assert 'replies-to="' in data_of(gemini.requests[-1])


async def test_what_is_not_kept_is_not_told_by_replying_to_it(hosts: Hosts, gemini: GeminiServer) -> None:
    unknown = Message(GUILD, HALL, 77, BOB.user_id, AuthorKind.PERSON, "my secret", hosts.clock.now())
    await hosts.exchange(ALICE, "what does he mean?", about=unknown)
    assert "my secret" not in data_of(gemini.requests[-1])


async def test_the_answer_replied_to_stands_there_however_old_and_is_marked(hosts: Hosts, gemini: GeminiServer) -> None:
    await hosts.exchange(ALICE, COMING)
    hosts.clock.move(timedelta(days=3))
    await hosts.exchange(BOB, NOT, about=hosts.posted)
    assert part(gemini, "earlier") == (
        f"Alice asked: {COMING}\nYou answered (the question replies to this): Only Bob comes."
    )
    hosts.clock.move(timedelta(days=3))
    await hosts.exchange(BOB, NOT)
    assert part(gemini, "earlier") == ""


async def test_earlier_answers_come_without_links_and_small_print(hosts: Hosts, gemini: GeminiServer) -> None:
    link = "https://discord.com/channels/1/2/3"
    gemini.says = lambda _: "Only Bob comes."
    said = await hosts.say(ALICE, f"<@{INNKEEPER.user_id}> {COMING}")
    await hosts.memory.answers.mark_addressed(
        Question(GUILD, HALL, said.message_id, ALICE.user_id, COMING, said.sent_at), Intent.QUESTION
    )
    posted = f"Only Bob comes. [1]({link}) [2](<{link}>)\n-# That is from the language model.\n-# ↪ [1]({link})"
    await hosts.say(INNKEEPER, posted, kind=AuthorKind.SELF, reply_to=said.message_id)
    await hosts.exchange(BOB, NOT)
    assert part(gemini, "earlier") == "", "nobody knows yet what it goes back to"
    await hosts.receipt(said, audience(HALL), Evidence())
    await hosts.exchange(ALICE, NOT)
    first = f"Alice asked: {COMING}\nYou answered: Only Bob comes.\n"
    assert part(gemini, "earlier") == f"{first}Bob asked: {NOT}\nYou answered: Only Bob comes."


async def test_commands_are_no_exchanges(hosts: Hosts, gemini: GeminiServer) -> None:
    said = await hosts.say(ALICE, "Bot remember that I like tea")
    await hosts.memory.answers.mark_addressed(
        Question(GUILD, HALL, said.message_id, ALICE.user_id, "that I like tea", said.sent_at), Intent.REMEMBER
    )
    await hosts.say(INNKEEPER, "Noted.", kind=AuthorKind.SELF, reply_to=said.message_id)
    await hosts.exchange(ALICE, NOT)
    assert part(gemini, "earlier") == ""


async def test_as_many_exchanges_as_the_managers_want(hosts: Hosts, gemini: GeminiServer) -> None:
    await hosts.memory.privacy.change_settings(GUILD, lambda was: replace(was, answers=AnswerRules(exchanges=2)))
    for number in range(4):
        await hosts.exchange(ALICE, f"question {number}?")
    await hosts.exchange(ALICE, NOT)
    assert re.findall(r"question \d", part(gemini, "earlier")) == ["question 2", "question 3"]
