"""Tells over HTTP what else a guild remembers (members, days, channels, recall, answers, reminders), and how it is."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import JsonValue

from memory.core.outcomes import Correction
from memory.core.values import Question, Rank, Source, new_id
from memory.language.detect import Language, language_of
from memory.policy.setting_fields import NotASetting, SettingValue
from memory.policy.settings import GuildSettings, changed, read
from memory.recall.query import Limits
from memory.reminders.values import AskedWhen, Made, Outcome, Reminder, State, Wish
from memory.reminders.values import Refused as NotKept
from web.api.caller import NOT_FOUND, ApiRoute, Caller, Manager, Reader, Refused
from web.api.values import (
    LAST_ID,
    USUAL,
    AnswerView,
    CatchUpView,
    ChannelSummaryView,
    ChannelView,
    Cursor,
    DaySent,
    DaysView,
    DayView,
    EventView,
    FoundView,
    GuildHealthView,
    HappeningView,
    Id,
    Limit,
    MemberView,
    MissedView,
    Page,
    ReminderSent,
    ReminderView,
    SourceView,
    SummaryView,
    UsageView,
    WhenSent,
    WholeDayView,
)
from web.guard import Day

router = APIRouter(route_class=ApiRoute, prefix="/api/v1/guilds/{guild_id}")
of_old = APIRouter(route_class=ApiRoute, prefix="/api")

MOST_QUOTED = 100
LONGEST_QUESTION = 1_500
LONGEST_SINCE = 100


@of_old.get("/users", tags=["as other bots have it"], summary="Members by their ids")
@router.get("/members", tags=["members"], summary="Members by their ids")
async def list_members(
    caller: Reader,
    name: Annotated[str, Query(max_length=100, description="Letters that stand in a name.")] = "",
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> Page[MemberView]:
    """Without those who opted out."""
    after = min(int(cursor), LAST_ID) if cursor.isascii() and cursor.isdecimal() else 0
    found = await caller.memory.people.listed(caller.guild_id, name.replace("\0", ""), after, limit + 1)
    rest = str(found[limit - 1].user_id) if len(found) > limit else None
    return Page(items=[MemberView.model_validate(one) for one in found[:limit]], next=rest)


@router.get("/days", tags=["days"], summary="What happened on days, by topic and for each member")
async def list_days(
    caller: Reader,
    last: Annotated[Day | None, Query(description="The last of them; today, if nothing is said.")] = None,
    days: Annotated[int, Query(ge=1, le=31)] = 7,
    member: Id | None = None,
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> DaysView:
    """From what has been summarised: nothing is made."""
    known = caller.memory.day_answers.days
    last = last or await known.today(caller.guild_id)
    first = last - timedelta(days=days - 1)
    told = await known.told(caller.door.reader, first, last, None if member is None else [member])
    views = [DayView.model_validate(one) for one in told]
    views.sort(key=lambda one: (one.date, one.member_id, one.made_at), reverse=True)
    page = Page.cut(views, cursor, limit)
    happened = [] if cursor or member is not None else await known.happened(caller.door.reader, first, last)
    shown = [HappeningView.model_validate(one, from_attributes=True) for one in happened]
    return DaysView(items=page.items, next=page.next, happened=shown)


@router.get("/days/{day}", tags=["days"], summary="One day, brought up to date")
async def get_day(caller: Reader, day: Day) -> WholeDayView:
    """Waits a few seconds for a model, if something new was said; what is not summarised is quoted."""
    told = await caller.memory.day_answers.day(caller.door.reader, day, caller.requester)
    return WholeDayView.model_validate(replace(told, said=told.said[-MOST_QUOTED:]))


@router.put("/days/{day}/members/{member_id}", tags=["days"], summary="Correct what a day tells of a member")
async def correct_day(caller: Reader, day: Day, member_id: Id, sent: DaySent) -> DayView:
    """By whom it is about, or a manager. It stands until something changes that the day was told from."""
    known, door = caller.memory.day_answers.days, caller.door
    told = next(iter(await known.told(door.reader, day, day, [member_id])), None)
    if told is None:
        raise Refused(404, NOT_FOUND)
    if not known.may_correct(told, door.user_id, is_manager=door.is_manager):
        raise Refused(403, "Those may whom it is about, and managers.")
    corrected = await known.correct(door.reader, told, sent.text, door.user_id)
    if corrected is Correction.NAMES_WHO_OPTED_OUT:
        raise Refused(422, "It names somebody of whom nothing may be kept.")
    now = next(iter(await known.told(door.reader, day, day, [member_id])), None)
    if corrected is Correction.GONE or now is None:
        raise Refused(409, "Something changed meanwhile; read it again.")
    return DayView.model_validate(now)


@router.get("/channels", tags=["channels"], summary="Channels that you can read")
async def list_channels(caller: Reader, cursor: Cursor = "", limit: Limit = USUAL) -> Page[ChannelView]:
    named = sorted(caller.memory.places.names(caller.door.reader).items())
    return Page.cut([ChannelView(id=str(one), name=name) for one, name in named], cursor, limit)


@router.get("/channels/{channel_id}/summary", tags=["channels"], summary="What was talked about in a channel")
async def get_channel_summary(caller: Reader, channel_id: Id) -> ChannelSummaryView:
    text = await caller.memory.channels.text(caller.door.reader, caller.readable(channel_id), caller.requester)
    if text is None:
        raise Refused(404, "Channels are not summed up on this server.")
    return ChannelSummaryView(
        channel_id=str(channel_id),
        is_due=text.is_due,
        summaries=[SummaryView.model_validate(one) for one in text.summaries],
        extract=None if text.extract is None else text.extract.text,
    )


@router.get("/events", tags=["events"], summary="Scheduled events that are coming up")
async def list_events(
    caller: Reader, days: Annotated[int, Query(ge=1, le=366, description="From now on.")] = 30
) -> Page[EventView]:
    """In channels that you can read, and elsewhere; the soonest first."""
    now = caller.memory.clock.now()
    coming = await caller.memory.events.coming(caller.door.reader, now, now + timedelta(days=days))
    return Page(items=[EventView.model_validate(one) for one in coming], next=None)


@router.get("/recall", tags=["recall"], summary="Look for what was said")
async def recall(
    caller: Reader,
    q: Annotated[str, Query(min_length=1, max_length=2_000, description="A question, or words.")],
    author: Annotated[Id | None, Query(alias="from", description="Said by this member.")] = None,
    channel: Annotated[Id | None, Query(alias="in", description="In this channel and its threads.")] = None,
    after: Annotated[Day | None, Query(description="From this day on.")] = None,
    before: Annotated[Day | None, Query(description="Before this day.")] = None,
    limit: Annotated[int, Query(ge=1, le=25)] = 10,
) -> Page[FoundView]:
    """The best first, with what spoke for each. Where one cannot read is the same as where nothing is."""
    memory, reader = caller.memory, caller.door.reader
    zone = ZoneInfo((await memory.privacy.settings(caller.guild_id)).time_zone)
    limits = Limits(
        author_ids=None if author is None else frozenset((author,)),
        channel_ids=None if channel is None else memory.places.with_threads(reader, channel),
        after=_beginning(after, zone),
        before=_beginning(before, zone),
    )
    found = await memory.recall.search(
        q.replace("\0", " "),
        reader,
        caller.door.user_id,
        memory.clock.now(),
        limit,
        limits=limits,
        request_id=new_id(caller.memory.clock.now()),
    )
    return Page(items=[FoundView.model_validate(one) for one in found], next=None)


def _beginning(day: date | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), zone)


@router.get("/ask", tags=["answers"], summary="An answer from all that you can read")
async def ask(
    caller: Reader,
    q: Annotated[str, Query(min_length=1, max_length=LONGEST_QUESTION, description="As on Discord.")],
    channel: Annotated[
        Id | None, Query(alias="in", description="Where you ask: what was said there last counts.")
    ] = None,
) -> AnswerView:
    """As /ask on Discord: for you alone, and it counts as a question of yours."""
    memory, reader, now = caller.memory, caller.door.reader, caller.memory.clock.now()
    place = reader.place_id if channel is None else caller.readable(channel)
    text = q.replace("\0", " ")
    question = Question(
        caller.guild_id, place, new_id(now), caller.door.user_id, text, now, language=language_of(text) or Language.EN
    )
    answer = await memory.receipts.with_standing_sources(await memory.answers.answer(question, reader), reader)
    return AnswerView(
        text=answer.text,
        sources=_readable(caller, answer.sources),
        without_model=answer.without_model,
        is_incomplete=answer.made_during_outage,
    )


@router.get("/catch-up", tags=["answers"], summary="What you missed")
async def catch_up(
    caller: Reader,
    since: Annotated[
        str | None, Query(max_length=LONGEST_SINCE, description="3 hours, yesterday, …; else since your last message.")
    ] = None,
    channel: Annotated[Id | None, Query(alias="in", description="In this channel and its threads alone.")] = None,
) -> CatchUpView:
    """In the channels that you can read; what is for you comes first."""
    memory, reader = caller.memory, caller.door.reader
    channel_id = None if channel is None else caller.readable(channel)
    until_id = new_id(memory.clock.now())
    language = (language_of(since) if since else None) or Language.EN
    if since is None:
        boundary = await memory.catch_ups.boundary(reader, channel_id, until_id)
    else:
        asked = await memory.catch_ups.boundary_at(reader, since, language)
        if asked is None:
            raise Refused(422, "Say a time from 1 hour to 14 days ago, such as “3 hours” or “yesterday”.")
        boundary = asked
    roles = memory.places.roles_of(caller.guild_id, caller.door.user_id)
    found = await memory.catch_ups.catch_up(reader, boundary, until_id, channel_id, roles, by=caller.requester)
    return CatchUpView(
        since=boundary.at,
        messages=found.talk.messages,
        channels=found.talk.channels,
        by_model=found.account.by_model,
        sections={
            section: [
                MissedView(
                    text=line.text,
                    sources=_readable(caller, line.sources),
                    when=line.when,
                    link=None if line.event is None else line.event.link,
                )
                for line in lines
            ]
            for section, lines in found.sections.items()
        },
    )


def _readable(caller: Caller, sources: tuple[Source, ...]) -> list[SourceView]:
    sources_of = caller.door.reader.sources
    return [SourceView.of(one, caller.guild_id) for one in dict.fromkeys(sources) if one.channel_id in sources_of]


@router.get("/reminders", tags=["reminders"], summary="Your own reminders")
async def list_reminders(caller: Reader) -> Page[ReminderView]:
    kept = await caller.memory.reminders.of_owner(caller.guild_id, caller.door.user_id)
    return Page(items=[_view(caller, one) for one in kept], next=None)


@router.post("/reminders", tags=["reminders"], summary="Be reminded of something", status_code=201)
async def create_reminder(caller: Reader, sent: ReminderSent) -> ReminderView:
    language = language_of(f"{sent.when} {sent.what}") or Language.EN
    wish = Wish(
        caller.guild_id,
        caller.readable(sent.channel_id),
        new_id(caller.memory.clock.now()),
        caller.door.user_id,
        caller.memory.clock.now(),
        language,
        sent.what,
        sent.when,
    )
    return _timed(caller, await caller.memory.reminders.ask(wish))


@router.put("/reminders/{reminder_id}", tags=["reminders"], summary="Change its time or words")
async def change_reminder(caller: Reader, reminder_id: Id, sent: WhenSent) -> ReminderView:
    one = await _own(caller, reminder_id)
    return _timed(caller, await caller.memory.reminders.change(one, sent.when, sent.what))


@router.delete("/reminders/{reminder_id}", tags=["reminders"], summary="Delete it; for a day it can be had back")
async def delete_reminder(caller: Reader, reminder_id: Id) -> ReminderView:
    one = await _own(caller, reminder_id)
    if one.state not in (State.OPEN, State.KEPT) or not await caller.memory.reminders.delete(one):
        raise Refused(404, NOT_FOUND)
    return _view(caller, await _own(caller, reminder_id))


@router.post("/reminders/{reminder_id}/restore", tags=["reminders"], summary="Have one back that was deleted")
async def restore_reminder(caller: Reader, reminder_id: Id) -> ReminderView:
    if not await caller.memory.reminders.restore(await _own(caller, reminder_id)):
        raise Refused(409, "It was not deleted, or has no time.")
    return _view(caller, await _own(caller, reminder_id))


async def _own(caller: Caller, reminder_id: int) -> Reminder:
    one = await caller.memory.reminders.one(caller.guild_id, reminder_id, caller.door.user_id)
    if one is None:
        raise Refused(404, NOT_FOUND)
    return one


def _view(caller: Caller, one: Reminder) -> ReminderView:
    privately = caller.memory.reminders.comes_privately(one)
    return ReminderView.model_validate(one).model_copy(update={"by_direct_message": privately})


def _timed(caller: Caller, outcome: Outcome) -> ReminderView:
    if isinstance(outcome, Made):
        return _view(caller, outcome.reminder)
    if isinstance(outcome, AskedWhen):
        raise Refused(422, f"When that is is not clear: {outcome.why}.")
    status = {NotKept.OPTED_OUT: 403, NotKept.TOO_LONG: 422, NotKept.GONE: 404}.get(outcome, 409)
    raise Refused(status, f"It was not kept: {outcome}.")


FOR_MEMBERS = frozenset(
    ("time_zone", "log.consent", "log.retention_days", "log.summary_days", "log.fact_days", "facts.about_others")
)
"""Settings that say what is kept of them; the others are the managers' own business."""


