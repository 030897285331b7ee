"""The reader of exported files: any layout, any size, and what is wrong with a file said with its place."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.importing import message_array
from memory.importing.damage import Damage, UnusableExport, line_at
from memory.importing.header import Header, read_header
from memory.importing.mentions import with_ids
from memory.importing.message_array import MessageArray
from tests.memory.exports import as_exported, export, exported, user
from tests.memory.world import GUILD, HALL

Layout = Callable[[dict[str, Any]], str]
Read = tuple[list[dict[str, Any]], list[Damage]]

texts = st.text(max_size=30) | st.sampled_from(['"', "\\", '"},{"id":"', "\n    },\n    {\n", "]", "}", "{", '\\\\"'])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
messages = st.lists(
    st.builds(lambda text, extra: {"id": "1", "content": text, "x": extra}, texts, values)
    | st.builds(lambda text, extra: exported(1, text, x=[exported(2), exported(3), extra]), texts, values),
    max_size=12,
)
layouts = st.sampled_from(
    [
        lambda content: json.dumps(content, indent=2, ensure_ascii=False),
        lambda content: json.dumps(content, indent=2).replace("\n", "\r\n"),
        lambda content: json.dumps(content, indent="\t"),
        lambda content: json.dumps(content),
        lambda content: json.dumps(content, separators=(",", ":")),
    ]
)


def header_of(path: Path, data: bytes) -> Header:
    path.write_bytes(data)
    return read_header(path)


def read_all(data: bytes, start: int) -> Read:
    array = MessageArray(BytesIO(data), start)
    found: list[dict[str, Any]] = []
    damages: list[Damage] = []
    while (piece := array.read()) is not None:
        damages += (damage.behind(len(found) + len(damages)) for damage in piece.damages)
        found += piece.messages
    return found, damages


@given(messages, layouts, st.integers(8, 400))
def test_what_was_written_is_read_in_any_layout_and_any_size_of_blocks(
    written: list[dict[str, Any]], layout: Layout, block: int
) -> None:
    data = layout({"messages": written, "messageCount": 3}).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(message_array, "PIECE", block)
        assert read_all(data, data.index(b"[") + 1) == (written, [])


@given(st.lists(st.builds(exported, st.integers(1, 10**18), texts), min_size=1, max_size=5), layouts, st.data())
def test_of_a_truncated_file_all_whole_messages_are_read(
    written: list[dict[str, Any]], layout: Layout, data: st.DataObject
) -> None:
    content = layout({"messages": written}).encode()
    start = content.index(b"[") + 1
    cut = data.draw(st.integers(start, content.rindex(b"]")))
    found, damages = read_all(content[:cut], start)
    assert found == written[: len(found)]
    assert len(damages) == 1
    assert start <= damages[0].offset <= cut
    if damages[0].index is not None:
        assert damages[0].index == len(found) + 1


@pytest.mark.parametrize("block", [200, 3_000, 1 << 20])
@pytest.mark.parametrize(
    "broken", ['"content": hello', '"content": "no end', '"content": "a"b"', '"content": 01', '"content": "x"}']
)
def test_a_broken_message_is_told_with_its_place_and_its_neighbours_are_kept(
    broken: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_array, "PIECE", block)
    written = [exported(number, "BREAK HERE" if number == 5 else f"text {number}") for number in range(1, 10)]
    data = as_exported(export(written)).replace(b'"content": "BREAK HERE"', broken.encode())
    found, damages = read_all(data, data.index(b'"messages": [') + len(b'"messages": ['))
    kept = [int(message["id"]) for message in found if message["content"].startswith("text ")]
    assert kept == [1, 2, 3, 4, 6, 7, 8, 9]
    assert damages[0].index == 5
    assert data[damages[0].offset :].startswith(b'{\n      "id": "5"')


@pytest.mark.parametrize("block", [200, 3_000, 1 << 20])
@pytest.mark.parametrize("broken", ['"content": !', '"content": "no end', '"content": "a"b"', '"content": "x"}'])
def test_a_broken_message_on_one_line_is_left_out_alone(
    broken: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_array, "PIECE", block)
    written = [exported(number, "BREAK HERE" if number == 3 else "hello") for number in range(1, 6)]
    data = json.dumps({"messages": written}).encode().replace(b'"content": "BREAK HERE"', broken.encode())
    found, damages = read_all(data, data.index(b"[") + 1)
    assert [message["id"] for message in found] == ["1", "2", "4", "5"]
    assert [damage.index for damage in damages] == [3]
    assert data[damages[0].offset :].startswith(b'{"id": "3"')


def test_text_that_is_no_unicode_is_kept_for_repair() -> None:
    data = rb'[{"content": "half \ud83d"}, {"content": "' + b"\xff\xfe" + rb' bytes"}, {"content": "ok"}]'
    found, damages = read_all(data, 1)
    assert [message["content"] for message in found] == ["half \ud83d", "\ufffd\ufffd bytes", "ok"]
    assert damages == []


@pytest.mark.parametrize("order", [("guild", "channel", "messages"), ("messages", "channel", "guild")])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_the_order_of_keys_and_a_byte_order_mark_do_not_matter(
    order: tuple[str, ...], mark: bytes, tmp_path: Path
) -> None:
    content = export([exported(1), exported(2)])
    data = mark + json.dumps({key: content[key] for key in order} | {"messageCount": 2}, indent=2).encode()
    header = header_of(tmp_path / "a.json", data)
    assert (header.guild_id, header.channel_id, header.parent_id) == (GUILD, HALL, None)
    assert [message["id"] for message in read_all(data, header.messages_at)[0]] == ["1", "2"]


@pytest.mark.parametrize(
    ("kind", "parent"), [("GuildPublicThread", 900), ("GuildPrivateThread", 900), ("GuildTextChat", None)]
)
def test_a_thread_has_a_parent_and_a_channel_only_a_category(kind: str, parent: int | None, tmp_path: Path) -> None:
    assert header_of(tmp_path / "a.json", as_exported(export([], type=kind))).parent_id == parent


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "ends"),
        (b"<html>", "expected"),
        (b'{"guild": {"id": "1"', "does not end"),
        (b'{"guild": {"id": "1"}, "channel": {"id": "2"}}', "no `messages`"),
        (b'{"messages": [], "channel": {"id": "2"}}', "no `guild`"),
        (b'{"guild": {"id": "1"}, "channel": {}, "messages": []}', "has no id"),
        (b'{"guild": {"id": "0"}, "channel": {"id": "2"}, "messages": []}', "direct messages"),
        (b"[1, 2]", "expected"),
    ],
)
def test_what_is_no_export_says_so(data: bytes, what: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableExport, match=what) as error:
        header_of(tmp_path / "a.json", data)
    assert 0 <= error.value.damage.offset <= len(data)
    assert error.value.damage.remedy


def test_the_line_of_a_place_is_counted_from_one(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"{\n\n  1\n}")
    assert [line_at(path, offset) for offset in (0, 1, 2, 4, 8)] == [1, 1, 2, 3, 4]


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
