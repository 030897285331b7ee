"""`/catchup` through the front door: what somebody missed, told to them alone, and what they do about it."""

import re
from itertools import takewhile

from tests.end_to_end.absence import thread_in
from tests.end_to_end.asking import ask_privately, at_home, outcome_of, say_and_hear
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, Payload, Person, eventually
from tests.end_to_end.slash import labels_of, press, use, words_of

MENTIONS = 12


async def catch_up(person: Person, where: str | int = GENERAL, **options: str) -> Payload:
    return await whole(person, await use(person, "catchup", where=where, **options))


async def whole(person: Person, begun: Payload) -> Payload:
    return await eventually(lambda: outcome_of(person, begun), lambda now: bool(words_of(now)))


def section(words: str, heading: str) -> list[str]:
    behind = words.split(f"### {heading}\n", 1)[1].splitlines() if f"### {heading}\n" in words else []
    return list(takewhile(lambda line: line.startswith("- "), behind))


def link(inn: Inn, channel_id: int, message_id: int) -> str:
    return f"(https://discord.com/channels/{inn.guild.id}/{channel_id}/{message_id})"


async def test_somebody_catches_up_reads_on_after_a_restart_and_marks_it_as_read(own_inn: Inn) -> None:
    inn, house = own_inn, own_inn.house
    aylin, florent, gruzilkin = (inn.person(name) for name in ("aylin", "florent", "gruzilkin"))
    general, kitchen = inn.channel(GENERAL).id, inn.channel(KITCHEN).id
    async with house.bot_running():
        await at_home(inn)
        before = await florent.say(f"{aylin.mention} this was before")
        own = await aylin.say("I will fetch the flour, see you later")
        for number in range(MENTIONS):
            await florent.say(f"{aylin.mention} look at loaf number {number}")
        replied = await gruzilkin.say("The flour is on the shelf", reply_to=own)
        asked = await gruzilkin.say(f"{aylin.mention} when do you bring the flour back?", KITCHEN)
        decided = await florent.say("We decided to buy the blue oven.", KITCHEN)
        planned = await florent.say("The oven party starts tomorrow at 18:00.", KITCHEN)
        wondered = await gruzilkin.say("Does anybody know where the rolling pin went?")
        secret = await florent.say(f"{aylin.mention} the surprise is in the cellar", BACK_ROOM)
        deleted = await florent.say(f"{aylin.mention} forget that I said this")
        for message_id in (wondered, secret, deleted):
            await inn.until_stored(message_id)
        await florent.call("DELETE", f"/channels/{general}/messages/{deleted}")
        await inn.until_gone(deleted)

        told = await catch_up(aylin)
        assert told["message"]["flags"] & 64, "everybody would see it"
        assert not told.get("followups"), "it is one message"
        words = words_of(told)
        assert re.match(rf"Since your message in <#{general}>, <t:\d+:R>: 17 messages in 2 channels", words)
        for_you = section(words, "For you")
        shown = len(for_you)
        assert 5 <= shown <= 10
        assert for_you[0].startswith(f"- ❓ <@{gruzilkin.user.id}>: “{aylin.mention} when do you bring")
        assert link(inn, kitchen, asked) in for_you[0]
        assert for_you[1].startswith("- ↩️ ")
        assert link(inn, general, replied) in for_you[1]
        assert "loaf number 11" in for_you[2]
        kept = [*section(words, "Coming up"), *section(words, "Decided")]
        assert [link(inn, kitchen, one) in line for one, line in zip((planned, decided), kept, strict=True)] == [1, 1]
        assert re.match(r"- <t:\d+:f> <@", kept[0])
        assert [link(inn, general, wondered) in line for line in section(words, "Open questions")] == [True]
        assert section(words, "Talked about") == [], "nothing is quoted twice"
        assert all(line.count("https://") == 1 for line in (*for_you, *kept)), "one link each"
        assert "the surprise" not in words
        assert "forget that" not in words
        assert "fetch the flour" not in words
        assert str(before) not in words
        assert words.splitlines()[-1] == "-# Not in it: your own messages."
        assert labels_of(told["message"]) == ["More", "Mark as read"]

        # In a thread it is about the thread.
        thread = thread_in(inn, inn.channel(GENERAL), "dough")
        rising = await florent.say_in(thread.id, "The dough is rising nicely in the warm corner")
        await inn.until_stored(rising)
        await eventually(lambda: _knows(inn, aylin, thread.id))
        inside = words_of(await catch_up(aylin, thread.id))
        assert re.match(rf"Since your message in <#{general}>, <t:\d+:R>: 1 message in 1 channel", inside)
        assert link(inn, thread.id, rising) in inside
        assert "loaf" not in inside
        only = words_of(await catch_up(aylin, since="3 hours", channel=str(kitchen)))
        assert re.match(r"Since <t:\d+:f> \(<t:\d+:R>\): 3 messages in 1 channel", only)
        assert words_of(await catch_up(aylin, since="some day")).startswith("I can't tell when “some day” was")

    async with house.bot_running():
        await at_home(inn)
        more = words_of(await whole(aylin, await press(aylin, told, "More")))
        rest = section(more, "For you")
        assert len(rest) == MENTIONS + 2 - shown
        assert "loaf number 0" in rest[-1]
        marked = words_of(await whole(aylin, await press(aylin, told, "Mark as read")))
        assert marked.startswith("Done. Your next catch-up starts here: <t:")
        later = await florent.say("The flour has come back home")
        await inn.until_stored(later)
        again = words_of(await catch_up(aylin))
        assert re.match(r"Since you last marked all as read, <t:\d+:R>: 2 messages in 2 channels", again)
        assert "loaf" not in again

        # In words, in a channel: a sentence and a button, which opens it for whoever asked.
        offered = await say_and_hear(aylin, "Bot, was habe ich verpasst?")
        assert offered["content"] == "Das zeige ich nur dir:"
        assert labels_of(offered) == ["Zeig es mir"]
        refused = words_of(await press(gruzilkin, offered))
        assert refused.startswith("That button is for the person who asked. Use `/catchup`")
        opened = await press(aylin, offered)
        assert opened["message"]["flags"] & 64
        assert re.match(r"Since you last marked all as read, <t:\d+:R>: 2 messages", words_of(opened))
        asked_alone = await ask_privately(aylin, "what did I miss?")
        assert labels_of(asked_alone["message"]) == ["Show me"]


async def _knows(inn: Inn, person: Person, channel_id: int) -> bool:
    reader = inn.house.memory.places.audience_for(inn.guild.id, inn.channel(GENERAL).id, person.user.id)
    return channel_id in reader.sources
