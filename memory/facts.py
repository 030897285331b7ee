"""Remembering and forgetting on request: who and what is meant, who may, and what came of it."""

from collections.abc import Sequence
from dataclasses import replace

from memory.core.audience import Audience
from memory.core.clock import Clock
from memory.core.commands import Intent
from memory.core.forgetting import Matches, everything_about, may_forget, meant, points_at_message
from memory.core.model import AuthorKind, Fact, Member, Message, Standing, Telling
from memory.core.outcomes import (
    AlreadyKnown,
    ForgetOutcome,
    Forgotten,
    ForgottenAll,
    MayNotForget,
    NothingFound,
    NothingToRemember,
    Reach,
    Remembered,
    RememberOutcome,
    TooLong,
    UnclearWhat,
    UnclearWho,
)
from memory.core.people import Reference, mentioned_ids, people_in, with_strangers
from memory.core.telling import Statement, needs_source, read_statement
from memory.core.text import repair
from memory.health import Health
from memory.ring import Ring
from memory.store.facts import FactStore, NewFact, SourceGone
from memory.store.members import MemberStore
from memory.store.messages import MessageStore


class Facts:
    def __init__(
        self,
        facts: FactStore,
        messages: MessageStore,
        members: MemberStore,
        ring: Ring,
        clock: Clock,
        health: Health,
        limit: int,
    ) -> None:
        self._facts = facts
        self._messages = messages
        self._members = members
        self._ring = ring
        self._clock = clock
        self._limit = limit
        self._part = health.part("facts")
        self._part.active()

    async def remember(self, telling: Telling, audience: Audience) -> RememberOutcome:
        await self._note(telling, Intent.REMEMBER)
        telling = replace(telling, body=repair(telling.body))
        source = await self._source(telling, audience) if needs_source(telling.body) else None
        people = [telling.teller_id] if source is None else [telling.teller_id, source.author_id]
        text = telling.body if source is None else f"{telling.body}\n{source.text}"
        members = await self._spoken_of(audience, text, people)
        known = {member.user_id: member for member in members}
        author = known[source.author_id] if source is not None else None
        statement = read_statement(telling, members, known[telling.teller_id], source, author)
        if not isinstance(statement, Statement):
            return statement
        if len(statement.text) > self._limit:
            return TooLong(len(statement.text), self._limit)
        new = _new_fact(telling, statement, audience)
        try:
            fact, is_new = await self._facts.remember(new, audience, statement.source)
        except SourceGone:
            return NothingToRemember()
        self._part.count("remembered", int(is_new))
        stays_here = not audience.is_hall and not fact.everywhere and fact.channel_id == audience.place_id
        may_be_opened = stays_here and fact.teller_id == telling.teller_id and _is_own(telling, statement)
        if not is_new:
            return AlreadyKnown(fact, statement.subject, may_be_opened)
        return Remembered(fact, statement.subject, _reach(telling, audience, fact), may_be_opened)

    async def let_everyone_know(self, guild_id: int, message_id: int, teller_id: int) -> bool:
        """The teller decides so of what they told of themselves; False if there is no such fact, or not any more."""
        opened = await self._facts.open(guild_id, message_id, teller_id, self._clock.now())
        self._part.count("opened", int(opened))
        return opened

    async def forget(self, telling: Telling, audience: Audience) -> ForgetOutcome:
        await self._note(telling, Intent.FORGET)
        telling = replace(telling, body=repair(telling.body))
        if points_at_message(telling.body):
            return await self._forget_found(telling, audience, await self._told_in(telling, audience), ())
        members = await self._spoken_of(audience, telling.body, [telling.teller_id])
        teller = next(member for member in members if member.user_id == telling.teller_id)
        name = everything_about(telling.body)
        references = people_in(
            telling.body if name is None else name, members, speaker=teller, language=telling.language
        )
        if references and references[0].member is None:
            return UnclearWho(references[0].typed, references[0].candidates)
        subject = references[0].member if references else None
        if name is not None:
            return await self._forget_everything(telling, audience, subject)
        query = _with_ids(telling.body, references)
        matches = Matches(())
        if subject is not None:
            matches = meant(query, await self._facts.about(audience, [subject.user_id]))
        if matches == Matches(()):
            matches = meant(query, await self._facts.within(audience))
        return await self._forget_found(telling, audience, matches.certain, matches.possible)

    async def memories_of(self, audience: Audience, user_id: int) -> str | None:
        """The member's blob and what else this audience could hear; from the ledger where the blob is closed to it."""
        blob = await self._facts.blob(audience, user_id)
        facts = await (self._facts.outside_the_hall if blob else self._about_one)(audience, user_id)
        texts = [fact.text if fact.text.endswith((".", "!", "?", "”")) else f"{fact.text}." for fact in facts]
        return " ".join([*([blob] if blob else []), *texts]) or None

    async def _about_one(self, audience: Audience, user_id: int) -> list[Fact]:
        return await self._facts.about(audience, [user_id])

    async def _forget_everything(self, telling: Telling, audience: Audience, subject: Member | None) -> ForgetOutcome:
        if subject is None:
            return NothingFound(telling.body)
        if subject.user_id == telling.teller_id:
            gone = await self._facts.forget_all_about(telling.guild_id, telling.teller_id, self._clock.now())
            self._part.count("forgotten", len(gone))
            return ForgottenAll(tuple(f for f in gone if f.everywhere or f.channel_id in audience.sources))
        known = await self._facts.about(audience, [subject.user_id])
        return await self._forget_found(telling, audience, known, ())

    async def _forget_found(
        self, telling: Telling, audience: Audience, certain: Sequence[Fact], possible: Sequence[Fact]
    ) -> ForgetOutcome:
        if not certain:
            return UnclearWhat(telling.body, tuple(possible)) if possible else NothingFound(telling.body)
        allowed = [fact for fact in certain if may_forget(telling, fact)]
        if not allowed:
            return MayNotForget(tuple(certain))
        gone = await self._facts.forget(audience.guild_id, allowed, self._clock.now())
        self._part.count("forgotten", len(gone))
        return Forgotten(tuple(gone)) if gone else NothingFound(telling.body)

    async def _told_in(self, telling: Telling, audience: Audience) -> list[Fact]:
        """Facts of the message replied to: the command, what it was taken from, or our confirmation of it."""
        if telling.about is None:
            return []
        messages = {telling.about.message_id, telling.about.reply_to}
        return [fact for fact in await self._facts.within(audience) if fact.message_id in messages]

    async def _source(self, telling: Telling, audience: Audience) -> Message | None:
        """What "this" means: the message replied to, or else the last thing a person said here."""
        if telling.about is not None:
            about = telling.about
            readable = about.guild_id == audience.guild_id and about.channel_id in audience.sources
            # Our own words are derived; kept as a fact they would seem to be somebody's.
            return (
                replace(about, text=repair(about.text))
                if readable and about.author_kind is not AuthorKind.SELF
                else None
            )
        if not telling.body.strip():
            return None
        recent = await self._messages.recent_conversation(audience, 1, before=telling.message_id)
        return recent[-1] if recent else None

    async def _spoken_of(self, audience: Audience, text: str, also: Sequence[int]) -> list[Member]:
        members = await self._members.spoken_of(audience, text, also)
        return with_strangers(members, audience.guild_id, [*also, *mentioned_ids(text)])

    async def _note(self, telling: Telling, intent: Intent) -> None:
        self._ring.note_addressed(telling.message_id)
        await self._messages.note_addressed(telling.guild_id, telling.channel_id, telling.message_id, intent)


