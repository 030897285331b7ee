"""Defines the values that travel through the house: one shape each, frozen, with aware times and ids as identity."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import IntEnum, StrEnum
from secrets import randbelow
from zlib import crc32

from memory.core.links import linked_ids, with_first_words
from memory.language.detect import Language
from memory.language.text import fold

# Whom somebody chose when they were asked which member a name means.
#
# A choice waits in the id of a button until it is made, so it is numbers alone. It knows the name by a fingerprint and
# the member by their id: it still means them when they, or others, go by another name by then.


NOBODY = 0
"""None of those who were offered."""
MOST_CHOICES = 2
"""Names in one sentence that may be asked about: no more fit into the id of a button."""


@dataclass(frozen=True, slots=True)
class Choice:
    name: int
    """The fingerprint of what a name is looked up by."""
    user_id: int

    @property
    def is_nobody(self) -> bool:
        return self.user_id == NOBODY


def fingerprint(name_key: str) -> int:
    return crc32(name_key.encode("utf-8", "surrogatepass"))


def written(choices: Iterable[Choice]) -> str:
    """Write choices as short as ids of buttons need them."""
    return "-".join(f"{choice.name:x}.{choice.user_id:x}" for choice in choices)


def read(text: str) -> tuple[Choice, ...]:
    """Read choices as `written` writes them. Raises `ValueError` for anything else."""
    pairs = [one.split(".") for one in text.split("-")] if text else []
    return tuple(Choice(int(name, 16), int(user_id, 16)) for name, user_id in pairs)


KEPT_FOR = timedelta(days=1)
"""How long a change can be undone. Its words are kept for as long, and no longer."""


@dataclass(frozen=True, slots=True)
class Source:
    """Points to a message that an answer draws upon; the bot makes it a link."""

    channel_id: int
    message_id: int


class Intent(StrEnum):
    REMEMBER = "remember"
    FORGET = "forget"
    KNOWLEDGE = "knowledge"
    QUESTION = "question"
    REMIND = "remind"
    CHATTER = "chatter"
    """A kind word that wants no more than a nod. The log holds it as a question: both are said to us."""
    DAYS = "days"
    """What happened on a day, or on several. This and what follows the log holds as questions, too."""
    CHANNEL = "channel"
    """What was talked about here."""
    CATCH_UP = "catch_up"
    """What its asker missed."""
    COMING = "coming_up"
    """What is scheduled on the server."""
    PINS = "pins"
    """What is pinned here."""
    REMINDERS = "reminders"
    """To see, change or cancel what one is reminded of."""


class AuthorKind(StrEnum):
    PERSON = "person"
    BOT = "bot"
    WEBHOOK = "webhook"
    SELF = "self"
    """Innkeeper's own words: derived, never recalled as if a person had said them."""


class ReadAs(StrEnum):
    """Names what is read of a file that came with a message."""

    TEXT = "text"
    """What a text file or a PDF says."""
    PICTURE = "picture"
    """What a model sees in it."""
    VOICE = "voice"
    """What a model hears in a voice message."""


_MARKS = {ReadAs.TEXT: "📄", ReadAs.PICTURE: "🖼", ReadAs.VOICE: "🎙"}


@dataclass(frozen=True, slots=True)
class Attachment:
    """Describes a file that came with a message: its name and description, and the first of what was read of it."""

    name: str
    content_type: str | None = None
    size: int = 0
    description: str | None = None
    """The alternative text its sender gave it."""
    attachment_id: int | None = None
    """Discord's. Without one, as from an import, it cannot be read."""
    seconds: float | None = None
    """How long it lasts; only of voice messages."""
    read_as: ReadAs | None = None
    """As what it was read, if anybody has tried; with no words, there was nothing to be had."""
    words: str = ""
    """The beginning of what was read, or the piece that was looked for."""
    place: str = ""
    """Where in the file that piece stands."""

    @property
    def text(self) -> str:
        """Join all that a reader is told of it; the mark says that these are not the words of whoever sent it."""
        if self.read_as is None or not self.words:
            return "\n".join(filter(None, (self.name, self.description)))
        told = f"{_MARKS[self.read_as]} {self.name}{self.place}: {self.words}"
        return "\n".join(filter(None, (self.description, told)))


