"""What one process decides holds in another, whose view of who reads what is its own or comes from the database."""

from dataclasses import replace

from memory.core.values import Guild, new_id
from memory.health import Health, HealthStore
from memory.language.detect import Language
from memory.manager import MemoryManager
from memory.places.model import READ_MESSAGE_HISTORY, VIEW_CHANNEL, Overwrite, Place, PlaceKind, Role, Seat
from memory.places.view import NOWHERE
from memory.policy.settings import GuildSettings
from memory.reminders.values import Made, Wish
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


async def test_a_reminder_made_where_discord_is_not_seen_comes_where_it_was_wanted(world: World) -> None:
    sees_discord(world)
    await HealthStore(world.database).beat(world.health.snapshot())
    await world.memory.place_mirror.distrust(GUILD)
    await world.memory.people.meet_guild(
        Guild(GUILD, "The Inn"), (replace(ALICE, roles=(KEEPERS,)), BOB), complete=True
    )
    await world.memory.place_mirror.write_anew(GUILD)
    other = MemoryManager(world.database, MemoryOptions(), world.clock, Health("web", world.clock))
    await other.places.follow(GUILD)
    stands = {}
    for place in (HALL, CELLAR, NOWHERE):
        now = world.clock.now()
        wish = Wish(GUILD, place, new_id(now), ALICE.user_id, now, Language.EN, "Stir the soup", "in an hour")
        made = await other.reminders.ask(wish)
        assert isinstance(made, Made)
        stands[place] = world.memory.reminders.may_stand(made.reminder)
    assert stands == {HALL: True, CELLAR: True, NOWHERE: False}


async def test_what_was_erased_in_another_process_is_not_told_from_memory(world: World) -> None:
    said = await world.say(ALICE, "Je parle français, comme toujours.")
    later = replace(said, message_id=said.message_id + 5)
    assert world.memory.log.language_last_spoken(later) is not None
    other = MemoryManager(world.database, MemoryOptions(), world.clock, Health("web", world.clock))
    await other.privacy.erase_member(GUILD, ALICE.user_id, said.message_id)
    await world.memory.privacy.follow([GUILD])
    assert world.memory.log.language_last_spoken(later) is None
