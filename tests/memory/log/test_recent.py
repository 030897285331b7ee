"""The window in memory: bounded, obedient, and silent where it does not know what may be told."""

from dataclasses import replace

from memory.core.values import AuthorKind, Message
from memory.db.database import Database
from memory.language.detect import Language
from memory.log.recent import CHANNELS, RecentMessages
from memory.places.view import Audience
from memory.policy.store import Policies
from tests.memory.log.logbook import NOON

GUILD, HALL, THREAD = 1, 10, 11
SAID = Message(GUILD, HALL, 1, 7, AuthorKind.PERSON, "hello", NOON)


async def known_policies(database: Database) -> Policies:
    policies = Policies()
    async with database.connection("test") as connection:
        await policies.refresh(connection, GUILD)
    return policies


def heard(ring: RecentMessages, channel: int = HALL, before: int | None = None) -> list[str]:
    found = ring.recent_conversation(Audience.of_place_alone(GUILD, channel), 100, before)
    return [message.text for message in found or []]


async def test_it_holds_the_newest_of_the_channels_used_last(database: Database) -> None:
    ring = RecentMessages(3, await known_policies(database))
    for channel in range(CHANNELS + 5):
        for number in range(1, 6):
            ring.add(replace(SAID, channel_id=channel, message_id=number, text=f"{number}"))
    assert heard(ring, 0) == []
    assert heard(ring, CHANNELS) == ["3", "4", "5"]
    assert heard(ring, CHANNELS, before=5) == ["3", "4"]


async def test_it_knows_what_language_somebody_spoke_last(database: Database) -> None:
    ring = RecentMessages(10, await known_policies(database))
    said = ["where is the tea?", "wo ist der Tee denn?", "ok", "où est le thé ?"]
    for number, text in enumerate(said, start=1):
        ring.add(replace(SAID, message_id=number, text=text, author_id=8 if number == 4 else 7))
    ring.add(replace(SAID, message_id=9, text="¿dónde está el té?"))
    asked = replace(SAID, message_id=5, text="Bot?")
    assert ring.language_last_spoken(asked) is Language.DE
    assert ring.language_last_spoken(replace(asked, author_id=8)) is Language.FR
    assert ring.language_last_spoken(replace(asked, channel_id=THREAD)) is None
    assert ring.language_last_spoken(replace(asked, guild_id=2)) is None