@dataclass(frozen=True, slots=True)
class Picture:
    """Holds a picture that a question is about, for as long as it is answered."""

    message_id: int
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Answered:
    """Points to what a message of ours replies to: somebody's words, which may be in it."""

    author_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Message:
    """Holds a message of a guild as it is stored in the log."""

    guild_id: int
    channel_id: int
    message_id: int
    author_id: int
    author_kind: AuthorKind
    text: str
    sent_at: datetime
    edited_at: datetime | None = None
    reply_to: int | None = None
    parent_id: int | None = None
    """The channel that a thread belongs to."""
    attachments: tuple[Attachment, ...] = ()
    embeds: tuple[str, ...] = ()
    """The text of each embed."""
    poll: str | None = None
    forwarded: tuple[str, ...] = ()
    stickers: tuple[str, ...] = ()
    speaker: str | None = None
    """The name that somebody bears who speaks through a webhook: a text, and never a member."""
    linked: tuple["Message", ...] = field(default=(), compare=False)
    """What its links lead to, as far as those may read it who will see this. Not stored."""
    thread: str | None = None
    """The title and tags of the thread that its author began with it."""
    pinned: bool = field(default=False, compare=False)
    reactions: int | None = field(default=None, compare=False)
    """How many people reacted; None: Discord did not say, and whether it is pinned neither."""
    answers: Answered | None = field(default=None, compare=False)
    """Of our own, as far as Discord said whom it replies to; for deciding whether it may be stored."""
    wish: Intent | None = field(default=None, compare=False)
    """What it wants of us, if it was said to us: then it is no conversation."""
    is_unanswered: bool = field(default=False, compare=False)
    """That is still to be done, by us or, if we are ended before, by whoever starts next."""


LONGEST_SPEAKER = 80


def speaker_key(name: str) -> str:
    """Make the key that a speaker behind a webhook is known by, however the name is written."""
    return " ".join(fold(name).split())[:LONGEST_SPEAKER]


PINNED_COUNTS = 3
"""Reactions that to be pinned is worth."""


def attention(message: Message) -> int:
    """Count how much others made of a message: who reacted, and whether it is pinned."""
    return (message.reactions or 0) + PINNED_COUNTS * message.pinned


@dataclass(frozen=True, slots=True)
class Marks:
    """Says what became of a message without an edit; None leaves it as it is."""

    added: int = 0
    """Reactions, of which some may have been taken back."""
    cleared: bool = False
    """Of all reactions before those."""
    thread: str | None = None
    """The title and tags of its thread."""
    owner_id: int | None = None
    """Who began the thread: only their own message bears the title."""

    def __or__(self, later: "Marks") -> "Marks":
        added = later.added if later.cleared else self.added + later.added
        titled = self if later.thread is None else later
        return Marks(added, self.cleared or later.cleared, titled.thread, titled.owner_id)


@dataclass(frozen=True, slots=True)
class MessageEdit:
    """Holds a message as it reads now, which may or may not be in the log."""

    now: Message
    """Without a time of editing nobody edited it: Discord only looked up its links. Then only embeds can be new."""
    place_is_known: bool = True
    """Where it is not, an edit that overtakes its message is not kept: nobody could say if it may be."""

    @property
    def guild_id(self) -> int:
        return self.now.guild_id


@dataclass(frozen=True, slots=True)
class Guild:
    guild_id: int
    name: str


ERASED = 0
"""In the place of the id of a member who had themselves erased, where what is not theirs names them."""

UNNAMED = "someone"


@dataclass(frozen=True, slots=True)
class Member:
    """Describes someone of a guild, with the names they go by today. Only the id is identity."""

    guild_id: int
    user_id: int
    username: str
    global_name: str | None = None
    nickname: str | None = None
    is_bot: bool = False
    roles: tuple[int, ...] = ()
    aliases: tuple[str, ...] = field(default=(), compare=False)
    """Names that facts give them, folded; only of facts that whoever asks may be told."""
    named_by: tuple[int, ...] = field(default=(), compare=False)
    """Those facts: for each name the newest."""
    is_unnamed: bool = False
    """They opted out: no name in a text means them, and they are called nothing but `username`, which is `UNNAMED`."""

    @property
    def display_name(self) -> str:
        return self.nickname or self.global_name or self.username


class Standing(StrEnum):
    """How well a fact is founded; a better one is never overturned by a lesser."""

    SELF = "self"
    CONFIRMED = "confirmed"
    HEARSAY = "hearsay"
    INFERRED = "let_on"
    """Nobody asked for it to be kept: its subject said it in passing when they spoke with us."""


class Category(StrEnum):
    """What a memory is; in this order they are shown."""

    SCHEDULE = "schedule"
    TASK = "task"
    PREFERENCE = "preference"
    FACT = "fact"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Traits:
    """Holds what makes a fact a memory."""

    category: Category
    importance: int = 5
    """From 1 to 10."""
    tags: tuple[str, ...] = ()
    expires_at: datetime | None = None


class Rank(IntEnum):
    """Names what somebody is on the guild; each may what those before it may."""

    MEMBER = 0
    MODERATOR = 1
    """They may manage messages everywhere on the guild."""
    MANAGER = 2
    OWNER = 3


