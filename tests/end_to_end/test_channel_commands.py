"""`/summary` and `/context` through the front door: what is told of a channel, to whom, and what they do about it."""

import re

import httpx
import pytest

from tests.end_to_end.house import GENERAL, Inn, Person
from tests.end_to_end.screen import Screen, settings
from tests.end_to_end.slash import labels_of, use, words_of
from tests.end_to_end.talk import talk

ONLY_MANAGERS = "Only people who manage this server can change that."


async def test_a_channel_is_summed_up_at_once_and_shows_what_it_rests_on(inn: Inn) -> None:
    gruzilkin = inn.person("gruzilkin")
    said = await talk(inn, 14)
    outcome = await use(gruzilkin, "summary", "now")
    assert outcome["message"]["flags"] & 64, "everybody would see it"
    lines = words_of(outcome).splitlines()
    assert lines[0] == f"**Summary of <#{inn.channel(GENERAL).id}>**"
    place = f"https://discord.com/channels/{inn.guild.id}/{inn.channel(GENERAL).id}"
    bullet = re.compile(rf"• <@\d+>: .*We will paint the boat number \d.* \[↪\]\({place}/(\d+)\)")
    bullets = [bullet.fullmatch(line) for line in lines[1:-1]]
    links = [int(found[1]) for found in bullets if found]
    assert len(links) == len(bullets), "one link each"
    assert max(links) in said[4:], "the newest are in it"
    assert re.fullmatch(
        r"-# <t:\d+:R>, quoted, without a language model · 14 messages, <t:\d+:f> to <t:\d+:t>", lines[-1]
    )
    screen = Screen(gruzilkin, int(outcome["message"]["id"]))
    assert screen.labels() == ["Sources"], "nothing of it is his to correct"
    sources = words_of(await screen.press("Sources"))
    assert sources.startswith("**What the summary is based on**\n**1.** <@")
    assert f"{links[0]}): “We will paint the boat number" in sources
    again = words_of(await use(gruzilkin, "summary", "now"))
    assert again.startswith("There's nothing to add to the last summary.\n**Summary of")


async def test_the_status_says_how_far_it_is(inn: Inn, aylin: Person) -> None:
    await talk(inn, 20)
    before = words_of(await use(aylin, "summary", "status"))
    assert before.splitlines()[1:] == [
        "• Summaries: on; Method: Rolling: one running summary; First summary: 20; First summary (tokens): 8000; "
        "Next summary: 10; Newest messages: 10",
        "• Messages since the last one: 20, turns: 20. The next one is due, and comes when someone asks here.",
        "• Messages: 20, of which 0 are summed up",
        "• Summaries in use: 0, highest level: 0",
        "• Last made: never",
    ]
    await use(aylin, "summary", "now")
    after = words_of(await use(aylin, "summary", "status"))
    assert "Messages since the last one: 0, turns: 0. The next one isn't due yet." in after
    assert "Messages: 20, of which 20 are summed up" in after
    assert "Summaries in use: 1, highest level: 1" in after
    assert re.search(r"Last made: <t:\d+:R>, quoted, without a language model", after)


async def test_managers_decide_when_channels_are_summed_up_and_nobody_else(inn: Inn) -> None:
    aylin, maren = inn.person("aylin"), inn.person("maren")
    for path in (("summary", "setup"), ("summary", "on"), ("summary", "off")):
        assert words_of(await use(aylin, *path)) == ONLY_MANAGERS
    changed = words_of(await use(maren, "summary", "setup", first=30, again=5, kept=40, **{"first-tokens": 6000}))
    lines = ["• Newest messages: 40", "• First summary: 41", "• First summary (tokens): 6000", "• Next summary: 5"]
    assert changed.splitlines()[1:] == lines
    shown = words_of(await use(maren, "settings", "show"))
    assert all(line in shown for line in ("• Summaries: on", *lines))
    levels = words_of(await use(maren, "summary", "setup", policy="levels", turns=3))
    assert levels.splitlines()[1:] == ["• Method: Levels: many summaries, the oldest merged", "• Turns: 3"]
    rules = (await settings(inn)).summaries
    assert (rules.policy, rules.turns, rules.first, rules.again, rules.kept) == ("levels", 3, 41, 5, 40)
    with pytest.raises(httpx.HTTPStatusError):  # Discord takes no more than the command says
        await use(maren, "summary", "setup", turns=501)


async def test_switched_off_nothing_is_made_or_told_and_what_there_is_stays(inn: Inn) -> None:
    aylin, maren = inn.person("aylin"), inn.person("maren")
    await talk(inn, 14)
    await use(aylin, "summary", "now")
    said = words_of(await use(maren, "summary", "off"))
    assert said.endswith("• Summaries: off")
    for path in (("summary", "now"), ("context", "history")):
        assert words_of(await use(aylin, *path)).startswith("Summaries are off on this server; what was made")
    assert "Summaries in use: 1" in words_of(await use(aylin, "summary", "status"))
    assert "• Summaries: on" in words_of(await use(maren, "summary", "on"))
    assert "boat" in words_of(await use(aylin, "summary", "now"))