@router.get("/settings", tags=["server"], summary="What its managers decided")
async def get_settings(caller: Reader) -> dict[str, SettingValue]:
    """By their names, such as `log.retention_days`; to members what concerns what is kept of them."""
    return _shown(caller, await caller.memory.privacy.settings(caller.guild_id))


@router.patch("/settings", tags=["server"], summary="Decide otherwise")
async def change_settings(
    caller: Manager,
    sent: dict[str, JsonValue],
    remove: Annotated[bool, Query(description="What may not be kept any longer may go.")] = False,
) -> dict[str, SettingValue]:
    """Those that are named. Where messages or facts would go, nothing is done without `remove=true` (409)."""
    memory, door = caller.memory, caller.door
    roles = memory.places.role_names(caller.guild_id)

    def change(settings: GuildSettings) -> GuildSettings:
        return changed(settings, sent, memory.clock.now(), channels=door.reader.sources, roles=roles)

    try:
        doomed = await memory.privacy.would_remove(caller.guild_id, change, door.reader.sources)
        if doomed and not remove:
            more = ", and more where you cannot read," * doomed.elsewhere
            said = f"{doomed.messages} messages and {doomed.facts} facts{more} would go: send remove=true if they may."
            raise Refused(409, said)
        return _shown(caller, (await memory.privacy.change_settings(caller.guild_id, change, door.user_id)).after)
    except NotASetting as error:
        raise Refused(422, str(error)) from error


def _shown(caller: Caller, settings: GuildSettings) -> dict[str, SettingValue]:
    known = read(settings)
    return {name: value for name, value in known.items() if caller.door.is_manager or name in FOR_MEMBERS}


@router.get("/usage", tags=["server"], summary="What models were used for")
async def usage(caller: Manager) -> UsageView:
    return UsageView.model_validate(await caller.memory.metering.usage(caller.guild_id))


@router.get("/health", tags=["server"], summary="How the bot is")
async def health(caller: Reader) -> GuildHealthView:
    """Issues of other servers, and machines, are for whoever runs the bot."""
    report = await caller.memory.heartbeat.report()
    parts = [part for process in report.processes for part in process.parts]
    here = [issue for part in parts for where, issue in part.guild_issues.items() if where == caller.guild_id]
    return GuildHealthView(state=report.state, issues=here if caller.door.rank >= Rank.MANAGER else [])
