"""A line that was put right by a press stays so; whatever else quoted what changed is taken back."""

from tests.end_to_end.asking import at_home
from tests.end_to_end.choosing import becomes, form_of, message_of
from tests.end_to_end.house import Inn, eventually
from tests.end_to_end.slash import fill_in, press
from tests.end_to_end.taken_back import TAKEN_BACK, answered, delete, is_gone, noted, nothing_left_to_do, says


async def test_the_line_says_what_holds_now_and_is_not_taken_back(inn: Inn) -> None:
    """What quoted it elsewhere is taken back; the line itself is put right by whoever pressed."""
    await at_home(inn)
    florent, aylin = inn.person("florent"), inn.person("aylin")
    asked = await florent.say(f"Bot remember that {aylin.mention} grows quinces")
    told = await florent.hear_reply(asked)
    await noted(inn, asked, int(told["id"]))
    answer = await answered(florent, "Bot what do you know about aylin?", "quinces")
    await fill_in(florent, await form_of(florent, told), "@Aylin grows radishes", message=told)
    changed = await becomes(florent, told, "radishes")
    await says(florent, answer, TAKEN_BACK)
    await nothing_left_to_do(inn)
    assert (await message_of(florent, told))["content"] == changed["content"]

    await press(florent, changed, "Undo")
    back = await becomes(florent, told, "quinces")
    await nothing_left_to_do(inn)
    assert (await message_of(florent, told))["content"] == back["content"]

    await florent.ask(f"Bot forget that {aylin.mention} grows quinces")
    await says(florent, told, TAKEN_BACK)


async def test_what_was_brought_back_is_taken_back_with_its_fact_and_its_question(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    await aylin.ask("Bot remember that I grow quinces")
    asked = await aylin.say("Bot forget that I grow quinces")
    forgotten = await aylin.hear_reply(asked)
    await noted(inn, asked, int(forgotten["id"]))
    await press(aylin, forgotten, "Undo")
    await becomes(aylin, forgotten, "I'm keeping this again")
    lapsing = "SELECT 1 FROM receipts WHERE guild_id = $1 AND asked_in = $2 AND take_back_at IS NOT NULL"
    await eventually(lambda: inn.house.rows(lapsing, inn.guild.id, asked), lambda rows: not rows)
    await delete(aylin, asked)
    await is_gone(aylin, forgotten)
