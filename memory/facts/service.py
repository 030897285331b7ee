"""Remembers and forgets on request: finds who and what is meant, who may, and what came of it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from memory.core.clock import Clock
from memory.core.links import linked_ids, without_links
from memory.core.outcomes import (
    AlreadyKnown,
    ForgetOutcome,
    Forgotten,
    ForgottenAll,
    KnownBetter,
    MayNotForget,
    NothingFound,
    NothingToForget,
    NothingToRemember,
    NotToldOfOthers,
    Reach,
    Refusal,
    Remembered,
    RememberOutcome,
    SourceNotKept,
    SubjectOptedOut,
    ToldEnough,
    TooLong,
    UnclearWhat,
    UnclearWho,
    Withdrawn,
)
from memory.core.values import AuthorKind, Fact, Intent, Member, Message, RememberRequest, Standing
from memory.facts.enter import MOST_TOLD, NewFact, NotKept, Objection
from memory.facts.ledger import FactStore
from memory.facts.matching import Matches, everything_about, listed_for, meant_among, points_at_message
from memory.facts.reader import MOST_KNOWN, MOST_LISTED, FactReader, FindTask, Taken, TakeTask, taken_by_rules
from memory.facts.statement import Statement, by_ids, member_of, needs_source, of_oneself, opening_person, typed_length
from memory.facts.values import Opened, audible
from memory.health import Health
from memory.language.text import repair, words_in
from memory.log.outage import RecentMessages
from memory.log.reading import MessageStore
from memory.models.metering import AskedTooOften
from memory.models.usage import Requester
from memory.people.names import people_in, with_choices
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, Matter, may
from memory.policy.settings import SettingsOf

MOST_POINTED_AT = 8
"""Messages among which a model looks for the one that "this" means."""


class Facts:
    def __init__(
        self,
        facts: FactStore,
        messages: MessageStore,
        members: MemberStore,
        reader: FactReader,
        ring: RecentMessages,
        clock: Clock,
        health: Health,
        limit: int,
        settings: SettingsOf,
    ) -> None:
        self._facts = facts
        self._messages = messages
        self._members = members
        self._reader = reader
        self._ring = ring
        self._clock = clock
        self._limit = limit
        self._settings = settings
        self._part = health.part("facts")
        self._part.active()

    async def remember(self, telling: RememberRequest, audience: Audience) -> RememberOutcome:
        await self._note(telling, Intent.REMEMBER)
        if telling.is_done:
            return await self._kept_before(telling, audience) or Withdrawn()
        telling = replace(telling, body=with_choices(repair(telling.body), telling.choices))
        telling = await self._pointing_by_link(telling, audience)
        if telling.traits is not None:
            return await self._noted(telling, audience)
        task = await self._task(telling, audience)
        plain = await asyncio.to_thread(taken_by_rules, task)
        if not isinstance(plain, tuple):
            return plain
        if plain[0].subject is None:
            unclear = await self._members.typed_in_part(audience, opening_person(telling.body), telling.choices)
            if unclear is not None:
                return unclear
        longest = max(typed_length(one.text, telling.body) for one in plain)
        if longest > self._limit:
            return TooLong(longest, self._limit)
        return await self._keep(telling, audience, await self._taken(task, plain, audience), task.members)

    async def _noted(self, telling: RememberRequest, audience: Audience) -> RememberOutcome:
        """Keep a memory by hand, of whoever notes it."""
        if not words_in(telling.body):
            return NothingToRemember()
        people = await self._members.meant_by(audience, telling.body, [telling.teller_id])
        text = await asyncio.to_thread(of_oneself, telling, people)
        if (length := typed_length(text, telling.body)) > self._limit:
            return TooLong(length, self._limit)
        teller = member_of(people, telling.teller_id)
        return await self._keep(telling, audience, Taken((Statement(text, teller),)), people)

    async def is_told_in(self, audience: Audience, message: Message) -> bool:
        """Say whether a message tells something by now that this audience could hear. May raise `StoreError`."""
        facts, _ = await self._facts.told_by_message(audience, message.message_id, message.author_id)
        return bool(facts)

    async def _kept_before(self, telling: RememberRequest, audience: Audience) -> Remembered | None:
        """Say what came of a telling when it was told, as far as it holds; None: nothing does."""
        facts, change_id = await self._facts.told_by_message(audience, telling.message_id, telling.teller_id)
        if not facts:
            return None
        ids = [fact.subject_id for fact in facts if fact.subject_id is not None]
        known = {member.user_id: member for member in await self._members.meant_by(audience, "", ids)}
        about = [known[user_id] for user_id in dict.fromkeys(ids)]
        also = tuple(_each_thing(facts)[1:])
        reach = _reach(telling, audience, facts[0])
        subject, others = about[0] if about else None, tuple(about[1:])
        return Remembered(facts[0], subject, reach, others=others, change_id=change_id, also=also)

    async def _task(self, telling: RememberRequest, audience: Audience) -> TakeTask:
        messages = await self._pointed_at(telling, audience) if needs_source(telling.body) else []
        text = "\n".join([telling.body, *(message.text for message in messages)])
        people = [telling.teller_id, *(message.author_id for message in messages)]
        members = await self._members.meant_by(audience, text, people)
        return TakeTask(telling, members, messages, (), self._limit, await self._zone(audience))

    async def _taken(self, task: TakeTask, plain: tuple[Statement, ...], audience: Audience) -> Taken:
        """Take facts by the model, if it answers in time and keeps to what was told; otherwise by rules."""
        if not self._reader.is_there:
            return Taken(plain)
        subjects: set[int | None] = {member.user_id for one in plain for member in one.subjects} or {None}
        people = {*subjects, task.teller.user_id}
        about = await self._facts.about(audience, [one for one in people if one is not None])
        known = [*await self._facts.within(audience), *about]
        listed = await asyncio.to_thread(listed_for, task.telling.body, known, people, MOST_KNOWN)
        taken = await self._reader.take(audience.guild_id, replace(task, known=listed))
        return taken or Taken(plain)

    async def _keep(
        self, telling: RememberRequest, audience: Audience, taken: Taken, members: Sequence[Member]
    ) -> RememberOutcome:
        """Keep a telling; `members` are those whom the words mean, beside whom somebody who opted out may be named."""
        statements = taken.statements
        said = "\n".join(one.text for one in statements)
        out = await self._members.opted_out_in(audience, said, members)
        if out is not None:
            self._part.count("refused")
            return SubjectOptedOut(out.user_id == telling.teller_id)
        new = [
            _new_fact(telling, statement, subject, audience)
            for statement in statements
            for subject in statement.subjects or (None,)
        ]
        people = {member.user_id: member for statement in statements for member in statement.subjects}
        try:
            entered = await self._facts.remember(
                new, audience, statements[0].source, taken.replaces, made_by=telling.teller_id
            )
        except NotKept as refused:
            self._part.count("refused")
            return _refusal(refused, telling, people)
        self._part.count("remembered", int(entered.is_new))
        if entered.replaced:
            self._part.count("replaced", len(entered.replaced))
        fact, also = entered.fact, entered.also
        stays_here = not audience.is_hall and not fact.everywhere and fact.channel_id == audience.place_id
        is_own = all(_is_own(telling, statement) for statement in statements)
        may_be_opened = stays_here and fact.teller_id == telling.teller_id and is_own
        about = [one for one in people.values() if one.user_id in entered.about]
        subject = about[0] if about else None
        if not entered.is_new and not entered.replaced:
            return AlreadyKnown(fact, subject, may_be_opened, entered.change_id, also)
        return Remembered(
            fact,
            subject,
            _reach(telling, audience, fact),
            may_be_opened,
            tuple(about[1:]),
            entered.replaced,
            entered.change_id,
            also,
        )

    async def let_everyone_know(self, guild_id: int, message_id: int, teller_id: int) -> Opened | None:
        """Let everyone know what the teller told of themselves; None if there is no such fact, or not any more."""
        opened = await self._facts.open(guild_id, message_id, teller_id, self._clock.now())
        self._part.count("opened", int(opened is not None))
        return opened

    async def forget(self, telling: RememberRequest, audience: Audience) -> ForgetOutcome:
        await self._note(telling, Intent.FORGET)
        telling = replace(telling, body=with_choices(repair(telling.body), telling.choices))
        if telling.source_id is None and telling.about is None and points_at_message(telling.body):
            return NothingToForget()
        if telling.source_id is not None or points_at_message(telling.body):
            return await self._forget_found(telling, audience, await self._told_in_source(telling, audience), ())
        members = await self._members.meant_by(audience, telling.body, [telling.teller_id])
        teller = member_of(members, telling.teller_id)
        wish = await asyncio.to_thread(_Wish.of, telling, teller, members)
        if isinstance(wish, UnclearWho):
            return wish
        if wish.everything_about is not None:
            name, subject = wish.everything_about, wish.subject
            unclear = None if subject else await self._members.typed_in_part(audience, name, telling.choices)
            return unclear or await self._forget_everything(telling, audience, subject)
        matches = await self._meant(telling, wish, audience, teller, members)
        if telling.asks_first and matches == Matches(()):
            # "That's over, drop it", under our confirmation: perhaps what it confirms.
            matches = Matches(tuple(await self._told_in_source(telling, audience)))
        if not matches.certain and not matches.possible:
            return NothingFound(telling.body, matches.wait)
        return await self._forget_found(telling, audience, matches.certain, matches.possible)

    async def _meant(
        self, telling: RememberRequest, wish: "_Wish", audience: Audience, teller: Member, members: Sequence[Member]
    ) -> Matches:
        """Find the facts meant by words where these are clear, also among what is over; otherwise by meaning."""
        query, subject = wish.query, wish.subject
        everything = await self._facts.within(audience)
        first = [] if subject is None else [await self._facts.about(audience, [subject.user_id])]
        ledgers, over = [*first, everything], await self._facts.superseded_facts(audience)
        # What stands behind a comma may be the reason: "forget the raid, it got cancelled".
        # As typed, a name finds the fact that gives it: "forget Zaphod", after "remember that I am called Zaphod".
        queries = list(dict.fromkeys((query, query.partition(",")[0], telling.body)))
        by_words = await asyncio.to_thread(meant_among, queries, ledgers, over)
        if by_words.certain:
            return by_words
        by = Requester(telling.teller_id, telling.message_id)
        people = {teller.user_id, None if subject is None else subject.user_id}
        among = [fact for ledger in ledgers for fact in ledger] if self._reader.is_there else []
        listed = await asyncio.to_thread(listed_for, query, among, people, MOST_LISTED, others=True)
        task = FindTask(query, teller, members, listed, telling.told_at, await self._zone(audience))
        try:
            found = await self._reader.find(audience.guild_id, task, by)
        except AskedTooOften as error:
            return replace(by_words, wait=error.wait)
        return by_words if found in (None, Matches(())) else found

    async def _forget_everything(
        self, telling: RememberRequest, audience: Audience, subject: Member | None
    ) -> ForgetOutcome:
        if subject is None:
            return NothingFound(telling.body)
        if subject.user_id == telling.teller_id and not telling.asks_first:
            gone = await self._facts.forget_all_about(
                telling.guild_id, telling.teller_id, self._clock.now(), telling.message_id
            )
            self._part.count("forgotten", len(gone.facts))
            return ForgottenAll(audible(gone.facts, audience), gone.change_id)
        known = await self._facts.about(audience, [subject.user_id])
        return await self._forget_found(telling, audience, known, ())

    async def _forget_found(
        self, telling: RememberRequest, audience: Audience, certain: Sequence[Fact], possible: Sequence[Fact]
    ) -> ForgetOutcome:
        if not certain:
            tellings = {_telling_of(fact): fact for fact in possible}
            return UnclearWhat(telling.body, tuple(tellings.values())) if possible else NothingFound(telling.body)
        told = await self._facts.told_with(audience, certain)
        wanted = {fact.fact_id for fact in certain}
        facts = [fact for fact in told if fact.fact_id in wanted]
        rules = (await self._settings(audience.guild_id)).facts
        actor = Actor(telling.teller_id, telling.rank)
        # One telling has a row for each of those it is about, and any of them may have the whole forgotten.
        verdicts = {_telling_of(fact): may(Action.FORGET, actor, _matter(fact, told), rules) for fact in facts}
        allowed = [fact for fact in facts if verdicts[_telling_of(fact)]]
        if not facts:
            return NothingFound(telling.body)
        if not allowed:
            return MayNotForget(tuple(certain), next(iter(verdicts.values())).who_may)
        ids = {fact.fact_id for fact in allowed}
        meant = {_telling_of(fact): fact for fact in certain if fact.fact_id in ids}
        if telling.asks_first:
            return UnclearWhat(telling.body, tuple(meant.values()))
        gone = await self._facts.forget(
            audience.guild_id, allowed, telling.teller_id, self._clock.now(), telling.message_id
        )
        if gone.change_id is None:
            return NothingFound(telling.body)
        self._part.count("forgotten", len(gone.facts))
        went = {fact.fact_id for fact in gone.facts}
        return Forgotten(tuple(fact for fact in meant.values() if fact.fact_id in went), gone.change_id)

    async def _told_in_source(self, telling: RememberRequest, audience: Audience) -> list[Fact]:
        """Find facts pointed at, or of the message replied to: the command, or our confirmation of it."""
        if telling.source_id is not None:
            messages: set[int | None] = {telling.source_id}
        elif telling.about is not None:
            messages = {telling.about.message_id, telling.about.reply_to}
        else:
            return []
        among = await self._facts.within(audience)
        if telling.source_id is not None:  # what is over is offered as well
            among = [*among, *await self._facts.superseded_facts(audience)]
        found = [fact for fact in among if fact.message_id in messages]
        return found if telling.thing is None else [one for one in found if one.thing == telling.thing][:1]

    async def _pointed_at(self, telling: RememberRequest, audience: Audience) -> list[Message]:
        """Find what "this" may mean: the message replied to, or what people last said here, the oldest first."""
        if telling.about is not None:
            about = telling.about
            readable = about.guild_id == audience.guild_id and about.channel_id in audience.sources
            # Our own words are derived; kept as a fact they would seem to be somebody's. A speaker behind a webhook is
            # nobody that a fact could be about or come from.
            if not readable or about.author_kind in (AuthorKind.SELF, AuthorKind.WEBHOOK):
                return []
            return [replace(about, text=repair(about.text))]
        if not telling.body.strip():
            return []
        most = MOST_POINTED_AT if self._reader.is_there else 1
        said = await self._messages.recent_conversation(audience, most, before=telling.message_id, at=telling.told_at)
        return [message for message in said if message.speaker is None]

    async def _pointing_by_link(self, telling: RememberRequest, audience: Audience) -> RememberRequest:
        """Take a link for a reply, where the words only point at something. What it leads to is taken up if
        those may read it to whom it would be told; else it is the same as if there were nothing."""
        linked = linked_ids(telling.body, telling.guild_id)[:1]
        rest = without_links(telling.body, telling.guild_id)
        if telling.about is not None or not linked or not needs_source(rest):
            return telling
        about = next(iter(await self._messages.linked(audience, linked)), None)
        return replace(telling, about=about, body="" if about is None else rest)

    async def _zone(self, audience: Audience) -> ZoneInfo:
        return ZoneInfo((await self._settings(audience.guild_id)).time_zone)

    async def _note(self, telling: RememberRequest, intent: Intent) -> None:
        if telling.by_command:
            return
        self._ring.note_addressed(telling.message_id)
        await self._messages.note_addressed(telling.guild_id, telling.channel_id, telling.message_id, intent)


@dataclass(frozen=True, slots=True)
class _Wish:
    """Says what somebody wants forgotten, as their words say it."""

    everything_about: str | None
    """Whom they name, as typed; None if they want something else forgotten."""
    subject: Member | None
    query: str

    @classmethod
    def of(cls, telling: RememberRequest, teller: Member, members: Sequence[Member]) -> "_Wish | UnclearWho":
        body, language = telling.body, telling.language
        name = everything_about(body)
        references = people_in(body if name is None else name, members, speaker=teller, language=language)
        if references and references[0].member is None:
            return UnclearWho(references[0].typed, references[0].candidates)
        query = by_ids(body, references) if name is None else ""
        return cls(name, references[0].member if references else None, query)


def _refusal(refused: NotKept, telling: RememberRequest, people: Mapping[int, Member]) -> RememberOutcome:
    subject_id = refused.subject_id or 0
    match refused.objection:
        case Objection.TELLING_GONE:
            return Withdrawn()
        case Objection.SOURCE_GONE:
            return SourceNotKept()
        case Objection.TOLD_ENOUGH:
            return ToldEnough(people.get(subject_id), MOST_TOLD)
        case Objection.OPTED_OUT:
            return SubjectOptedOut(subject_id == telling.teller_id)
        case Objection.GUILD | Objection.VETO:
            refusal = Refusal.VETO if refused.objection is Objection.VETO else Refusal.GUILD
            return NotToldOfOthers(refusal, people[subject_id])
        case Objection.KNOWN_BETTER if refused.known is not None:
            return KnownBetter(refused.known, people[subject_id])
    raise refused


def _each_thing(facts: Iterable[Fact]) -> list[Fact]:
    """Make one fact of each text, as they come."""
    things: dict[str, Fact] = {}
    for fact in facts:
        things.setdefault(fact.text, fact)
    return list(things.values())


def _telling_of(fact: Fact) -> tuple[int, int, str]:
    return fact.message_id, fact.teller_id, fact.text


def _matter(fact: Fact, told: Sequence[Fact]) -> Matter:
    """Make the matter of a fact's whole telling, as far as it could be heard."""
    return Matter.of(*(one for one in told if _telling_of(one) == _telling_of(fact)), fact)


