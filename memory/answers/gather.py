"""Gathers what a question can be answered from: all of it side by side, and nothing that takes too long."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from memory.answers.store import Exchange, ExchangeStore
from memory.answers.understanding import MOST_PEOPLE, View
from memory.channels.service import ChannelSummaries
from memory.channels.topics import Returned
from memory.channels.values import ChannelSummary, recent_window
from memory.contexts.make import CachedProfile
from memory.contexts.parts import ContextSources
from memory.contexts.service import PATIENCE, Contexts
from memory.core.links import linked_ids, without_links
from memory.core.outcomes import Answer, UnclearWho
from memory.core.values import Fact, Member, Message, Question, linking, text_of
from memory.db.errors import StoreError
from memory.facts.ledger import FactStore
from memory.health import HealthReporter
from memory.language.detect import Language, language_of
from memory.language.text import repair
from memory.log.reading import MessageStore
from memory.models.usage import Requester
from memory.people.names import Reference, mentioned_ids, people_in, with_choices, with_strangers
from memory.people.store import MemberStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import AnswerRules, GuildSettings
from memory.recall.coverage import Excerpt, Room, in_order
from memory.recall.query import means_asker
from memory.recall.results import Bookmark, Recollection, linked_in
from memory.recall.service import RecallOutcome, RecallService, filling
from memory.settings import fitting

# All that an answer may be made from, whoever makes it.


RECENT_BUDGET = 2_500
"""Tokens of what was said last, before a model."""
RETURNED_BUDGET = 300
"""Tokens of what comes back with a topic and was not recalled anyway."""
MOST_LINKED = 20
"""Messages that others link to, in one answer."""
MOST_CONTEXTS = 3
"""Of members whom a question names, beside the asker's."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
BY_DEFAULT = GuildSettings()


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Holds a question with those who will read its answer, and what may be spent on it."""

    question: Question
    audience: Audience
    settings: GuildSettings
    patience: float
    """Seconds for each look into what was said earlier."""
    for_model: bool


@dataclass(frozen=True, slots=True)
class Material:
    question: str
    """With people as `<@id>`, the asker included: for looking things up."""
    language: Language
    named_ids: frozenset[int]
    """Members the question names; the asker's "I" is not among them."""
    facts: Sequence[Fact]
    messages: Sequence[Message]
    typed: str = ""
    """The question as its asker typed it."""
    asker_id: int | None = None
    """Whoever asks, if the question speaks of them."""
    people: Set[int] = frozenset()
    """Who was looked up for a model; not all of them are members any more."""
    members: Sequence[Member] = ()
    """Those of them who are."""
    quotable: Sequence[Recollection] = ()
    """What answers the question in somebody's own words, the best first, whenever it was said."""
    is_judged: bool = False
    """Recall has looked at the messages as well. It does not where not everyone can read back, and sometimes cannot."""
    excerpts: Sequence[Excerpt] = ()
    """What was said earlier and may answer it, for a model: as much of it as there is room for."""
    replied_to: Sequence[Message] = ()
    """The message that the question replies to, with what was said right before and after it."""
    replies_to: int | None = None
    exchanges: Sequence[Exchange] = ()
    """What the asker asked us here just before."""
    now: datetime = LONG_AGO
    """When it was asked, by the guild's own clock."""
    channels: Mapping[int, str] = field(default_factory=dict)
    """What the channels are called that everyone here can read."""
    about: str = ""
    """The words that the question is about, as recall reads it; nothing, if it was not read so."""
    place_id: int | None = None
    """Where the answer will stand."""
    contexts: Mapping[int, str] = field(default_factory=dict)
    """What is known in all of those the question names and of the asker, in this order; only a model has use for it."""
    behind: Mapping[int, ContextSources] = field(default_factory=dict)
    """What these texts go back to."""
    unclear: Sequence[UnclearWho] = ()
    """Names in the question that several members go by."""
    is_incomplete: bool = False
    """What was said earlier could not be looked for."""
    then: Sequence[Fact] = ()
    """Asked for a time, what held then, also if it is over; some of it may be among the facts too."""
    ledger: Answer | None = None
    """What is told of that time without a model."""
    summaries: Sequence[ChannelSummary] = ()
    """What was talked about here before, the highest level first."""
    rules: AnswerRules = BY_DEFAULT.answers
    """How many of the asker's memories a model is given, and which."""
    searches: Sequence[str] = ()
    """In which other words it may have been told."""

    def spoken_of(self) -> set[int]:
        """List everybody who is spoken of in it, but for what was said earlier."""
        people = {*mentioned_ids("\n".join((self.question, *self.contexts.values())))} | told_or_told_of(self.facts)
        people |= {member.user_id for unclear in self.unclear for member in unclear.candidates}
        people |= {*mentioned_ids("\n".join(f"{one.asked}\n{one.answered}" for one in self.exchanges))}
        people |= {one.asker_id for one in self.exchanges}
        people |= {*mentioned_ids("\n".join(one.text for one in self.summaries))}
        return people | speaking_or_spoken_of([*self.messages, *self.replied_to])


