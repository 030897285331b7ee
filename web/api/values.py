"""Defines what the API takes and gives. Ids are strings: they exceed the numbers of JavaScript; times are UTC."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    WithJsonSchema,
    model_validator,
)

from memory.core.values import Category, Fact, Message, Source, Standing, Traits, text_of
from memory.daily.values import Section
from memory.facts.values import ListedFact, cleaned_tags
from memory.people.names import mentioned_ids
from memory.places.view import Audience
from memory.policy.authority import Action
from memory.summaries.days import LONGEST as LONGEST_DAY
from web.guard import Moment

LAST_ID = 2**63 - 1
MOST, USUAL = 100, 50
LONGEST_TEXT = 2_000
_DIGITS = re.compile("[1-9][0-9]{0,18}")
_ID = _DIGITS.pattern
_NAME = rf"(0|{_ID})-({_ID})-(0|[1-9][0-9]{{0,9}})"


def _id(given: object) -> int:
    if not isinstance(given, str) or not _DIGITS.fullmatch(given):
        raise ValueError("an id is a string of digits")
    return min(int(given), LAST_ID)


Id = Annotated[int, BeforeValidator(_id), WithJsonSchema({"type": "string", "pattern": f"^{_ID}$"})]
Limit = Annotated[int, Field(ge=1, le=MOST, description="How many at once.")]
Cursor = Annotated[str, Field(max_length=64, description="`next` of the page before.")]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


@dataclass(frozen=True, slots=True)
class MemoryName:
    """Names a memory for the API: a number of the ledger would tell how much is told behind other doors."""

    subject_id: int | None
    message_id: int
    thing: int

    @classmethod
    def read(cls, memory_id: str) -> "MemoryName":
        subject, message, thing = (min(int(part), LAST_ID) for part in memory_id.split("-"))
        return cls(subject or None, message, thing)

    @classmethod
    def of(cls, fact: Fact) -> "MemoryName":
        return cls(fact.subject_id, fact.message_id, fact.thing)

    def __str__(self) -> str:
        return f"{self.subject_id or 0}-{self.message_id}-{self.thing}"


MemoryId = Annotated[str, Field(pattern=f"^{_NAME}$")]

IdOut = Annotated[str, BeforeValidator(str)]
IdOrNone = Annotated[str | None, BeforeValidator(lambda given: None if given is None else str(given))]
One = TypeVar("One")


def utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Utc = Annotated[datetime, AfterValidator(utc)]
Day: TypeAlias = date


class Out(BaseModel):
    """Reads what the API gives from a value of memory, whose names it may change."""

    model_config = ConfigDict(from_attributes=True)


class Sent(BaseModel):
    """Takes the body of a request strictly: fields that it does not know are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Page(BaseModel, Generic[One]):
    items: list[One]
    next: str | None = Field(description="Send it as `cursor` to go on; null: that was all.")

    @classmethod
    def cut(cls, items: Sequence[One], cursor: str, limit: int) -> "Page[One]":
        """Cut a page out of what is small enough to be had at once."""
        start = int(cursor) if re.fullmatch("[0-9]{1,9}", cursor) else 0
        more = str(start + limit) if start + limit < len(items) else None
        return cls(items=list(items[start : start + limit]), next=more)


class MemoryView(BaseModel):
    id: str = Field(description="It changes with the words.")
    version: str = Field(description="Its ETag.")
    kind: Literal["memory", "told"]
    text: str = Field(description="People stand in it as `<@id>`; `names` says who they are.")
    about: str | None = Field(description="The member; null: the server itself.")
    told_by: str
    names: dict[str, str]
    channel_id: str | None = Field(description="Where it was told; null: not where you can read.")
    message_id: str | None = Field(description="The message that told it, if it is still there.")
    standing: Standing
    everyone: bool = Field(description="It may be told in the whole server, not only where it was told.")
    since: datetime
    until: datetime | None = Field(description="When something else took its place.")
    category: Category | None
    importance: int | None
    tags: list[str]
    expires_at: datetime | None
    may: list[Action] = Field(description="What you may do about it.")

    @classmethod
    def of(cls, held: ListedFact, reader: Audience, names: Mapping[int, str]) -> "MemoryView":
        fact, traits = held.fact, held.fact.traits
        is_readable = fact.channel_id in reader.sources
        return cls(
            id=str(MemoryName.of(fact)),
            version=version_of(fact),
            kind="told" if traits is None else "memory",
            text=fact.text,
            about=None if fact.subject_id is None else str(fact.subject_id),
            told_by=str(fact.teller_id),
            names={str(one): names[one] for one in people_in(fact) if one in names},
            channel_id=str(fact.channel_id) if is_readable else None,
            message_id=str(fact.message_id) if is_readable and held.has_message else None,
            standing=fact.standing,
            everyone=fact.everywhere,
            since=utc(fact.valid_from),
            until=None if fact.valid_to is None else utc(fact.valid_to),
            category=None if traits is None else traits.category,
            importance=None if traits is None else traits.importance,
            tags=[] if traits is None else list(traits.tags),
            expires_at=None if traits is None or traits.expires_at is None else utc(traits.expires_at),
            may=list(held.may),
        )