async def test_who_wrote_what_it_rests_on_puts_it_right_and_it_says_so(inn: Inn) -> None:
    aylin, gruzilkin = inn.person("aylin"), inn.person("gruzilkin")
    first, *_ = await talk(inn, 14)
    screen = await Screen.open(aylin, "summary", "now")
    assert screen.labels() == ["Correct", "Sources"]
    form, second, late = [await screen.press("Correct") for _ in range(3)]
    shown = form["modal"]["components"][0]["component"]["value"]
    assert "@Aylin: " in shown
    assert words_of(await screen.fill_in(form, shown)) == "Nothing was changed."
    corrected = await screen.fill_in(second, "@Aylin paints the [big](https://evil.example) boat [1].")
    lines = words_of(corrected).splitlines()
    assert lines[0] == "Corrected. The next summary builds on your words."
    assert lines[2].startswith(rf"• <@{aylin.user.id}> paints the \[big\](https://evil.example) boat. [↪](https://")
    assert lines[-1].endswith(f"corrected by <@{aylin.user.id}>")
    assert f"corrected by <@{aylin.user.id}>" in words_of(await use(gruzilkin, "summary", "now"))
    overtaken = words_of(await screen.fill_in(late, "What is typed in a form of before."))
    assert overtaken.startswith("The summary changed while you were writing, so I didn't save your words.")
    assert "of before" not in overtaken
    await aylin.call("PATCH", f"/channels/{inn.channel(GENERAL).id}/messages/{first}", {"content": "We sell the boat."})
    await inn.until_stored(first, text="We sell the boat.")
    lost = "⚠️ Your correction of <t:"
    assert words_of(await use(aylin, "summary", "status")).startswith(lost)
    again = await Screen.open(aylin, "summary", "now")
    assert again.words.startswith(lost)
    assert "corrected by" not in again.words
    assert lost not in words_of(await use(gruzilkin, "summary", "status")), "it was not theirs"


async def test_what_is_in_view_is_shown_and_begins_anew_when_told_so(inn: Inn) -> None:
    aylin, maren, channel = inn.person("aylin"), inn.person("maren"), inn.channel(GENERAL).id
    await talk(inn, 55)
    lines = words_of(await use(aylin, "context", "show")).splitlines()
    assert lines[0] == f"**What I see of <#{channel}> when I answer**"
    assert re.fullmatch(r"• Latest: 50 messages, since <t:\d+:f>", lines[1])
    assert re.fullmatch(r"• The ones before: 5 messages, since <t:\d+:f>", lines[2])
    assert lines[3:7] == [
        "• In all: 55 messages",
        "• Summaries: 0",
        "• History in one text: not written yet",
        "**Latest**",
    ]
    assert len(lines) == 12
    assert lines[-1].endswith("): “We will paint the boat number 54 on Friday evening.”")
    await aylin.ask("Bot what do we paint?")
    await aylin.ask("Bot and when?")
    spoken = words_of(await use(aylin, "context", "show"))
    assert re.search(
        rf"\*\*Talking with me here\*\*\n• <@{aylin.user.id}>: in conversation, 2 messages, last <t:\d+:R>\n", spoken
    )
    refused = words_of(await use(aylin, "context", "clear"))
    assert refused == "Only people who can manage messages in this channel can do that."
    assert "Nothing was deleted" in words_of(await use(maren, "context", "clear"))
    after = words_of(await use(aylin, "context", "show"))
    assert "• Latest: 0 messages\n" in after
    assert "• In all: 55 messages" in after
    assert "-# Fresh start <t:" in after
    assert "boat" not in after


async def test_the_whole_history_is_told_and_counted(inn: Inn) -> None:
    aylin, florent, channel = inn.person("aylin"), inn.person("florent"), inn.channel(GENERAL).id
    await talk(inn, 15)
    history = await use(aylin, "context", "history")
    assert words_of(history).startswith(f"**The history of <#{channel}>**\n• <@")
    assert labels_of(history["message"]) == ["Sources"], "it is told anew from the log, and not corrected"
    assert "boat number" in words_of(await Screen(aylin, int(history["message"]["id"])).press("Sources"))
    lines = words_of(await use(aylin, "context", "analyze")).splitlines()
    assert re.fullmatch(rf"\*\*Everything I keep of <#{channel}>\*\*: 15 messages, <t:\d+:f> to <t:\d+:t>", lines[0])
    assert lines[1] == f"Most active: <@{aylin.user.id}> 8 · <@{florent.user.id}> 7"
    assert "**In their words**, quoted without a language model" in lines
    assert re.search(r"^• <@\d+>: .* \[↪\]\(https://discord.com/channels/[\d/]+\)$", lines[-1])
