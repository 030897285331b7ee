"""What a question can be answered from: whom it means, what is known of them, what was told and what was just said."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from memory.core.outcomes import UnclearWho
from memory.core.values import Fact, Member, Message, Question
from memory.language.detect import Language, language_of
from memory.language.text import repair
from memory.looking_back import LookedBack
from memory.people.names import Reference, mentioned_ids, people_in, with_choices
from memory.places.view import Audience
from memory.prompts.material import Material

MOST_CONTEXTS = 3
"""Of members whom a question names, beside the asker's."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a question can be answered from, but for what was said earlier."""

    references: Sequence[Reference]
    asked: str
    """The question, with ids for those who are clear."""
    contexts: Mapping[int, str]
    behind: Mapping[int, bytes]
    """What the contexts go back to."""
    facts: Sequence[Fact]
    messages: Sequence[Message]
    people: Set[int] = frozenset()
    """Who was looked up; not all of them are members any more."""
    members: Sequence[Member] = ()

    def spoken_of(self) -> set[int]:
        """Everybody in it."""
        people = {*mentioned_ids("\n".join((self.asked, *self.contexts.values())))} | told_or_told_of(self.facts)
        people |= {member.user_id for unclear in unclear_in(self.references) for member in unclear.candidates}
        return people | speaking_or_spoken_of(self.messages)

    def with_memories(self, question: Question, audience: Audience, looked_back: LookedBack) -> Material:
        return Material(
            question=self.asked,
            language=language_to_answer_in(question),
            named_ids=frozenset(meant_in(one for one in self.references if not one.is_speaker)),
            facts=self.facts,
            messages=self.messages,
            recalled=looked_back.without({question.message_id, *(message.message_id for message in self.messages)}),
            about=looked_back.about,
            place_id=audience.place_id,
            contexts=self.contexts,
            behind=self.behind,
            unclear=unclear_in(self.references),
            is_shortsighted=looked_back.failed,
        )


def people_of(
    text: str, question: Question, members: Sequence[Member], *, also_speaker: bool
) -> tuple[list[Reference], str]:
    """Whom the text refers to, and the text with those who are clear as ids."""
    asker = next(member for member in members if member.user_id == question.asker_id)
    references = people_in(text, members, speaker=asker if also_speaker else None, language=question.language)
    for reference in reversed(references):
        if reference.member is not None:
            text = f"{text[: reference.start]}<@{reference.member.user_id}>{text[reference.end :]}"
    return references, text


def as_chosen(question: Question) -> Question:
    """For whom the asker has chosen already, whatever they are called by now."""
    return replace(question, text=with_choices(repair(question.text), question.choices))


def speaking_or_spoken_of(messages: Sequence[Message]) -> set[int]:
    return {*(one.author_id for one in messages), *mentioned_ids("\n".join(one.text for one in messages))}


def told_or_told_of(facts: Sequence[Fact]) -> set[int]:
    people = {*mentioned_ids("\n".join(fact.text for fact in facts)), *(fact.teller_id for fact in facts)}
    return people | {fact.subject_id for fact in facts if fact.subject_id is not None}


def unclear_in(references: Iterable[Reference]) -> tuple[UnclearWho, ...]:
    return tuple(UnclearWho(one.typed, one.candidates) for one in references if one.member is None)


def meant_in(references: Iterable[Reference]) -> list[int]:
    """Of a name that several go by, all of them, unless they are too many to tell of each."""
    few = [one.candidates for one in references if len(one.candidates) <= MOST_CONTEXTS]
    return list(dict.fromkeys(member.user_id for candidates in few for member in candidates))


def language_to_answer_in(question: Question) -> Language:
    return question.language or language_of(question.text) or Language.EN
