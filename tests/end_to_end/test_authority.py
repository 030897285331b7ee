"""Who may do what, through the front door: the table of `tests/memory/policy/test_authority.py`, pressed and said.

Florent tells (T), Aylin is the one it is about (S), Gruzilkin is another member (O), then a moderator (M), then one who
manages the server (G), and Maren owns it (W). Whoever may does it; whoever may not changes nothing and hears who may.
"""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from local_guild.state.permissions import Permission
from tests.end_to_end.asking import at_home, outcome_of, say_and_hear
from tests.end_to_end.choosing import message_of
from tests.end_to_end.house import Inn, Payload, Person, eventually
from tests.end_to_end.slash import press, use, whispered_in

PEOPLE = {"T": "florent", "S": "aylin", "O": "gruzilkin", "M": "gruzilkin", "G": "gruzilkin", "W": "maren"}
RANKS = {"O": None, "M": Permission.MANAGE_MESSAGES, "G": Permission.MANAGE_GUILD}
SUBJECT, TELLER = "the person it's about", "the person who told me"
MODERATOR, MANAGER = "a moderator of this server", "someone who manages the server"
HEARSAY, CONFIRMED, OF_THE_SERVER = "as hearsay", "as hearsay, and confirmed", "of the server"

NUMBERS = itertools.count(100)
"""Of things that nobody has spoken of yet."""

Ledger = list[tuple[int | None, str, str]]
Attempt = Callable[[Person, Payload], Awaitable[str | None]]
"""Somebody tries to: what they are told who may not, or None if it is done."""


@dataclass(frozen=True)
class Row:
    standing: str
    may: str
    who_may: tuple[str, ...]
    """As it is said to those who may not."""


async def ledger(inn: Inn) -> Ledger:
    rows = await inn.house.rows(
        "SELECT subject_id, text, standing FROM facts WHERE guild_id = $1 AND valid_to IS NULL AND NOT withheld"
        " ORDER BY fact_id",
        inn.guild.id,
    )
    return [(row["subject_id"], row["text"], row["standing"]) for row in rows]


class Play:
    """One guild; Gruzilkin plays three parts, one after the other."""

    def __init__(self, inn: Inn) -> None:
        self.inn = inn
        self._told: dict[str, Payload] = {}
        """What nobody has touched yet: those who may not can share one telling."""

    async def all_try(self, rows: list[Row], attempt: Attempt) -> None:
        for part in "TSOMGW":
            person = await self.cast(part)
            for row in rows:
                await self._try(person, attempt, row, part)

    async def _try(self, person: Person, attempt: Attempt, row: Row, part: str) -> None:
        told = self._told.pop(row.standing, None) or await self.tell(row.standing)
        before = await ledger(self.inn)
        where = f"{part}, with what was told {row.standing}"
        refusal = await attempt(person, told)
        if part in row.may:
            assert refusal is None, f"{where}, was refused: {refusal}"
            await eventually(lambda: ledger(self.inn), lambda now: now != before)
            return
        assert refusal is not None, f"{where}, was not refused"
        said = {words for words in (SUBJECT, TELLER, MODERATOR, MANAGER) if words in refusal}
        assert said == set(row.who_may), f"{where}: {refusal}"
        assert await ledger(self.inn) == before, f"{where}, changed something"
        self._told[row.standing] = told

    async def tell(self, standing: str) -> Payload:
        """One fact of this standing, and the line that says so."""
        aylin, florent = self.inn.person("aylin"), self.inn.person("florent")
        thing = f"kite{next(NUMBERS)}"
        if standing == OF_THE_SERVER:
            return await say_and_hear(florent, f"Bot remember that the cellar holds a {thing}")
        told = await say_and_hear(florent, f"Bot remember that {aylin.mention} owns a {thing}")
        if standing == CONFIRMED:
            await say_and_hear(aylin, f"Bot remember that I own a {thing}")
            confirmed = "SELECT 1 FROM facts WHERE guild_id = $1 AND standing = 'confirmed' AND text LIKE $2"
            assert await self.inn.house.rows(confirmed, self.inn.guild.id, f"%{thing}")
        return told

    async def cast(self, part: str) -> Person:
        if part in RANKS:
            await self._appoint(part, RANKS[part])
        return self.inn.person(PEOPLE[part])

    async def _appoint(self, part: str, permission: Permission | None) -> None:
        maren, guild = self.inn.person("maren"), f"/guilds/{self.inn.guild.id}"
        roles = []
        if permission is not None:
            form = {"name": part, "permissions": str(int(permission))}
            roles = [(await maren.call("POST", f"{guild}/roles", form)).json()["id"]]
        await maren.call("PATCH", f"{guild}/members/{self.inn.person('gruzilkin').user.id}", {"roles": roles})


def pressing(label: str, done: str) -> Attempt:
    """The line says what holds now, or else the one who pressed is told why not."""

    async def attempt(person: Person, told: Payload) -> str | None:
        pressed = await press(person, told, label)

        async def seen() -> tuple[bool, str]:
            line = str((await message_of(person, told))["content"])
            return done in line, whispered_in(await outcome_of(person, pressed))

        _, refusal = await eventually(seen, any)
        return refusal or None

    return attempt


async def forget(person: Person, told: Payload) -> str | None:
    """In words, answering the line that says what was told."""
    said = await person.say("Bot forget this", reply_to=int(told["id"]))
    reply = str((await person.hear_reply(said))["content"])
    return None if reply.startswith("Forgotten:") else reply


async def test_moderators_may_have_it_forgotten_where_the_managers_say_so(inn: Inn) -> None:
    await at_home(inn)
    decided = await use(inn.person("maren"), "settings", "facts", **{"moderators-may": "remove"})
    assert not decided["failed"]
    rows = [
        Row(HEARSAY, "TSMGW", (SUBJECT, TELLER, MODERATOR, MANAGER)),
        Row(OF_THE_SERVER, "TMGW", (TELLER, MODERATOR, MANAGER)),
    ]
    await Play(inn).all_try(rows, forget)
    await Play(inn).all_try(rows, pressing("Undo", "Undone"))


async def test_who_may_deny_it(inn: Inn) -> None:
    await at_home(inn)
    rows = [Row(HEARSAY, "S", (SUBJECT,)), Row(CONFIRMED, "S", (SUBJECT,))]
    await Play(inn).all_try(rows, pressing("Not true", "not true"))
