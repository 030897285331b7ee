"""Surfaces of recall: `/recall` with its limits, what it offers while one types, its pages, and the reads behind it."""

from local_guild.state.world import Channel
from memory.recall.results import Bookmark
from tests.end_to_end.leaks.interacting import complete, press, use
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.slash_commands import buttons_of
from tests.end_to_end.leaks.wiretap import Overheard

ASKER, PLACE = ReadBy.ASKER, ReadBy.PLACE
OF_COMMON_WORDS = "the is called for you look what of"


@surface("recall", read_by=ASKER, covers=("command:recall",), weight=6)
async def recall(case: Case) -> None:
    """By the words of a secret, in the channel it was told in, by the one who told it."""
    limits: dict[str, object] = {}
    if case.rng.random() < 0.4 and case.canary.source_id:
        limits["in"] = case.rng.choice((str(case.canary.source_id), f"<#{case.canary.source_id}>", _name(case)))
    if case.rng.random() < 0.3:
        limits["from"] = str(case.subject.id)
    if case.rng.random() < 0.3:
        limits["after"] = case.rng.choice(("yesterday", "last week", "2026-01-01", "nonsense"))
    await use(case, "recall", text=f"What is the {case.canary.words} called?", **limits)


@surface("places offered for recall", read_by=ASKER, covers=("autocomplete:recall place",), weight=3)
async def places(case: Case) -> None:
    typed = case.rng.choice(("", "r", "room", _name(case), _name(case)[:6]))
    await complete(case, "recall", option="in", typed=typed)


@surface("pages of recall", read_by=ASKER, covers=("component:bot.recall.PageButton",), weight=3)
async def pages(case: Case) -> None:
    """Turned by the one who searched; what closed meanwhile must not come back with a page."""
    asked = await use(case, "recall", text=f"{case.canary.words} {OF_COMMON_WORDS}")
    message = (asked or {}).get("message") or {}
    for button in buttons_of(message):
        if not button.get("disabled"):
            await press(case, message, button)


@surface(
    "recall, for a place",
    read_by=PLACE,
    covers=("read:recall.search", "read:recall.read_again"),
    weight=3,
    is_inside=True,
)
async def for_the_place(case: Case) -> None:
    """What was found for one reader is asked for again in the name of all who see the place."""
    memory = case.scene.memory
    asked, now = f"What is the {case.canary.words} called?", case.scene.server.clock.now()
    all_here = memory.places.audience_of(case.guild.id, case.place.id)
    alone = memory.places.audience_for(case.guild.id, case.place.id, case.asker.id)
    readers = case.scene.oracle.viewers(case.place.id)
    found = await memory.recall.search(asked, all_here, case.asker.id, now, 10)
    own = await memory.recall.search(asked, alone, case.asker.id, now, 10)
    again = await memory.recall.read_again(all_here, [Bookmark(one.message.message_id, True, True) for one in own])
    for who, what in ((readers, found), (frozenset((case.asker.id,)), own), (readers, again)):
        said = "\n".join(str(one.messages) for one in what)
        case.scene.tap.judge(Overheard("recall", case.place.id, who, said, ephemeral=who is not readers))


def _name(case: Case) -> str:
    place: Channel | None = case.scene.server.world.channels.get(case.canary.source_id or 0)
    return "" if place is None else place.name
