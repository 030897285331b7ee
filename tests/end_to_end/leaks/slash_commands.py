"""Surfaces that are commands, with the buttons and forms they lead to: the one who used them reads the answer."""

from contextlib import AbstractContextManager, nullcontext

from tests.end_to_end.leaks.canaries import Kind
from tests.end_to_end.leaks.interacting import Payload, press, use, wander
from tests.end_to_end.leaks.registry import Case, ReadBy, surface

ASKER = ReadBy.ASKER
YES, NO = 0, 1
SACRIFICED = frozenset(("nuno", "mirela"))
"""Those who really have themselves erased; if everybody did, there would soon be nothing left to leak."""


@surface("status", read_by=ASKER, covers=("command:innkeeper status", "component:bot.innkeeper.StatusScreen"))
async def status(case: Case) -> None:
    await wander(case, await use(case, "innkeeper", "status"), steps=1)


@surface("usage of models", read_by=ASKER, covers=("command:innkeeper usage",))
async def usage(case: Case) -> None:
    await use(case, "innkeeper", "usage")


@surface("about", read_by=ASKER, covers=("command:innkeeper about",))
async def about(case: Case) -> None:
    await use(case, "innkeeper", "about")


@surface("a link to the panel", read_by=ASKER, covers=("command:innkeeper panel",))
async def link_to_panel(case: Case) -> None:
    await use(case, "innkeeper", "panel")


@surface("opting out and in again", read_by=ASKER, covers=("command:privacy opt-out", "command:privacy opt-in"))
async def opting_out(case: Case) -> None:
    with _withdrawing(case):
        await _decide(case, await use(case, "privacy", "opt-out"))
        await use(case, "privacy", "opt-in")


@surface(
    "erasing, and its receipt",
    read_by=ASKER,
    covers=("command:privacy erase", "component:bot.privacy.commands.EraseQuestion"),
    weight=2,
)
async def erasing(case: Case) -> None:
    with _withdrawing(case):
        await _decide(case, await use(case, "privacy", "erase"))


def _withdrawing(case: Case) -> AbstractContextManager[None]:
    return case.scene.tap.withdrawing(case.asker.id) if case.asker.name in SACRIFICED else nullcontext()


async def _decide(case: Case, asked: Payload | None) -> None:
    if asked is not None and "message" in asked:
        chosen = NO
        if case.asker.name in SACRIFICED:
            chosen = YES
            _no_longer_expected(case)
        await press(case, asked["message"], buttons_of(asked["message"])[chosen])


def buttons_of(message: Payload) -> list[Payload]:
    return [one for row in message.get("components") or [] for one in row["components"] if one["type"] == 2]


def _no_longer_expected(case: Case) -> None:
    for canary in case.scene.canaries.of((Kind.MESSAGE, Kind.EDITED, Kind.FACT, Kind.EVERYWHERE)):
        own = case.asker.id in (canary.author_id, canary.subject_id)
        canary.forgotten = canary.forgotten or (own and canary.guild_id == case.guild.id)
