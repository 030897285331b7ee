"""Lists, takes, corrects, deletes and brings back memories and facts over HTTP, and erases one's own data."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query, Response

from memory.core.outcomes import (
    AlreadyKnown,
    KnownBetter,
    NothingToRemember,
    NotToldOfOthers,
    Remembered,
    RememberOutcome,
    SourceNotKept,
    SubjectOptedOut,
    ToldEnough,
    TooLong,
    UnclearWho,
    Withdrawn,
)
from memory.core.values import Category, RememberRequest, last_id_of, new_id
from memory.facts.values import (
    ChangedSince,
    Done,
    FactFilter,
    HearsayOutcome,
    ListedFact,
    MayNot,
    NotThere,
)
from memory.policy.authority import Action
from web.api.caller import NOT_FOUND, ApiRoute, Caller, Reader, Refused
from web.api.values import (
    USUAL,
    CorrectionSent,
    Cursor,
    ErasureSent,
    Id,
    Limit,
    MemoryId,
    MemoryName,
    MemorySent,
    MemoryView,
    Page,
    ReceiptView,
    ToldView,
    UndoneView,
    people_in,
    utc,
    version_of,
)

router = APIRouter(route_class=ApiRoute, prefix="/api/v1/guilds/{guild_id}")
of_old = APIRouter(route_class=ApiRoute, prefix="/api")
"""The paths that other bots have, with the guild in the query."""

CHANGED = "It has changed since; look at it again."


async def shown(caller: Caller, held: Iterable[ListedFact]) -> list[MemoryView]:
    listed = list(held)
    ids = {user_id for one in listed for user_id in people_in(one.fact)}
    names = await caller.memory.people.called(caller.guild_id, ids)
    return [MemoryView.of(one, caller.door.reader, names) for one in listed]


@of_old.get("/memories", tags=["as other bots have it"], summary="Memories and facts, the newest first")
@router.get("/memories", tags=["memories"], summary="Memories and facts, the newest first")
async def list_memories(
    caller: Reader,
    member: Annotated[Id | None, Query(description="About this member.")] = None,
    category: Category | None = None,
    kind: Annotated[Literal["memory", "told"] | None, Query(description="What was let on or noted, or told.")] = None,
    words: Annotated[str, Query(max_length=200, description="That stand in it, in this order.")] = "",
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> Page[MemoryView]:
    wanted = FactFilter(member, category, None if kind is None else kind == "memory", words.replace("\0", ""))
    page = await caller.memory.hearsay.browse(caller.door.reader, caller.door.actor, wanted, rest=cursor, most=limit)
    return Page(items=await shown(caller, page.held), next=page.rest or None)


@router.get("/facts", tags=["memories"], summary="What was told alone, the newest first")
async def list_facts(
    caller: Reader,
    member: Annotated[Id | None, Query(description="About this member.")] = None,
    words: Annotated[str, Query(max_length=200, description="That stand in it, in this order.")] = "",
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> Page[MemoryView]:
    return await list_memories(caller, member, kind="told", words=words, cursor=cursor, limit=limit)


@router.get("/memories/{memory_id}", tags=["memories"], summary="One of them")
async def get_memory(caller: Reader, memory_id: MemoryId, response: Response) -> MemoryView:
    held = await caller.memory.hearsay.one(caller.wish(MemoryName.read(memory_id)), noted=True)
    if held is None:
        raise Refused(404, NOT_FOUND)
    response.headers["ETag"] = f'"{version_of(held.fact)}"'
    return (await shown(caller, [held]))[0]


@of_old.post("/memories", tags=["as other bots have it"], summary="Have something remembered", status_code=201)
@router.post("/memories", tags=["memories"], summary="Have something remembered", status_code=201)
async def create_memory(caller: Reader, sent: MemorySent) -> ToldView:
    """As with /remember in that channel. With a category, importance or tags it is a memory of yourself."""
    door, memory = caller.door, caller.memory
    caller.readable(sent.channel_id)
    traits, text = sent.traits(), sent.text
    if sent.about is not None:
        if not await memory.people.called(caller.guild_id, [sent.about]):
            raise Refused(404, "There is no such member.")
        if traits is not None and sent.about != door.user_id:
            raise Refused(422, "A memory with a category is of yourself; of others, tell a fact.")
        text = text if traits is not None else f"about <@{sent.about}>: {text}"
    telling = RememberRequest(
        guild_id=caller.guild_id,
        channel_id=sent.channel_id,
        message_id=new_id(caller.memory.clock.now()),
        teller_id=door.user_id,
        body=text,
        told_at=memory.clock.now(),
        rank=door.rank,
        everywhere=sent.everyone,
        by_command=True,
        traits=traits,
    )
    audience = memory.places.audience_of(caller.guild_id, sent.channel_id)
    outcome = await memory.remember(telling, audience)
    if not isinstance(outcome, Remembered | AlreadyKnown):
        raise _not_told(outcome)
    return await _told(caller, MemoryName.of(outcome.fact), outcome.change_id)


@of_old.put("/memories/{memory_id}", tags=["as other bots have it"], summary="Put it in other words")
@router.put("/memories/{memory_id}", tags=["memories"], summary="Put it in other words")
async def correct_memory(
    caller: Reader,
    memory_id: MemoryId,
    sent: CorrectionSent,
    if_match: Annotated[str | None, Header(description="Its ETag, to change nothing that changed meanwhile.")] = None,
) -> ToldView:
    """By whom it is about. It has another id since, as the answer says."""
    wish = caller.wish(MemoryName.read(memory_id))
    held = await caller.memory.hearsay.one(wish)
    if held is None:
        raise Refused(404, NOT_FOUND)
    versions = [] if if_match is None else [one.strip().removeprefix("W/").strip('"') for one in if_match.split(",")]
    if versions and "*" not in versions and version_of(held.fact) not in versions:
        raise Refused(412, CHANGED)
    traits = sent.traits(held.fact.traits)
    outcome = await caller.memory.hearsay.correct(wish, sent.text, new_id(caller.memory.clock.now()), traits=traits)
    if isinstance(outcome, TooLong | NothingToRemember | SubjectOptedOut):
        raise _not_told(outcome)
    done = _done(outcome)
    if done.now is None:
        raise Refused(409, CHANGED)
    return await _told(caller, MemoryName.of(done.now), done.change_id)


@of_old.delete("/memories/{memory_id}", tags=["as other bots have it"], summary="Have it forgotten")
@router.delete("/memories/{memory_id}", tags=["memories"], summary="Have it forgotten")
async def delete_memory(
    caller: Reader,
    memory_id: MemoryId,
    veto: Annotated[bool, Query(description="It is not true of you: nobody may tell it again.")] = False,
) -> ToldView:
    """It can be undone within a day, by `change_id`."""
    outcome = await caller.memory.hearsay.do(
        Action.VETO if veto else Action.FORGET, caller.wish(MemoryName.read(memory_id))
    )
    change_id = _done(outcome).change_id
    return ToldView(memory=None, change_id=None if change_id is None else str(change_id))


@router.post("/undo/{change_id}", tags=["memories"], summary="Undo what was done within a day")
async def undo(caller: Reader, change_id: UUID) -> UndoneView:
    door = caller.door
    outcome = await caller.memory.undos.undo(caller.guild_id, change_id, door.actor, door.reader)
    match outcome:
        case NotThere():
            raise Refused(404, "There is nothing to undo any more.")
        case MayNot():
            raise Refused(403, "This is not yours to undo.")
        case ChangedSince():
            raise Refused(409, CHANGED)
        case _:
            back = await shown(caller, [ListedFact(fact, has_message=False) for fact in outcome.back])
            return UndoneView(kind=outcome.kind, back=back)


@router.post("/erasures", tags=["privacy"], summary="Erase all that is kept of yourself")
async def erase(caller: Reader, sent: ErasureSent) -> ReceiptView:
    """As with /privacy erase. It cannot be undone, and ends all your sessions and tokens."""
    now = caller.memory.clock.now()
    gone = await caller.memory.privacy.erase_member(caller.guild_id, caller.door.user_id, last_id_of(now))
    return ReceiptView(erased_at=utc(now), counts={str(kind): count for kind, count in gone.counts.items()})


async def _told(caller: Caller, name: MemoryName, change_id: UUID | None) -> ToldView:
    held = await caller.memory.hearsay.one(caller.wish(name))
    view = (await shown(caller, [held]))[0] if held is not None else None
    return ToldView(memory=view, change_id=None if change_id is None else str(change_id))


def _done(outcome: HearsayOutcome) -> Done:
    if isinstance(outcome, MayNot):
        raise Refused(403, f"This may be done by: {', '.join(outcome.who_may) or 'nobody'}.")
    if not isinstance(outcome, Done):
        raise Refused(404, NOT_FOUND)
    return outcome


_NOT_TOLD: Mapping[type[RememberOutcome], tuple[int, str]] = {
    TooLong: (422, "A fact may have {0.limit} characters; this has {0.length}."),
    NothingToRemember: (422, "There are no words to keep in it."),
    UnclearWho: (422, "Several members go by a name in it; write <@id> instead."),
    SubjectOptedOut: (403, "It is about somebody who opted out."),
    NotToldOfOthers: (403, "It may not be told of them: by the server's rules, or because they said it is untrue."),
    KnownBetter: (409, "It contradicts what somebody said of themselves; only they can change that."),
    ToldEnough: (409, "You have told {0.limit} things about them; no more is kept."),
    Withdrawn: (409, "What it points at is gone."),
    SourceNotKept: (409, "What it points at is gone."),
}


def _not_told(outcome: RememberOutcome) -> Refused:
    status, said = _NOT_TOLD[type(outcome)]
    return Refused(status, said.format(outcome))
