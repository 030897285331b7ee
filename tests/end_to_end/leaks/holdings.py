"""Surfaces that show or hand over what is held: on the one who asks, or of a channel, to those who manage it.

What is in a file is judged like any other answer. What somebody wrote themselves is no news to them, wherever it was.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tests.end_to_end.leaks.interacting import Payload, complete, press, use, wander
from tests.end_to_end.leaks.managing import by_a_manager
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.slash_commands import NO, buttons_of
from tests.end_to_end.leaks.wiretap import Overheard

ASKER = ReadBy.ASKER


@surface("what is held on oneself", read_by=ASKER, covers=("command:privacy show", "read:exports.held_on"))
async def show(case: Case) -> None:
    await use(case, "privacy", "show")


@surface("an export of oneself", read_by=ASKER, covers=("command:privacy export", "read:exports.of_member"), weight=3)
async def export(case: Case) -> None:
    await _judge_files(case, await use(case, "privacy", "export"), typed=own_words(case))


def own_words(case: Case) -> str:
    """All that the asker wrote themselves and did not delete, which an export gives back wherever it was written."""
    return "\n".join(
        canary.sentence
        for canary in case.scene.canaries
        if canary.author_id == case.asker.id and canary.guild_id == case.guild.id and not canary.gone
    )


@surface(
    "what is held of a channel", read_by=ASKER, covers=("command:channel-memory show", "read:exports.held_of_channel")
)
async def show_channel(case: Case) -> None:
    case = by_a_manager(case)
    await use(case, "channel-memory", "show", channel=_any_place(case))


@surface(
    "the reminders that come in a channel",
    read_by=ASKER,
    covers=(
        "command:channel-memory reminders",
        "component:bot.reminders.command.EndReminderQuestion",
        "read:reminders.in_channel",
        "read:reminders.end",
    ),
)
async def reminders_of_channel(case: Case) -> None:
    case = by_a_manager(case)
    await wander(case, await use(case, "channel-memory", "reminders", channel=_any_place(case)), steps=1)


@surface(
    "what an import alone knows",
    read_by=ASKER,
    covers=(
        "command:channel-memory open-import",
        "autocomplete:channel-memory open-import imported",
        "command:channel-memory close-import",
        "autocomplete:channel-memory close-import imported",
    ),
)
async def imported_channels(case: Case) -> None:
    """A channel that the server has is opened to nobody else."""
    case = by_a_manager(case)
    place = str(case.canary.source_id)
    for name, given in (("open-import", {"readers": _any_place(case)}), ("close-import", {})):
        await complete(case, "channel-memory", name, option="imported", typed=case.canary.words)
        await use(case, "channel-memory", name, imported=place, **given)


@surface(
    "an export of a channel",
    read_by=ASKER,
    covers=("command:channel-memory export", "read:exports.of_channel"),
    weight=3,
)
async def export_channel(case: Case) -> None:
    """Our replies are in it as well: what one of them was made from may be closed to the manager by now, who has read
    it before. If they came to the place only since, it is taken back."""
    case = by_a_manager(case)
    place = _any_place(case)
    await case.scene.tap.taken_back(_rooms(case, int(place)))
    outcome = await use(case, "channel-memory", "export", channel=place)
    await _judge_files(case, outcome, standing=_ours_to_be_read(case, int(place)))


@surface(
    "the end of a channel, and of the stay",
    read_by=ASKER,
    covers=(
        "command:channel-memory erase",
        "command:innkeeper leave",
    ),
)
async def ending(case: Case) -> None:
    """Asked for and called off: otherwise there would soon be nothing left to leak."""
    case = by_a_manager(case)
    for asked in (
        await use(case, "channel-memory", "erase", channel=_any_place(case)),
        await use(case, "innkeeper", "leave"),
    ):
        if asked is not None and buttons_of(asked.get("message") or {}):
            await press(case, asked["message"], buttons_of(asked["message"])[NO])


def _ours_to_be_read(case: Case, place_id: int) -> dict[str, str]:
    """What we said in a place and its threads, by its id, as far as it stands there and the asker can read it, and has
    read it while they could read what it was made from."""
    world, oracle, readers = case.scene.server.world, case.scene.oracle, frozenset((case.asker.id,))
    rooms = _rooms(case, place_id)
    may_read = {one for one in rooms if oracle.objection_to_link(case.guild.id, one, case.place.id, readers) is None}
    ours = (one for one in world.messages() if one.author_id == case.scene.bot.id and one.channel_id in may_read)
    standing = case.scene.tap.standing
    return {str(one.id): one.content for one in ours if one.id in standing and readers <= standing[one.id].read_by}


def _rooms(case: Case, place_id: int) -> list[int]:
    return [place_id, *(thread.id for thread in case.scene.server.world.threads_of(case.guild.id, place_id))]


def _any_place(case: Case) -> str:
    """Of the guild, whether or not they can read it."""
    return str(case.rng.choice(case.scene.places_of(case.guild)).id)


async def _judge_files(
    case: Case, outcome: Payload | None, typed: str = "", standing: Mapping[str, str] = MappingProxyType({})
) -> None:
    message = (outcome or {}).get("message") or {}
    for file in message.get("attachments") or []:
        held = (await case.scene.http.get(file["url"])).raise_for_status().json()
        text = json.dumps(_without(held, standing), ensure_ascii=False)
        readers = frozenset((case.asker.id,))
        case.scene.tap.judge(Overheard("a file", case.place.id, readers, text, ephemeral=True), typed)


def _without(held: Any, standing: Mapping[str, str]) -> Any:  # noqa: ANN401 - whatever a file holds
    """All but messages that stand word for word where they can be read."""
    if isinstance(held, dict):
        return {key: _without(value, standing) for key, value in held.items()}
    if isinstance(held, list):
        return [_without(one, standing) for one in held if not _stands(one, standing)]
    return held


def _stands(held: Any, standing: Mapping[str, str]) -> bool:  # noqa: ANN401 - the same
    return isinstance(held, dict) and "text" in held and standing.get(str(held.get("message_id"))) == held["text"]
