"""Says in health how each model is doing, whenever somebody looks: breakers close and open without being asked."""

from math import ceil

from ai_clients.base import Purpose
from ai_clients.breaker import ModelState, State
from ai_clients.building import Models
from ai_clients.errors import BudgetExhausted, ModelError, Refused
from memory.health import Health


class ModelHealth:
    def __init__(self, models: Models, health: Health) -> None:
        """A process without models has no such part."""
        self._models = models
        self._problem: str | None = None
        """Its text alone: an error holds on to whoever raised it, with what was asked."""
        self._part = health.part("models") if models.guards else None
        if self._part is not None:
            health.watch(self._look)

    def answered(self) -> None:
        self._problem = None
        if self._part is not None:
            self._part.count("answers")

    def quoted(self, problem: ModelError) -> None:
        """No model answered, so that the answer was quoted.

        A budget that is spent or a prompt that was blocked says nothing of the models, and is a guild's own business.
        """
        if not isinstance(problem, BudgetExhausted) and type(problem) is not Refused:
            self._problem = f"{type(problem).__name__}: {problem}"
        if self._part is not None:
            self._part.count("quoted instead")

    def _look(self) -> None:
        if self._part is None:
            return
        issues = [_described(state) for state in self._models.states() if state.state is not State.CLOSED]
        if self._problem is not None:
            issues.append(f"The latest answer had to be quoted ({self._problem}).")
        if self._answers_rest():
            self._part.failing("No model answers, so replies quote.", *issues)
        elif issues:
            self._part.limited(*issues)
        else:
            self._part.active()

    def _answers_rest(self) -> bool:
        """All of those that answer are left alone for now."""
        chain = self._models.chain(Purpose.ANSWER)
        return chain is not None and all(state.state is State.OPEN for state in chain.states())


def _described(state: ModelState) -> str:
    because = f" ({state.says})" if state.says else ""
    if state.state is State.OPEN:
        return f"{state.model} is left alone for {ceil(state.again_in)} s{because}."
    return f"{state.model} is tried again with the next request{because}."
