"""Names and texts as an attacker would choose them, wherever somebody may write something; and what a page makes of
them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from nicegui import ui
from nicegui.client import Client
from nicegui.element import Element

from memory.core.values import AuthorKind, Guild, Member, Message, RememberRequest, new_id
from memory.language.detect import Language
from memory.models.usage import Requester
from memory.places.model import MANAGE_GUILD, Place, PlaceKind, Role
from memory.policy.settings import GuildSettings
from memory.reminders.values import Made, Wish
from tests.memory.world import ALICE, BOB, GUILD, HALL
from tests.web.inn import STEWARD, STEWARDS, WebInn

OURS = re.compile(r"https://discord\.com/channels/\d+/\d+/\d+|/panel(/[a-z]+)?")
ADDRESSES = frozenset(("action", "data", "formaction", "href", "poster", "src", "srcset", "to", "xlink:href"))
AS_TEXT = frozenset(("label", "model-value", "options", "value"))
"""Where the framework has the text of a field, and of what can be chosen from a list."""
READ_AS_HTML = (ui.html, ui.markdown, ui.restructured_text, ui.mermaid, ui.editor, ui.log, ui.code)
_MARK = re.compile("zz([a-z]+)zz")

_SUMMARY = """
INSERT INTO channel_summaries (guild_id, channel_id, policy, level, first_id, last_id, messages, seen_seq, people,
    cites, text, version, made_at)
VALUES ($1, $2, $3, 1, $4, $4, 1, 1, '{}', ARRAY[$4::bigint], $5, 1, $6)
"""
_DIGEST = """
INSERT INTO digests (guild_id, local_date, digest_id, channel_id, due_at, after_id, until_id, state, message_id)
VALUES ($1, '2026-02-28', $3, $2, $4, 1, $3, 'posted', $3)
"""


def hostile(what: str) -> str:
    mark = f"zz{what}zz"
    return f'"><b onclick={mark}>[{mark}](javascript:{mark})</b> data:text/html,{mark} \' :href="{mark}" {{{{{mark}}}}}'


async def plant(inn: WebInn) -> None:
    """In a channel that Alice, who owns the place, can read; much of it by her and about her."""
    alice, bob = replace(ALICE, nickname=hostile("name")), replace(BOB, nickname=hostile("other"))
    await inn.bot.people.meet_guild(Guild(GUILD, hostile("guild")), [alice, bob, STEWARD], complete=True)
    mirror = inn.bot.place_mirror
    mirror.place(GUILD, Place(HALL, PlaceKind.CHANNEL, None, name=hostile("channel")))
    mirror.role(GUILD, Role(STEWARDS, MANAGE_GUILD, hostile("role")))
    await mirror.write_anew(GUILD)
    door = await inn.door(ALICE)
    await _tell(inn, alice, f"I own a boat called {hostile('fact')}")
    await _tell(inn, bob, f"that <@{ALICE.user_id}> has a kite called {hostile('hearsay')}")
    said, now = await say(inn, alice, f"{hostile('message')} What is our ferry called?"), inn.clock.now()
    inn.clock.move(timedelta(seconds=9))
    await say(inn, bob, f"It is called {hostile('reply')}")
    await inn.bot.indexer.catch_up()
    wish = Wish(GUILD, HALL, said + 1, ALICE.user_id, now, Language.EN, hostile("reminder"), "tomorrow at 9")
    assert isinstance(await inn.web.reminders.ask(wish), Made)
    assert await inn.web.access.make_token(door, hostile("token"), 9, may_write=True)
    await inn.web.privacy.change_settings(GUILD, _persona, BOB.user_id)
    await inn.web.privacy.erase_channel(GUILD, HALL, 1, BOB.user_id)
    days = inn.web.day_answers.days
    await days.regenerate(door.reader, days.scopes(door.reader)[-1], await days.today(GUILD), Requester(1, said))
    policy = (await inn.web.privacy.settings(GUILD)).summaries.policy
    async with inn.world.database.transaction("test.plant") as connection:
        await connection.execute(_SUMMARY, GUILD, HALL, policy, said, hostile("summary"), now)
        await connection.execute(_DIGEST, GUILD, HALL, said, now)


def _persona(settings: GuildSettings) -> GuildSettings:
    return replace(settings, answers=replace(settings.answers, persona=hostile("persona")))


async def say(inn: WebInn, member: Member, text: str, channel_id: int = HALL) -> int:
    number, now = new_id(inn.clock.now()), inn.clock.now()
    await inn.bot.ingest_message(Message(GUILD, channel_id, number, member.user_id, AuthorKind.PERSON, text, now))
    await inn.bot.log.settled()
    return number


async def _tell(inn: WebInn, member: Member, body: str) -> None:
    number = await say(inn, member, f"Bot remember {body}")
    telling = RememberRequest(GUILD, HALL, number, member.user_id, body, inn.clock.now(), language=Language.EN)
    await inn.bot.remember(telling, inn.bot.places.audience_of(GUILD, HALL))


def shown_on(page: Client) -> set[str]:
    """Which of it stands there as text."""
    texts = [getattr(element, "text", "") for element in page.elements.values()]
    texts += [str(value) for element in page.elements.values() for value in map(element.props.get, AS_TEXT)]
    return {mark for text in texts for mark in _MARK.findall(str(text))}


def objections(page: Client) -> list[str]:
    """What is more on a page than text, and comes from somebody else; and links that lead anywhere but to us."""
    found = [said for element in page.elements.values() for said in _objections(element)]
    return found + ["in the head or body"] * bool(_MARK.search(page.head_html + page.body_html))


def _objections(element: Element) -> Iterator[str]:
    name = type(element).__name__
    if isinstance(element, READ_AS_HTML):
        yield f"{name} reads its text as HTML or the like"
    for key, value in element.props.items():
        if key.endswith("html"):
            yield f"{name} is told to read HTML: {key}"
        if key.lstrip(":") in ADDRESSES and not OURS.fullmatch(str(value)):
            yield f"{name} leads to {value}"
        if _MARK.search(key) or (key not in AS_TEXT and _MARK.search(str(value))):
            yield f"{name} has it as {key}"
    made = [*element.classes, *element.style.items(), *(slot.template for slot in element.slots.values())]
    if _MARK.search(str(made)):
        yield f"{name} has it in its classes, style or template"
