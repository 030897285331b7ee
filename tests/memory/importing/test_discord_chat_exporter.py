"""The reader of exported files: any layout, any size, and what is wrong with a file said with its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.importing.discord_chat_exporter import (
    PART,
    Exported,
    Header,
    UnusableExport,
    read_header,
    read_messages,
    with_ids,
)
from tests.memory.privacy.exports import as_exported, export, exported, user
from tests.memory.world import GUILD, HALL

Layout = Callable[[dict[str, Any]], str]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    ['"', "\\", '"},{"id":"', "\n    },\n    {\n", "]", "}", "{", '\\\\"', "\0", "x" * 2 * PART]
)
written_messages = st.lists(st.builds(exported, st.integers(1, 10**18), texts, x=st.lists(texts)), max_size=5)
layouts = st.sampled_from(
    [
        lambda content: json.dumps(content, indent=2, ensure_ascii=False),
        lambda content: json.dumps(content, indent="\t").replace("\n", "\r\n"),
        lambda content: json.dumps(content),
        lambda content: json.dumps(content, separators=(",", ":")),
    ]
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exports") / "a.json"


def header_of(path: Path, data: bytes) -> Header:
    path.write_bytes(data)
    return read_header(path)


def read_all(path: Path, data: bytes) -> list[Exported]:
    return list(read_messages(path, header_of(path, data), frozenset()))


def ids(found: list[Exported]) -> list[str]:
    return [str(each.message.message_id) for each in found if each.message is not None]


@given(written_messages, layouts)
def test_what_was_written_is_read_in_any_layout(path: Path, written: list[dict[str, Any]], layout: Layout) -> None:
    found = read_all(path, layout(export(written)).encode())
    assert ids(found) == [message["id"] for message in written]
    assert [each.message and each.message.text for each in found] == [message["content"] for message in written]


@given(written_messages, layouts, st.data())
def test_of_a_truncated_file_all_whole_messages_are_read(
    path: Path, written: list[dict[str, Any]], layout: Layout, data: st.DataObject
) -> None:
    content = layout(export(written)).encode()
    cut = data.draw(st.integers(content.index(b"[") + 1, content.rindex(b"]")))
    *found, last = read_all(path, content[:cut])
    assert ids(found) == [message["id"] for message in written[: len(found)]]
    assert content[:cut].count(b'"timestampEdited"') in (len(found), len(found) + 1)
    assert last.damage is not None
    assert "The file ends" in last.damage.what
    assert cut - PART <= last.damage.place.byte <= cut
    assert last.damage.number in (None, len(found) + 1)


@pytest.mark.parametrize("layout", [None, 2])
@pytest.mark.parametrize(
    "broken",
    [
        b'"content": hello',
        b'"content": "no end',
        b'"content": "a"b"',
        b'"content": 01',
        b'"content": 1e999999999',
        b'"content": ' + b"9" * 5_000,
        b'"content": NaN',
        b'"content": "half \\udc00 of two"',
        b'"content": "\xff\xfe"',
        b'"content": "\x00"',
    ],
)
def test_what_is_no_json_is_told_with_its_place_and_all_before_it_is_read(
    path: Path, broken: bytes, layout: int | None
) -> None:
    written = [exported(number, "BREAK HERE" if number == 15 else "hello") for number in range(1, 20)]
    data = json.dumps(export(written), indent=layout).encode().replace(b'"content": "BREAK HERE"', broken)
    *found, last = read_all(path, data)
    assert ids(found) == [str(number) for number in range(1, 15)]
    assert last.damage is not None
    assert last.damage.number == 15
    assert last.damage.place.byte - 2 * PART < data.index(broken) < last.damage.place.byte + 2 * PART
    assert last.damage.place.line == 1 + data[: last.damage.place.byte].count(b"\n")
    assert "hello" not in last.damage.what + last.damage.remedy


@pytest.mark.parametrize("order", [("guild", "channel", "messages"), ("messages", "channel", "guild")])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_the_order_of_keys_and_a_byte_order_mark_do_not_matter(path: Path, order: tuple[str, ...], mark: bytes) -> None:
    content = export([exported(1), exported(2)])
    data = mark + json.dumps({key: content[key] for key in order} | {"messageCount": 2}, indent=2).encode()
    header = header_of(path, data)
    assert (header.guild_id, header.channel_id, header.parent_id) == (GUILD, HALL, None)
    assert ids(read_all(path, data)) == ["1", "2"]


@pytest.mark.parametrize(
    ("kind", "parent"), [("GuildPublicThread", 900), ("GuildPrivateThread", 900), ("GuildTextChat", None)]
)
def test_a_thread_has_a_parent_and_a_channel_only_a_category(path: Path, kind: str, parent: int | None) -> None:
    assert header_of(path, as_exported(export([], type=kind))).parent_id == parent


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "ends"),
        (b"<html>", "not valid JSON"),
        (b'{"guild": {"id": "1"', "ends"),
        (b'{"messages": [], "channel": {"id": "2"}}', "no `guild`"),
        (b'{"guild": 5, "channel": {"id": "2"}, "messages": []}', "no `guild`"),
        (b'{"guild": {"id": "1"}, "channel": {"type": []}, "messages": []}', "has no id"),
        (b'{"guild": {"id": "0"}, "channel": {"id": "2"}, "messages": []}', "direct messages"),
        (b"[1, 2]", "no `guild`"),
        (b"7 ", "no `guild`"),
        (b'{"guild": ' + b"[" * 5_000, "ends"),
    ],
    ids=range(10),
)
def test_what_is_no_export_says_so(path: Path, data: bytes, what: str) -> None:
    with pytest.raises(UnusableExport, match=what) as error:
        header_of(path, data)
    assert 0 <= error.value.damage.place.byte <= len(data)
    assert error.value.damage.remedy


ANN, ANNA = user(11, "Ann"), user(12, "Anna Maria")


@pytest.mark.parametrize(
    ("text", "mentioned", "expected"),
    [
        ("hi @Ann", [ANN], "hi <@11>"),
        ("@Anna Maria and @Ann's", [ANN, ANNA], "<@12> and <@11>'s"),
        ("@Annabel, me@Ann, @ Ann", [ANN], "@Annabel, me@Ann, @ Ann"),
        ("@Ann @Ann!", [ANN], "<@11> <@11>!"),
        ("@Ann", [ANN, user(13, "Ann")], "@Ann"),
        ("older exports: @anna maria", [ANNA], "older exports: <@12>"),
        ("@everyone @Ann", [], "@everyone @Ann"),
        ("@Ann", [{"id": "x", "nickname": "Ann"}, 5, {"id": "14", "nickname": ""}], "@Ann"),
        ("<@11> stays", [ANN], "<@11> stays"),
    ],
)
def test_names_behind_an_at_sign_become_ids_where_they_mean_one_person(
    text: str, mentioned: list[object], expected: str
) -> None:
    assert with_ids(text, mentioned) == expected
