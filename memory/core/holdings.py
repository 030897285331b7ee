"""What is held on somebody or of a channel, by kind: how much and from when to when, never what it says."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.audit import AuditPage


class Stock(StrEnum):
    """A kind of what is held. The value is its name in the file of an export."""

    NAMES = "names_and_roles"
    NAME_KEYS = "names_you_are_found_by"
    ALIASES = "names_that_facts_give_you"
    PLACES = "places_that_name_you"
    MESSAGES = "messages"
    EARLY_EDITS = "edits_waiting_for_their_message"
    FACTS_TOLD = "facts_you_told"
    FACTS_ABOUT = "facts_others_told_about_you"
    MERGED_FACTS = "facts_merged"
    DAYS = "days_summarised"
    HISTORIES = "weeks_summarised"
    CONTEXTS = "contexts"
    CONSENTS = "your_word_about_being_stored"
    ERASURES = "erased_up_to"
    RECEIPTS = "questions_and_what_the_answers_were_made_from"
    CHANGES = "changes_that_can_be_undone"
    VETOES = "said_not_to_be_true"
    LOOKED_AT = "what_others_did_to_your_memory"
    DEEDS = "what_you_did_to_the_memory_of_others"
    FACTS_OF_CHANNEL = "facts_told_here"
    PROGRESS = "how_far_it_was_read"
    CHANNEL_ERASURES = "channel_erased_up_to"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class Amount:
    """How much there is of one kind."""

    kind: Stock
    count: int
    first: datetime | None = None
    last: datetime | None = None
    withheld: int = 0
    """Of facts: those that are told to nobody but their subject."""
    over: int = 0
    """Of facts: those that another has taken the place of."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """All there is, as far as whoever asked may know of it."""

    amounts: tuple[Amount, ...]

    def of(self, kind: Stock) -> Amount:
        return next((amount for amount in self.amounts if amount.kind is kind), Amount(kind, 0))


@dataclass(frozen=True, slots=True)
class HeldOnMember:
    """What is held on somebody, what they decided about it, and what others did to it."""

    held: Inventory
    looks: AuditPage
    """The last of what others did."""
    is_stored: bool | None = None
    """What they said about being stored; None: nothing."""
    decided_at: datetime | None = None
    erased_at: datetime | None = None
    """When they last had all of it erased."""


class ExportUnderWay(Exception):
    """The member has asked for another one that is not finished."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What went into a file."""

    held: Inventory
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class Signposts:
    """How Discord calls the places that whoever reads an export can see, and the way to what was said there."""

    guild_name: str
    channel_names: dict[int, str]
    link: Callable[[int, int], str]
    """From a channel and a message."""
    notes: Sequence[str] = ()
    """What the file says of itself, in the language of whoever asked for it."""


OnRows = Callable[[int, int], Awaitable[None]]
"""Told how many messages are written, and how many there are in all."""
