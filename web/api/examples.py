"""Puts an example of each body and each answer into the API's document, made of its schema and everyday values."""

from collections.abc import Mapping
from typing import Any

_MOMENT = "2026-03-02T18:30:00Z"
_MEMBER, _CHANNEL, _MESSAGE = "284746190012153856", "310297841160257536", "1478046531604938752"
_BY_NAME: Mapping[str, object] = {
    "about": _MEMBER,
    "author_id": _MEMBER,
    "change_id": "0195d1c6-6f0a-7c1e-9a4b-3f1f5f6f2a10",
    "channel_id": _CHANNEL,
    "channels": 3,
    "chance": 0.91,
    "cites": [_MESSAGE],
    "counts": {"chat_history": 412, "facts": 9},
    "currency": "EUR",
    "erase": "everything of mine",
    "extract": None,
    "failed": 0,
    "id": _MESSAGE,
    "importance": 5,
    "issues": [],
    "level": 1,
    "link": f"https://discord.com/channels/1/{_CHANNEL}/{_MESSAGE}",
    "may": ["edit", "forget"],
    "member_id": _MEMBER,
    "message_id": _MESSAGE,
    "model": "gemini-3.8-flash",
    "name": "Maren",
    "names": {_MEMBER: "Maren"},
    "next": None,
    "policy": "rolling",
    "purpose": "answer",
    "repeats": False,
    "sections": {"decided": [{"text": "We paint the shed green.", "sources": [], "when": None}]},
    "state": "waiting",
    "tags": ["kitchen"],
    "text": "I take my coffee black",
    "told_by": _MEMBER,
    "username": "maren",
    "version": "9f2b6c1d0a7e4b53",
    "what": "water the plants",
    "why": {"words": 1.2},
    "zone": "Europe/Berlin",
}
_MEMORY_ID = f"{_MEMBER}-{_MESSAGE}-2718281828"
_OF_SCHEMA: Mapping[tuple[str, str], object] = {
    ("MemoryView", "id"): _MEMORY_ID,
    ("MemoryView", "kind"): "told",
    ("MemoryView", "until"): None,
    ("MemoryView", "category"): None,
    ("MemoryView", "expires_at"): None,
    ("GuildHealthView", "state"): "active",
    ("ReminderSent", "when"): "tomorrow at 9",
    ("WhenSent", "when"): "on Friday at 18:00",
    ("ChannelView", "name"): "kitchen",
}
_BY_TYPE: Mapping[str, object] = {"boolean": False, "integer": 12, "number": 0.5, "string": "…", "null": None}
_BY_FORMAT = {"date-time": _MOMENT, "date": "2026-03-02"}


def with_examples(document: dict[str, Any]) -> dict[str, Any]:
    """Put an example beside the schema of each body that is sent, and of each answer that is no problem."""
    schemas = document["components"]["schemas"]
    for path in document["paths"].values():
        for operation in path.values():
            answers = [answer for status, answer in operation["responses"].items() if int(status) < 400]
            for holder in [operation.get("requestBody"), *answers]:
                for content in [] if holder is None else holder["content"].values():
                    content["example"] = _example(content["schema"], schemas)
    return document


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any], owner: str = "") -> object:
    if "$ref" in schema:
        owner = schema["$ref"].rpartition("/")[2]
        return _example(schemas[owner], schemas, owner)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], schemas, owner)
    if "properties" in schema:
        return {
            name: _OF_SCHEMA.get((owner, name), _BY_NAME.get(name, _example(one, schemas, owner)))
            for name, one in schema["properties"].items()
        }
    if schema.get("type") == "array":
        return [_example(schema["items"], schemas, owner)]
    if schema.get("type") == "object":
        return {"time_zone": "Europe/Berlin"}
    return _BY_FORMAT.get(schema.get("format", ""), _BY_TYPE.get(schema.get("type", "null")))
