"""Surfaces that show or hand over what is held: on the one who asks, or of a channel, to those who manage it.

What is in a file is judged like any other answer. What somebody wrote themselves is no news to them, wherever it was.
"""

from tests.end_to_end.leaks.interacting import Payload, press, use
from tests.end_to_end.leaks.managing import by_a_manager
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.slash_commands import NO, buttons_of
from tests.end_to_end.leaks.wiretap import Overheard

ASKER = ReadBy.ASKER


@surface("what is held on oneself", read_by=ASKER, covers=("command:privacy show",))
async def show(case: Case) -> None:
    await use(case, "privacy", "show")


@surface("an export of oneself", read_by=ASKER, covers=("command:privacy export",), weight=3)
async def export(case: Case) -> None:
    own = (
        canary.sentence
        for canary in case.scene.canaries
        if canary.author_id == case.asker.id and canary.guild_id == case.guild.id and not canary.gone
    )
    await _judge_files(case, await use(case, "privacy", "export"), typed="\n".join(own))


@surface("what is held of a channel", read_by=ASKER, covers=("command:channel-memory show",))
async def show_channel(case: Case) -> None:
    case = by_a_manager(case)
    await use(case, "channel-memory", "show", channel=_any_place(case))


@surface("an export of a channel", read_by=ASKER, covers=("command:channel-memory export",), weight=3)
async def export_channel(case: Case) -> None:
    case = by_a_manager(case)
    await _judge_files(case, await use(case, "channel-memory", "export", channel=_any_place(case)))


@surface(
    "the end of a channel, and of the stay",
    read_by=ASKER,
    covers=(
        "command:channel-memory erase",
        "component:bot.commands.channel_memory.ChannelEraseQuestion",
        "command:innkeeper leave",
        "component:bot.commands.leaving.LeaveQuestion",
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


def _any_place(case: Case) -> str:
    """Of the guild, whether or not they can read it."""
    return str(case.rng.choice(case.scene.places_of(case.guild)).id)


async def _judge_files(case: Case, outcome: Payload | None, typed: str = "") -> None:
    message = (outcome or {}).get("message") or {}
    for file in message.get("attachments") or []:
        text = (await case.scene.http.get(file["url"])).raise_for_status().text
        readers = frozenset((case.asker.id,))
        case.scene.tap.judge(Overheard("a file", case.place.id, readers, text, ephemeral=True), typed)
