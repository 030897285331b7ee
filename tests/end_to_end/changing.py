"""What a member does about a line that says what changed in memory, over HTTP: presses, and fills in the form."""

from local_guild.actions.components import ComponentType, walk
from local_guild.state.messages import EPHEMERAL
from tests.end_to_end.asking import outcome_of
from tests.end_to_end.choosing import press
from tests.end_to_end.house import Payload, Person, eventually
from tests.end_to_end.slash import words_of

MODAL = 5


async def form_of(person: Person, message: Payload, label: str = "Edit") -> Payload:
    """The form that a press shows; a refusal fails here."""
    pressed = await press(person, message, label)
    outcome = await eventually(lambda: outcome_of(person, pressed), lambda seen: seen.get("modal") or words_of(seen))
    assert outcome.get("modal"), words_of(outcome)
    modal: Payload = outcome["modal"]
    return modal


def field_of(modal: Payload) -> Payload:
    (field,) = [one for _, one in walk(modal["components"]) if one.get("type") == ComponentType.TEXT_INPUT]
    return field


async def fill_in(person: Person, message: Payload, modal: Payload, words: str) -> Payload:
    filled = {"type": ComponentType.TEXT_INPUT, "custom_id": field_of(modal)["custom_id"], "value": words}
    rows = [{"type": ComponentType.ROW, "components": [filled]}]
    data = {"id": modal["id"], "components": rows}
    body = {"type": MODAL, "channel_id": message["channel_id"], "data": data}
    begun: Payload = (await person.call("POST", "/interactions?wait=true", body)).json()
    return begun


def whispered_in(outcome: Payload) -> str:
    """What only the one who pressed is told, beside the line that was pressed under."""
    messages = [outcome.get("message"), *(outcome.get("followups") or [])]
    return "\n".join(str(one["content"]) for one in messages if one and one["flags"] & EPHEMERAL)
