"""What one process decides holds in another, which has its own view of who reads what."""

from dataclasses import replace

from memory.health import Health
from memory.manager import MemoryManager
from memory.places.model import READ_MESSAGE_HISTORY, VIEW_CHANNEL, Overwrite, Place, PlaceKind, Role, Seat
from memory.policy.settings import GuildSettings
from memory.settings import MemoryOptions
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, World

KEEPERS = 77


def sees_discord(world: World) -> None:
    """Alice, who alone has the role of the keepers, can read the cellar."""
    mirror = world.memory.place_mirror
    mirror.begin(lambda: None)
    look = mirror.look_around(GUILD)
    mirror.owner(GUILD, FLORENT.user_id)
    mirror.role(GUILD, Role(GUILD, VIEW_CHANNEL | READ_MESSAGE_HISTORY, "@everyone"))
    mirror.role(GUILD, Role(KEEPERS, 0, "keepers"))
    doors = (Overwrite(GUILD, True, 0, VIEW_CHANNEL), Overwrite(KEEPERS, True, VIEW_CHANNEL, 0))
    mirror.place(GUILD, Place(HALL, PlaceKind.CHANNEL, None, name="hall"))
    mirror.place(GUILD, Place(CELLAR, PlaceKind.CHANNEL, None, doors, name="cellar"))
    mirror.seat(GUILD, Seat(ALICE.user_id, (KEEPERS,)))
    mirror.seat(GUILD, Seat(BOB.user_id, ()))
    assert mirror.complete(look, with_everyone=True)


def for_keepers(settings: GuildSettings) -> GuildSettings:
    return replace(settings, hall_role_id=KEEPERS)


async def test_the_hall_that_was_chosen_in_another_process_is_the_hall(world: World) -> None:
    sees_discord(world)
    await world.memory.privacy.follow([GUILD])
    assert world.memory.places.hall(GUILD) == {HALL}
    other = MemoryManager(world.database, MemoryOptions(), world.clock, Health("web", world.clock))
    await other.privacy.change_settings(GUILD, for_keepers, ALICE.user_id)
    assert world.memory.places.hall(GUILD) == {HALL}
    await world.memory.privacy.follow([GUILD])
    assert world.memory.places.hall(GUILD) == {HALL, CELLAR}


async def test_what_was_erased_in_another_process_is_not_told_from_memory(world: World) -> None:
    said = await world.say(ALICE, "Je parle français, comme toujours.")
    later = replace(said, message_id=said.message_id + 5)
    assert world.memory.log.language_last_spoken(later) is not None
    other = MemoryManager(world.database, MemoryOptions(), world.clock, Health("web", world.clock))
    await other.privacy.erase_member(GUILD, ALICE.user_id, said.message_id)
    await world.memory.privacy.follow([GUILD])
    assert world.memory.log.language_last_spoken(later) is None
