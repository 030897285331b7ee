"""A small guild for the tests of memory: its people, its channels, and the ways to speak in it."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TypeVar

from ai_clients.build import Models
from memory.core.clock import SetClock
from memory.core.outcomes import Answer, ForgetOutcome, RememberOutcome
from memory.core.values import AuthorKind, Guild, Member, Message, MessageEdit, Question, Rank, RememberRequest
from memory.db.database import Database
from memory.health import Health
from memory.language.detect import Language
from memory.manager import MemoryManager
from memory.places.model import READ_MESSAGE_HISTORY, VIEW_CHANNEL, Overwrite, Place, PlaceKind, Role, Seat
from memory.places.view import Audience
from memory.settings import MemoryOptions

GUILD = 100
HALL, LOUNGE, CELLAR = 1001, 1002, 1003
"""Two channels that everyone reads, and one for a few."""
PUBLIC = frozenset((HALL, LOUNGE))
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

ALICE = Member(GUILD, 1, "alice", global_name="Alice")
BOB = Member(GUILD, 2, "bob_the_builder", global_name="Bob")
GRUZILKIN = Member(GUILD, 3, "gruzilkin")
FLORENT = Member(GUILD, 4, "flo", nickname="Florent")
FLORENCE = Member(GUILD, 5, "florence", nickname="Florence")
DICE = Member(GUILD, 6, "Dice", is_bot=True)
INNKEEPER = Member(GUILD, 9, "Innkeeper", is_bot=True)
EVERYONE = (ALICE, BOB, GRUZILKIN, FLORENT, FLORENCE, DICE, INNKEEPER)
SEE = VIEW_CHANNEL | READ_MESSAGE_HISTORY
NO_ROLES = (Seat(ALICE.user_id, ()), Seat(BOB.user_id, ()))

PLANT_FACTS = """
INSERT INTO facts (guild_id, subject_id, teller_id, channel_id, message_id, text, standing, in_hall, valid_from,
                   told_at)
SELECT $1, $2, $3, $4, place, text, 'hearsay', true, $6, $6
FROM unnest($5::text[]) WITH ORDINALITY AS told (text, place)
"""
"""Past the doors: more than they let anybody tell. A guild, about whom, by whom, where, what, and when."""


T = TypeVar("T")


def there(value: T | None) -> T:
    assert value is not None
    return value


def as_a(kind: type[T], value: object) -> T:
    assert isinstance(value, kind), value
    return value


@cache
def _usual_options() -> MemoryOptions:
    """Reading the environment takes longer than all else that a world begins with."""
    return MemoryOptions()


def room(channel_id: int, *overwrites: Overwrite) -> Place:
    return Place(channel_id, PlaceKind.CHANNEL, None, overwrites)


def audience(channel: int = HALL) -> Audience:
    return Audience(GUILD, channel, PUBLIC | {channel}, is_hall=channel in PUBLIC)


class Log:
    """What arrives from Discord, until it is in the log; and what is changed past the doors."""

    memory: MemoryManager
    database: Database
    clock: SetClock

    async def hear(self, *messages: Message) -> None:
        for message in messages:
            await self.memory.ingest_message(message)
        await self.memory.log.settled()

    async def edit(self, edit: MessageEdit) -> None:
        await self.memory.log.edit_message(edit)
        await self.memory.log.settled()

    async def reword(self, message_id: int, text: str, author: Member) -> None:
        now = self.clock.now()
        said = Message(GUILD, HALL, message_id, author.user_id, AuthorKind.PERSON, text, now, edited_at=now)
        await self.edit(MessageEdit(said))

    async def delete(self, *message_ids: int) -> None:
        await self.memory.log.delete_messages(GUILD, HALL, message_ids)
        await self.memory.log.settled()

    async def execute(self, statement: str, *values: object) -> None:
        async with self.database.transaction("test") as connection:
            await connection.execute(statement, *values)


class World(Log):
    """Memory over a real database, spoken to as the bot would."""

    def __init__(self, database: Database, models: Models | None = None, **options: object) -> None:
        self.clock = SetClock(NOON)
        self.health = Health("bot", self.clock)
        self.database = database
        given = MemoryOptions.model_validate(options) if options else _usual_options()
        self.memory = MemoryManager(database, given, self.clock, self.health, models)
        self._last_id = 10_000

    async def settle(self, members: Sequence[Member] = EVERYONE) -> "World":
        await self.memory.people.meet_guild(Guild(GUILD, "The Inn"), members)
        return self

    def sees(
        self, *places: Place, owner: Member = ALICE, roles: Iterable[Role] = (), seats: Iterable[Seat] = NO_ROLES
    ) -> None:
        """What Discord shows of the guild, all of it anew, as at a start."""
        mirror = self.memory.place_mirror
        look = mirror.look_around(GUILD)
        mirror.owner(GUILD, owner.user_id)
        for role in (Role(GUILD, SEE, "@everyone"), *roles):
            mirror.role(GUILD, role)
        for place in places:
            mirror.place(GUILD, place)
        for seat in seats:
            mirror.seat(GUILD, seat)
        assert mirror.complete(look, with_everyone=True)

    def beside(self) -> MemoryManager:
        """The memory of another process, which does not see Discord."""
        return MemoryManager(self.database, _usual_options(), self.clock, Health("web", self.clock))

    async def say(
        self,
        author: Member,
        text: str,
        channel: int = HALL,
        *,
        kind: AuthorKind = AuthorKind.PERSON,
        reply_to: int | None = None,
    ) -> Message:
        message = Message(
            GUILD, channel, self._next_id(), author.user_id, kind, text, self.clock.now(), reply_to=reply_to
        )
        await self.hear(message)
        return message

    async def remember(
        self,
        teller: Member,
        body: str,
        channel: int = HALL,
        *,
        about: Message | None = None,
        language: Language | None = Language.EN,
        everywhere: bool = False,
    ) -> RememberOutcome:
        said = await self.say(teller, f"Bot remember {body}", channel)
        telling = RememberRequest(
            GUILD,
            channel,
            said.message_id,
            teller.user_id,
            body,
            said.sent_at,
            about=about,
            language=language,
            everywhere=everywhere,
        )
        return await self.memory.remember(telling, audience(channel))

    async def forget(
        self, teller: Member, body: str, channel: int = HALL, *, about: Message | None = None, rank: Rank = Rank.MEMBER
    ) -> ForgetOutcome:
        said = await self.say(teller, f"Bot forget {body}", channel)
        telling = RememberRequest(
            GUILD, channel, said.message_id, teller.user_id, body, said.sent_at, about=about, rank=rank
        )
        return await self.memory.forget(telling, audience(channel))

    async def ask(self, asker: Member, text: str, channel: int = HALL, *, language: Language | None = None) -> Answer:
        question = await self._question(asker, text, channel, language)
        return await self.memory.answers.answer(question, audience(channel))

    async def ask_about(
        self, asker: Member, text: str, channel: int = HALL, *, language: Language | None = None
    ) -> Answer:
        question = await self._question(asker, text, channel, language)
        return await self.memory.answers.what_is_known(question, audience(channel))

    async def _question(self, asker: Member, text: str, channel: int, language: Language | None) -> Question:
        said = await self.say(asker, f"Bot {text}", channel)
        return Question(GUILD, channel, said.message_id, asker.user_id, text, said.sent_at, language=language)

    def _next_id(self) -> int:
        self.clock.move(timedelta(seconds=1))
        self._last_id += 1
        return self._last_id
