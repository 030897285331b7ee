"""What contexts are made from, put straight into the tables of a talkative guild: a last week, and facts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from benchmarks.talkative_guild import TalkativeGuild
from memory.core.values import Standing, last_id_of
from memory.db.database import Database
from memory.facts.enter import NewFact
from memory.facts.ledger import FactStore
from memory.places.view import Audience

FACTS = 5
"""About each member; together longer than what is told as it stands, without being merged."""
ON_THE_WAY = (
    "with a heavy rucksack, a flask of tea and two sandwiches, stayed there until the sun went down,"
    " and came back by the old road along the river, singing most of the way"
)


async def live_through_days(
    database: Database, talk: TalkativeGuild, people: Sequence[int], now: datetime, *, days: int, a_day: int
) -> None:
    """With ids that tell the time: by them a day is found."""
    chance = random.Random(7)
    moments = sorted(
        now - timedelta(days=day, seconds=chance.randrange(60, 43_200)) for day in range(days) for _ in range(a_day)
    )
    records = [
        (
            talk.guild_id,
            last_id_of(moment) - number % 1_000,
            chance.choice(talk.channels),
            people[number % len(people)],
            "person",
            " ".join(talk.say(12, chance)),
            moment,
        )
        for number, moment in enumerate(moments)
    ]
    async with database.transaction("benchmark.days") as connection:
        await connection.copy_records_to_table(
            "chat_history",
            records=records,
            columns=["guild_id", "message_id", "channel_id", "author_id", "author_kind", "text", "sent_at"],
        )


async def tell_facts(database: Database, audience: Audience, people: Sequence[int], now: datetime) -> None:
    facts = FactStore(database)
    for number, user_id in enumerate(user_id for user_id in people for _ in range(FACTS)):
        new = NewFact(
            guild_id=audience.guild_id,
            subject_id=user_id,
            teller_id=user_id,
            channel_id=audience.place_id,
            message_id=last_id_of(now) + number,
            source_message_id=None,
            text=f"<@{user_id}> has walked up hill number {number} {ON_THE_WAY}",
            standing=Standing.SELF,
            in_hall=True,
            valid_from=now,
        )
        await facts.remember([new], audience)
