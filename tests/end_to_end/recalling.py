"""`/recall` as a member uses it over HTTP: its options, what is offered while they type, and its pages."""

from typing import Any

from tests.end_to_end.asking import buttons_of, outcome_of
from tests.end_to_end.house import GENERAL, Payload, Person, eventually
from tests.end_to_end.slash import BUTTON, COMMAND, COMPONENT

AUTOCOMPLETE, TEXT = 4, 3


async def recall(person: Person, text: str, channel: str = GENERAL, **limits: Any) -> Payload:  # noqa: ANN401 - as typed
    """`limits` by their names, `from_` and `in_` with a line behind them, because Python has these words for itself."""
    given = {"text": text, **{name.rstrip("_"): value for name, value in limits.items()}}
    options = [{"name": name, "value": value} for name, value in given.items()]
    return await _interact(person, channel, COMMAND, {"name": "recall", "options": options})


async def offered(person: Person, typed: str, channel: str = GENERAL) -> list[str]:
    """The places that are offered while somebody types where to look."""
    focused = {"name": "in", "type": TEXT, "value": typed, "focused": True}
    data = {"name": "recall", "options": [{"name": "text", "type": TEXT, "value": "tea"}, focused]}
    outcome = await _interact(person, channel, AUTOCOMPLETE, data)
    return [str(choice["name"]) for choice in outcome["choices"]]


async def turn(person: Person, outcome: Payload, label: str, channel: str = GENERAL) -> Payload:
    """Presses the button with this label, and gives what stands there then, or what was said instead."""
    message = outcome["message"]
    button = next(one for one in buttons_of(message) if one["label"] == label)
    data = {"component_type": BUTTON, "custom_id": button["custom_id"]}
    begun = await _interact(person, channel, COMPONENT, data, message_id=message["id"])
    return await eventually(
        lambda: outcome_of(person, begun),
        lambda seen: seen["message"]["content"] != message["content"] or seen.get("followups"),
    )


async def _interact(person: Person, channel: str, kind: int, data: Payload, **more: object) -> Payload:
    body = {"type": kind, "channel_id": str(person.inn.channel(channel).id), "data": data, **more}
    outcome: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    return outcome
