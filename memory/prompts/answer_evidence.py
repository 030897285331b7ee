"""What of its prompt a model's answer repeats. Looked at when the answer is there: nobody waits for it before."""

from collections.abc import Mapping

from memory.context_sources import ContextSources
from memory.core.provenance import Evidence, Read
from memory.core.recall.recollection import Recollection
from memory.core.values import Fact, Message, text_of
from memory.prompts.answer_by_model import Asked, with_names
from memory.prompts.material import Material
from memory.receipts.overlap import Input, quoted_by

Names = Mapping[int, str]


def repeated_in(text: str, cited: list[int], material: Material, asked: Asked, names: Names) -> Evidence:
    """`cited` are places of the prompt's numbered items."""
    inputs = _inputs(material, asked, names)
    return quoted_by(text, with_names(material.question, names), inputs, cited)


def _inputs(material: Material, asked: Asked, names: Names) -> list[Input]:
    """The numbered items in their order, then what stands beside what was recalled, then the contexts."""
    items = [_input(item, names) for item in asked.items]
    beside = [
        _message(message, names)
        for item in asked.items
        if isinstance(item, Recollection)
        for message in (*item.before, *item.after)
    ]
    behind = {
        user_id: ContextSources.unpacked(material.behind[user_id])
        for user_id in asked.members
        if material.behind.get(user_id)
    }
    # There may be a thousand facts at hand, of which a context was made from a few.
    merged = frozenset(fact_id for sources in behind.values() for fact_id in sources.facts)
    facts = {fact.fact_id: _fact(fact, names) for fact in material.facts if fact.fact_id in merged}
    contexts = [
        _context(user_id, material.contexts[user_id], sources, facts, names) for user_id, sources in behind.items()
    ]
    return [*items, *beside, *contexts]


def _context(user_id: int, text: str, sources: ContextSources, facts: Mapping[int, Input], names: Names) -> Input:
    told = (facts.get(fact_id) or Input("", Read(facts={fact_id: digest})) for fact_id, digest in sources.facts.items())
    called = _called({user_id}, names)
    days = (Input(with_names(day.text, names), day.read, called) for day in sources.days)
    return Input(with_names(text, names), sources.read, called, parts=(*told, *days))


def _input(item: Fact | Message | Recollection, names: Names) -> Input:
    match item:
        case Fact():
            return _fact(item, names)
        case Message():
            return _message(item, names)
        case Recollection():
            return _message(item.message, names)


def _fact(fact: Fact, names: Names) -> Input:
    """People are known by the names that the model was given for them."""
    people = {fact.teller_id} if fact.subject_id is None else {fact.teller_id, fact.subject_id}
    return Input(with_names(fact.text, names), Read.of_facts([fact]), _called(people, names))


def _message(message: Message, names: Names) -> Input:
    return Input(with_names(text_of(message), names), Read.of_messages([message]), _called({message.author_id}, names))


def _called(people: set[int], names: Names) -> str:
    return " ".join(names[user_id] for user_id in sorted(people) if user_id in names)
