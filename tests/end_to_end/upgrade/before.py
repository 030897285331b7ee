"""What happens in an inn before the upgrade, all of it by what members say, press and type."""

from datetime import UTC, datetime, timedelta
from typing import Any

from memory.access import Door, KeyKind
from tests.end_to_end.asking import at_home, opt_out, say_and_hear
from tests.end_to_end.choosing import becomes
from tests.end_to_end.house import BACK_ROOM, GENERAL, KITCHEN, Inn, eventually
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import press, use, words_of
from tests.end_to_end.slash import use as use_command
from tests.end_to_end.taken_back import answered, delete
from tests.end_to_end.talk import talk
from tests.end_to_end.test_recall import all_indexed

FIRST_DAY = datetime(2030, 3, 6, 10, tzinfo=UTC)
LAST_DAY = FIRST_DAY + timedelta(days=1)
DRAGON = "The dragon sleeps under the old mill"
CELLAR_KEY = "The cellar key hangs behind the clock"
GONE = ("umbrella", "Wren", "Sundays", "password", "nightingale", "raccoon", "pantry")
"""Of what was deleted, erased, never stored, or is of somebody who wants nothing kept."""


async def live(inn: Inn) -> dict[str, Any]:
    """Two days of an inn; what a test must know of them."""
    await at_home(inn)
    await _first_day(inn)
    inn.house.server.clock.set(LAST_DAY)
    await inn.house.memory.day_answers.nightly.round()
    return await _last_day(inn)


async def _first_day(inn: Inn) -> None:
    aylin, florent, gruzilkin, maren = (inn.person(name) for name in ("aylin", "florent", "gruzilkin", "maren"))
    await use(maren, "settings", "time-zone", zone="Europe/Berlin")
    await use(maren, "settings", "log", "exclude-channel", channel=str(inn.channel(KITCHEN).id))
    await aylin.say("The pantry is locked", KITCHEN)
    await aylin.say(DRAGON)
    await florent.say(CELLAR_KEY, BACK_ROOM)
    umbrella = await aylin.say("I left my umbrella in Lyon")
    await inn.until_stored(umbrella)
    await delete(aylin, umbrella)
    await inn.until_gone(umbrella)

    await aylin.ask("Bot remember that I take my coffee black")
    await aylin.ask("Bot remember that Florent plays the cello")
    await florent.ask("Bot remember that I plan a feast for Aylin", BACK_ROOM)
    await aylin.ask("Bot remember that I live in Bremen")
    await aylin.ask("Bot forget that I live in Bremen")
    denied = await say_and_hear(aylin, "Bot remember that Florent snores")
    await press(florent, denied, "Not true")
    await becomes(florent, denied, "says that")

    await gruzilkin.say("My boat is called Wren")
    await gruzilkin.ask("Bot remember that I sail on Sundays")
    await opt_out(gruzilkin)
    await maren.say("My first password was a bird")
    await maren.ask("Bot remember that I keep a nightingale")
    erasing = await Screen.open(maren, "privacy", "erase")
    await erasing.press("Delete")
    await erasing.until("Deleted.")

    for name in ("attic", "shed"):
        await maren.call("POST", f"/guilds/{inn.guild.id}/channels", {"name": name})
        said = await aylin.say(f"The {name} has a raccoon", name)
        await inn.until_stored(said)
    emptying = await Screen.open(maren, "channel-memory", "erase", channel=str(inn.channel("attic").id))
    await emptying.press("Delete")
    await emptying.until("Deleted.")
    await maren.call("DELETE", f"/channels/{inn.channel('shed').id}")
    await inn.until_gone(said)

    await talk(inn, 14)
    await use(aylin, "summary", "now")
    await use(maren, "digest", "setup", channel=str(inn.channel(GENERAL).id), least=1)
    posted = words_of(await use(maren, "digest", "now"))
    assert "Posted: https://" in posted, posted
    await use_command(aylin, "catchup")
    await use(aylin, "settings", "my-time-zone", zone="Europe/Paris")
    await aylin.ask("Bot, what happened today?")


async def _last_day(inn: Inn) -> dict[str, Any]:
    """What is still open: something to undo, an answer that rests on something, a reminder, a key."""
    aylin, memory = inn.person("aylin"), inn.house.memory
    await all_indexed(inn.house)
    answer = await answered(aylin, "Bot where does the dragon sleep?", "old mill")
    await aylin.ask("Bot remind me in 2 hours of the oven")
    session = await memory.access.sign_in(inn.guild.id, aylin.user.id)
    door = await eventually(lambda: memory.access.door(session, KeyKind.SESSION), lambda one: isinstance(one, Door))
    assert isinstance(door, Door)
    token = await memory.access.make_token(door, "kept", 30, may_write=False)
    told = await say_and_hear(aylin, "Bot remember that I grow quinces")
    await aylin.ask("Bot remember that I keep bees")
    forgotten = await say_and_hear(aylin, "Bot forget that I keep bees")
    await memory.log.settled()
    await all_indexed(inn.house)
    return {"answer": answer, "told": told, "forgotten": forgotten, "token": token}
