"""Gathers what a question can be answered from: all of it side by side, and nothing that takes too long."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace

from memory.caches import KeptText
from memory.contexts import PATIENCE, Contexts
from memory.core.values import Member, Message, Question
from memory.facts.ledger import FactStore
from memory.health import Part
from memory.knowing import MOST_CONTEXTS, Known, meant_in, people_of, speaking_or_spoken_of, told_or_told_of
from memory.language.text import repair
from memory.log.reading import MessageStore
from memory.looking_back import LookedBack, LookingBack
from memory.people.names import Reference, told_apart
from memory.people.resolver import Naming
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.prompts.material import Material


class Gathering:
    def __init__(
        self,
        facts: FactStore,
        messages: MessageStore,
        members: MemberStore,
        looking_back: LookingBack,
        contexts: Contexts,
        recent_messages: int,
        part: Part,
    ) -> None:
        self._facts = facts
        self._messages = messages
        self._members = members
        self._naming = Naming(members)
        self._looking_back = looking_back
        self._contexts = contexts
        self._recent_messages = recent_messages
        self._part = part

    async def look_back(
        self,
        question: Question,
        audience: Audience,
        members: Sequence[Member],
        patience: float,
        noting: "asyncio.Task[None]",
    ) -> LookedBack:
        """Not before the question is set aside: of all that was said it fits itself best."""
        await asyncio.shield(noting)
        return await self._looking_back.beside(question, audience, patience, members)

    async def members_of(self, question: Question, audience: Audience) -> list[Member]:
        """The asker, and everybody whom the question may mean."""
        return await self._naming.spoken_of(audience, repair(question.text), [question.asker_id])

    async def names(self, material: Material, known: Known, audience: Audience) -> dict[int, str]:
        """Whom the material speaks of, by the names they go by today: only those recalled are not looked up yet."""
        recalled = [message for passage in material.recalled for message in passage.messages]
        others = (speaking_or_spoken_of(recalled) | told_or_told_of(material.then)) - known.people
        more = await self._members.spoken_of(audience, "", sorted(others)) if others else []
        return told_apart([*known.members, *more])

    async def known(
        self,
        question: Question,
        audience: Audience,
        members: Sequence[Member],
        patience: float,
        *,
        for_model: bool,
    ) -> Known:
        """All but what was said earlier. `patience` is for contexts; for a model people are known by name as well."""
        (references, asked, contexts), facts, messages = await asyncio.gather(
            self._people_known(question, audience, members, patience, for_model=for_model),
            self._facts.within(audience),
            self._conversation(question, audience),
        )
        texts = {user_id: kept.text for user_id, kept in contexts.items() if kept.text is not None}
        behind = {user_id: contexts[user_id].packed for user_id in texts}
        known = Known(references, asked, texts, behind, facts, messages)
        if not for_model:
            return known
        people = known.spoken_of() | {question.asker_id}
        by_name = await self._members.spoken_of(audience, "", sorted(people))
        return replace(known, people=people, members=by_name)

    async def _people_known(
        self,
        question: Question,
        audience: Audience,
        members: Sequence[Member],
        patience: float,
        *,
        for_model: bool,
    ) -> tuple[list[Reference], str, dict[int, KeptText]]:
        """Whom a question names, the question with their ids, and what is known of them and of the asker in all."""
        references, asked = people_of(repair(question.text), question, members, also_speaker=True)
        if not for_model:
            return references, asked, {}
        people = dict.fromkeys([*meant_in(references)[:MOST_CONTEXTS], question.asker_id])
        return references, asked, await self._known_of(people, audience, patience)

    async def _known_of(self, people: Collection[int], audience: Audience, patience: float) -> dict[int, KeptText]:
        """Nothing, if that takes too long: an answer is better without contexts than none."""
        wait = min(PATIENCE, patience / 2)
        try:
            async with asyncio.timeout(patience):
                kept = await asyncio.gather(*(self._contexts.kept_of(audience, one, patience=wait) for one in people))
        except TimeoutError:
            self._part.count("without contexts")
            return {}
        return dict(zip(people, kept, strict=True))

    async def _conversation(self, question: Question, audience: Audience) -> list[Message]:
        """What was last said in the place; to one reader alone also what was last said wherever they can read."""
        here = await self._messages.recent_conversation(
            audience, self._recent_messages, before=question.message_id, at=question.asked_at
        )
        if audience.viewer_id is None:
            return here
        elsewhere = await self._messages.recent_elsewhere(audience, self._recent_messages, before=question.message_id)
        return sorted([*here, *elsewhere], key=lambda message: message.message_id)
