"""What was known when, asked in Discord: from the ledger, with dates."""

from datetime import timedelta

from memory.language.dates import shown_day
from tests.end_to_end.asking import ask_privately, at_home
from tests.end_to_end.house import Inn, Person
from tests.end_to_end.slash import words_of


async def tell(person: Person, words: str, *, days_ago: int) -> str:
    """Returns the day, as it is in UTC, which is the zone of a new guild."""
    clock = person.inn.house.server.clock
    moment = clock.now() - timedelta(days=days_ago)
    clock.set(moment)
    try:
        said = await person.say(words)
    finally:
        clock.reset()
    await person.hear_reply(said)
    return shown_day(moment.date())


async def test_what_held_then_what_took_its_place_and_since_when(inn: Inn) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    first = await tell(aylin, "Bot remember that I live in Paris", days_ago=900)
    second = await tell(aylin, "Bot remember that I live in Lyon", days_ago=90)
    was = f"“I live in Paris” – {aylin.mention} ({first} – {second}; since then: “I live in Lyon” – {aylin.mention})"
    assert was in await florent.ask("Bot where did Aylin use to live?")
    assert was in await florent.ask("Bot what did we believe about Aylin last year?")
    assert was in words_of(await ask_privately(florent, "what did you know about Aylin last year?"))
    assert "Paris" not in await florent.ask("Bot where does Aylin live?")
    since = await florent.ask("Bot since when is Aylin in Lyon?")
    assert f"“I live in Lyon” – {aylin.mention} (since {second})" in since
    await aylin.ask("Bot forget that I live in Lyon")
    assert "Paris" not in await florent.ask("Bot what did we believe about Aylin last year?")