def with_recalled(
    material: Material,
    inquiry: Inquiry,
    looked_back: RecallOutcome,
    returned: Sequence[Returned] = (),
    room: Room | None = None,
    searched: Sequence[RecallOutcome] = (),
    searches: Sequence[str] = (),
) -> Material:
    """Add what was said earlier. `room`: for that, before a model; without it, what can be quoted is picked out.
    `searched`: what was found beside by other words, which are the `searches`.

    `returned`: what was said here before and belongs to the topic of the question; half of the room is for it.
    """
    own_id, audience = inquiry.question.message_id, inquiry.audience
    material = replace(
        material,
        is_judged=looked_back.looked is not None and audience.place_id in audience.sources,
        about=looked_back.about,
        is_incomplete=looked_back.failed,
        searches=searches,
    )
    if room is None:
        return replace(material, quotable=looked_back.quotable({own_id}))
    # What is too long ago to be shown as conversation may be recalled.
    newest = fitting(reversed(material.messages), RECENT_BUDGET, text_of)[::-1]
    shown = {own_id, *(message.message_id for message in (*newest, *material.replied_to))}
    return replace(material, messages=newest, excerpts=_recalled([looked_back, *searched], returned, room, shown))


def _recalled(
    looks: Sequence[RecallOutcome], returned: Sequence[Returned], room: Room, shown: Collection[int]
) -> tuple[Excerpt, ...]:
    """List what was recalled, in the order in which it was said; nothing stands there twice."""
    found = filling(looks, room, shown)
    known = {*shown, *(one.message_id for excerpt in found for one in excerpt.messages)}
    more = [one.message for one in returned if one.message.message_id not in known]
    more = fitting(more, min(room.usual // 2, RETURNED_BUDGET), text_of)
    excerpts = (*found, *(Excerpt((message,)) for message in more))
    return tuple(sorted(excerpts, key=lambda excerpt: excerpt.messages[0].message_id))


def with_more(material: Material, searches: Sequence[str], found: Sequence[RecallOutcome], room: int) -> Material:
    """Add what was found by the searches to the material; nothing stands there twice."""
    shown = {one.message_id for one in (*material.messages, *material.replied_to)}
    shown |= {one.message_id for excerpt in material.excerpts for one in excerpt.messages}
    excerpts = in_order((*material.excerpts, *filling(found, Room.of(room), shown)))
    return replace(material, excerpts=excerpts, searches=(*material.searches, *searches))


def people_of(
    text: str, question: Question, members: Sequence[Member], *, also_speaker: bool
) -> tuple[list[Reference], str]:
    """Find whom the text refers to, and write those who are clear as ids in it."""
    asker = next(member for member in members if member.user_id == question.asker_id)
    references = people_in(text, members, speaker=asker if also_speaker else None, language=question.language)
    for reference in reversed(references):
        if reference.member is not None:
            text = f"{text[: reference.start]}<@{reference.member.user_id}>{text[reference.end :]}"
    return references, text


def as_chosen(question: Question) -> Question:
    """Put those whom the asker has chosen already into the question, whatever they are called by now."""
    return replace(question, text=with_choices(repair(question.text), question.choices))


def speaking_or_spoken_of(messages: Sequence[Message]) -> set[int]:
    return {*(one.author_id for one in messages), *mentioned_ids("\n".join(one.text for one in messages))}


def told_or_told_of(facts: Sequence[Fact]) -> set[int]:
    people = {*mentioned_ids("\n".join(fact.text for fact in facts)), *(fact.teller_id for fact in facts)}
    return people | {fact.subject_id for fact in facts if fact.subject_id is not None}


def unclear_in(references: Iterable[Reference]) -> tuple[UnclearWho, ...]:
    return tuple(UnclearWho(one.typed, one.candidates) for one in references if one.member is None)


def meant_in(references: Iterable[Reference]) -> list[int]:
    """List whom names mean: of one that several go by, all of them, unless they are too many to tell of each."""
    few = [one.candidates for one in references if len(one.candidates) <= MOST_CONTEXTS]
    return list(dict.fromkeys(member.user_id for candidates in few for member in candidates))


def _not_summed_up(said: Sequence[Message], summaries: Sequence[ChannelSummary], inquiry: Inquiry) -> list[Message]:
    """Choose what was said last here that the summaries of the place do not tell already; of other places all."""
    question, place_id = inquiry.question, inquiry.audience.place_id
    session = timedelta(minutes=inquiry.settings.answers.session_minutes)
    here = [message for message in said if message.channel_id == place_id]
    kept = recent_window(here, summaries, question.asker_id, question.asked_at - session)
    shown = {message.message_id for message in kept}
    return [one for one in said if one.channel_id != place_id or one.message_id in shown]


def language_to_answer_in(question: Question) -> Language:
    return question.language or language_of(question.text) or Language.EN


@dataclass(frozen=True, slots=True)
class JustSaid:
    """Holds what was said here last, to others and to us."""

    messages: Sequence[Message]
    exchanges: Sequence[Exchange] = ()


class Gatherer:
    def __init__(
        self,
        facts: FactStore,
        messages: MessageStore,
        members: MemberStore,
        recall_service: RecallService,
        contexts: Contexts,
        exchanges: ExchangeStore,
        channels: ChannelSummaries,
        places: Places,
        recent_messages: int,
        part: HealthReporter,
    ) -> None:
        self._facts = facts
        self._messages = messages
        self._members = members
        self._recall_service = recall_service
        self._contexts = contexts
        self._exchanges = exchanges
        self._channels = channels
        self._places = places
        self._recent_messages = recent_messages
        self._part = part

    async def search(self, searches: Sequence[str], inquiry: Inquiry) -> Sequence[RecallOutcome]:
        """Look for the words that a model names, as if the asker had asked for them."""
        looks = (replace(inquiry, question=replace(inquiry.question, text=search)) for search in searches)
        return await asyncio.gather(*(self.look_back(look) for look in looks))

    async def look_back(self, inquiry: Inquiry, members: Sequence[Member] | None = None) -> RecallOutcome:
        """Look for what was said earlier. `members`: whom the question may mean, if they are known already."""
        zone = inquiry.settings.time_zone
        return await self._recall_service.for_answer(
            inquiry.question, inquiry.audience, inquiry.patience, zone, members, for_model=inquiry.for_model
        )

    async def members_of(self, question: Question, audience: Audience) -> list[Member]:
        """List the asker, and everybody whom the question may mean."""
        return await self._members.meant_by(audience, repair(question.text), [question.asker_id])

    async def those_who_left(self, audience: Audience, people: Collection[int]) -> frozenset[int]:
        """Find who of these people left; nobody, while it is not known who is there."""
        if not people or not self._places.is_open(audience.guild_id):
            return frozenset()
        here = await self._members.spoken_of(audience, "", people)
        return frozenset(people) - {member.user_id for member in here}

    async def people(self, material: Material, audience: Audience) -> list[Member]:
        """List whom the material speaks of: only those recalled are not looked up yet."""
        recalled = [message for excerpt in material.excerpts for message in excerpt.messages]
        others = (speaking_or_spoken_of(recalled) | told_or_told_of(material.then)) - material.people
        more = await self._members.spoken_of(audience, "", sorted(others)) if others else []
        return [*material.members, *more]

    async def just_said(self, inquiry: Inquiry) -> JustSaid:
        """Read the conversation here, and for a model what we were asked before."""
        question, audience = inquiry.question, inquiry.audience
        if not inquiry.for_model:
            return JustSaid(await self._conversation(question, audience))
        return JustSaid(
            *await asyncio.gather(
                self._conversation(question, audience),
                self._exchanges.before(question, audience, inquiry.settings.answers),
            )
        )

    async def view(self, inquiry: Inquiry, members: Sequence[Member], just_said: JustSaid) -> View:
        """Gather what is needed to understand a question: who may be meant, and what we were asked before."""
        question, audience = inquiry.question, inquiry.audience
        newest = [one.author_id for one in reversed(just_said.messages)]
        asked = [user_id for one in just_said.exchanges for user_id in (one.asker_id, *mentioned_ids(one.answered))]
        about = [] if question.about is None else [question.about.author_id]
        people = dict.fromkeys(
            [question.asker_id, *(one.user_id for one in members), *about, *reversed(asked), *newest]
        )
        known = await self._members.spoken_of(audience, "", list(people)[:MOST_PEOPLE])
        places = {user_id: place for place, user_id in enumerate(people)}
        known.sort(key=lambda member: places.get(member.user_id, len(places)))
        return View(with_strangers(known, audience.guild_id, [question.asker_id]), just_said.exchanges)

    async def with_people(self, material: Material, people: Collection[int], inquiry: Inquiry) -> Material:
        """Add contexts of those who are meant without being named to the material."""
        others = [user_id for user_id in people if user_id not in material.contexts][:MOST_CONTEXTS]
        if not others:
            return material
        kept = await self._known_of(others, inquiry)
        texts = {user_id: one.text for user_id, one in kept.items() if one.text is not None}
        more = await self._members.spoken_of(inquiry.audience, "", others)
        return replace(
            material,
            contexts={**texts, **material.contexts},
            behind={**material.behind, **{user_id: kept[user_id].sources for user_id in texts}},
            people=material.people | set(others),
            members=[*material.members, *(one for one in more if one.user_id not in material.people)],
        )

    async def material(self, inquiry: Inquiry, members: Sequence[Member], just_said: JustSaid) -> Material:
        """Gather all but what was said earlier. A model knows people by name as well."""
        question, audience = inquiry.question, inquiry.audience
        typed = repair(question.text)
        references, asked = people_of(typed, question, members, also_speaker=True)
        contexts, facts, (replied_to, summaries) = await asyncio.gather(
            self._contexts_of(references, inquiry), self._facts.within(audience), self._said_before(inquiry)
        )
        texts = {user_id: kept.text for user_id, kept in contexts.items() if kept.text is not None}
        material = Material(
            question=asked,
            language=language_to_answer_in(question),
            named_ids=frozenset(meant_in(one for one in references if not one.is_speaker)),
            facts=facts,
            messages=_not_summed_up(just_said.messages, summaries, inquiry),
            typed=typed,
            asker_id=question.asker_id if means_asker(typed, references) else None,
            replied_to=replied_to,
            replies_to=next(iter(question.points_at), None),
            exchanges=just_said.exchanges,
            now=question.asked_at.astimezone(ZoneInfo(inquiry.settings.time_zone)),
            channels=self._places.names(audience),
            place_id=audience.place_id,
            contexts=texts,
            behind={user_id: contexts[user_id].sources for user_id in texts},
            unclear=unclear_in(references),
            summaries=summaries,
            rules=inquiry.settings.answers,
        )
        if not inquiry.for_model:
            return material
        people = material.spoken_of() | {question.asker_id}
        return replace(material, people=people, members=await self._members.spoken_of(audience, "", sorted(people)))

    async def _contexts_of(self, references: Sequence[Reference], inquiry: Inquiry) -> dict[int, CachedProfile]:
        """Read for a model what is known in all of those whom a question names, and of the asker."""
        if not inquiry.for_model:
            return {}
        people = dict.fromkeys([*meant_in(references)[:MOST_CONTEXTS], inquiry.question.asker_id])
        return await self._known_of(people, inquiry)

    async def _said_before(self, inquiry: Inquiry) -> tuple[Sequence[Message], Sequence[ChannelSummary]]:
        """Read what the question replies to, as the log has it, and what was talked about here."""
        question, audience = inquiry.question, inquiry.audience
        if not inquiry.for_model:
            return (), ()
        replied_to = [Bookmark(message_id, True, True) for message_id in question.points_at]
        passages, summaries, own = await asyncio.gather(
            self._recall_service.read_again(audience, replied_to),
            self._channels.for_answer(audience),
            self._with_files_of_its_own(question, audience),
        )
        said = {message.message_id: message for passage in passages for message in passage.messages}
        # What a program wrote is no talk, but somebody points at it.
        said |= {one.message_id: one for one in (*question.linked, *own)}
        return await self._recall_service.with_files(audience, [*said.values()], question.text), summaries

    async def with_linked(self, question: Question, audience: Audience) -> Question:
        """Add what a question links to, if those may read it who will read the answer; the link itself goes then."""
        found = await self._messages.linked(audience, linked_ids(question.text, question.guild_id))
        if not found:
            return question
        text = without_links(question.text, question.guild_id)
        return replace(question, linked=tuple(found), text=text or question.text)

    async def with_links(self, material: Material, audience: Audience) -> Material:
        """Add the first words of what the messages link to, as far as this audience may read it."""
        said = [*material.messages, *material.replied_to]
        said += [one for excerpt in material.excerpts for one in excerpt.messages]
        said += [one for passage in material.quotable for one in passage.messages]
        ids = {one for message in said for one in linked_ids(message.text, message.guild_id)}
        if not ids:
            return material
        try:
            found = await self._messages.linked(audience, sorted(ids)[-MOST_LINKED:])
        except StoreError:
            return material
        return replace(
            material,
            messages=linking(material.messages, found),
            replied_to=linking(material.replied_to, found),
            excerpts=[replace(one, messages=tuple(linking(one.messages, found))) for one in material.excerpts],
            quotable=[linked_in(one, found) for one in material.quotable],
        )

    async def _with_files_of_its_own(self, question: Question, audience: Audience) -> Sequence[Message]:
        """Read the question itself, as the log has it, if it may be about what came with it."""
        if not question.has_files:
            return ()
        newest = await self._messages.recent(audience, 1, before=question.message_id + 1)
        return [one for one in newest if one.message_id == question.message_id]

    async def _known_of(self, people: Collection[int], inquiry: Inquiry) -> dict[int, CachedProfile]:
        """Read contexts of people; none, if that takes too long: an answer is better without contexts than none."""
        by, wait = Requester.of(inquiry.question), min(PATIENCE, inquiry.patience / 2)
        try:
            async with asyncio.timeout(inquiry.patience):
                at_hand = (self._contexts.cached_profile(inquiry.audience, one, by, patience=wait) for one in people)
                kept = await asyncio.gather(*at_hand)
        except TimeoutError:
            self._part.count("without contexts")
            return {}
        return dict(zip(people, kept, strict=True))

    async def _conversation(self, question: Question, audience: Audience) -> list[Message]:
        """Read what was last said in the place; to one reader alone also what was last said wherever they can read."""
        here = await self._messages.recent_conversation(
            audience, self._recent_messages, before=question.message_id, at=question.asked_at
        )
        if audience.viewer_id is None:
            return here
        elsewhere = await self._messages.recent_elsewhere(audience, self._recent_messages, before=question.message_id)
        return sorted([*here, *elsewhere], key=lambda message: message.message_id)
