"""Answers questions from what this audience could already hear: facts, what was just said, and what was said before.

Somebody who alone will read the answer gets it from all that they can read.

By the model, if there is one and it answers in time; otherwise by quotation, which says why it is one.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from memory.answers import about_here, quote
from memory.answers.about_days import AskedDay, DayAnswers
from memory.answers.about_here import Coming
from memory.answers.about_then import FactsOverTime
from memory.answers.gather import (
    Gatherer,
    Inquiry,
    JustSaid,
    Material,
    as_chosen,
    language_to_answer_in,
    people_of,
    unclear_in,
    with_more,
    with_recalled,
)
from memory.answers.generate import Generator, Kind, Said, Silence
from memory.answers.prompt import concerned_facts
from memory.answers.store import ExchangeStore
from memory.answers.understanding import AnswerKind, Understanding, Understood, View, understood_by_rules
from memory.channels.service import ChannelSummaries
from memory.channels.topics import Returned
from memory.contexts.service import Contexts
from memory.core.outcomes import Answer, UnclearWho
from memory.core.values import Fact, Intent, Member, Message, Question
from memory.db.errors import StoreError
from memory.facts.ledger import FactStore
from memory.health import Health
from memory.language.detect import Language, word_set
from memory.language.text import repair, words_in
from memory.log.outage import RecentMessages
from memory.log.reading import MessageStore
from memory.models.usage import Requester
from memory.people.names import MENTION, Reference, is_speaker_alone, mentioned_ids, people_listed
from memory.people.store import MemberStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsOf
from memory.recall.coverage import Room
from memory.recall.service import PATIENCE_SECONDS, RecallOutcome, RecallService
from memory.tasks import drop

logger = logging.getLogger(__name__)

_THE_GUILD = word_set(
    "server guild us here discord uns hier serveur nous ici servidor nosotros aqui сервер нас сервере"
)
_BESIDE_THE_GUILD = word_set(
    "this the our der dieser diesen den unser unseren ce notre le este nuestro el этот этом наш"
)


MOST_ASKED_ABOUT = 5
"""Of more people at once nobody reads what is known."""
DAYS_PATIENCE = 3.0
"""Seconds for days to be quoted that nobody has told, where they are what is asked for."""
ROOM_FOR_SEARCHES = 1.25
ROOM_FOR_MUCH = 2.6
"""Times the room for what was said earlier: where it was looked for in other words too; and where these find different
things, or a list or a count is wanted."""
SHARE_OF_LOOKING = 0.5
"""Of the time for an answer. Longer than that the memory is not waited for."""
SPARE_SECONDS = 1.0
"""Of that time, where a model is still telling a day or a channel: then what there is has to be written."""


Heard = tuple[list[Member], JustSaid]
"""Whom a question may mean, and what was said here last."""


class Answers:
    def __init__(
        self,
        facts: FactStore,
        messages: MessageStore,
        members: MemberStore,
        ring: RecentMessages,
        generator: Generator,
        understanding: Understanding,
        recall_service: RecallService,
        day_answers: DayAnswers,
        contexts: Contexts,
        over_time: FactsOverTime,
        exchanges: ExchangeStore,
        channels: ChannelSummaries,
        coming: Coming,
        places: Places,
        health: Health,
        recent_messages: int,
        recalled_tokens: int,
        settled: Callable[[int], Awaitable[None]],
        settings_of: SettingsOf,
    ) -> None:
        """`settled`: until what was said before in a guild is in the log."""
        self._facts = facts
        self._messages = messages
        self._members = members
        self._ring = ring
        self._generator = generator
        self._understanding = understanding
        self._day_answers = day_answers
        self._over_time = over_time
        self._recent_messages = recent_messages
        self._settled = settled
        self._part = health.part("answers")
        self._part.active()
        self._recalled_tokens = recalled_tokens
        self._settings_of = settings_of
        self._gatherer = Gatherer(
            facts, messages, members, recall_service, contexts, exchanges, channels, places, recent_messages, self._part
        )
        self._contexts = contexts
        self._channels = channels
        self._coming = coming

    @property
    def seconds(self) -> float:
        """Say how long an answer may take in all."""
        return self._generator.seconds

    async def understand(self, question: Question) -> Intent:
        """Say what is wanted, where nothing can be answered."""

        async def view() -> View:
            return View((), ())

        return (await self._understanding.understand(question, view, question.asked_at, may_write=True)).intent

    async def what_is_known(self, question: Question, audience: Audience) -> Answer:
        """Tell everything told about whoever the question names; without the database, what was last read of it."""
        await self._settled(audience.guild_id)
        question = as_chosen(question)
        try:
            await self._note(question, Intent.KNOWLEDGE, audience)
            told = await self._what_is_known(question, audience)
            if told is not None:
                return await self._with_names(told, question, audience)
            # The verb is gone by now; the answer is in the language of the question.
            asked = replace(question, text=f"What do you know about {question.text}?")
            return await self.answer(replace(asked, language=language_to_answer_in(question)), audience)
        except StoreError:
            read = self._what_was_read(question, audience)
            if read is None:
                raise
            return read

    async def _what_is_known(self, question: Question, audience: Audience) -> Answer | None:
        """List what is known; None where nothing of it can be listed and a model may know who is meant."""
        text = repair(question.text)
        language = language_to_answer_in(question)
        if not words_in(text):
            return quote.without_model(Material("", language, frozenset(), (), ()))
        if _means_the_guild(text):
            return quote.known_of_guild(
                [f for f in await self._facts.within(audience) if f.subject_id is None], language
            )
        members = await self._gatherer.members_of(question, audience)
        asker = next(member for member in members if member.user_id == question.asker_id)
        references = people_listed(text, members, asker)
        if not references:
            references, _ = people_of(text, question, members, also_speaker=False)
            then = await self._over_time.listed(question, audience, members, is_known=True)
            if then is not None:
                return quote.of_several(then[1], unclear_in(references), language)
            if not references:
                return await self._of_nobody_known(text, question, audience)
            references = references[:1]
        asked_about = references[:MOST_ASKED_ABOUT]
        return quote.together([await self._known_of(one, question, audience, language) for one in asked_about])

    async def _known_of(
        self, reference: Reference, question: Question, audience: Audience, language: Language
    ) -> Answer:
        """List facts about a member first; then what the days tell, quoted where nobody has told them yet."""
        if reference.member is None:
            return quote.which_one(UnclearWho(reference.typed, reference.candidates), language)
        user_id = reference.member.user_id
        await self._contexts.cached_profile(audience, user_id, Requester.of(question), patience=DAYS_PATIENCE)
        facts, lately, left = await asyncio.gather(
            self._facts.about(audience, [user_id]),
            self._day_answers.lately(audience, user_id, language),
            self._gatherer.those_who_left(audience, [user_id]),
        )
        return quote.known_of(user_id, question.asker_id, facts, lately, language, has_left=user_id in left)

    async def _of_nobody_known(self, text: str, question: Question, audience: Audience) -> Answer | None:
        """Answer about a name nobody goes by: it may stand in what was told or said, or be a part of a name."""
        language = language_to_answer_in(question)
        unknown = await asyncio.to_thread(quote.unknown_name, text, await self._facts.within(audience), language)
        guess = await self._members.typed_in_part(audience, text, question.choices)
        if not unknown.sources and guess is None and self._generator.is_there:
            return None
        # No person, and nothing was told: perhaps it has just been talked about.
        quoted = unknown if unknown.sources else await self._quote(question, audience)
        found = quoted if quoted.sources else unknown
        return found if guess is None else quote.perhaps(found, guess, language)

    async def answer(self, question: Question, audience: Audience, *, until: float | None = None) -> Answer:
        """Give the best answer to a question, whatever else may be wanted."""
        answer = await self.answer_or_intent(question, audience, until=until, may_write=False, only_answers=True)
        if isinstance(answer, Intent):
            raise TypeError("an answer was asked for")
        return answer

    async def answer_or_intent(
        self,
        question: Question,
        audience: Audience,
        *,
        until: float | None = None,
        may_write: bool,
        only_answers: bool = False,
    ) -> Answer | Intent:
        """Answer, or say what is wanted instead of an answer; without the database, from what was heard here last.

        `until` is a time of the loop's clock. `may_write`: whether something to be remembered, forgotten or reminded of
        may be wanted; whoever uses a command only asks.
        """
        with self._contexts.hold_background_work(audience.guild_id):
            answer = await self._answer(question, audience, until=until, may_write=may_write, only_answers=only_answers)
        if isinstance(answer, Intent):
            return answer
        if audience.viewer_id is None:
            self._channels.after_exchange(audience.guild_id, audience.place_id, Requester.of(question))
        try:
            return answer if answer.made_during_outage else await self._with_names(answer, question, audience)
        except StoreError:
            return answer

    async def _with_names(self, answer: Answer, question: Question, audience: Audience) -> Answer:
        left = await self._gatherer.those_who_left(audience, mentioned_ids(answer.text))
        return quote.naming_those_who_left(answer, left - {question.asker_id}, language_to_answer_in(question))

    async def _answer(
        self, question: Question, audience: Audience, *, until: float | None, may_write: bool, only_answers: bool
    ) -> Answer | Intent:
        question = as_chosen(question)
        now = asyncio.get_running_loop().time()
        until = now + self._generator.seconds if until is None else until
        deadline = now + (until - now) * SHARE_OF_LOOKING
        try:
            async with asyncio.timeout_at(deadline):
                # A question that is not set aside would find itself, and be a part of a day that is quoted for it.
                await asyncio.gather(self._note(question, Intent.QUESTION, audience), self._settled(audience.guild_id))
                question = await self._gatherer.with_linked(question, audience)
                settings = await self._settings_of(audience.guild_id)
                wait = self._generator.admit(question, settings.answers.hourly_questions)
                for_model = self._generator.is_there and wait is None
                patience = min(PATIENCE_SECONDS, (until - now) * SHARE_OF_LOOKING / 2)
                inquiry = Inquiry(question, audience, settings, patience, for_model)
                heard = asyncio.create_task(self._heard(inquiry))
                looking = asyncio.create_task(self._looked_back(heard, inquiry))
                try:
                    understood = (
                        await self._understood(heard, inquiry, may_write=may_write)
                        if for_model
                        else understood_by_rules(question.text, may_write=may_write)
                    )
                    wanted = await self._wanted_instead(understood, heard, inquiry, deadline)
                    if isinstance(wanted, Answer) or (wanted is not None and not only_answers):
                        return wanted
                    members, just_said = await heard
                    # Not before it is known that an answer is wanted: whoever puts members in a text quotes their days.
                    material = await self._gatherer.material(inquiry, members, just_said)
                    returned, looked_back = await looking
                finally:
                    await drop(heard, looking)
                searches = understood.looked_for
                searched = await self._gatherer.search(searches, inquiry)
                material = await self._gatherer.with_people(material, understood.people, inquiry)
                room = self._room(understood) if for_model else None
                material = await asyncio.to_thread(
                    with_recalled, material, inquiry, looked_back, returned, room, searched, searches
                )
                if understood.by_model:
                    material = await self._over_time.for_model(material, understood, question, audience)
                else:
                    then = await self._over_time.listed(question, audience, members)
                    material = material if then is None else replace(material, then=then[0], ledger=then[1])
                if for_model:
                    material = await self._gatherer.with_links(material, audience)
                people = await self._gatherer.people(material, audience) if for_model else []
        except (StoreError, TimeoutError):
            last = self._ring.recent_conversation(
                audience, self._recent_messages, before=question.message_id, at=question.asked_at
            )
            if last is None:
                raise
            facts = self._facts.heard.of(audience) or ()
            return await asyncio.to_thread(_quote_what_was_heard, question, last, facts)
        said = await self._generator.answer(
            material,
            question,
            people,
            until=until,
            wait=wait,
            may_search=settings.second_look,
            persona=settings.answers.persona,
        )
        match said:
            case Said():
                answer = await self._second_look(said, material, inquiry, until)
            case None:
                answer = await self._quoted(material, inquiry, looked_back)
            case Silence(reason=reason, wait=wait):
                why = reason.sentence(material.language)
                answer = replace(await self._quoted(material, inquiry, looked_back, why), wait=wait)
        answer = quote.mark_incomplete(answer, material.language) if material.is_incomplete else answer
        answer = quote.of_several(answer, material.unclear, material.language)
        return replace(answer, may_be_told=True) if understood.is_doubtful else answer

    async def _quoted(
        self, material: Material, inquiry: Inquiry, looked_back: RecallOutcome, why: str | None = None
    ) -> Answer:
        quotable = material.quotable or await asyncio.to_thread(looked_back.quotable, {inquiry.question.message_id})
        shown = await self._gatherer.with_links(replace(material, quotable=quotable), inquiry.audience)
        return await asyncio.to_thread(quote.without_model, shown, why=why)

    async def _heard(self, inquiry: Inquiry) -> Heard:
        """Read whom the question may mean, and what was said here last."""
        return await asyncio.gather(
            self._gatherer.members_of(inquiry.question, inquiry.audience), self._gatherer.just_said(inquiry)
        )

    async def _looked_back(
        self, heard: "asyncio.Task[Heard]", inquiry: Inquiry
    ) -> tuple[list[Returned], RecallOutcome]:
        """Recall by the words as they were typed, as a first look, while somebody else understands them."""
        members, _ = await heard
        return await asyncio.gather(self._returning(inquiry, members), self._gatherer.look_back(inquiry, members))

    async def _understood(self, heard: "asyncio.Task[Heard]", inquiry: Inquiry, *, may_write: bool) -> Understood:
        now = inquiry.question.asked_at.astimezone(ZoneInfo(inquiry.settings.time_zone))

        async def view() -> View:
            return await self._gatherer.view(inquiry, *await heard)

        return await self._understanding.understand(inquiry.question, view, now, may_write=may_write)

    async def _wanted_instead(
        self, understood: Understood, heard: "asyncio.Task[Heard]", inquiry: Inquiry, deadline: float
    ) -> Answer | Intent | None:
        """Find what is told or done where no question is to be answered; None where one is."""
        question, audience, for_model = inquiry.question, inquiry.audience, inquiry.for_model
        wait = max(deadline - asyncio.get_running_loop().time() - SPARE_SECONDS, 0.0)
        language = language_to_answer_in(question)
        day: AskedDay | None = None
        if understood.intent is Intent.QUESTION and question.about is None:
            dated = await self._coming.when(audience, repair(question.text), language)
            if dated is not None:
                return dated
        intent = understood.intent
        phrase = None if understood.by_model else about_here.asked_by_phrase(repair(question.text))
        if phrase is not None and phrase[0] is not Intent.CHANNEL:
            intent, language = phrase
        match intent:
            case Intent.COMING:
                return await self._coming.told(audience, question.asker_id, language)
            case Intent.PINS:
                return about_here.told_of_pins(await self._messages.pinned(audience, about_here.MOST_PINS), language)
            case Intent.KNOWLEDGE:
                known = await self._what_is_known(question, audience)
                return known and await self._with_names(known, question, audience)
            case Intent.DAYS if understood.first_day is not None and understood.last_day is not None:
                days = (understood.last_day - understood.first_day).days + 1
                people = frozenset(understood.people) - {question.asker_id}
                day = AskedDay(understood.first_day, people, days)
            case Intent.QUESTION if not understood.by_model:
                day = await self._day_answers.asked_for(question, (await heard)[0])
                if day is None and (phrase is None or question.points_at):
                    return None
            case Intent.QUESTION | Intent.DAYS:
                return None
            case Intent.CHANNEL:
                pass
            case _:
                return intent
        members, _ = await heard
        if day is None:
            text = await self._channels.brought_up_to_date(audience, wait, Requester.of(question))
            is_for_model = for_model and not about_here.is_told_in(text, language)
            return None if is_for_model else about_here.told_of_channel(text, language)
        told = await self._day_answers.tell(day, question, audience, wait, for_model=for_model)
        if told is None:
            return None
        references, _ = people_of(repair(question.text), question, members, also_speaker=False)
        return quote.of_several(told, unclear_in(references), language)

    def _room(self, understood: Understood) -> Room:
        """Size the room for what was said earlier: more where several ways look for it, most where much is asked."""
        if not understood.looked_for:
            return Room.of(self._recalled_tokens)
        wants_much = understood.answer in (AnswerKind.LIST, AnswerKind.COUNT)
        most = round(self._recalled_tokens * ROOM_FOR_MUCH)
        return Room(most if wants_much else round(self._recalled_tokens * ROOM_FOR_SEARCHES), most)

    async def _returning(self, inquiry: Inquiry, members: Sequence[Member]) -> list[Returned]:
        """Find what the question comes back to of what was said here before; without a model recall alone decides what
        is quoted. Names would bring back whatever somebody said."""
        if not inquiry.for_model:
            return []
        question = inquiry.question
        _, with_ids = people_of(repair(question.text), question, members, also_speaker=False)
        asked = MENTION.sub(" ", with_ids)
        return await self._channels.returning(asked, inquiry.audience, question.message_id, question.asked_at)

    async def _second_look(self, first: Said, material: Material, inquiry: Inquiry, until: float) -> Answer:
        """Look for what the model says is missing and ask it again; its first answer, if that brings nothing."""
        if not first.searches:
            return first.answer
        self._part.count("second looks")
        question, audience = inquiry.question, inquiry.audience
        seconds = (until - asyncio.get_running_loop().time()) * SHARE_OF_LOOKING / 2
        try:
            found = await self._gatherer.search(first.searches, replace(inquiry, patience=seconds))
            wider = await asyncio.to_thread(with_more, material, first.searches, found, self._recalled_tokens)
            wider = await self._gatherer.with_links(wider, audience)
            is_same = len(wider.excerpts) == len(material.excerpts)
            if is_same and concerned_facts(wider, question.asker_id) == concerned_facts(material, question.asker_id):
                return first.answer
            people = await self._gatherer.people(wider, audience)
        except StoreError:
            return first.answer
        persona = inquiry.settings.answers.persona
        second = await self._generator.answer(wider, question, people, until=until, persona=persona)
        # An answer that lacked something is better than none.
        is_worse = isinstance(second, Said) and second.kind is Kind.MISSING and first.kind is not Kind.MISSING
        return second.answer if isinstance(second, Said) and not is_worse else first.answer

    async def mark_addressed(self, question: Question, intent: Intent) -> None:
        """Note that it was said to us where we may not answer: no conversation all the same."""
        self._ring.note_addressed(question.message_id)
        await self._messages.note_addressed(question.guild_id, question.channel_id, question.message_id, intent)

    async def is_first_word(self, question: Question) -> bool:
        """Say whether the asker of a question has not spoken to us before, as far as their latest messages tell."""
        spoken = await self._messages.has_spoken_to_us(question.guild_id, question.asker_id, question.message_id)
        return not spoken

    async def _quote(self, question: Question, audience: Audience) -> Answer:
        settings = await self._settings_of(audience.guild_id)
        inquiry = Inquiry(question, audience, settings, PATIENCE_SECONDS, for_model=False)
        members, just_said = await self._heard(inquiry)
        material, looked_back = await asyncio.gather(
            self._gatherer.material(inquiry, members, just_said), self._gatherer.look_back(inquiry, members)
        )
        return await asyncio.to_thread(lambda: quote.without_model(with_recalled(material, inquiry, looked_back)))

    def _what_was_read(self, question: Question, audience: Audience) -> Answer | None:
        """Tell what was last read of a person named beyond doubt, as names cannot be looked up. None without any."""
        text = repair(question.text)
        people = [question.asker_id] if is_speaker_alone(text) else mentioned_ids(text)[:1]
        facts = [fact for fact in self._facts.heard.of(audience) or () if fact.subject_id in people]
        return quote.last_known_of(people[0], facts, language_to_answer_in(question)) if facts else None

    async def _note(self, question: Question, intent: Intent, audience: Audience) -> None:
        self._part.count("asked")
        if audience.viewer_id is not None:
            return  # asked by a command or a button: it stands in no channel
        await self.mark_addressed(question, intent)


def _quote_what_was_heard(question: Question, heard: Sequence[Message], facts: Sequence[Fact]) -> Answer:
    text = repair(question.text)
    named = frozenset(mentioned_ids(text)) - {question.asker_id}
    return quote.cut_off(Material(text, language_to_answer_in(question), named, facts, heard))


def _means_the_guild(text: str) -> bool:
    words = {word.text for word in words_in(text)}
    return bool(words & _THE_GUILD) and words <= _THE_GUILD | _BESIDE_THE_GUILD
