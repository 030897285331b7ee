"""Surfaces of the digest, the loudest there is: posted where everyone of a place reads it, shown to managers before,
and asked of memory itself."""

from datetime import timedelta

from memory.language.detect import Language
from tests.end_to_end.leaks.interacting import use
from tests.end_to_end.leaks.managing import by_a_manager
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.wiretap import Overheard

PLACE, ASKER = ReadBy.PLACE, ReadBy.ASKER
LATER = timedelta(days=100)
"""By then it is forgotten that there was one today, so that there can be another."""


@surface(
    "a digest in a place",
    read_by=PLACE,
    covers=tuple(f"command:digest {name}" for name in ("setup", "now", "preview", "status", "off")),
    weight=4,
)
async def post(case: Case) -> None:
    case = by_a_manager(case)
    given: dict[str, object] = {"channel": str(case.place.id), "least": 1, "weekly": case.rng.random() < 0.5}
    given["channels"] = f"<#{case.canary.source_id}>" if case.canary.source_id and case.rng.random() < 0.3 else "all"
    await use(case, "digest", "setup", **given, hour=9, weekdays="all")
    await case.scene.memory.digests.purge(case.scene.server.clock.now() + LATER)
    for name in ("preview", "now", "status"):
        await use(case, "digest", name)
    if case.rng.random() < 0.2:
        await use(case, "digest", "off")


@surface("a digest, asked of memory", read_by=PLACE, covers=("read:digests.make",), weight=3, is_inside=True)
async def make(case: Case) -> None:
    memory = case.scene.memory
    schedule = await memory.digests.schedule(case.guild.id)
    if schedule is None:
        return
    audience = memory.places.audience_of(case.guild.id, case.place.id)
    digest = await memory.digests.preview(schedule)
    edition = await memory.digests.make(digest, schedule, audience, Language.EN, by_model=case.rng.random() < 0.3)
    readers = case.scene.oracle.viewers(case.place.id)
    case.scene.tap.judge(Overheard("a digest", case.place.id, readers, str(edition)))
