"""Answers questions over HTTP for whoever asks alone, and tells them what they missed."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from memory.core.values import Question, Source, new_id
from memory.daily.values import Section
from memory.language.detect import Language, language_of
from web.api.caller import ApiRoute, Caller, Reader, Refused
from web.api.values import Id, IdOut, Out, Utc

router = APIRouter(route_class=ApiRoute, prefix="/api/v1/guilds/{guild_id}", tags=["answers"])

LONGEST_QUESTION = 1_500
LONGEST_SINCE = 100


class SourceView(BaseModel):
    channel_id: IdOut
    message_id: IdOut
    link: str = Field(description="To the message, on Discord.")

    @classmethod
    def of(cls, source: Source, guild_id: int) -> "SourceView":
        link = f"https://discord.com/channels/{guild_id}/{source.channel_id}/{source.message_id}"
        return cls(channel_id=f"{source.channel_id}", message_id=f"{source.message_id}", link=link)


class AnswerView(BaseModel):
    text: str = Field(description="People are ids in it, as in <@123>.")
    sources: list[SourceView] = Field(description="What it draws upon, as far as you can open it now.")
    without_model: bool = Field(description="Made of quotations: no language model answered.")
    is_incomplete: bool = Field(description="The memory could not be reached; made of what was said last.")


class MissedView(Out):
    text: str
    sources: list[SourceView]
    when: Utc | None = Field(description="The moment it speaks of.")
    link: str | None = Field(default=None, description="Of a scheduled event: to it, on Discord.")


class CatchUpView(BaseModel):
    since: Utc
    messages: int = Field(description="Said by others since then, where you can read.")
    channels: int
    by_model: bool
    sections: dict[Section, list[MissedView]]


@router.get("/ask", summary="An answer from all that you can read")
async def ask(
    caller: Reader,
    q: Annotated[str, Query(min_length=1, max_length=LONGEST_QUESTION, description="As on Discord.")],
    channel: Annotated[
        Id | None, Query(alias="in", description="Where you ask: what was said there last counts.")
    ] = None,
) -> AnswerView:
    """As /ask on Discord: for you alone, and it counts as a question of yours."""
    memory, reader, now = caller.memory, caller.door.reader, caller.memory.clock.now()
    place = reader.place_id if channel is None else caller.readable(channel)
    text = q.replace("\0", " ")
    question = Question(
        caller.guild_id, place, new_id(now), caller.door.user_id, text, now, language=language_of(text) or Language.EN
    )
    answer = await memory.receipts.with_standing_sources(await memory.answers.answer(question, reader), reader)
    return AnswerView(
        text=answer.text,
        sources=_shown(caller, answer.sources),
        without_model=answer.without_model,
        is_incomplete=answer.made_during_outage,
    )


@router.get("/catch-up", summary="What you missed")
async def catch_up(
    caller: Reader,
    since: Annotated[
        str | None, Query(max_length=LONGEST_SINCE, description="3 hours, yesterday, …; else since your last message.")
    ] = None,
    channel: Annotated[Id | None, Query(alias="in", description="In this channel and its threads alone.")] = None,
) -> CatchUpView:
    """In the channels that you can read; what is for you comes first."""
    memory, reader = caller.memory, caller.door.reader
    channel_id = None if channel is None else caller.readable(channel)
    until_id = new_id(memory.clock.now())
    language = (language_of(since) if since else None) or Language.EN
    if since is None:
        boundary = await memory.catch_ups.boundary(reader, channel_id, until_id)
    else:
        asked = await memory.catch_ups.boundary_at(reader, since, language)
        if asked is None:
            raise Refused(422, "Say a time from 1 hour to 14 days ago, such as “3 hours” or “yesterday”.")
        boundary = asked
    roles = memory.places.roles_of(caller.guild_id, caller.door.user_id)
    found = await memory.catch_ups.catch_up(reader, boundary, until_id, channel_id, roles, by=caller.requester)
    return CatchUpView(
        since=boundary.at,
        messages=found.talk.messages,
        channels=found.talk.channels,
        by_model=found.account.by_model,
        sections={
            section: [
                MissedView(
                    text=line.text,
                    sources=_shown(caller, line.sources),
                    when=line.when,
                    link=None if line.event is None else line.event.link,
                )
                for line in lines
            ]
            for section, lines in found.sections.items()
        },
    )


def _shown(caller: Caller, sources: tuple[Source, ...]) -> list[SourceView]:
    sources_of = caller.door.reader.sources
    return [SourceView.of(one, caller.guild_id) for one in dict.fromkeys(sources) if one.channel_id in sources_of]
