"""What the panel reads for one member by themselves, in no place: asked of memory itself."""

from memory.core.values import Rank
from memory.facts.values import FactFilter
from memory.policy.authority import Actor
from tests.end_to_end.leaks.registry import Case, ReadBy, surface
from tests.end_to_end.leaks.wiretap import Overheard
from tests.models import BY

MOST = 50


@surface(
    "the panel, asked of memory",
    read_by=ReadBy.ASKER,
    covers=(
        "read:hearsay.browse",
        "read:contexts.blob_for",
        "read:digests.posted",
    ),
    weight=3,
    is_inside=True,
)
async def look(case: Case) -> None:
    """Managers are no exception: to manage a server is no key to what one cannot read."""
    memory, asker_id = case.scene.memory, case.asker.id
    reader = memory.places.reader(case.guild.id, asker_id)
    actor = Actor(asker_id, case.rng.choice((Rank.MEMBER, Rank.OWNER)))
    subject_id = case.rng.choice((None, asker_id, case.subject.id))
    days = memory.day_answers.days
    today = await days.today(case.guild.id)
    told = await days.told(reader, today, today)
    read = [
        await memory.hearsay.browse(reader, actor, FactFilter(subject_id=subject_id), most=MOST),
        await memory.contexts.blob_for(reader, case.subject.id),
        await memory.get_memories(reader, case.subject.id, BY),
        await memory.digests.posted(reader, MOST),
        told,
        [await days.rests_on(reader, one, MOST) for one in told],
    ]
    readers = frozenset((asker_id,))
    case.scene.tap.judge(Overheard("the panel", case.place.id, readers, str(read), ephemeral=True))
