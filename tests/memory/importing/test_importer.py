"""Imports into a real database: what comes in, what stays out, and that doing it twice changes nothing."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.core.log_values import Reconciled
from memory.core.values import Attachment, AuthorKind, Member, Message, MessageEdit
from memory.db.database import Database, ExternalPostgres, LogWrite
from memory.importing import importer
from memory.importing.discord_chat_exporter import PART
from memory.importing.importer import Importer, Outcome
from memory.log.reading import stored
from memory.log.store import Added, add_messages
from memory.manager import MemoryManager
from memory.policy.settings import LogSettings
from memory.settings import MemoryOptions
from tests.end_to_end.cable import cable_to
from tests.memory.log.logbook import decide_log
from tests.memory.privacy.exports import SENT, exported, user, write
from tests.memory.world import ALICE, BOB, GUILD, HALL, INNKEEPER, World

LATER = SENT + timedelta(hours=1)


async def bring(importing: Importer, path: Path, *, new_guild: int | None = None) -> Outcome:
    return await importing.file(path, lambda _: None, new_guild=new_guild)


async def log_of(world: World) -> dict[int, Message]:
    async with world.database.connection("test") as connection:
        ids = [row["message_id"] for row in await connection.fetch("SELECT message_id FROM chat_history")]
        return {message.message_id: message for message in await stored(connection, GUILD, ids)}


async def test_an_import_goes_on_when_the_database_was_away_for_a_moment(
    world: World, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "hall.json", [exported(number, "tea") for number in (1, 2, 3)])
    async with cable_to(database_url) as cable:
        database = await Database.open(ExternalPostgres(cable.url))

        async def cut_off(connection: LogWrite, said: Sequence[Message], *, imported: bool) -> Added:
            monkeypatch.undo()
            await cable.cut()
            await cable.mend()
            return await add_messages(connection, said, imported=imported)

        monkeypatch.setattr(importer, "add_messages", cut_off)
        assert (await bring(Importer(database, MemoryOptions(), world.clock), path)).stored == 3
        await database.close()
    assert (await log_of(world)).keys() == {1, 2, 3}


async def test_a_message_is_kept_as_if_it_had_been_heard(world: World, importing: Importer, tmp_path: Path) -> None:
    embed = {
        "title": "Title",
        "url": "https://example.org",
        "description": "About",
        "author": {"name": "Writer"},
        "fields": [{"name": "Field", "value": "Value", "isInline": False}],
        "footer": {"text": "Foot"},
    }
    forwarded = {"content": "passed on", "attachments": [], "embeds": [], "stickers": [{"name": "Star"}]}
    path = write(
        tmp_path / "hall.json",
        [
            exported(1, "hi @Bob", mentions=[user(2, "Bob")], timestampEdited=LATER.isoformat()),
            exported(
                2,
                "",
                user(2, "Bob"),
                type="Reply",
                reference={"messageId": "1", "channelId": str(HALL), "guildId": str(GUILD)},
                attachments=[{"id": "5", "url": "https://x", "fileName": "plan.pdf", "fileSizeBytes": 1234}],
                embeds=[embed],
                stickers=[{"id": "6", "name": "Wave", "format": "Png", "sourceUrl": "https://x"}],
            ),
            exported(3, "", reference={"messageId": "9", "channelId": "8"}, forwardedMessage=forwarded),
            exported(4, "Alice joined", type="GuildMemberJoin"),
            exported(5, "nul \0 inside"),
        ],
    )
    outcome = await bring(importing, path)
    assert (outcome.messages, outcome.stored, outcome.system, outcome.refused) == (5, 4, 1, 0)
    kept = await log_of(world)
    assert kept == {
        1: Message(GUILD, HALL, 1, 1, AuthorKind.PERSON, "hi <@2>", SENT, LATER),
        2: Message(
            GUILD,
            HALL,
            2,
            2,
            AuthorKind.PERSON,
            "",
            SENT,
            reply_to=1,
            attachments=(Attachment("plan.pdf", size=1234),),
            embeds=("Writer\nTitle\nAbout\nField\nValue\nFoot",),
            stickers=("Wave",),
        ),
        3: Message(GUILD, HALL, 3, 1, AuthorKind.PERSON, "", SENT, forwarded=("passed on\nStar",)),
        5: Message(GUILD, HALL, 5, 1, AuthorKind.PERSON, "nul \ufffd inside", SENT),
    }


async def test_bots_webhooks_and_ourselves_are_told_apart(world: World, importing: Importer, tmp_path: Path) -> None:
    await world.say(INNKEEPER, "At your service.", kind=AuthorKind.SELF)
    await world.memory.log.settled()
    path = write(
        tmp_path / "hall.json",
        [
            exported(1, "mine", user(INNKEEPER.user_id, "Innkeeper", is_bot=True, discriminator="1234")),
            exported(2, "beep", user(50, "Dice", is_bot=True, discriminator="4321")),
            exported(3, "news", user(51, "Feed", is_bot=True)),
            exported(4, "from one who left", user(52, "Gone")),
        ],
    )
    await bring(importing, path)
    kinds = {message_id: message.author_kind for message_id, message in (await log_of(world)).items()}
    assert [kinds[number] for number in (1, 2, 3, 4)] == ["self", "bot", "webhook", "person"]


async def test_a_newer_export_brings_edits_and_an_older_one_takes_nothing_back(
    world: World, importing: Importer, tmp_path: Path
) -> None:
    old = write(tmp_path / "old.json", [exported(1, "teh"), exported(2, "two")])
    new = write(
        tmp_path / "new.json",
        [exported(1, "the", timestampEdited=LATER.isoformat()), exported(2, "two"), exported(3, "three")],
    )
    await bring(importing, old)
    outcome = await bring(importing, new)
    assert (outcome.stored, outcome.changed, outcome.known) == (1, 1, 1)
    await bring(importing, old)
    texts = {number: message.text for number, message in (await log_of(world)).items()}
    assert texts == {1: "the", 2: "two", 3: "three"}


async def test_what_should_be_gone_does_not_come_back(world: World, importing: Importer, tmp_path: Path) -> None:
    memory = world.memory
    await memory.people.meet_member(Member(GUILD, 7, "muted", roles=(70,)))
    await memory.log.delete_messages(GUILD, HALL, [10])
    await memory.log.settled()
    await memory.privacy.opt_out(GUILD, BOB.user_id)
    await memory.privacy.erase_member(GUILD, 3, 20)
    await decide_log(memory, GUILD, LogSettings(excluded_roles=frozenset((70,))))
    path = write(
        tmp_path / "hall.json",
        [
            exported(9, "stays"),
            exported(10, "deleted"),
            exported(11, "opted out", user(BOB.user_id, "Bob")),
            exported(12, "erased", user(3, "Gruzilkin")),
            exported(13, "excluded role", user(7, "Muted")),
            exported(14, "opted out, with a file", user(BOB.user_id, "Bob"), stickers=[{"name": "Wave"}]),
            exported(20, "erased too", user(3, "Gruzilkin")),
            exported(21, "said after the erasure", user(3, "Gruzilkin")),
            exported(22, "a bot of that name", user(60, "Beep", is_bot=True, discriminator="1111")),
        ],
    )
    for _ in range(2):
        assert (await bring(importing, path)).refused == 6
    assert sorted(await log_of(world)) == [9, 21, 22]


def shown(message_id: int) -> Message:
    """As Discord hands it out."""
    return Message(GUILD, HALL, message_id, ALICE.user_id, AuthorKind.PERSON, "hello", SENT)


SHOWS: dict[str, Callable[[MemoryManager], Awaitable[object]]] = {
    "by event": lambda memory: memory.ingest_message(shown(3)),
    "by edit": lambda memory: memory.log.edit_message(MessageEdit(replace(shown(3), text="hello!", edited_at=LATER))),
    "by page": lambda memory: memory.log.store_page(GUILD, HALL, [shown(3)], through=3),
    "by comparison": lambda memory: memory.log.reconcile(GUILD, HALL, [shown(3)]),
    "by comparison of ids before what was asked for": lambda memory: memory.log.reconcile(GUILD, HALL, [], [3]),
}


@pytest.mark.parametrize("show", SHOWS.values(), ids=SHOWS)
async def test_only_what_discord_has_shown_is_missed_when_it_shows_it_no_longer(
    show: Callable[[MemoryManager], Awaitable[object]], world: World, importing: Importer, tmp_path: Path
) -> None:
    memory = world.memory
    await memory.log.store_page(GUILD, HALL, [shown(1), shown(6)], through=6)
    await bring(importing, write(tmp_path / "old.json", [exported(number) for number in (2, 3, 4)]))
    await bring(importing, write(tmp_path / "all.json", [exported(number) for number in (4, 5, 6)]))
    assert await memory.log.reconcile(GUILD, HALL, [shown(1), shown(6)]) == Reconciled(0, 0, deleted=0)
    assert await memory.log.stored_between(GUILD, HALL, above=0, below=9, limit=9) == [1, 6]
    await show(memory)
    await memory.log.settled()
    assert await memory.log.stored_between(GUILD, HALL, above=0, below=9, limit=9) == [1, 3, 6]
    assert await memory.log.reconcile(GUILD, HALL, [shown(1), shown(6)]) == Reconciled(0, 0, deleted=1)
    assert sorted(await log_of(world)) == [1, 2, 4, 5, 6]


async def test_broken_messages_are_left_out_and_told_with_their_place(
    world: World, importing: Importer, tmp_path: Path
) -> None:
    messages: list[dict[str, Any]] = [exported(number) for number in range(1, 9)]
    del messages[2]["author"]
    messages[4]["id"] = "not a number"
    messages[5]["content"] = None
    messages[6]["timestamp"] = "yesterday"
    path = write(tmp_path / "hall.json", messages)
    outcome = await bring(importing, path)
    assert sorted(await log_of(world)) == [1, 2, 4, 8]
    assert (outcome.stored, outcome.broken, outcome.refused) == (4, 4, 0)
    assert [damage.number for damage in outcome.damages] == [3, 5, 6, 7]
    assert "no `author`" in outcome.damages[0].what
    data = path.read_bytes()
    for damage, sign in zip(outcome.damages, (b'"id": "3"', b"not a number", b"null", b"yesterday"), strict=True):
        assert sign in data[damage.place.byte : damage.place.byte + 2 * PART]
        assert damage.place.line == 1 + data[: damage.place.byte].count(b"\n")
