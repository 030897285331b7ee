"""People of an inn who talk with each other, so that there is something to sum up."""

from tests.end_to_end.house import BACK_ROOM, GENERAL, Inn


async def talk(inn: Inn, count: int, thing: str = "boat", channel: str = GENERAL) -> list[int]:
    """Two who may be there in turn, until all of it is stored. Aylin begins, in the back room Maren."""
    people = inn.person("maren" if channel == BACK_ROOM else "aylin"), inn.person("florent")
    said = [
        await people[number % 2].say(f"We will paint the {thing} number {number} on Friday evening.", channel)
        for number in range(count)
    ]
    await inn.until_stored(said[-1])
    return said
