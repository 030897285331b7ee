"""Says what came of a request, as values. The bot turns them into sentences; only an `Answer` brings its own text."""

from dataclasses import dataclass, field
from enum import StrEnum, auto
from uuid import UUID

from memory.core.provenance import Evidence
from memory.core.values import Fact, Member, Source


class Limit(StrEnum):
    COOLDOWN = "cooldown"
    HOURLY = "hourly"


@dataclass(frozen=True, slots=True)
class Wait:
    """Says that a member asks too often: which limit that meets, and for how long."""

    seconds: float
    limit: Limit


class Entitled(StrEnum):
    """Names those who may, as somebody who may not is told of them. Managers include the owner."""

    TELLER = auto()
    SUBJECT = auto()
    MAKER = auto()
    """Whoever made the change that is to be undone."""
    MODERATORS = auto()
    MANAGERS = auto()


class Correction(StrEnum):
    """Says what became of words by which somebody put a text right."""

    DONE = auto()
    GONE = auto()
    """The text is not there any more, or says something else."""
    NAMES_WHO_OPTED_OUT = auto()


class Refusal(StrEnum):
    """Names why something is not kept that one member tells about another."""

    GUILD = "guild"
    """Its managers decided that nothing is kept that members tell about others."""
    VETO = "veto"
    """The other has said of this very statement that it is not true of them."""


MOST_TO_CHOOSE_FROM = 5
"""Facts. Of more, nobody reads the list."""


class Reach(StrEnum):
    """Says who may be told a fact."""

    HALL = auto()
    """It was told in the hall, so nothing needs to be said about it."""
    PLACE = auto()
    """Those who can read where it was told."""
    PLACE_AGAINST_THE_WISH = auto()
    """Kept for this place, although its teller wanted it known everywhere: only of oneself may one decide that."""
    EVERYWHERE = auto()


@dataclass(frozen=True, slots=True)
class Remembered:
    fact: Fact
    subject: Member | None
    """None: kept about the guild itself, since no member was recognised."""
    reach: Reach = Reach.HALL
    may_be_opened: bool = False
    """Its teller may still decide that everyone may know it."""
    others: tuple[Member, ...] = ()
    """Whom it is about as well."""
    replaced: tuple[Fact, ...] = ()
    """What does not hold any more since."""
    change_id: UUID | None = field(default=None, compare=False)
    """By which it can be undone."""
    also: tuple[Fact, ...] = ()
    """What else was told in the same breath, and kept."""


@dataclass(frozen=True, slots=True)
class AlreadyKnown:
    fact: Fact
    subject: Member | None
    may_be_opened: bool = False
    change_id: UUID | None = field(default=None, compare=False)
    """Hearsay that its subject said again is confirmed now, and that can be undone."""
    also: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class NothingToRemember:
    """Says that there were no words to keep: neither behind the verb nor in a message that "this" could mean."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Says that a telling's message was deleted before it was kept: its author wants it gone, and waits for nothing."""


@dataclass(frozen=True, slots=True)
class SourceNotKept:
    """Says that the message that "this" means was deleted, or may not be kept."""


@dataclass(frozen=True, slots=True)
class TooLong:
    length: int
    limit: int


@dataclass(frozen=True, slots=True)
class ToldEnough:
    """Says that a teller has told as much about a subject as is kept of one person; nothing was kept."""

    subject: Member | None
    limit: int


@dataclass(frozen=True, slots=True)
class UnclearWho:
    """Holds a name that several members go by."""

    name: str
    candidates: tuple[Member, ...]
    is_guess: bool = False
    """Nobody goes by it: they have names that look alike."""


@dataclass(frozen=True, slots=True)
class KnownBetter:
    """Says that a telling contradicts what somebody said of themselves, who alone can change it; nothing was kept."""

    fact: Fact
    subject: Member


@dataclass(frozen=True, slots=True)
class NotToldOfOthers:
    """Says that a telling is about somebody else, of whom it may not be told; nothing was kept."""

    refusal: Refusal
    subject: Member


@dataclass(frozen=True, slots=True)
class SubjectOptedOut:
    """Says that a telling is about somebody who opted out, so nothing was kept."""

    is_teller: bool
    """They told it of themselves, and may opt in."""


RememberOutcome = (
    Remembered
    | AlreadyKnown
    | KnownBetter
    | NotToldOfOthers
    | SubjectOptedOut
    | NothingToRemember
    | Withdrawn
    | SourceNotKept
    | TooLong
    | ToldEnough
    | UnclearWho
)


@dataclass(frozen=True, slots=True)
class Forgotten:
    facts: tuple[Fact, ...]
    """What went, each in full."""
    change_id: UUID | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ForgottenAll:
    """Says that everything about the one who asked is gone, wherever it was told.

    Whether anything was told where not all readers of the reply could listen is nobody's business: the outcome is the
    same with and without.
    """

    heard: tuple[Fact, ...]
    """What went of it that the readers of this reply could have read before."""
    change_id: UUID | None = field(default=None, compare=False)
    """There is one in any case, also of nothing, and for the same reason."""


@dataclass(frozen=True, slots=True)
class NothingToForget:
    """Says that the words do not tell what to forget, and answer no message that does."""


@dataclass(frozen=True, slots=True)
class NothingFound:
    query: str
    wait: Wait | None = None
    """It was looked for by its words alone: for how long its asker has to do without a model."""


@dataclass(frozen=True, slots=True)
class UnclearWhat:
    """Says that several facts might be meant, none of them for certain; nothing was forgotten."""

    query: str
    candidates: tuple[Fact, ...]

    @property
    def can_be_chosen(self) -> bool:
        """Say whether one can choose: they are few, and each is known by its message and what it says there."""
        told = {(fact.message_id, fact.thing) for fact in self.candidates}
        return len(told) == len(self.candidates) <= MOST_TO_CHOOSE_FROM


@dataclass(frozen=True, slots=True)
class MayNotForget:
    """Says that facts were found, but are not theirs to have forgotten."""

    facts: tuple[Fact, ...]
    who_may: tuple[Entitled, ...] = (Entitled.SUBJECT, Entitled.TELLER, Entitled.MANAGERS)
    """Those who may, of the first of them."""


ForgetOutcome = Forgotten | ForgottenAll | NothingToForget | NothingFound | UnclearWho | UnclearWhat | MayNotForget


@dataclass(frozen=True, slots=True)
class Citation:
    """Marks where in an answer something ends that was taken from a source."""

    at: int
    """Characters before it."""
    source: Source


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    sources: tuple[Source, ...] = ()
    """In the order in which they are drawn upon."""
    without_model: bool = True
    made_during_outage: bool = False
    """The memory could not be reached: made from the last messages alone, and the text says so."""
    unclear: UnclearWho | None = None
    """Whom it asks its asker to choose from, or may be about besides; the text says so."""
    wait: Wait | None = None
    """Its asker asks more often than they may: quoted, and how long they have to wait is still to be said."""
    may_be_told: bool = False
    """Nobody could say whether it was asked, or told to be remembered: its asker is still to be asked."""
    citations: tuple[Citation, ...] = ()
    """In the order of the text. Not every source is told where it was drawn upon."""
    links_at_lines: bool = False
    """It is a list in which every line is linked for itself, and not below."""
    evidence: Evidence = field(default=Evidence(), compare=False)
    """What it was made from, and what of it the text repeats."""
