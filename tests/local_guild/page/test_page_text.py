"""Text from strangers: what looks like markup is shown, never obeyed, and hostile input stays harmless."""

import time

from playwright.async_api import expect

from tests.local_guild.page.house import IN_THE_BROWSER, House, Windows

pytestmark = IN_THE_BROWSER

PARSE = """async (source) => {
    const address = [...document.querySelectorAll('link[rel=modulepreload]')]
        .map(link => link.href).find(href => href.endsWith('/text/markdown.js'));
    const { parseMarkdown } = await import(address);
    const seen = { links: [], text: '' };
    const walk = (node) => {
        if (node.url) seen.links.push(node.url);
        if (node.text) seen.text += node.text;
        for (const child of [...(node.children ?? []), ...(node.items ?? []).flat()]) walk(child);
    };
    parseMarkdown(source).forEach(walk);
    return seen;
}"""

HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">",
    "<script>document.title='owned'</script>",
    "[click](javascript:document.title='owned')",
    "[click](data:text/html,<script>alert(1)</script>)",
    "<javascript:document.title='owned'>",
    "<style>.chat{display:none}</style>",
    "{{ constructor.constructor('document.title=1')() }}",
    "\u202egnp.exe\u202c and \u2066text",
    "${document.title='owned'} `${1}`",
]


async def test_hostile_text_is_shown_as_text(house: House, windows: Windows) -> None:
    room = await house.room()
    for text in HOSTILE:
        await room.say("jonas", text)
    tom = await windows.open("tom", room.path)
    bodies = tom.log.get_by_role("article").locator(".rich")
    await expect(bodies).to_have_count(len(HOSTILE))
    shown = await bodies.all_text_contents()
    assert [text.replace("`", "") for text in HOSTILE] == shown
    assert await tom.log.locator("script, style, img, iframe, [onerror]").count() == 0
    assert await tom.log.locator("a").count() == 0
    assert await tom.page.title() == "Local guild"


async def test_hostile_names_files_and_embeds_are_shown_as_text(house: House, windows: Windows) -> None:
    room = await house.room(topic="<b onclick=alert(1)>topic</b>")
    evil = "<img src=x onerror=\"document.title='owned'\">"
    fields = [{"name": evil, "value": f"[x](javascript:1) {evil}"}]
    embed = {"title": evil, "url": "javascript:document.title='owned'", "description": evil, "fields": fields}
    image = {"url": "https://elsewhere.example/pixel.png"}
    buttons = [{"type": 2, "style": 1, "label": "<b>bold</b>", "custom_id": "<i>"}]
    await house.bot.say(
        room.id, "with trimmings", embeds=[{**embed, "image": image}], components=[{"type": 1, "components": buttons}]
    )
    await house.person("jonas").call(
        "PATCH", f"/guilds/{house.guild_id}/members/@me", {"nick": "\u202e<img src=x>\u202c"}
    )
    try:
        await room.say("jonas", "who am I?")
        tom = await windows.open("tom", room.path)
        row = await tom.sees("with trimmings")
        await expect(row).to_contain_text(evil)
        await expect(row.get_by_role("button", name="<b>bold</b>")).to_be_visible()
        await expect(await tom.sees("who am I?")).to_contain_text("<img src=x>")
        assert await tom.log.locator("img").count() == 0
        assert await tom.log.locator("a[href^='javascript']").count() == 0
        assert await tom.page.title() == "Local guild"
    finally:
        await house.person("jonas").call("PATCH", f"/guilds/{house.guild_id}/members/@me", {"nick": None})


async def test_markdown_is_drawn(house: House, windows: Windows) -> None:
    room = await house.room()
    maren = house.person("maren")
    source = (
        f"# Plan\n**bold** *soft* __under__ ~~gone~~ `code` <@{maren.id}> <#{room.id}> "
        f"[the menu](https://example.org/menu) https://example.org/a_(b). ||secret||\n> quoted\n- one\n- two\n"
        "```python\nprint('hi')\n```\n<t:0:D> snake_case_name 2 * 3 * 4"
    )
    await room.say("aylin", source)
    tom = await windows.open("tom", room.path)
    row = await tom.sees("Plan")
    for tag, text in [("strong", "bold"), ("em", "soft"), ("u", "under"), ("s", "gone"), ("code.code", "code")]:
        await expect(row.locator(tag)).to_have_text(text)
    await expect(row.get_by_role("heading", name="Plan")).to_be_visible()
    await expect(row.get_by_role("button", name="@Maren")).to_be_visible()
    await expect(row.get_by_role("button", name=f"#{room.name}")).to_be_visible()
    menu = row.get_by_role("link", name="the menu")
    await expect(menu).to_have_attribute("href", "https://example.org/menu")
    await expect(menu).to_have_attribute("rel", "noopener noreferrer nofollow")
    await expect(row.get_by_role("link", name="a_(b)")).to_have_attribute("href", "https://example.org/a_(b)")
    await expect(row.locator("blockquote")).to_have_text("quoted")
    await expect(row.get_by_role("listitem")).to_have_text(["one", "two"])
    await expect(row.locator("pre")).to_have_text("print('hi')")
    await expect(row).to_contain_text("1 January 1970")
    await expect(row).to_contain_text("snake_case_name 2 * 3 * 4")
    spoiler = row.get_by_role("button", name="Spoiler, show it")
    await spoiler.click()
    await expect(spoiler).to_have_count(0)
    await expect(row.get_by_text("secret")).to_be_visible()


async def test_a_small_last_line_stays_small_when_its_message_was_edited(house: House, windows: Windows) -> None:
    room = await house.room()
    said = await house.bot.say(room.id, "The soup is ready.\n-# from the kitchen")
    tom = await windows.open("tom", room.path)
    await tom.sees("The soup is ready.")
    small = tom.log.locator(".subtext")
    size = "one => getComputedStyle(one).fontSize"
    before = await small.evaluate(size)
    await house.bot.call(
        "PATCH", f"/channels/{room.id}/messages/{said['id']}", {"content": "The soup is hot.\n-# from the kitchen"}
    )
    await expect(small).to_have_text("from the kitchen (edited)")
    assert await small.evaluate(size) == before


LINKS = {
    "[https://bank.example](https://evil.example)": ["https://bank.example/", "https://evil.example/"],
    "[ok](https://a.example/x)": ["https://a.example/x"],
    "<https://a.example>": ["https://a.example/"],
    "`https://a.example`": [],
    "```\nhttps://a.example\n```": [],
    "\\*not soft\\* https://a.example/?q=*b*": ["https://a.example/?q=*b"],
    "https://[broken": [],
    "ahttps://a.example": [],
}


async def test_links_lead_only_where_they_say(windows: Windows) -> None:
    tom = await windows.open("tom")
    found = {source: (await tom.page.evaluate(PARSE, source))["links"] for source in LINKS}
    assert found == LINKS


async def test_no_input_takes_long_to_read(windows: Windows) -> None:
    tom = await windows.open("tom")
    for part in [
        "*",
        "_",
        "||",
        "**a",
        "[",
        "[a](",
        "`",
        "``",
        "```",
        "> ",
        ">>> ",
        "- ",
        "<@",
        "\\",
        "*_~~||",
        "http://(",
    ]:
        source = part * (4000 // len(part))
        started = time.perf_counter()
        await tom.page.evaluate(PARSE, source)
        assert time.perf_counter() - started < 60, part
