"""C.9: members say whether an answer was right, and what is; what becomes of their word."""

import json
import os
from pathlib import Path
from urllib.parse import quote

import orjson

from tests.end_to_end.asking import opt_out, outcome_of
from tests.end_to_end.forked import Forked
from tests.end_to_end.house import PATIENCE_SECONDS, Inn, Payload, Person, eventually
from tests.end_to_end.slash import fill_in, labels_of, point_at, press, words_of
from tests.end_to_end.taken_back import answered, delete
from tests.end_to_end.test_receipts import said_and_stored


async def react(person: Person, message: Payload, emoji: str, method: str = "PUT") -> None:
    path = f"/channels/{message['channel_id']}/messages/{message['id']}/reactions/{quote(emoji)}/@me"
    await person.call(method, path)


async def say_wrong(person: Person, message_id: int, line: str) -> Payload:
    """By the menu, and the form that it opens."""
    opened = await point_at(person, "That was wrong", message_id)
    if not opened.get("modal"):
        return opened
    sent = await fill_in(person, opened, line)
    return await eventually(lambda: outcome_of(person, sent), lambda now: words_of(now))


async def press_and_see(person: Person, outcome: Payload, label: str) -> Payload:
    begun = await press(person, outcome, label)
    return await eventually(lambda: outcome_of(person, begun), lambda now: words_of(now) != words_of(outcome))


async def verdicts(inn: Inn) -> list[tuple[int, bool, str]]:
    rows = await inn.house.rows("SELECT * FROM verdicts WHERE guild_id = $1 ORDER BY given_at", inn.guild.id)
    return [(row["user_id"], row["is_right"], row["correction"]) for row in rows]


async def until(inn: Inn, wanted: list[tuple[int, bool, str]]) -> None:
    await eventually(lambda: verdicts(inn), lambda now: now == wanted)


async def test_thumbs_count_until_they_or_the_answer_go(inn: Inn) -> None:
    aylin, florent, maren = inn.person("aylin"), inn.person("florent"), inn.person("maren")
    await said_and_stored(florent, "The pub quiz is on Friday at eight")
    reply = await answered(aylin, f"<@{inn.house.bot.id}> when is the pub quiz?", "Friday")
    await react(aylin, reply, "👍")
    await until(inn, [(aylin.user.id, True, "")])
    await react(florent, reply, "👎🏽")
    await until(inn, [(aylin.user.id, True, ""), (florent.user.id, False, "")])
    counts = await inn.house.memory.verdicts.counts(inn.guild.id)
    assert (counts.right, counts.wrong) == (1, 1)
    await react(aylin, reply, "👍", "DELETE")
    await until(inn, [(florent.user.id, False, "")])
    await react(florent, reply, "🎉")
    kept = await aylin.ask("Bot remember that I collect stamps")
    assert "stamps" in kept
    await react(maren, reply, "👎")
    await until(inn, [(florent.user.id, False, ""), (maren.user.id, False, "")])
    await opt_out(maren)
    await until(inn, [(florent.user.id, False, "")])
    await opt_out(florent)
    await until(inn, [])  # the answer repeats what they said, and went with it


async def test_what_is_right_is_noted_and_can_put_the_memory_right(inn: Inn, aylin: Person, florent: Person) -> None:
    await florent.ask("Bot remember that Aylin plays the tuba")
    reply = await answered(florent, f"Bot what do you know about {aylin.mention}?", "tuba")
    said = await say_wrong(aylin, int(reply["id"]), "I play the cello")
    assert words_of(said).startswith("Noted, thank you.")
    assert "**1.** " in words_of(said)
    assert "tuba" in words_of(said)
    assert labels_of(said) == ["Remember this", "1"]
    await until(inn, [(aylin.user.id, False, "I play the cello")])
    chosen = await press_and_see(aylin, said, "1")
    assert "Not true" in labels_of(chosen), "it is about her, and she may say so"
    said = await say_wrong(aylin, int(reply["id"]), "I play the cello")
    told = await press_and_see(aylin, said, "Remember this")
    await eventually(lambda: aylin.ask("Bot what do you know about me?"), lambda known: "cello" in known)
    assert "cello" in json.dumps(told)
    others = await say_wrong(aylin, await said_and_stored(florent, "hello"), "no")
    assert words_of(others) == "That message isn't mine."
    thanked = await aylin.hear_reply(await aylin.say("Bot thanks!"))
    assert words_of(await say_wrong(aylin, int(thanked["id"]), "no")).startswith("I can't note that.")


async def test_the_operator_gets_an_evaluation_set_of_what_is_still_there(inn: Inn, tmp_path: Path) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    quiz = await said_and_stored(florent, "The regatta is on Sunday at nine")
    reply = await answered(aylin, f"<@{inn.house.bot.id}> when is the regatta?", "Sunday")
    await say_wrong(aylin, int(reply["id"]), "On Saturday")
    await react(florent, reply, "👍")
    await until(inn, [(aylin.user.id, False, "On Saturday"), (florent.user.id, True, "")])

    async def exported(name: str) -> list[Payload]:
        file, log = tmp_path / name, tmp_path / f"{name}.log"
        environment = os.environ | {"DATABASE_URL": inn.house.database_url, "DATA_DIR": str(tmp_path)}
        command = ["verdicts", str(file), "--guild", str(inn.guild.id)]
        done = Forked("main", command, folder=tmp_path, environment=environment, log=log)
        assert await done.wait(PATIENCE_SECONDS) == 0, log.read_text()
        assert "judged answer" in log.read_text()
        assert file.stat().st_mode & 0o777 == 0o600
        return [orjson.loads(line) for line in file.read_bytes().splitlines()]

    [judged] = await exported("before.jsonl")
    assert judged["question"].endswith("when is the regatta?")
    assert "Sunday" in judged["answer"]
    assert (judged["right"], judged["wrong"], judged["corrections"]) == (1, 1, ["On Saturday"])
    quoted = [one["text"] for one in judged["rested_on"] if one["is_quoted"]]
    assert quoted == ["The regatta is on Sunday at nine"]
    assert str(aylin.user.id) not in json.dumps({**judged, "question": "", "answer": ""}), "nobody who voted"
    await delete(florent, quiz)
    await until(inn, [])
    assert await exported("after.jsonl") == []
