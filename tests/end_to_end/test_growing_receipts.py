"""Receipts of replies that grow in sight: there before the first words, true to the last ones, complete."""

import pytest

from tests.end_to_end.house import GENERAL, Inn, eventually, until
from tests.end_to_end.test_receipts import content_of, receipt_of, until_noted
from tests.end_to_end.test_streaming import Scene, finished, inn, scene

__all__ = ["inn", "scene"]

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_growing_reply_has_its_receipt_before_its_first_words(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    quiz, cat = await aylin.say("The quiz is on Friday at eight"), await aylin.say("Nobody has a cat")
    await inn.until_stored(quiz)
    await inn.until_stored(cat)
    asked = await aylin.say("Bot when is the quiz?")
    scene.dictation.say("On Friday ", "at ")
    await scene.until_said(inn, "On Friday")
    growing = await receipt_of(inn, asked)
    assert growing is not None
    assert {quiz, cat} <= set(growing["quoted_messages"]), "it may come to repeat any of it"
    scene.dictation.end("eight.")
    reply = await finished(aylin, asked)
    row = await until_noted(inn, reply)
    assert row["quoted_messages"] == [quiz], "and this is what it repeats"
    assert {quiz, cat} <= set(row["used_messages"])


async def test_a_source_that_goes_while_the_reply_grows_takes_it_along(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    quiz = await aylin.say("The quiz is on Friday at eight")
    await inn.until_stored(quiz)
    asked = await aylin.say("Bot when is the quiz?")
    scene.dictation.say("On Friday ", "at ")
    await scene.until_said(inn, "On Friday")
    await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{quiz}")
    await inn.until_gone(quiz)
    scene.dictation.end("eight.")
    # Somebody waits for the answer, so it is finished; what it repeats is gone, so it is taken back once more.
    await scene.until_said(inn, "On Friday at eight.")
    replies = await eventually(lambda: aylin.replies_to(asked))
    await eventually(lambda: content_of(aylin, replies[0]), lambda content: "Friday" not in content)
    await eventually(lambda: receipt_of(inn, asked), lambda row: row is None)
    await inn.until_gone(int(replies[0]["id"]))


async def test_what_goes_meanwhile_and_is_not_repeated_harms_nothing(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    quiz, cat = await aylin.say("The quiz is on Friday at eight"), await aylin.say("Nobody has a cat")
    await inn.until_stored(quiz)
    await inn.until_stored(cat)
    asked = await aylin.say("Bot when is the quiz?")
    await until(lambda: scene.dictation.begun == 1)
    await aylin.call("DELETE", f"/channels/{inn.channel(GENERAL).id}/messages/{cat}")
    await inn.until_gone(cat)
    scene.dictation.end("On Friday at eight.")
    reply = await finished(aylin, asked)
    row = await until_noted(inn, reply)
    assert (row["quoted_messages"], row["because"]) == ([quiz], None)


async def test_all_parts_of_a_long_reply_are_noted(scene: Scene, inn: Inn) -> None:
    aylin = inn.person("aylin")
    await inn.until_stored(await aylin.say("There is a saga of many sentences"))
    asked = await aylin.say("Bot tell me all of it")
    scene.dictation.say(*(f"Sentence number {number} is here. " for number in range(120)))
    scene.dictation.end("The end.")
    await scene.until_said(inn, "The end.")
    parts = {int(one["id"]) for one in scene.eyes.said_in(inn.channel(GENERAL).id)}
    assert len(parts) == 2
    row = await eventually(
        lambda: receipt_of(inn, asked), lambda row: row is not None and set(row["message_ids"]) == parts
    )
    assert row is not None