def _is_own(telling: Telling, statement: Statement) -> bool:
    """Told of oneself, in one's own words: what others wrote is not the teller's to spread."""
    of_oneself = statement.subject is not None and statement.subject.user_id == telling.teller_id
    return of_oneself and (statement.source is None or statement.source.author_id == telling.teller_id)


def _reach(telling: Telling, audience: Audience, fact: Fact) -> Reach:
    if fact.everywhere:
        return Reach.EVERYWHERE
    if audience.is_hall:
        return Reach.HALL
    return Reach.PLACE_AGAINST_THE_WISH if telling.everywhere else Reach.PLACE


def _new_fact(telling: Telling, statement: Statement, audience: Audience) -> NewFact:
    subject_id = statement.subject.user_id if statement.subject is not None else None
    return NewFact(
        guild_id=telling.guild_id,
        subject_id=subject_id,
        teller_id=telling.teller_id,
        channel_id=telling.channel_id,
        message_id=telling.message_id,
        source_message_id=statement.source.message_id if statement.source is not None else None,
        text=statement.text,
        standing=Standing.SELF if subject_id == telling.teller_id else Standing.HEARSAY,
        in_hall=audience.is_hall,
        everywhere=telling.everywhere and _is_own(telling, statement),
        valid_from=telling.told_at,
    )


def _with_ids(text: str, references: Sequence[Reference]) -> str:
    for reference in reversed(references):
        if reference.member is not None:
            text = f"{text[: reference.start]}<@{reference.member.user_id}>{text[reference.end :]}"
    return text