@dataclass(frozen=True, slots=True)
class RememberRequest:
    """Holds what a person asked us to remember or forget, in their own words after the verb."""

    guild_id: int
    channel_id: int
    message_id: int
    teller_id: int
    body: str
    told_at: datetime
    about: Message | None = None
    """The message they replied to: what "this" means."""
    rank: Rank = Rank.MEMBER
    """What the teller is on the guild, which decides what they may have forgotten."""
    language: Language | None = None
    everywhere: bool = False
    """They say that everyone may know it; that holds only for what they tell of themselves."""
    choices: tuple[Choice, ...] = ()
    """Whom they chose when they were asked which member a name means."""
    source_id: int | None = None
    """To be forgotten: what was told in this message, which they chose from a list."""
    thing: int | None = None
    """Of that only this, as `Fact.thing` has it."""
    by_command: bool = False
    """Through Discord's commands: it stands in no channel."""
    asks_first: bool = False
    """No verb of theirs says so: before anything is forgotten, they are asked."""
    traits: Traits | None = None
    """They note it as a memory."""
    is_done: bool = False
    """It was carried out before, and only what came of it is to be said."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Holds a row of the ledger. People in `text` stand as `<@id>`, so that a change of name is followed."""

    guild_id: int
    fact_id: int
    subject_id: int | None
    """Whom it is about; None is the guild itself."""
    teller_id: int
    channel_id: int
    message_id: int
    text: str
    standing: Standing
    valid_from: datetime
    everywhere: bool = False
    """It may be told in the whole guild; otherwise only to those who could read where it was told."""
    valid_to: datetime | None = None
    """Since then another fact has its place; None: it holds."""
    withheld: bool = False
    """The guild wants nothing told about others, and this is told by another: only its subject is shown it."""
    traits: Traits | None = None
    """Of a memory: noted by hand, or let on."""
    source_message_id: int | None = None
    """The message that "this" meant, where it was taken from one."""

    @property
    def source(self) -> Source:
        """Point to where its words stand: the message it was taken from, or else the telling."""
        return Source(self.channel_id, self.source_message_id or self.message_id)

    @property
    def thing(self) -> int:
        """Compute a number that tells apart what was told in one message."""
        return crc32(self.text.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Question:
    """Holds what someone asked us, in their own words after the address."""

    guild_id: int
    channel_id: int
    message_id: int
    asker_id: int
    text: str
    asked_at: datetime
    about: Message | None = None
    language: Language | None = None
    choices: tuple[Choice, ...] = ()
    """Whom they chose when they were asked which member a name means."""
    linked: tuple[Message, ...] = ()
    """What its links lead to, for those who will read the answer: what it is about, like `about`."""
    has_files: bool = False
    """Something came with it, which it may be about."""
    pictures: tuple[Picture, ...] = ()
    """Those that came with it, or with what it replies to, where managers let a model see them."""

    @property
    def points_at(self) -> tuple[int, ...]:
        """List the messages the question is about."""
        about = () if self.about is None else (self.about.message_id,)
        return (*about, *(message.message_id for message in self.linked))


def text_of(message: Message) -> str:
    """Join all that a reader sees of a message: its text first, or the title above it; of another that it links to, the
    first words."""
    words = {one.message_id: text_of(replace(one, linked=())) for one in message.linked}
    text = with_first_words(message.text, message.guild_id, words)
    extras = message.embeds or message.attachments or message.forwarded or message.poll or message.stickers
    if not (extras or message.thread):
        return text
    parts = [message.thread or "", text, *message.forwarded, *message.embeds]
    if message.poll is not None:
        parts.append(message.poll)
    parts += (attachment.text for attachment in message.attachments)
    parts += message.stickers
    return "\n".join(part for part in parts if part)


def linking(messages: Sequence[Message], linked: Iterable[Message]) -> list[Message]:
    """Add to messages what they link to, as far as it is among `linked`."""
    known = {message.message_id: message for message in linked}
    ids = ((message, linked_ids(message.text, message.guild_id)) for message in messages)
    return [
        replace(message, linked=tuple(known[one] for one in leads_to if one in known)) if leads_to else message
        for message, leads_to in ids
    ]


# Discord's ids tell when they were made, so that a moment can be compared with them.


_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
_STEP = timedelta(milliseconds=1)


def last_id_of(moment: datetime) -> int:
    """Compute the highest id that can have been given out up to that moment."""
    return (((moment - _EPOCH) // _STEP + 1) << 22) - 1


def new_id(now: datetime) -> int:
    """Make an id for what somebody does where Discord gives none out: on a page, or by a program."""
    return last_id_of(now) - randbelow(1 << 22)


def time_of(snowflake: int) -> datetime:
    """Say when Discord gave an id out."""
    return _EPOCH + (snowflake >> 22) * _STEP
