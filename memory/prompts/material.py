"""All that an answer may be made from, whoever makes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory.core.outcomes import Answer, UnclearWho
from memory.core.recall.recollection import Recollection
from memory.core.values import Fact, Message
from memory.language.detect import Language


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
    contexts: Mapping[int, str] = field(default_factory=dict)
    """What is known in all of those the question names and of the asker, in this order; only a model has use for it."""
    behind: Mapping[int, bytes] = field(default_factory=dict)
    """What these texts go back to, each packed as `memory.context_sources` does."""
    unclear: Sequence[UnclearWho] = ()
    """Names in the question that several members go by."""
    is_shortsighted: bool = False
    """What was said earlier could not be looked for."""
    then: Sequence[Fact] = ()
    """Asked for a time, what held then, also if it is over; some of it may be among the facts too."""
    ledger: Answer | None = None
    """What is told of that time without a model."""
