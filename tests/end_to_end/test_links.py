"""C.4: links to messages are read as what they lead to, by those who could read it there."""

from pathlib import Path

from ai_clients.gemini import GeminiApi, GeminiModel
from bot.replies.split import jump_link
from memory.core.links import linked_ids, with_channel_mentions, with_first_words, without_links
from tests.end_to_end.asking import at_home, close_to_everyone, recall, say_and_hear
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, Person, eventually, open_house
from tests.end_to_end.slash import words_of
from tests.end_to_end.taken_back import answered, content_of, delete, nothing_left_to_do
from tests.end_to_end.test_recall import all_indexed
from tests.gemini_server import GeminiServer, data_of
from tests.models import answering

BACK = "back-room"


def link_to(inn: Inn, message_id: int, channel: str = GENERAL) -> str:
    return jump_link(inn.guild.id, inn.channel(channel).id, message_id)


async def said(inn: Inn, name: str, text: str, channel: str = GENERAL) -> int:
    message_id = await inn.person(name).say(text, channel)
    await inn.until_stored(message_id)
    return message_id


def test_only_links_to_messages_of_this_server_are_read() -> None:
    of_ours = "https://discord.com/channels/1/2/3, <https://ptb.discord.com/channels/1/2/4> and http://x.example/"
    assert linked_ids(of_ours, 1) == (3, 4)
    assert linked_ids(of_ours, 9) == ()
    assert linked_ids(f"https://discord.com/channels/1/2/{'9' * 20} https://discord.com/channels/1/2/3x", 1) == ()
    assert with_first_words("so https://discord.com/channels/1/2/3!", 1, {3: "We\nmeet at eight"}) == (
        "so “We meet at eight”!"
    )
    assert with_first_words(of_ours, 9, {3: "secret"}) == of_ours
    assert with_first_words("so <https://discord.com/channels/1/2/3>.", 1, {4: "secret"}) == "so 🔗."
    assert without_links("see https://discord.com/channels/1/2/3 again", 1) == "see again"
    assert with_channel_mentions("in https://discordapp.com/channels/1/2 or so") == "in <#2> or so"


async def test_without_a_model_a_link_shows_its_first_words_and_goes_with_them(inn: Inn, aylin: Person) -> None:
    plan = await said(inn, "florent", "Regatta: we start at the north pier, at seven sharp", KITCHEN)
    await said(inn, "aylin", f"The lantern parade follows this: {link_to(inn, plan, KITCHEN)}")
    await all_indexed(inn.house)
    words = words_of(await recall(aylin, "lantern parade"))
    assert "> The lantern parade follows this: “Regatta: we start at the north pier" in words.replace('"', "“")
    reply = await answered(aylin, f"<@{inn.house.bot.id}> what about the lantern parade?", "north pier")
    await delete(inn.person("florent"), plan, KITCHEN)
    await nothing_left_to_do(inn)
    await eventually(lambda: content_of(aylin, reply), lambda now: "north pier" not in (now or ""))


async def test_what_is_remembered_by_a_link_is_told_to_those_who_can_read_it_there(inn: Inn) -> None:
    """Also after the channel it leads to was closed to some who read where it was told."""
    plan = await said(inn, "florent", "The captain is called celandine", KITCHEN)
    link = link_to(inn, plan, KITCHEN)
    assert "celandine" in await inn.person("aylin").ask(f"Bot remember this: {link}")
    answer = await inn.person("aylin").ask("Bot what do you know about the captain?")
    assert "celandine" in answer
    assert f"/{inn.channel(KITCHEN).id}/{plan})" in answer
    await close_to_everyone(inn, KITCHEN)
    assert "celandine" not in await inn.person("aylin").ask("Bot what do you know about the captain?")


async def test_behind_a_closed_door_a_link_is_only_a_link(inn: Inn, florent: Person) -> None:
    secret = await said(inn, "florent", "The vault opens with celandine", BACK)
    await said(inn, "florent", f"The lantern parade follows this: {link_to(inn, secret, BACK)}")
    await all_indexed(inn.house)
    assert "celandine" not in words_of(await recall(inn.person("aylin"), "lantern parade"))
    assert "celandine" in words_of(await recall(florent, "lantern parade")), "who can read it is shown it"
    reply = await say_and_hear(florent, f"<@{inn.house.bot.id}> what about the lantern parade?")
    assert "The lantern parade follows this: 🔗" in reply["content"]
    assert "celandine" not in reply["content"], "everyone here reads that"
    gone = link_to(inn, secret + 1, BACK)
    for what in ("this: ", "", "this about Florent "):
        refused = await florent.ask(f"Bot remember {what}{link_to(inn, secret, BACK)}")
        assert refused == await florent.ask(f"Bot remember {what}{gone}"), "not even that it is there"
        assert "celandine" not in refused
    assert not await inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id)


async def test_what_a_link_leads_to_is_remembered_and_forgotten_with_it(inn: Inn) -> None:
    aylin, florent = inn.person("aylin"), inn.person("florent")
    plan = await said(inn, "florent", "I sail to Bornholm in June", KITCHEN)
    kept = await aylin.ask(f"Bot remember this: {link_to(inn, plan, KITCHEN)}")
    assert "Bornholm" in kept
    known = await aylin.ask(f"Bot what do you know about {florent.mention}?")
    assert "I sail to Bornholm in June" in known
    [row] = await inn.house.rows("SELECT * FROM facts WHERE guild_id = $1", inn.guild.id)
    assert (row["subject_id"], row["teller_id"], row["source_message_id"]) == (florent.user.id, florent.user.id, plan)
    await delete(florent, plan, KITCHEN)
    await eventually(
        lambda: inn.house.rows("SELECT 1 FROM facts WHERE guild_id = $1", inn.guild.id), lambda rows: not rows
    )


async def test_a_model_is_given_what_a_question_links_to(
    gemini: GeminiServer, database_url: str, tmp_path: Path
) -> None:
    gemini.says = lambda _: "I do not know."
    models = answering(GeminiModel("gemini-good", GeminiApi(gemini.options())))
    async with (
        open_house(tmp_path, database_url, guilds=1, models=models, member_cooldown_seconds=0) as house,
        house.bot_running(),
    ):
        inn = Inn(house, next(house.fresh))
        await at_home(inn)
        aylin = inn.person("aylin")
        plan = await said(inn, "florent", "Regatta: we start at the north pier", KITCHEN)
        secret = await said(inn, "florent", "The vault opens with celandine", BACK)
        await said(inn, "florent", f"gruzilkin, bring oars, see {link_to(inn, plan, KITCHEN)}")
        kitchen = f"https://discord.com/channels/{inn.guild.id}/{inn.channel(KITCHEN).id}"
        asked = f"Bot, who said this in {kitchen}, and is it true? {link_to(inn, plan, KITCHEN)}"
        await aylin.ask(f"{asked} {link_to(inn, secret, BACK)}")
        data = data_of(gemini.requests[-1])
        replied_to = data.partition("<replied-to-")[2].partition("</replied-to-")[0]
        assert "Florent: Regatta: we start at the north pier" in replied_to
        assert "bring oars, see “Regatta: we start at the north pier”" in data
        question = data.partition("<question-")[2]
        assert "who said this in #kitchen-table, and is it true?" in question
        assert "replies-to=" in question
        assert str(plan) not in question, "its line says it"
        assert "celandine" not in data
