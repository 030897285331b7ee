"""All that an answer may be made from, whoever makes it."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.core.language import Language
from memory.core.model import Fact, Message
from memory.core.recall.recollection import Recollection


@dataclass(frozen=True, slots=True)
class Material:
    """People in `question` stand as `<@id>`, the asker included."""

    question: str
    language: Language
    named_ids: frozenset[int]
    """Members the question names; the asker's "I" is not among them."""
    facts: Sequence[Fact]
    messages: Sequence[Message]
    recalled: Sequence[Recollection] = ()
    """What was said earlier, the best first; nothing of it is among the messages."""
    about: str = ""
    """The words that the question is about, as recall reads it; nothing, if it was not read so."""
    place_id: int | None = None
    """Where the answer will stand."""
    is_shortsighted: bool = False
    """What was said earlier could not be looked for."""
