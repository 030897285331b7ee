"""FEATURES 3.1 and 3.2: what members let on when they speak with the bot, as they see it, and what they do about it."""

import html
import json
import re

import pytest

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.gemini import GeminiApi, GeminiModel
from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn, Person, eventually
from tests.end_to_end.screen import memory_of
from tests.end_to_end.slash import use, words_of
from tests.gemini_server import GeminiServer, data_of
from tests.models import answering

LINE = re.compile(r'<message n="(\d+)"[^>]*>([^<]*)</message>')


def speaking(data: str) -> str:
    """Takes whatever it is shown for a memory; and answers that it has heard."""
    if "<question-" in data:
        return json.dumps({"kind": "general", "answer": "Good to hear."})
    spans = [(int(number), html.unescape(text)) for number, text in LINE.findall(data)]
    found = {"category": "preference", "importance": 8, "tags": ["drinks"]}
    return json.dumps({"memories": [{"message": number, "span": span, **found} for number, span in spans]})


@pytest.fixture(scope="module")
def models(gemini: GeminiServer) -> Models:
    gemini.says = speaking
    model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=20)
    return answering(model, others={Purpose.SMALL: model})


async def let_on(person: Person, words: str, channel: str = GENERAL) -> int:
    """Says it to the bot, and gives the message when its session has been read."""
    said = await person.say(words, channel)
    await person.hear_reply(said, channel)
    answered = "SELECT 1 FROM chat_history WHERE guild_id = $1 AND reply_to = $2 AND author_kind = 'self'"
    read = "SELECT 1 FROM memory_progress WHERE guild_id = $1 AND read_through >= $2"
    inn = person.inn
    await eventually(lambda: inn.house.rows(answered, inn.guild.id, said))
    await inn.house.memory.memories.take_due()
    await eventually(lambda: inn.house.rows(read, inn.guild.id, said))
    return said


def last_prompt(gemini: GeminiServer) -> str:
    return next(data for body in reversed(gemini.requests) if "<question-" in (data := data_of(body)))


async def test_let_on_shown_used_edited_forgotten_undone_denied_and_gone_with_its_message(
    inn: Inn, gemini: GeminiServer
) -> None:
    query = "UPDATE guilds SET answers = '{\"session_minutes\": 0}' WHERE guild_id = $1 RETURNING 1"
    await inn.house.rows(query, inn.guild.id)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    me, here = f"<@{florent.user.id}>", inn.channel(GENERAL).id
    said = await let_on(florent, "Bot, what shall I cook tonight? I prefer tea over coffee.")
    await let_on(florent, "Bot, I keep a secret diary about owls.", BACK_ROOM)

    screen = await memory_of(florent)
    lines = screen.words.splitlines()
    assert lines[:2] == ["**What I know about you**", "**❤️ Likes and habits**"]
    link = rf"\[message\]\(https://discord\.com/channels/{inn.guild.id}/{here}/{said}\)"
    small = rf"-# 🟠 8 · you mentioned it · since <t:\d+:D> · <#{here}> · {link} · #drinks"
    place = lines.index(next(line for line in lines if line.endswith(f"“I prefer tea over coffee.” – {me}")))
    assert re.fullmatch(small, lines[place + 1])
    assert "owls" in screen.words
    of_florent = (await memory_of(aylin, florent)).words
    assert "mentioned it" in of_florent
    assert "owls" not in of_florent

    await florent.ask("Bot, and what do I drink with it?")
    prompt = last_prompt(gemini)
    assert re.search(r"<memories-\w+>\npreference:\n\d+ since [\d :-]+, let on: “I prefer tea", prompt)
    assert "owls" not in prompt, "what was let on elsewhere is for those who read there"
    assert "(mentioned in passing)" in await aylin.ask(f"Bot what do you know about {florent.mention}?")

    number = re.findall(r"\*\*(\d)\.\*\*", lines[place])[0]
    await screen.do(number, "you mentioned it")
    assert screen.labels() == ["Edit", "Not true", "Forget", "Back"]
    form = await screen.press("Edit")
    fields = {label["component"]["custom_id"]: label["component"] for label in form["modal"]["components"]}
    assert fields["importance"]["value"] == "8"
    assert [one["value"] for one in fields["category"]["options"] if one.get("default")] == ["preference"]
    await screen.fill_in(form, fact="I prefer cocoa", category="fact", importance="3")
    await screen.until("Corrected")
    shown = (await memory_of(florent)).words
    assert re.search(rf"\*\*💡 Background\*\*\n\*\*\d\.\*\* “I prefer cocoa” – {me}\n-# ⚪ 3 · you said so", shown)
    await screen.do("Undo", "Undone")
    assert "prefer tea" in (await memory_of(florent)).words

    again = await memory_of(florent)
    await again.do(number, "you mentioned it")
    await again.do("Forget", "Forgotten")
    assert "prefer tea" not in (await memory_of(florent)).words
    await again.do("Undo", "I'm keeping this again")
    denied = await memory_of(florent)
    await denied.do(number, "you mentioned it")
    await denied.do("Not true", "Gone.")
    await let_on(florent, "Bot, I prefer tea over coffee.")
    assert "prefer tea" not in (await memory_of(florent)).words, "what they denied is not taken again"

    boat = await let_on(florent, "Bot, I sail a small boat on Sundays.")
    assert "small boat" in (await memory_of(florent)).words
    edited = {"content": "Bot, I sold the boat long ago."}
    await florent.call("PATCH", f"/channels/{here}/messages/{boat}", edited)

    async def held() -> str:
        return (await memory_of(florent)).words

    await eventually(held, lambda words: "small boat" not in words)


async def test_a_memory_is_noted_by_hand(aylin: Person) -> None:
    told = {"text": "my exam is on 3 June", "category": "task", "tags": "exam, school"}
    said = words_of(await use(aylin, "memory", "add", importance=9, **told))
    assert "exam is on 3 June" in said
    words = (await memory_of(aylin)).words
    assert "**✅ To do**" in words
    assert re.search(r"-# 🔴 9 · you said so · .* · #exam #school", words)
    screen = await memory_of(aylin)
    await screen.do("1", "you said so")
    form = await screen.press("Remind me")  # a reminder is offered, and never made by itself
    fields = {label["component"]["custom_id"]: label["component"] for label in form["modal"]["components"]}
    assert fields["what"]["value"] == "my exam is on 3 June"
    made = await screen.fill_in(form, when="in 3 days", what="my exam")
    assert "I'll remind you" in words_of(made)
    assert "my exam" in words_of(await use(aylin, "reminders"))
