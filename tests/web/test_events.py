"""Pages of the panel without a browser: what each shows to whom, and that every event of it asks again who is there."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from nicegui import ui
from nicegui.client import Client
from nicegui.testing import User

from memory.core.outcomes import Correction
from memory.core.values import Category, Guild, Member, RememberRequest, Traits, last_id_of, new_id
from memory.facts.values import Undone
from memory.language.detect import Language
from memory.models.usage import ModelCall, Requester, UsageStore
from memory.places.model import VIEW_CHANNEL, Overwrite, Place, PlaceKind
from tests.end_to_end.house import eventually, until
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL
from tests.web.hostile import objections, plant, say, shown_on
from tests.web.inn import STEWARD, WebInn, simulated
from web.app import LEAVES
from web.panel.shell import Leaf, PanelPages
from web.words import Speech

ELSEWHERE = 900
SPEECH = Speech(Language.EN)
_ROW = re.compile(r"^\| `(/panel\S*)` \|(.+)\|$", re.MULTILINE)
TABLE = {
    path: [cell.strip() for cell in cells.split("|")]
    for path, cells in _ROW.findall((Path(__file__).parents[2] / "docs" / "panel.md").read_text(encoding="utf-8"))
}
"""Of each page, what docs/panel.md says that a stranger, who left, a member, a manager of another server, a manager
and the owner see: `–`, `own`, `all` or `no entry`."""


@pytest.fixture
async def visitor(inn: WebInn) -> AsyncIterator[User]:
    async with simulated() as user:
        PanelPages(inn.doors, LEAVES, chat=None)
        yield user


def page_at(path: str) -> Leaf:
    return next(one for one in LEAVES if one.path == path)


async def come(inn: WebInn, visitor: User, member: Member, leaf: Leaf, guild_id: int = GUILD) -> Client:
    secret = await inn.web.access.sign_in(guild_id, member.user_id)
    visitor.http_client.cookies.set(inn.doors.cookie, secret)
    return await visitor.open(leaf.path)


def ours(handler: object, depth: int = 0) -> Iterator[Callable[..., Any]]:
    """What a listener calls in the end, of what stands in our modules; NiceGUI wraps it in functions of its own."""
    if not callable(handler) or depth > 4:
        return
    if getattr(handler, "__module__", "").startswith("web."):
        yield handler
        return
    for cell in getattr(handler, "__closure__", None) or ():
        yield from ours(cell.cell_contents, depth + 1)


def listened(client: Client) -> Iterator[tuple[str, Callable[..., Any]]]:
    for element in client.elements.values():
        handlers: list[object] = [one.handler for one in element._event_listeners.values()]
        handlers += getattr(element, "_change_handlers", [])
        if isinstance(element, ui.timer):
            handlers.append(element.callback)
        for handler in handlers:
            for called in ours(handler):
                yield f"{type(element).__name__}: {getattr(called, '__qualname__', called)}", called


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.path)
async def test_every_event_of_a_page_asks_who_is_there(inn: WebInn, visitor: User, leaf: Leaf) -> None:
    await inn.world.remember(ALICE, "I own a boat")
    client = await come(inn, visitor, ALICE, leaf)
    found = list(listened(client))
    assert found, "a page on which nobody can even sign out"
    assert [name for name, called in found if not getattr(called, "is_guarded", False)] == []


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.path)
async def test_who_sees_a_page(inn: WebInn, visitor: User, leaf: Leaf) -> None:
    """As docs/panel.md says it."""
    await inn.bot.people.meet_guild(Guild(ELSEWHERE, "Another Inn"), [replace(GRUZILKIN, guild_id=ELSEWHERE)])
    visitor.http_client.cookies.clear()
    seen = [_is_of_the_inn(await visitor.open(leaf.path))]
    for member, guild_id in (
        (GRUZILKIN, GUILD),
        (BOB, GUILD),
        (GRUZILKIN, ELSEWHERE),
        (STEWARD, GUILD),
        (ALICE, GUILD),
    ):
        seen.append(_is_of_the_inn(await come(inn, visitor, member, leaf, guild_id)))
    assert [one == "–" for one in TABLE[leaf.path]] == [not one for one in seen]


def _is_of_the_inn(page: Client) -> bool:
    texts = [getattr(element, "text", "") for element in page.elements.values()]
    return "The Inn" in texts and len(texts) > 5


async def test_rights_that_were_lost_stop_the_next_click(inn: WebInn, visitor: User) -> None:
    """The page stands as it was made; what is pressed on it is judged by what its reader may do now, and says which
    correction of theirs is gone."""
    opened, closed = Overwrite(BOB.user_id, False, VIEW_CHANNEL, 0), Overwrite(GUILD, True, 0, VIEW_CHANNEL)
    await inn.change_place(Place(CELLAR, PlaceKind.CHANNEL, None, (closed, opened), name="cellar"))
    await inn.world.remember(BOB, "I hid the good kumquats", CELLAR)
    key = await say(inn, BOB, "The key of the cellar lies under the third barrel.", CELLAR)
    bob = await inn.door(BOB)
    there, diary = replace(bob.reader, place_id=CELLAR), inn.web.day_answers.days
    await diary.regenerate(there, diary.scopes(there)[-1], await diary.today(GUILD), Requester(BOB.user_id, 1))
    memory = await come(inn, visitor, BOB, page_at("/panel/memory"))
    await visitor.should_see("hid the good kumquats")
    days = await come(inn, visitor, BOB, page_at("/panel/days"))
    next(one for one in days.elements.values() if isinstance(one, ui.select)).value = CELLAR
    await until(lambda: "third barrel" in words_on(days))
    await inn.change_place(Place(CELLAR, PlaceKind.CHANNEL, None, (closed,), name="cellar"))
    await press(button_on(days, "Later"))
    assert "third barrel" not in words_on(days)
    await press(button_on(memory, "Forget"))
    assert "I don't have that any more." in words_on(memory)

    await inn.change_place(Place(CELLAR, PlaceKind.CHANNEL, None, (closed, opened), name="cellar"))
    [told] = await diary.told(there, await diary.today(GUILD), await diary.today(GUILD))
    assert await diary.correct(there, told, "It lies in the second barrel", BOB.user_id) is Correction.DONE
    lost = f"Your correction of {SPEECH.moment(inn.clock.now())[:-4]} is gone"
    await press(button_on(days, "Later"))
    assert "second barrel" in words_on(days)
    assert lost not in words_on(days)
    await inn.bot.log.delete_messages(GUILD, CELLAR, [key])
    await inn.bot.log.settled()
    await press(button_on(days, "Later"))
    assert "second barrel" not in words_on(days)
    assert lost in words_on(days)

    access = await come(inn, visitor, BOB, page_at("/panel/access"))
    await press(button_on(access, "Create token"))
    assert "Copy it now" in words_on(access)
    assert len(await inn.web.access.tokens(bob)) == 1
    await inn.leave(BOB)
    await press(button_on(access, "Create token"))
    await visitor.should_see("You're signed out")
    assert await inn.web.access.tokens(bob) == [], "a token ends with the membership, and there is no other"


async def test_what_is_pressed_while_the_bot_is_silent_is_said_and_logged(
    inn: WebInn, visitor: User, caplog: pytest.LogCaptureFixture
) -> None:
    access = await come(inn, visitor, BOB, page_at("/panel/access"))
    inn.clock.move(timedelta(hours=1))
    await press(button_on(access, "Create token"))
    await visitor.should_see("The bot is away")
    told = [one for one in caplog.records if one.name == "web.panel.shell"]
    assert [(one.levelname, one.getMessage()) for one in told] == [
        ("WARNING", "panel event refused: the bot has not been heard of")
    ]


async def test_who_manages_the_server_no_longer_changes_nothing_on_it(inn: WebInn, visitor: User) -> None:
    settings = await come(inn, visitor, STEWARD, page_at("/panel/settings"))
    next(one for one in settings.elements.values() if isinstance(one, ui.textarea)).value = "Never."
    await inn.meet(replace(STEWARD, roles=()))
    await press(button_on(settings, "Save"))
    await visitor.should_see("Only people who manage this server can see this page.")
    assert (await inn.web.privacy.settings(GUILD)).answers.persona == ""


SHOWN = {
    "/panel": {"guild", "name"},
    "/panel/memory": {"fact", "hearsay", "channel", "other"},
    "/panel/days": {"message", "summary", "channel"},
    "/panel/recall": {"message", "reply", "channel"},
    "/panel/reminders": {"reminder", "channel"},
    "/panel/privacy": {"other", "channel"},
    "/panel/settings": {"persona", "role", "channel"},
    "/panel/usage": {"guild"},
    "/panel/access": {"token"},
}
"""What an attacker wrote that a page shows: one that showed nothing would prove nothing."""
PRESSED = ("Search", "Sources", "Correct", "Edit", "Delete it all")


async def test_whatever_others_write_is_text_and_every_link_is_ours(inn: WebInn, visitor: User) -> None:
    """Also in what comes up when somebody presses something."""
    await plant(inn)
    for leaf in LEAVES:
        client = await come(inn, visitor, ALICE, leaf)
        if leaf.path == "/panel/recall":
            next(one for one in client.elements.values() if isinstance(one, ui.input)).set_value("ferry")
        for label in PRESSED:
            for button in [one for one in client.elements.values() if isinstance(one, ui.button) and one.text == label]:
                await press(button)
                assert objections(client) == [], f"{leaf.path}, {label}"
        assert objections(client) == [], leaf.path
        assert SHOWN[leaf.path] - shown_on(client) == set(), leaf.path


def button_on(page: Client, label: str) -> ui.button:
    """The first of that name."""
    return next(one for one in page.elements.values() if isinstance(one, ui.button) and one.text == label)


def words_on(page: Client) -> str:
    return "\n".join(str(getattr(one, "text", "")) for one in page.elements.values())


async def press(button: ui.button) -> None:
    """Until all is done that it does; one press may have taken another button away."""
    if button.is_deleted or button.parent_slot is None:
        return
    (called,) = [one for event in button._event_listeners.values() for one in ours(event.handler)]
    with button.parent_slot:
        await called(None)


async def test_managers_see_what_was_erased_and_not_of_whom(inn: WebInn, visitor: User) -> None:
    await inn.world.remember(GRUZILKIN, "I own a boat")
    await inn.bot.privacy.erase_member(GUILD, GRUZILKIN.user_id, last_id_of(inn.clock.now()))
    await come(inn, visitor, STEWARD, page_at("/panel/privacy"))
    await visitor.should_see(f"{SPEECH.day(inn.clock.now())} · everything about a member (1 message)")
    await visitor.should_see("Facts: until someone has me forget them")
    await visitor.should_not_see("gruzilkin")
    await come(inn, visitor, BOB, page_at("/panel/privacy"))
    await visitor.should_not_see("everything about a member")


async def test_what_somebody_had_forgotten_is_shown_to_them_for_a_day_and_comes_back(
    inn: WebInn, visitor: User
) -> None:
    """As far as they may read where it was told; to nobody else."""
    await inn.world.remember(ALICE, "I own a boat")
    await inn.world.remember(ALICE, "I hide the key", CELLAR)
    await inn.world.forget(ALICE, "I own a boat")
    await inn.world.forget(ALICE, "I hide the key", CELLAR)
    leaf = page_at("/panel/memory")
    await come(inn, visitor, ALICE, leaf)
    for words in ("Recently forgotten", "I own a boat", "I hide the key"):
        await visitor.should_see(words)
    await come(inn, visitor, BOB, leaf)
    await visitor.should_not_see("Recently forgotten")
    await come(inn, visitor, ALICE, leaf)
    door = await inn.door(ALICE)
    key, boat = await inn.web.undos.recently_forgotten(door.reader, door.actor, 9)
    assert await inn.web.undos.recently_forgotten(replace(door.reader, sources=frozenset((HALL,))), door.actor, 9) == [
        boat
    ]
    assert isinstance(await inn.web.undos.undo(GUILD, boat.change_id, door.actor, door.reader), Undone)
    assert await inn.web.undos.recently_forgotten(door.reader, door.actor, 9) == [key]
    inn.clock.move(timedelta(days=1, minutes=1))
    await inn.beat()
    await come(inn, visitor, ALICE, leaf)
    await visitor.should_see("About you")
    await visitor.should_not_see("Recently forgotten")


async def test_the_setup_is_offered_to_managers_until_somebody_went_through_it(inn: WebInn, visitor: User) -> None:
    await come(inn, visitor, BOB, page_at("/panel"))
    await visitor.should_not_see("Save and continue")
    await come(inn, visitor, STEWARD, page_at("/panel"))
    await visitor.should_see("Time zone")
    visitor.find("Save and continue").click()
    await eventually(lambda: inn.web.privacy.settings(GUILD), lambda settings: settings.set_up_at is not None)
    await come(inn, visitor, STEWARD, page_at("/panel"))
    await visitor.should_not_see("Save and continue")


async def test_new_memories_are_counted_by_day_kind_and_importance(inn: WebInn) -> None:
    """In what the reader may read."""
    noted = Traits(Category.TASK, importance=8)
    for channel in (HALL, CELLAR):
        now = inn.clock.now()
        telling = RememberRequest(GUILD, channel, new_id(now), ALICE.user_id, "I paint the boat", now, traits=noted)
        await inn.web.remember(telling, inn.web.places.audience_of(GUILD, channel))
        inn.clock.move(timedelta(days=1))
        await inn.beat()
    for member, days in ((ALICE, 2), (BOB, 1)):
        door = await inn.door(member)
        found = await inn.web.overview.memories(door.reader, 7)
        assert [(one.category, one.importance, one.count) for one in found] == [(Category.TASK, 8, 1)] * days
        assert len({one.day for one in found}) == days


async def test_managers_see_what_does_not_work_and_who_can_mend_it(inn: WebInn, visitor: User) -> None:
    inn.world.health.part("models").failing("The model at owl.example.net does not answer.")
    inn.world.health.part("replies").limited(in_guilds={GUILD: f"In <#{HALL}> the bot may not write."})
    await inn.beat()
    await come(inn, visitor, STEWARD, page_at("/panel"))
    await visitor.should_see("Not working since ")
    await visitor.should_see(": Answers.")
    await visitor.should_see("In #hall the bot may not write.")
    await visitor.should_see("The person who runs me can fix it")
    await visitor.should_not_see("owl.example.net")


async def test_managers_see_which_models_were_used_and_for_what(inn: WebInn, visitor: User) -> None:
    call = ModelCall(GUILD, uuid4(), inn.clock.now(), "answer", "wise-owl", "ok", 1_200, 34, False, 500)
    await UsageStore(inn.world.database).record(
        [call, replace(call, call_id=uuid4(), guild_id=ELSEWHERE, model="other")]
    )
    await come(inn, visitor, STEWARD, page_at("/panel/usage"))
    await visitor.should_see("answers, wise-owl: 1 call")
    await visitor.should_see("1,200")
    await visitor.should_not_see("other:")
