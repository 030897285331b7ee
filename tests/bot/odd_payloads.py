"""Payloads of messages in every shape that Discord sends, and some that it does not, for hypothesis."""

from typing import Any

from hypothesis import strategies as st

from tests.bot.discord_objects import ANNA, GUILD, HALL, INNKEEPER, Payload, message_payload, thread, user

THREAD, NOWHERE, STRANGER = 7000, 7999, 3777
BY_US = user(INNKEEPER, "innkeeper", bot=True)
BY_ANNA = user(ANNA, "anna")
REFERENCE = {"message_id": "4999", "channel_id": str(HALL), "guild_id": str(GUILD)}


def file(number: int, name: str, size: int, **more: str) -> Payload:
    url = f"http://x/{number}"
    return {"id": str(number), "filename": name, "size": size, "url": url, "proxy_url": url, **more}


FILE = file(1, "a", 1)
SNAPSHOT = {
    "type": 0,
    "content": "From elsewhere",
    "embeds": [],
    "attachments": [FILE],
    "timestamp": "2026-01-01T11:00:00+00:00",
    "edited_timestamp": None,
    "flags": 0,
    "mentions": [],
    "mention_roles": [],
}
ENDLESS_POLL: Payload = {"question": {"text": "Tea?"}, "answers": [], "expiry": None, "allow_multiselect": False}
POLL = ENDLESS_POLL | {"expiry": "2026-01-02T12:00:00+00:00", "layout_type": 1}

# Each field as it may come; a field may also be missing.
_FIELDS: dict[str, list[Any]] = {
    "flags": [0, 0, 0, 1 << 2, 1 << 6, 1 << 12, 1 << 6 | 1 << 12],
    "edited_timestamp": [None, "2026-01-01T12:00:00.123000+00:00", "2026-01-01T12:00:00+00:00"],
    "webhook_id": [None, "8"],
    "application_id": [None, "8", "9"],
    "attachments": [[], [FILE]],
    "embeds": [[], [{"type": "rich", "title": "Tea"}], [{"type": "image", "url": "http://x"}]],
    "poll": [POLL],
    "message_snapshots": [[], [{"message": SNAPSHOT}]],
    "sticker_items": [[], [{"id": "1", "name": "wave", "format_type": 1}]],
    "message_reference": [REFERENCE, {"channel_id": str(HALL)}, REFERENCE | {"type": 1}],
    "referenced_message": [
        None,
        message_payload(id="4999", author=BY_US),
        message_payload(id="4999", author=BY_ANNA, attachments=[FILE]),
    ],
    "member": [{"roles": [], "joined_at": "2025-01-01T00:00:00+00:00", "nick": "Annie", "deaf": False, "mute": False}],
    "mentions": [[], [BY_ANNA], [BY_US]],
    "mention_roles": [[], ["1001"], ["99"]],
    "thread": [thread(THREAD, HALL)],
    "components": [[]],
    "nonce": ["17", 17],
    "position": [0, 3],
}
_WORDS = ["", "hello", "Bot, what is new?", "bot", "<@3000> hi", "> bot\nno", "`x`", "\x00", "B\u200bot", "🙂", "boat"]


@st.composite
def payloads(draw: st.DrawFn, *, place_ids: tuple[int, ...] = (HALL, THREAD)) -> Payload:
    changes: dict[str, Any] = {
        "id": str(draw(st.integers(1, 2**63 - 1))),
        "type": draw(st.sampled_from([0, 0, 0, 0, 19, 19, 20, 23, 7, 46, 999])),
        "channel_id": str(draw(st.sampled_from(place_ids))),
        "content": draw(st.sampled_from(_WORDS) | st.text(max_size=20)),
        "author": draw(st.sampled_from([BY_ANNA, BY_ANNA, BY_US, user(7, "other", bot=True), user(STRANGER, "who")])),
    }
    # Few at a time: with all of them drawn freely hardly any message would be plain.
    for name in draw(st.lists(st.sampled_from(sorted(_FIELDS)), max_size=4, unique=True)):
        changes[name] = draw(st.sampled_from(_FIELDS[name]))
    payload = message_payload(**changes)
    for name in draw(st.lists(st.sampled_from(sorted(_FIELDS)), max_size=2)):
        payload.pop(name, None)
    return payload
