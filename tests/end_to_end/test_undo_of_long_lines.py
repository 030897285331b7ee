"""Undo in place where what changed did not fit into one message: nothing of it is left standing."""

from tests.end_to_end.asking import at_home, labels_of
from tests.end_to_end.choosing import facts_of, press
from tests.end_to_end.house import GENERAL, Inn, Payload, Person, eventually
from tests.end_to_end.taken_back import noted, nothing_left_to_do
from tests.end_to_end.test_receipts import receipt_of

MARMALADE = "{} jars of " + "very " * 90 + "old marmalade"


async def after(person: Person, message_id: int) -> list[Payload]:
    """What the bot said since, the oldest first."""
    channel = person.inn.channel(GENERAL).id
    history = (await person.call("GET", f"/channels/{channel}/messages?after={message_id}&limit=100")).json()
    return [one for one in reversed(history) if one["author"]["id"] == str(person.inn.house.bot.id)]


async def with_buttons(person: Person, message_id: int) -> list[Payload]:
    """The whole of a reply that has buttons, when it is known which messages it became."""
    parts = await eventually(lambda: after(person, message_id), lambda seen: seen and labels_of(seen[-1]))
    for part in parts:
        await noted(person.inn, message_id, int(part["id"]))
    return parts


async def test_what_was_forgotten_comes_back_and_no_part_says_otherwise(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    for number in range(6):
        await aylin.ask(f"Bot remember that I keep {MARMALADE.format(number)} {number}")
    kept = await facts_of(inn)
    said = await aylin.say("Bot forget everything about me")
    parts = await with_buttons(aylin, said)
    assert len(parts) > 1
    await press(aylin, parts[-1], "Undo")
    now = await eventually(
        lambda: after(aylin, said),
        lambda seen: len(seen) > 1 and "Forgotten" not in str([one["content"] for one in seen]),
    )
    assert now[0]["content"].startswith("Undone. I'm keeping this again:")
    assert {str(number) for number in range(6)} <= set("".join(one["content"] for one in now))
    assert await facts_of(inn) == kept
    row = await receipt_of(inn, said)
    assert row is not None
    assert row["because"] is None, "tomorrow nothing is taken back: it holds again"


async def test_no_part_goes_on_saying_what_was_to_go(inn: Inn) -> None:
    """Of several long facts one was chosen: the list of all of them goes."""
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    for place in range(4):
        await florent.ask(f"Bot remember that {aylin.mention} likes {MARMALADE.format(place)} of {place}")
    asked = await florent.say("Bot forget the marmalade jars")
    parts = await with_buttons(florent, asked)
    assert len(parts) > 1
    await press(florent, parts[-1], "1")
    now = await eventually(
        lambda: after(florent, asked), lambda seen: len(seen) == 1 and seen[0]["content"].startswith("Forgotten")
    )
    assert labels_of(now[0]) == ["Undo"]
    assert now[0]["content"].count("marmalade") == 1
    await nothing_left_to_do(inn)
