"""A model at the edge that plays a script: for each time it is asked a reply, an error, or a wait."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from ai_clients.base import Prompt, Shaped, ShapeT, Usage
from ai_clients.errors import BadReply, ModelError
from tests.virtual_time import now

USAGE = Usage(100, 20)
FOR_EVER = 1e9


@dataclass(frozen=True, slots=True)
class Taking:
    """So many seconds, and then the reply, or the error."""

    seconds: float
    then: "str | ModelError" = "at last"
    heeds: bool = True
    """Whether it stops when it is told to."""


Step = str | ModelError | Taking


class Said(BaseModel):
    """A shape that any words have."""

    text: str


@dataclass
class Scripted:
    """The last step is repeated for ever."""

    name: str
    steps: Sequence[Step] = ("yes",)
    asked_at: list[float] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        words = await self._play(prompt)
        try:
            value = shape.model_validate({"text": words} if shape is Said else json.loads(words))
        except ValueError:
            raise BadReply(f"{self.name} gave another shape") from None
        return Shaped(value, self.name, USAGE)

    async def _play(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        step = self.steps[min(len(self.asked_at), len(self.steps) - 1)]
        self.asked_at.append(now())
        if isinstance(step, Taking):
            await _wait(step)
            step = step.then
        if isinstance(step, ModelError):
            raise step
        return step


async def _wait(step: Taking) -> None:
    until = now() + step.seconds
    # asyncio takes less than this for no time, and two that wait for less would do so for ever in virtual time.
    while until - now() > 1e-9:
        try:
            await asyncio.sleep(until - now())
        except asyncio.CancelledError:
            if step.heeds:
                raise
