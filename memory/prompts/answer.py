"""Answers made without a model: what is known of somebody, or the most fitting quotations for a question.

Nothing is invented. What people said stands as theirs, with its source; what is not known is said to be not known.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory.core.outcomes import Answer, UnclearWho
from memory.core.provenance import Read
from memory.core.values import Fact, Source
from memory.language.detect import Language
from memory.language.stems import topics
from memory.models.prompt_data import one_line
from memory.prompts.answer_phrases import PHRASES, Say
from memory.prompts.cited_lines import Line, answer_of
from memory.prompts.material import Material
from memory.prompts.quoting import Candidate, fact_line, lines_of, most_relevant

MOST_LISTED = 15
NAME_LIMIT = 60


def without_model(material: Material, *, why: str | None = None) -> Answer:
    """Up to three quotations that speak of what is asked, or the honest word that there are none.

    Either says why it is no more than that: there is no model, or it did not answer, for which `why` is the sentence.
    """
    say = PHRASES[material.language]
    if not material.question.strip(" ?!.,\n"):
        return Answer(say[Say.NOTHING_ASKED])
    if material.ledger is not None:
        return material.ledger if why is None else replace(material.ledger, text=f"{material.ledger.text}\n-# {why}")
    chosen = most_relevant(material)
    if not chosen:
        return Answer(say[Say.NOTHING_RELEVANT] if why is None else say[Say.NOTHING_MEANWHILE].format(why=why))
    heading = say[Say.QUOTING] if why is None else say[Say.QUOTING_MEANWHILE].format(why=why)
    return _quoted(heading, chosen, material)


def cut_off(material: Material) -> Answer:
    """The same from what was heard and read last, while the memory cannot be reached; and it says so, found or not."""
    say = PHRASES[material.language]
    chosen = most_relevant(material)
    if not chosen:
        return Answer(say[Say.NOTHING_WHILE_CUT_OFF], is_cut_off=True)
    return replace(_quoted(say[Say.CUT_OFF], chosen, material), is_cut_off=True)


def known_of(user_id: int, asker_id: int, facts: Sequence[Fact], language: Language) -> Answer:
    """Everything told about a member."""
    who = f"<@{user_id}>"
    is_asker = user_id == asker_id
    if not facts:
        return Answer(PHRASES[language][Say.NOTHING_OF_YOU if is_asker else Say.NOTHING].format(who=who))
    heading = PHRASES[language][Say.KNOWN_OF_YOU if is_asker else Say.KNOWN].format(who=who)
    return _listed(heading, facts, language)


def last_known_of(user_id: int, facts: Sequence[Fact], language: Language) -> Answer:
    """The same from what was read before the memory could not be reached any more, and it says so."""
    heading = PHRASES[language][Say.LAST_KNOWN].format(who=f"<@{user_id}>")
    return replace(_listed(heading, facts, language), is_cut_off=True)


def known_of_guild(facts: Sequence[Fact], language: Language) -> Answer:
    if not facts:
        return Answer(PHRASES[language][Say.NOTHING_OF_GUILD])
    return _listed(PHRASES[language][Say.KNOWN_OF_GUILD], facts, language)


def unknown_name(name: str, facts: Sequence[Fact], language: Language) -> Answer:
    """Nobody goes by that name; but it may stand in what was told."""
    quoted = one_line(name, NAME_LIMIT)
    wanted = topics(name)
    speaking = [fact for fact in facts if wanted and wanted <= topics(fact.text)]
    if not speaking:
        return Answer(PHRASES[language][Say.NOBODY].format(name=quoted))
    return _listed(PHRASES[language][Say.NOBODY_BUT].format(name=quoted), speaking, language)


def which_one(unclear: UnclearWho, language: Language) -> Answer:
    """Two or more go by the name: nothing is told of any before it is known who is meant."""
    return Answer(_asking(Say.WHICH, unclear, language), unclear=unclear)


def perhaps(found: Answer, guess: UnclearWho, language: Language) -> Answer:
    """Nobody goes by the name, but some by one like it: they are asked about, after whatever was found."""
    if found.sources:
        return replace(found, text=f"{found.text}\n-# {_asking(Say.PERHAPS, guess, language)}", unclear=guess)
    return Answer(_asking(Say.GUESSED, guess, language), unclear=guess)


def of_several(answer: Answer, unclear: Sequence[UnclearWho], language: Language) -> Answer:
    """The same answer, which says for each name in the question that several go by it; the first can be chosen."""
    if not unclear:
        return answer
    named = {one_line(one.name, NAME_LIMIT): one for one in unclear}
    notes = "".join(f"\n-# {_asking(Say.SEVERAL, one, language)}" for one in named.values())
    return replace(answer, text=f"{answer.text}{notes}", unclear=unclear[0])


def _asking(phrase: Say, unclear: UnclearWho, language: Language) -> str:
    say = PHRASES[language]
    people = [f"<@{one.user_id}> ({one_line(one.username, NAME_LIMIT)})" for one in unclear.candidates[:MOST_LISTED]]
    *others, last = [*people, *(["…"] if len(unclear.candidates) > len(people) else [])]
    listed = f"{', '.join(others)} {say[Say.OR]} {last}" if others else last
    return say[phrase].format(name=one_line(unclear.name, NAME_LIMIT), candidates=listed)


def shortsighted(answer: Answer, language: Language) -> Answer:
    """The same answer, which says that it could not look further back."""
    return replace(answer, text=f"{answer.text}\n-# {PHRASES[language][Say.NOT_LOOKED_BACK]}")


def _quoted(heading: str, chosen: Sequence[Candidate], material: Material) -> Answer:
    lines = [Line(heading)]
    for candidate in chosen:
        first, *beside = lines_of(candidate, material)
        lines += [Line(first, candidate.source), *map(Line, beside)]
    return answer_of(lines, Read.of_all(candidate.read for candidate in chosen))


def _listed(heading: str, facts: Sequence[Fact], language: Language) -> Answer:
    newest = list(facts)[-MOST_LISTED:]
    told = (Line(f"• {fact_line(fact, language)}", Source(fact.channel_id, fact.message_id)) for fact in newest)
    lines = [Line(heading), *told]
    if len(facts) > len(newest):
        lines.append(Line(PHRASES[language][Say.MORE].format(count=len(facts) - len(newest))))
    return answer_of(lines, Read.of_facts(newest))
