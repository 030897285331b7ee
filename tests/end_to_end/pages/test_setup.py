"""The setup as a newcomer meets it: in the local guild's page, by mouse and keyboard, on a desk and on a phone."""

from playwright.async_api import Locator, expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, fits, use
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


async def begin(window: Window) -> Locator:
    await use(window, "innkeeper setup")
    return await window.sees("Nothing is changed before you save")


async def test_a_manager_sets_the_server_up_in_the_page(inn: Inn) -> None:
    desk = await inn.window("Maren")
    setup = await begin(desk)
    await setup.get_by_role("button", name="Time zone").click()
    await desk.page.get_by_role("option", name="Europe/Paris").click()
    await expect(setup).to_contain_text("Chosen: Europe/Paris")
    await setup.get_by_role("button", name="Type another").click()
    form = desk.page.get_by_role("dialog", name="Time zone")
    await expect(form.get_by_role("textbox")).to_be_focused()
    await desk.page.keyboard.type("Berln")
    await desk.page.keyboard.press("Enter")
    await expect(form).to_have_count(0)
    await expect(setup).to_contain_text("Did you mean Europe/Berlin?")
    await setup.get_by_role("button", name="Time zone").click()
    await desk.page.get_by_role("option", name="Europe/Berlin").click()
    await expect(setup).to_contain_text("Chosen: Europe/Berlin")
    await setup.get_by_role("button", name="Next").click()

    await expect(setup).to_contain_text("Channels it opens")
    await desk.picture("setup.png")
    await setup.get_by_role("button", name="Next").click()
    await setup.get_by_role("button", name="Channels left out").click()
    await desk.page.get_by_role("option").first.click()
    await desk.page.get_by_role("button", name="Choose", exact=True).click()
    await expect(setup.get_by_role("button", name="Channels left out: #")).to_be_visible()
    await setup.get_by_role("button", name="Skip").click()
    for step in (4, 5):
        await expect(setup).to_contain_text(f"Step {step} of 6")
        await setup.get_by_role("button", name="Next").click()
    await expect(setup).to_contain_text("I remember this server.")
    await desk.page.set_viewport_size({"width": 1280, "height": 1000})
    await desk.picture("setup-summary.png")
    await setup.get_by_role("button", name="Save and post the notice").click()
    await desk.sees("Saved. ")
    await expect(desk.message("I remember this server.").get_by_text("Only you can see this")).to_have_count(0)

    phone = await inn.window("Maren", size=PHONE)
    again = await begin(phone)
    await expect(again.get_by_role("button", name="Time zone: Europe/Berlin")).to_be_visible()
    await again.get_by_role("button", name="Next").click()
    await expect(again).to_contain_text("Channels it opens")
    await phone.picture("setup-phone.png")
    await fits(phone)
    await again.get_by_role("button", name="Cancel").click()
    await phone.sees("Nothing was changed.")
