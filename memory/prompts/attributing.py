"""Says whose word it is where a model repeats hearsay as if it were so: it is asked to say who said it, and may not."""

from collections.abc import Mapping
from dataclasses import replace

from memory.core.outcomes import Answer
from memory.core.values import Standing
from memory.facts.matching import Hearsay, told_by_others, unattributed
from memory.language.text import fold
from memory.prompts.material import Material


def attributing(answer: Answer, material: Material, names: Mapping[int, str]) -> Answer:
    """The same answer; under it stand those whose mere word it repeats without naming them."""
    facts = {fact.fact_id: fact for fact in (*material.facts, *material.then)}
    hearsay = [fact for fact in facts.values() if fact.standing is Standing.HEARSAY and fact.subject_id is not None]
    own = [fact.text for fact in facts.values() if fact.standing is not Standing.HEARSAY]
    folded = fold(answer.text)
    quoted = [fact for fact in hearsay if fact.fact_id in answer.evidence.quoted.facts]
    # Named anywhere in the answer is enough: a reader sees whose word it is.
    unnamed = [fact for fact in quoted if not (name := fold(names.get(fact.teller_id, ""))) or name not in folded]
    if not unnamed:
        return answer
    are_unsaid = unattributed(answer.text, [Hearsay(fact.text, f"<@{fact.teller_id}>") for fact in unnamed], own)
    tellers = [fact.teller_id for fact, is_unsaid in zip(unnamed, are_unsaid, strict=True) if is_unsaid]
    if not tellers:
        return answer
    return replace(answer, text=f"{answer.text}\n{told_by_others(dict.fromkeys(tellers), material.language)}")
