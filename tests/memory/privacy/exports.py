"""Files as DiscordChatExporter writes them, made by the tests."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.memory.world import GUILD, HALL

SENT = datetime(2025, 6, 1, 12, tzinfo=UTC)


def user(user_id: int, name: str, *, is_bot: bool = False, discriminator: str = "0000") -> dict[str, Any]:
    return {
        "id": str(user_id),
        "name": name.lower(),
        "discriminator": discriminator,
        "nickname": name,
        "color": None,
        "isBot": is_bot,
        "roles": [{"id": "77", "name": "] } {", "color": None, "position": 1}],
        "avatarUrl": "https://cdn.discordapp.com/embed/avatars/0.png",
    }


def exported(
    message_id: int, text: str = "hello", author: dict[str, Any] | None = None, **more: object
) -> dict[str, Any]:
    said: dict[str, Any] = {
        "id": str(message_id),
        "type": "Default",
        "timestamp": SENT.isoformat(),
        "timestampEdited": None,
    }
    said |= {"callEndedTimestamp": None, "isPinned": False, "content": text, "author": author or user(1, "Alice")}
    parts = ("attachments", "embeds", "stickers", "reactions", "mentions", "inlineEmojis")
    return {**said, **{part: [] for part in parts}, **more}


def export(
    messages: list[dict[str, Any]], *, guild: int = GUILD, channel: int = HALL, **channel_fields: object
) -> dict[str, Any]:
    return {
        "guild": {"id": str(guild), "name": "The Inn", "iconUrl": ""},
        "channel": {
            "id": str(channel),
            "type": "GuildTextChat",
            "categoryId": "900",
            "category": "Rooms",
            "name": "hall",
            "topic": None,
            **channel_fields,
        },
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2026-01-01T00:00:00.0000000+00:00",
        "messages": messages,
        "messageCount": len(messages),
    }


def as_exported(content: dict[str, Any]) -> bytes:
    """In the exporter's own layout."""
    return json.dumps(content, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")


def write(path: Path, messages: list[dict[str, Any]], **more: Any) -> Path:  # noqa: ANN401 - handed on to `export`
    path.write_bytes(as_exported(export(messages, **more)))
    return path


def write_large(path: Path, count: int, first_id: int = 1_000) -> Path:
    """Many messages, quickly: one after another made from a pattern."""
    pattern = as_exported(export([exported(987654321, "word " * 440), exported(987654322)]))
    head, rest = pattern.split(b"    {\n", 1)
    message, tail = rest.split(b"\n    },\n    {\n", 1)
    tail = tail[tail.index(b"\n  ],") :]
    before, after = message.split(b"987654321")
    with path.open("wb") as file:
        file.write(head)
        file.writelines(
            b"    {\n%b%d%b\n    }%b" % (before, first_id + number, after, b",\n" if number + 1 < count else b"")
            for number in range(count)
        )
        file.write(tail)
    return path
