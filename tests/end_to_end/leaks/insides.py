"""Surfaces inside: memory asked directly for an audience, whatever it keeps in memory for quick answers included.

What a read returns for a place is what a reply there could say, so it is held against the same readers.
"""

from collections.abc import Iterable

from memory.core.values import Question
from memory.places.view import Audience
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.wiretap import Overheard
from tests.models import BY

PLACE, ASKER = ReadBy.PLACE, ReadBy.ASKER


@surface(
    "memory, for a place",
    read_by=PLACE,
    covers=(
        "read:get_memories",
        "read:contexts.text_for",
        "read:answers.answer",
        "read:places.names",
    ),
    weight=4,
    is_inside=True,
)
async def for_the_place(case: Case) -> None:
    audience = case.scene.memory.places.audience_of(case.guild.id, case.place.id)
    readers = case.scene.oracle.viewers(case.place.id)
    await _read_everything(case, audience, readers, "a read for a place")


@surface(
    "memory, for one viewer",
    read_by=ASKER,
    covers=("read:get_memories", "read:answers.answer"),
    weight=4,
    is_inside=True,
)
async def for_the_asker(case: Case) -> None:
    audience = case.scene.memory.places.audience_for(case.guild.id, case.place.id, case.asker.id)
    await _read_everything(case, audience, frozenset((case.asker.id,)), "a read for one viewer")


@surface("the ring of what was said last", read_by=PLACE, covers=("cache:ring",), weight=2, is_inside=True)
async def ring(case: Case) -> None:
    """It serves while the database is away; what it would serve then is the same as now."""
    audience = case.scene.memory.places.audience_of(case.guild.id, case.place.id)
    heard = case.scene.memory.answers._ring.recent_conversation(audience, 50) or []
    _judge(case, case.scene.oracle.viewers(case.place.id), "the ring", (str(message) for message in heard))


async def _read_everything(case: Case, audience: Audience, readers: frozenset[int], what: str) -> None:
    memory = case.scene.memory
    known = await memory.get_memories(audience, case.subject.id, BY) or ""
    asked = f"What is the {case.canary.words} called?"
    answers = [
        await memory.answers.answer(_question(case, asked), audience),
        await memory.answers.what_is_known(_question(case, f"<@{case.subject.id}>"), audience),
    ]
    _judge(case, readers, what, (known, *(str(answer) for answer in answers)))
    named = memory.places.names(audience).keys() - {case.place.id}
    assert all(readers <= case.scene.oracle.viewers(channel) for channel in named), "a channel by its name"


def _question(case: Case, text: str) -> Question:
    """As if it had been asked just now; the message itself is nowhere."""
    server = case.scene.server
    return Question(
        guild_id=case.guild.id,
        channel_id=case.place.id,
        message_id=server.ids.next(),
        asker_id=case.asker.id,
        text=text,
        asked_at=server.clock.now(),
    )


def _judge(case: Case, readers: frozenset[int], what: str, texts: Iterable[str]) -> None:
    case.scene.tap.judge(Overheard(what, case.place.id, readers, "\n".join(texts), ephemeral=len(readers) == 1))
