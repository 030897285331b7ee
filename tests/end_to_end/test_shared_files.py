"""Files that members share, through the front door: read when they come, found and quoted by what stands in them."""

import asyncio
from typing import Any

import pytest

from bot import shared_files
from tests.end_to_end.asking import opt_out, recall
from tests.end_to_end.files import files_of, until_read
from tests.end_to_end.house import NOON, Inn, Person, eventually, until
from tests.end_to_end.slash import use, words_of
from tests.sample_files import pdf_bomb, pdf_of

AT = NOON
PASTE = "\n".join([*(f"line {number} of nothing in particular" for number in range(1, 400)), "The vault code is 7319."])


async def pieces_of(inn: Inn, message_id: int) -> list[dict[str, Any]]:
    query = "SELECT * FROM file_pieces WHERE guild_id = $1 AND message_id = $2 ORDER BY attachment_id, piece"
    return await inn.house.rows(query, inn.guild.id, message_id)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
async def test_a_long_paste_is_found_by_its_last_line_with_link_and_place(inn: Inn, encoding: str) -> None:
    florent = inn.person("florent")
    text = PASTE.replace("vault", "Gewölbe-vault") if encoding != "utf-8" else PASTE
    said, _ = await florent.share({"message.txt": text.encode(encoding)}, "Notes")
    await until_read(inn, said)
    words = words_of(await recall(inn.person("aylin"), "what is the vault code?"))
    assert "📄 message.txt:" in words
    assert "7319" in words
    assert f"/{inn.channel('general').id}/{said}" in words
    answer = await inn.person("aylin").ask("Bot, what is the vault code?")
    assert "7319" in answer
    assert f"/{said}" in answer
    assert "message.txt:" in answer


async def test_a_pdf_is_found_by_its_page(inn: Inn) -> None:
    pages = ["Rules of the house", "Nobody feeds the goldfish", "Quiet hours begin at eleven"]
    said, _ = await inn.person("florent").share({"rules.pdf": pdf_of(pages * 4)})
    await until_read(inn, said)
    words = words_of(await recall(inn.person("aylin"), "goldfish"))
    assert "rules.pdf, p. 2" in words or "goldfish" in words
    assert [one["page"] for one in await pieces_of(inn, said)] in ([], list(range(1, 13)))


async def test_what_goes_takes_its_text_with_it(inn: Inn, florent: Person) -> None:
    """A deleted message, an attachment that an edit takes away, and a member who opts out."""
    shared = [(await florent.share({"message.txt": PASTE.encode()}))[0] for _ in range(3)]
    for said in shared:
        await until_read(inn, said)
        assert await pieces_of(inn, said)
    place = inn.channel("general").id
    await florent.call("DELETE", f"/channels/{place}/messages/{shared[0]}")
    await florent.call("PATCH", f"/channels/{place}/messages/{shared[1]}", {"content": "gone", "attachments": []})
    for said in shared[:2]:
        await eventually(lambda said=said: pieces_of(inn, said), lambda pieces: not pieces)  # type: ignore[misc]
    await opt_out(florent)
    await inn.until_gone(shared[2])
    assert await pieces_of(inn, shared[2]) == []
    assert "7319" not in words_of(await recall(inn.person("aylin"), "vault code"))


async def test_an_edit_of_the_words_keeps_what_was_read(inn: Inn, florent: Person) -> None:
    said, _ = await florent.share({"message.txt": PASTE.encode()}, "Notes")
    [before] = await until_read(inn, said)
    place = inn.channel("general").id
    await florent.call("PATCH", f"/channels/{place}/messages/{said}", {"content": "Notes, corrected"})
    await inn.until_stored(said, text="Notes, corrected")
    assert await files_of(inn, said) == [before]
    assert "7319" in words_of(await recall(inn.person("aylin"), "vault code"))


async def test_where_managers_do_not_want_it_nothing_is_read(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_files, "REST_SECONDS", 0.2)
    assert "Text files: off" in words_of(await use(inn.person("maren"), "settings", "files", texts=False))
    florent = inn.person("florent")
    off, _ = await florent.share({"message.txt": PASTE.encode()})
    await inn.until_stored(off)
    assert "unread" in (await files_of(inn, off))[0]
    await use(inn.person("maren"), "settings", "files", texts=True)
    await until_read(inn, off)


async def test_files_that_attack_cost_little_and_leave_a_line_in_health(inn: Inn, florent: Person) -> None:
    encrypted = pdf_of(["secret"], more=b"/Encrypt << /Filter /Standard /V 1 /R 2 /O (x) /U (y) /P -4 >>")
    attacks = {
        "bomb.pdf": await asyncio.to_thread(pdf_bomb),
        "broken.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 40,
        "locked.pdf": encrypted,
        "program.txt": b"MZ\x90\0\3\0\0\0" * 2_000,
        "lines.txt": b"\n" * 1_000_000,
        "one_line.txt": b"x" * 1_000_000,
    }
    said = [(await florent.share({name: data}))[0] for name, data in attacks.items()]
    after, _ = await florent.share({"message.txt": PASTE.encode()})
    for one in said:
        [file] = await until_read(inn, one)
        assert len(file["read"]["words"]) <= 400
        assert sum(len(piece["text"]) for piece in await pieces_of(inn, one)) <= 64 * 1024
    await until_read(inn, after)
    counts = inn.house.health.part("files").snapshot().counts
    assert counts["unreadable"] >= 3
    await until(lambda: "could not be read within the last hour" in inn.house.issues_of("files"))
    assert "7319" in words_of(await recall(inn.person("aylin"), "vault code"))
