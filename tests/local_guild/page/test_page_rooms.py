"""Who sees which room: private channels, permissions that change while one looks, threads, unread marks."""

import re

from playwright.async_api import expect

from tests.local_guild.page.house import IN_THE_BROWSER, House, Windows

pytestmark = IN_THE_BROWSER

VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11


async def test_a_private_channel_shows_only_to_its_members(house: House, windows: Windows) -> None:
    tom = await windows.open("tom")
    aylin = await windows.open("aylin")
    await expect(tom.channel("back-room")).to_have_accessible_name(re.compile(r"^back-room \(private"))
    await expect(aylin.channel("general")).to_be_visible()
    await expect(aylin.channel("back-room")).to_have_count(0)
    await tom.channel("back-room").click()
    await expect(tom.page.get_by_role("combobox", name="back-room")).to_be_visible()
    await tom.write("said in the back room")
    await tom.sees("said in the back room")
    panel = tom.page.get_by_role("complementary", name="Who can read this channel")
    await expect(panel).to_contain_text("Maren")
    await expect(panel).not_to_contain_text("Aylin")


async def test_a_role_opens_and_closes_a_channel_while_one_looks(house: House, windows: Windows) -> None:
    aylin = house.person("aylin")
    maren = house.person("maren")
    window = await windows.open("aylin")
    role = f"/guilds/{house.guild_id}/members/{aylin.id}/roles/{house.role_id('Cellar')}"
    await maren.call("PUT", role)
    await window.channel("back-room").click()
    await expect(window.page.get_by_role("heading", name="back-room").first).to_be_visible()
    await maren.call("DELETE", role)
    await expect(window.page.get_by_text("You can no longer see that channel.")).to_be_visible()
    await expect(window.channel("back-room")).to_have_count(0)
    await expect(window.channel("general")).to_be_visible()


async def test_a_link_to_a_hidden_channel_says_so(house: House, windows: Windows) -> None:
    hidden = next(one for one in house.world["guilds"][0]["channels"] if one["private"])
    jonas = await windows.open("jonas", f"/channels/{house.guild_id}/{hidden['id']}")
    await expect(jonas.page.get_by_text("You cannot see the channel that link leads to.")).to_be_visible()
    await expect(jonas.page.get_by_text("#no access")).to_have_count(0)
    room = await house.room()
    await room.say("maren", f"over there: <#{hidden['id']}>")
    await jonas.channel(room.name).click()
    await expect(await jonas.sees("over there")).to_contain_text("#no access")


async def test_a_channel_one_may_only_read_has_no_open_message_box(house: House, windows: Windows) -> None:
    denied = {"id": house.guild_id, "type": 0, "allow": "0", "deny": str(SEND_MESSAGES)}
    room = await house.room(permission_overwrites=[denied])
    jonas = await windows.open("jonas", room.path)
    await expect(jonas.box).to_be_disabled()
    await house.person("maren").call("DELETE", f"/channels/{room.id}/permissions/{house.guild_id}")
    await expect(jonas.box).to_be_enabled()
    await jonas.write("now I may")
    await jonas.sees("now I may")


async def test_threads_stand_under_their_channel(house: House, windows: Windows) -> None:
    room = await house.room()
    await room.say("tom", "Let us plan the dinner")
    maren = await windows.open("maren", room.path)
    aylin = await windows.open("aylin", room.path)
    await maren.act("Let us plan the dinner", "More actions")
    await maren.page.get_by_role("menuitem", name="Start a thread").click()
    await expect(maren.page.get_by_role("combobox", name="Let us plan the dinner")).to_be_visible()
    await maren.write("First: the soup")
    await aylin.channel("Let us plan the dinner").click()
    await aylin.sees("First: the soup")


async def test_unread_and_mentioned_channels_stand_out(house: House, windows: Windows) -> None:
    here, there = await house.room(), await house.room()
    tom = await windows.open("tom", here.path)
    await there.say("jonas", "nothing special")
    await expect(tom.channel(f"{there.name} (unread)")).to_be_visible()
    await there.say("jonas", f"<@{house.person('tom').id}> could you come?")
    await expect(tom.channel(f"{there.name} (1 mention)")).to_be_visible()
    await tom.channel(there.name).click()
    await expect(tom.page.get_by_role("separator").filter(has_text="New")).to_be_visible()
    await tom.channel(here.name).click()
    await expect(tom.page.get_by_role("link", name=there.name, exact=True)).to_be_visible()


async def test_two_members_write_privately(house: House, windows: Windows) -> None:
    room = await house.room()
    await room.say("aylin", "a word in private, anybody?")
    tom = await windows.open("tom", room.path)
    aylin = await windows.open("aylin", room.path)
    await (await tom.sees("a word in private")).get_by_role("button", name="Aylin").click()
    await tom.page.get_by_role("menuitem", name="Write privately").click()
    await expect(tom.page.get_by_role("heading", name="Aylin").first).to_be_visible()
    await tom.write("just between us")
    await aylin.page.get_by_role("button", name="Direct messages").click()
    await aylin.sees("just between us")
    await aylin.page.reload()
    await aylin.sees("just between us")
    await expect(aylin.channel("Tom")).to_be_visible()


async def test_several_guilds_stand_side_by_side(house: House, windows: Windows) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    messages = [
        {
            "author": "tom",
            "content": "forwarded",
            "type": 0,
            "message_snapshots": [{"message": {"content": "from afar"}}],
        },
        {"author": "aylin", "sticker_items": [{"id": "1", "name": "Waving owl", "format_type": 1}]},
    ]
    channels = [
        {"name": "Voyages", "type": "category"},
        {
            "name": "harbour",
            "category": "Voyages",
            "messages": messages,
            "threads": [{"name": "the storm", "owner": "tom"}],
        },
        {"name": "captains-only", "category": "Voyages", "only": ["aylin"]},
    ]
    members = [{"name": name} for name in ("tom", "aylin")]
    guild = {"name": "The Blue Anchor", "owner": "aylin", "members": members, "channels": channels}
    answer = await house.http.post("/local/world", json={"guilds": [guild]})
    assert answer.status_code == 200, answer.text
    rail = tom.page.get_by_role("navigation", name="Guilds")
    await rail.get_by_role("button", name="The Blue Anchor").click()
    await expect(tom.page.get_by_role("heading", name="Voyages")).to_be_visible()
    await expect(tom.channel("the storm")).to_be_visible()
    await expect(tom.channel("captains-only")).to_have_count(0)
    await expect(await tom.sees("Waving owl")).to_contain_text("Sticker")
    await expect(await tom.sees("forwarded")).to_contain_text("from afar")
    await rail.get_by_role("button", name="The Lantern Inn").click()
    await expect(tom.page.get_by_role("heading", name=room.name).first).to_be_visible()


async def test_an_outage_of_a_guild_is_waited_out(house: House, windows: Windows) -> None:
    room = await house.room()
    await room.say("aylin", "before the outage")
    tom = await windows.open("tom", room.path)
    guild = house.server.world.guilds[int(house.guild_id)]
    await house.server.control.fall_out(guild)
    await expect(tom.page.get_by_text("This guild has an outage.")).to_be_visible()
    await tom.sees("before the outage")
    await house.server.control.recover(guild)
    await tom.write("after the outage")
    await tom.sees("after the outage")
