"""Trouble on the gateway, on demand: events that come late, twice, or after those that followed them."""

import asyncio
import random

from pydantic import BaseModel, ConfigDict, Field

from local_guild.sessions import Session

# An event held back to be overtaken is let go after this time even if nothing follows it.
OVERTAKING_SECONDS = 0.25


class EventTrouble(BaseModel):
    """Each probability is of one event being hit; `seconds` limits how long the trouble lasts."""

    model_config = ConfigDict(extra="forbid")

    delay_seconds: float = Field(default=0.0, ge=0, le=60, description="how late every event arrives")
    duplicate: float = Field(default=0.0, ge=0, le=1, description="probability of an event arriving twice")
    reorder: float = Field(default=0.0, ge=0, le=1, description="probability of an event being overtaken by the next")
    seconds: float | None = Field(default=None, gt=0, description="how long it lasts; until cleared if absent")
    seed: int = Field(default=0, description="the same seed gives the same troubles")


class EventFaults:
    def __init__(self) -> None:
        self._trouble: EventTrouble | None = None
        self._until: float | None = None
        self._random = random.Random(0)
        self._held: dict[str, list[tuple[Session, str, bytes]]] = {}

    def start(self, trouble: EventTrouble) -> None:
        self._trouble = trouble
        self._random = random.Random(trouble.seed)
        now = asyncio.get_running_loop().time()
        self._until = None if trouble.seconds is None else now + trouble.seconds

    def clear(self) -> None:
        self._trouble = None
        for session_id in list(self._held):
            self._let_go(session_id)

    def deliver(self, session: Session, name: str, body: bytes) -> None:
        trouble = self._current()
        if trouble is None:
            session.push(name, body)
            return
        if trouble.delay_seconds:
            loop = asyncio.get_running_loop()
            loop.call_later(trouble.delay_seconds, self._arrive, trouble, session, name, body)
        else:
            self._arrive(trouble, session, name, body)

    def _arrive(self, trouble: EventTrouble, session: Session, name: str, body: bytes) -> None:
        if self._random.random() < trouble.reorder:
            self._held.setdefault(session.id, []).append((session, name, body))
            asyncio.get_running_loop().call_later(OVERTAKING_SECONDS, self._let_go, session.id)
            return
        session.push(name, body)
        if self._random.random() < trouble.duplicate:
            session.push(name, body)
        self._let_go(session.id)

    def _let_go(self, session_id: str) -> None:
        for session, name, body in self._held.pop(session_id, []):
            session.push(name, body)

    def _current(self) -> EventTrouble | None:
        if self._until is not None and asyncio.get_running_loop().time() > self._until:
            self._trouble, self._until = None, None
        return self._trouble