def people_in(fact: Fact) -> list[int]:
    return [*([] if fact.subject_id is None else [fact.subject_id]), fact.teller_id, *mentioned_ids(fact.text)]


def version_of(fact: Fact) -> str:
    said = (fact.text, fact.standing, fact.everywhere, fact.valid_to, fact.withheld, fact.traits)
    return sha256(repr(said).encode("utf-8", "replace")).hexdigest()[:16]


class TraitsSent(Sent):
    category: Annotated[
        Category | None, Field(strict=False, description="With one of these, it is a memory of yourself.")
    ] = None
    importance: Annotated[int | None, Field(ge=1, le=10)] = None
    tags: Annotated[list[Annotated[str, Field(max_length=24)]] | None, Field(max_length=5)] = None
    expires_at: Annotated[Moment | None, Field(strict=False)] = None

    def traits(self, known: Traits | None = None) -> Traits | None:
        """Put what was sent over the `known` traits of a memory; `known` itself where nothing was said about that."""
        if all(one is None for one in (self.category, self.importance, self.tags, self.expires_at)):
            return known
        before = known or Traits(Category.OTHER)
        return Traits(
            self.category or before.category,
            before.importance if self.importance is None else self.importance,
            before.tags if self.tags is None else cleaned_tags(self.tags),
            before.expires_at if self.expires_at is None else self.expires_at,
        )


class MemorySent(TraitsSent):
    text: Text
    channel_id: Id = Field(description="Where it counts as told: whoever can read there may be told it.")
    about: Annotated[Id | None, Field(description="Another member; null: whoever the text speaks of.")] = None
    everyone: bool = Field(default=False, description="The whole server may know; holds for what is about yourself.")


class CorrectionSent(TraitsSent):
    text: Text


class DaySent(Sent):
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_DAY)]


class ErasureSent(Sent):
    erase: Literal["everything of mine"] = Field(description="These very words: there is no way back.")


class ToldView(BaseModel):
    memory: MemoryView | None = Field(description="As you may see it.")
    change_id: str | None = Field(description="For undoing it within a day; null: nothing was changed.")


class UndoneView(BaseModel):
    kind: str
    back: list[MemoryView]


class ReceiptView(BaseModel):
    erased_at: datetime
    counts: dict[str, int]


class MemberView(Out):
    id: IdOut = Field(validation_alias="user_id")
    name: str = Field(validation_alias="display_name")
    username: str


class MessageView(Out):
    id: IdOut = Field(validation_alias="message_id")
    channel_id: IdOut
    author_id: IdOut
    speaker: str | None = Field(description="The name of somebody behind a webhook, who is no member.")
    at: Utc = Field(validation_alias="sent_at")
    text: str

    @model_validator(mode="wrap")
    @classmethod
    def _whole(cls, said: object, read: ModelWrapValidatorHandler["MessageView"]) -> "MessageView":
        """Describe a message with all that a reader sees of it."""
        view = read(said)
        return view.model_copy(update={"text": text_of(said)}) if isinstance(said, Message) else view


class FoundView(Out):
    message: MessageView
    before: list[MessageView]
    after: list[MessageView]
    chance: float = Field(description="That it holds what was asked for.")
    why: dict[str, float] = Field(description="What spoke for it, and how much.")


class DayView(Out):
    date: Day = Field(validation_alias=AliasPath("day", "date"))
    member_id: IdOut = Field(validation_alias="user_id")
    text: str
    is_quoted: bool = Field(description="In the words of those who spoke; otherwise by a model, or corrected.")
    made_at: Utc
    corrected_by: IdOrNone


class HappeningView(Out):
    date: Day = Field(validation_alias=AliasPath("day", "date"))
    kind: Literal["happened", "decided", "planned"]
    text: str
    is_quoted: bool = Field(description="In the words of whoever said it; otherwise by a model.")
    message_ids: list[IdOut] = Field(validation_alias="cites", description="The messages that say it.")


class DaysView(Page[DayView]):
    happened: list[HappeningView] = Field(description="By topic, the weightiest first; on the first page alone.")


