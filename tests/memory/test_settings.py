"""What managers decide about a guild: one value, changed by what holds now, with the epoch in the same transaction."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import wordllama

from memory.core.log_values import Consent, Removal
from memory.core.values import AuthorKind, Member, Message, last_id_of
from memory.policy.settings import GuildSettings, LogSettings
from memory.settings import fitting, tokens
from tests.memory.db.triggers import triggered
from tests.memory.log.logbook import rows_of
from tests.memory.tables import tables_of
from tests.memory.world import ALICE, BOB, GUILD, HALL, INNKEEPER, LOUNGE, World

NOWHERE = 999


async def epoch(world: World) -> object:
    return (await rows_of(world.database, "guilds", GUILD))[0]["epoch"]


async def test_changes_at_once_lose_nothing_of_each_other(world: World) -> None:
    def adding(channel_id: int) -> asyncio.Task[object]:
        return asyncio.create_task(
            world.memory.privacy.change_settings(
                GUILD, lambda now: replace(now, speaks_in=now.speaks_in | {channel_id})
            )
        )

    await asyncio.gather(*map(adding, range(1, 9)))
    assert (await world.memory.privacy.settings(GUILD)).speaks_in == frozenset(range(1, 9))


async def say(world: World, author: Member, channel: int, days_ago: int) -> None:
    sent = world.clock.now() - timedelta(days=days_ago, minutes=author.user_id)
    kind = AuthorKind.SELF if author is INNKEEPER else AuthorKind.PERSON
    said = Message(GUILD, channel, last_id_of(sent) - channel, author.user_id, kind, "words", sent)
    await world.memory.log.store_page(GUILD, channel, [said])


async def kept(world: World) -> Removal:
    """What there is to remove."""
    messages = await rows_of(world.database, "chat_history", GUILD)
    return Removal(len(messages), len(await rows_of(world.database, "facts", GUILD)))


@pytest.mark.parametrize(
    "log",
    [
        LogSettings(),
        LogSettings(Consent.OPT_IN),
        LogSettings(retention_days=30),
        LogSettings(excluded_channels=frozenset((LOUNGE,))),
        LogSettings(excluded_roles=frozenset((70, 71))),
        LogSettings(fact_days=30),
        LogSettings(Consent.OPT_IN, 3, frozenset((HALL,)), frozenset((71,)), fact_days=3),
    ],
    ids=["nothing", "consent", "retention", "channel", "role", "facts", "everything"],
)
async def test_what_is_announced_to_go_is_what_goes(world: World, log: LogSettings) -> None:
    await world.remember(ALICE, "I live in Paris")
    world.clock.move(timedelta(days=10))
    await world.remember(ALICE, "I live in Lyon")
    world.clock.move(timedelta(days=25))
    for author in (replace(ALICE, roles=(70,)), BOB, INNKEEPER):
        await world.memory.people.meet_member(author)
        for channel in (HALL, LOUNGE):
            for days_ago in (1, 10, 100):
                await say(world, author, channel, days_ago)
    await world.memory.privacy.opt_in(GUILD, BOB.user_id)

    def decided(now: GuildSettings) -> GuildSettings:
        return replace(now, log=log)

    announced = await world.memory.privacy.would_remove(GUILD, decided)
    hall, lounge = [await world.memory.privacy.would_remove(GUILD, decided, (one,)) for one in (HALL, LOUNGE)]
    assert Removal(hall.messages + lounge.messages, hall.facts + lounge.facts) == announced
    assert (hall.elsewhere, lounge.elsewhere) == (
        bool(lounge.messages + lounge.facts),
        bool(hall.messages + hall.facts),
    )
    before = await kept(world)
    assert (await world.memory.privacy.change_settings(GUILD, decided)).removed == announced
    after = await kept(world)
    assert Removal(before.messages - after.messages, before.facts - after.facts) == announced


async def test_a_decision_holds_though_the_database_goes_while_it_is_carried_out(world: World) -> None:
    await say(world, ALICE, LOUNGE, 1)
    log = LogSettings(excluded_channels=frozenset((LOUNGE,)))
    gone = "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN OLD;"
    async with triggered(world.database, "BEFORE DELETE", gone):
        change = await world.memory.privacy.change_settings(GUILD, lambda now: replace(now, log=log))
        assert (change.removed, change.all_removed) == (Removal(), False)
        assert (await world.memory.privacy.settings(GUILD)).log == log
    assert (await world.memory.purge(world.clock.now())).messages == 1


TEXTS: dict[str, str] = tables_of(__file__)


@pytest.mark.parametrize("language", TEXTS)
def test_tokens_are_estimated_within_a_fifth_of_what_a_tokenizer_counts(language: str) -> None:
    text = TEXTS[language]
    tokenizer = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True).tokenizer
    tokenizer.no_padding()
    counted = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert abs(tokens(text) - counted) <= counted / 5


def test_what_is_too_long_is_passed_over() -> None:
    assert fitting(["a" * 40, "b" * 400, "c" * 40], 30, str) == ["a" * 40, "c" * 40]
