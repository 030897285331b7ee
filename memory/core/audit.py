"""What is written down about those who look at or change what is remembered of somebody else: never what it says."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from memory.core.values import Fact

KEPT = timedelta(days=365)


class Deed(StrEnum):
    LOOKED = "looked"
    """At the facts about a member, with `/memory show`."""
    TOLD = "told"
    REPLACED = "replaced"
    """Told something that took the place of what was known."""
    FORGOT = "forgot"
    EDITED = "edited"
    UNDID = "undid"
    VETOED = "vetoed"
    """Said of oneself that it is not true, and with it went what it said of others."""
    SHOWED_CHANNEL = "showed channel"
    EXPORTED_CHANNEL = "exported channel"
    ERASED_CHANNEL = "erased channel"
    CHANGED_KEEPING = "changed keeping"
    """Decided what is kept of members and what they may tell of each other; what may not stay goes."""


OF_CHANNELS = frozenset((Deed.SHOWED_CHANNEL, Deed.EXPORTED_CHANNEL, Deed.ERASED_CHANNEL))
"""Done to a channel as a whole, by those who manage the guild. The others are done to facts."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    at: datetime
    actor_id: int
    deed: Deed
    subject_id: int | None
    """Whose memory it was; None: the guild's own, or a channel's."""
    channel_id: int | None
    """The channel it was done to, if it was one."""
    items: int
    """Facts or messages, as far as whoever reads this could read them."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    entries: tuple[AuditEntry, ...]
    """The newest first."""
    in_all: int


def is_of_another(fact: Fact, actor_id: int) -> bool:
    """Whether a fact is no business of the one who does something to it alone."""
    return fact.teller_id != actor_id if fact.subject_id is None else fact.subject_id != actor_id
