"""What one process decides holds in another, whose view of who reads what is its own or comes from the database."""

from dataclasses import replace

from memory.core.values import Guild, new_id
from memory.health import HealthStore
from memory.language.detect import Language
from memory.places.model import VIEW_CHANNEL, Overwrite, Role, Seat
from memory.places.view import NOWHERE
from memory.reminders.values import Made, Wish
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, World, as_a, room

KEEPERS = 77


def sees_discord(world: World) -> None:
    """Alice, who alone has the role of the keepers, can read the cellar."""
    world.memory.place_mirror.begin(lambda: None)
    doors = (Overwrite(GUILD, True, 0, VIEW_CHANNEL), Overwrite(KEEPERS, True, VIEW_CHANNEL, 0))
    seats = (Seat(ALICE.user_id, (KEEPERS,)), Seat(BOB.user_id, ()))
    world.sees(room(HALL), room(CELLAR, *doors), owner=FLORENT, roles=[Role(KEEPERS, 0, "keepers")], seats=seats)


async def test_the_hall_that_was_chosen_in_another_process_is_the_hall(world: World) -> None:
    sees_discord(world)
    await world.memory.privacy.follow([GUILD])
    assert world.memory.places.hall(GUILD) == {HALL}
    await world.beside().privacy.change_settings(GUILD, lambda now: replace(now, hall_role_id=KEEPERS), ALICE.user_id)
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
    other = world.beside()
    await other.places.follow(GUILD)
    stands = {}
    for place in (HALL, CELLAR, NOWHERE):
        now = world.clock.now()
        wish = Wish(GUILD, place, new_id(now), ALICE.user_id, now, Language.EN, "Stir the soup", "in an hour")
        made = as_a(Made, await other.reminders.ask(wish))
        stands[place] = world.memory.reminders.may_stand(made.reminder)
    assert stands == {HALL: True, CELLAR: True, NOWHERE: False}


async def test_what_was_erased_in_another_process_is_not_told_from_memory(world: World) -> None:
    said = await world.say(ALICE, "Je parle français, comme toujours.")
    later = replace(said, message_id=said.message_id + 5)
    assert world.memory.log.language_last_spoken(later) is not None
    await world.beside().privacy.erase_member(GUILD, ALICE.user_id, said.message_id)
    await world.memory.privacy.follow([GUILD])
    assert world.memory.log.language_last_spoken(later) is None