def _is_own(telling: RememberRequest, statement: Statement) -> bool:
    """Say whether it is told of oneself, in one's own words: what others wrote is not the teller's to spread."""
    of_oneself = [subject.user_id for subject in statement.subjects] == [telling.teller_id]
    return of_oneself and (statement.source is None or statement.source.author_id == telling.teller_id)


def _whose_word(telling: RememberRequest, statement: Statement) -> int:
    """Say whose word a telling is: what somebody wrote of themselves is theirs, whoever has it kept."""
    source = statement.source
    if source is None or source.author_kind is not AuthorKind.PERSON:
        return telling.teller_id
    of_author = [subject.user_id for subject in statement.subjects] == [source.author_id]
    return source.author_id if of_author else telling.teller_id


def _reach(telling: RememberRequest, audience: Audience, fact: Fact) -> Reach:
    if fact.everywhere:
        return Reach.EVERYWHERE
    if audience.is_hall:
        return Reach.HALL
    return Reach.PLACE_AGAINST_THE_WISH if telling.everywhere else Reach.PLACE


def _new_fact(telling: RememberRequest, statement: Statement, subject: Member | None, audience: Audience) -> NewFact:
    subject_id = subject.user_id if subject is not None else None
    teller_id = _whose_word(telling, statement)
    # What stands in another channel, and was only linked to here, is told to those who can read it there.
    source = statement.source
    channel_id = telling.channel_id if source is None else source.channel_id
    return NewFact(
        guild_id=telling.guild_id,
        subject_id=subject_id,
        teller_id=teller_id,
        channel_id=channel_id,
        message_id=telling.message_id,
        source_message_id=source.message_id if source is not None else None,
        text=statement.text,
        standing=Standing.SELF if subject_id == teller_id else Standing.HEARSAY,
        in_hall=audience.is_hall and channel_id == telling.channel_id,
        everywhere=telling.everywhere and _is_own(telling, statement),
        valid_from=telling.told_at,
    ).with_traits(telling.traits)
