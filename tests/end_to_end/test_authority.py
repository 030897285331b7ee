"""Who may do what, through the front door: the table of `tests/memory/policy/test_authority.py`, pressed and said.

Florent tells (T), Aylin is the one it is about (S), Gruzilkin is another member (O), then a moderator (M), then one who
manages the server (G), and Maren owns it (W). Whoever may does it; whoever may not changes nothing and hears who may.
"""

import itertools

import pytest

from local_guild.state.permissions import Permission
from tests.end_to_end.asking import give_right, outcome_of, say_and_hear
from tests.end_to_end.choosing import message_of
from tests.end_to_end.house import Inn, Payload, Person, eventually
from tests.end_to_end.slash import press, use, whispered_in

PEOPLE = {"T": "florent", "S": "aylin", "O": "gruzilkin", "M": "gruzilkin", "G": "gruzilkin", "W": "maren"}
RANKS = {"M": Permission.MANAGE_MESSAGES, "G": Permission.MANAGE_GUILD}
SUBJECT, TELLER = "the person it's about", "the person who told me"
MODERATOR, MANAGER = "a moderator of this server", "someone who manages the server"
NUMBERS = itertools.count(100)
"""Of things that nobody has spoken of yet."""


async def ledger(inn: Inn) -> list[tuple[int | None, str, str]]:
    rows = await inn.house.rows(
        "SELECT subject_id, text, standing FROM facts WHERE guild_id = $1 AND valid_to IS NULL AND NOT withheld"
        " ORDER BY fact_id",
        inn.guild.id,
    )
    return [(row["subject_id"], row["text"], row["standing"]) for row in rows]


async def tell(inn: Inn, standing: str) -> Payload:
    """One fact of this standing, and the line that says so."""
    aylin, florent, thing = inn.person("aylin"), inn.person("florent"), f"kite{next(NUMBERS)}"
    if standing == "of the server":
        return await say_and_hear(florent, f"Bot remember that the cellar holds a {thing}")
    told = await say_and_hear(florent, f"Bot remember that {aylin.mention} owns a {thing}")
    if standing == "confirmed":
        await say_and_hear(aylin, f"Bot remember that I own a {thing}")
        assert (await ledger(inn))[-1][2] == "confirmed"
    return told


async def cast(inn: Inn, part: str) -> Person:
    if part in RANKS:
        await give_right(inn.person(PEOPLE[part]), RANKS[part])
    return inn.person(PEOPLE[part])


async def refusal_of(person: Person, told: Payload, how: str) -> str:
    """What they are told who may not; nothing, if it is done."""
    if how == "forget":
        reply = await say_and_hear(person, "Bot forget this", reply_to=int(told["id"]))
        return "" if reply["content"].startswith("Forgotten:") else str(reply["content"])
    pressed = await press(person, told, how)

    async def seen() -> tuple[bool, str]:
        line = str((await message_of(person, told))["content"])
        return {"Undo": "Undone", "Not true": "not true"}[how] in line, whispered_in(await outcome_of(person, pressed))

    return (await eventually(seen, any))[1]


@pytest.mark.parametrize(
    ("how", "standing", "may", "who_may"),
    [
        ("forget", "hearsay", "TSMGW", {SUBJECT, TELLER, MODERATOR, MANAGER}),
        ("forget", "of the server", "TMGW", {TELLER, MODERATOR, MANAGER}),
        ("Undo", "hearsay", "TSMGW", {SUBJECT, TELLER, MODERATOR, MANAGER}),
        ("Undo", "of the server", "TMGW", {TELLER, MODERATOR, MANAGER}),
        ("Not true", "hearsay", "S", {SUBJECT}),
        ("Not true", "confirmed", "S", {SUBJECT}),
    ],
)
async def test_who_may_and_what_the_others_are_told(
    inn: Inn, how: str, standing: str, may: str, who_may: set[str]
) -> None:
    assert not (await use(inn.person("maren"), "settings", "facts", **{"moderators-may": "remove"}))["failed"]
    for part in PEOPLE:
        person, told = await cast(inn, part), await tell(inn, standing)
        before = await ledger(inn)
        refusal = await refusal_of(person, told, how)
        if part in may:
            assert refusal == "", part
            await eventually(lambda: ledger(inn), lambda now, before=before: now != before)  # type: ignore[misc]
        else:
            assert {words for words in (SUBJECT, TELLER, MODERATOR, MANAGER) if words in refusal} == who_may, part
            assert await ledger(inn) == before, part