class WholeDayView(Out):
    date: Day
    zone: str
    happened: list[HappeningView] = Field(description="By topic, the weightiest first.")
    told: list[DayView]
    said: list[MessageView] = Field(description="The last of what is not summarised.")


class ChannelView(BaseModel):
    id: str
    name: str


class SummaryView(Out):
    policy: str
    level: int
    text: str = Field(description="Its numbers in brackets count `cites`, from 1.")
    cites: list[IdOut]
    messages: int = Field(validation_alias=AliasPath("span", "messages"))
    model: str | None = Field(description="null: quoted.")
    made_at: Utc
    quality: float | None
    corrected_by: IdOrNone


class ChannelSummaryView(BaseModel):
    channel_id: str
    is_due: bool
    summaries: list[SummaryView]
    extract: str | None = Field(description="What no summary covers, quoted.")


class EventView(Out):
    id: IdOut = Field(validation_alias="event_id")
    name: str
    description: str
    starts_at: Utc
    ends_at: Utc | None
    channel_id: IdOrNone = Field(description="null: elsewhere, as `location` says.")
    location: str
    interested: int
    link: str = Field(description="To the event, on Discord.")


class SourceView(BaseModel):
    channel_id: IdOut
    message_id: IdOut
    link: str = Field(description="To the message, on Discord.")

    @classmethod
    def of(cls, source: Source, guild_id: int) -> "SourceView":
        link = f"https://discord.com/channels/{guild_id}/{source.channel_id}/{source.message_id}"
        return cls(channel_id=f"{source.channel_id}", message_id=f"{source.message_id}", link=link)


class AnswerView(BaseModel):
    text: str = Field(description="People are ids in it, as in <@123>.")
    sources: list[SourceView] = Field(description="What it draws upon, as far as you can open it now.")
    without_model: bool = Field(description="Made of quotations: no language model answered.")
    is_incomplete: bool = Field(description="The memory could not be reached; made of what was said last.")


class MissedView(Out):
    text: str
    sources: list[SourceView]
    when: Utc | None = Field(description="The moment it speaks of.")
    link: str | None = Field(default=None, description="Of a scheduled event: to it, on Discord.")


class CatchUpView(BaseModel):
    since: Utc
    messages: int = Field(description="Said by others since then, where you can read.")
    channels: int
    by_model: bool
    sections: dict[Section, list[MissedView]]


class ReminderView(Out):
    id: IdOut = Field(validation_alias="reminder_id")
    text: str
    due_at: Utc | None = Field(description="null: it waits for a time.")
    repeats: Annotated[bool, BeforeValidator(lambda given: given is not None)] = Field(validation_alias="repeat")
    zone: str
    state: str
    channel_id: IdOut
    by_direct_message: bool = Field(
        default=False, description="You may not write in its channel, so it comes as a direct message."
    )


class ReminderSent(Sent):
    when: Annotated[str, Field(min_length=1, max_length=200, description='As people say it: "tomorrow at 9".')]
    what: Annotated[str, Field(min_length=1, max_length=500)]
    channel_id: Id = Field(
        description="The channel it belongs to. It comes there if you may write there then, or by direct message."
    )


class WhenSent(Sent):
    when: Annotated[str, Field(max_length=200, description="Nothing: the time stays.")] = ""
    what: Annotated[str | None, Field(min_length=1, max_length=500)] = None


class SpendingView(Out):
    purpose: str = Field(validation_alias=AliasPath("tally", "purpose"))
    model: str = Field(validation_alias=AliasPath("tally", "model"))
    calls: int = Field(validation_alias=AliasPath("tally", "calls"))
    failed: int = Field(validation_alias=AliasPath("tally", "failed"))
    tokens_in: int = Field(validation_alias=AliasPath("tally", "tokens_in"))
    tokens_out: int = Field(validation_alias=AliasPath("tally", "tokens_out"))
    is_estimated: bool = Field(validation_alias=AliasPath("tally", "is_estimated"))
    mean_seconds: float = Field(validation_alias=AliasPath("tally", "mean_seconds"))
    cost: float | None


class UsageView(Out):
    has_model: bool
    budget_tokens: int = Field(validation_alias=AliasPath("budget", "tokens"), description="0: as many as it takes.")
    spent_tokens: int = Field(validation_alias=AliasPath("budget", "spent"))
    renewed_at: Utc = Field(validation_alias=AliasPath("budget", "renewed_at"))
    currency: str
    today: list[SpendingView]
    week: list[SpendingView]
    month: list[SpendingView]


class GuildHealthView(BaseModel):
    state: str
    issues: list[str] = Field(description="What is wrong in this server, for those who manage it.")
