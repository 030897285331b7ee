"""Says whether a configured model answers, and what to do if it does not, in the words of `doctor`."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from ai_clients.base import Purpose
from ai_clients.errors import KeyRefused, Misconfigured, ModelError, ModelGone, RateLimited, TimedOut
from ai_clients.settings import ModelName

MOST_SUGGESTED = 3


@dataclass(frozen=True, slots=True)
class ModelCheck:
    model: str
    purposes: tuple[Purpose, ...]
    answers: bool
    says: str
    remedy: str | None = None
    needs_setting: bool = False
    """It will answer nothing until somebody changes a setting."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Holds a model that is to be checked, and the variables that decide about it."""

    name: ModelName
    purposes: tuple[Purpose, ...]
    where: str
    """What is asked: `the Gemini API`."""
    key_variable: str
    address_variable: str

    @property
    def variables(self) -> str:
        return " and ".join(f"{purpose.upper()}_MODELS" for purpose in self.purposes)

    def answers(self) -> ModelCheck:
        return ModelCheck(str(self.name), self.purposes, True, "answers")

    def fails(self, error: ModelError, has_instead: Sequence[str] = ()) -> ModelCheck:
        """Say what failed and what helps; `has_instead` are the models there, if known, as chains would name them."""
        says, remedy = self._explain(error, has_instead)
        return ModelCheck(str(self.name), self.purposes, False, says, remedy, isinstance(error, Misconfigured))

    def _explain(self, error: ModelError, has_instead: Sequence[str]) -> tuple[str, str]:
        match error:
            case ModelGone():
                close = closest(str(self.name), has_instead)
                hint = f", such as {' or '.join(close)}" if close else ""
                return (
                    f"there is no model {self.name} (any more)",
                    f"Change {self.variables} to a model that {self.where} has{hint}.",
                )
            case KeyRefused():
                return f"the key was refused ({error})", f"Check {self.key_variable}; make a new key if it was revoked."
            case RateLimited():
                return "the quota is used up (HTTP 429)", "Wait, or raise the quota of your key."
            case TimedOut():
                return f"{self.where} was too slow to answer", "Try again later."
        return (
            f"{self.where} could not be asked ({error})",
            f"Try again later; check the network, and {self.address_variable} if you set it.",
        )


def closest(name: str, known: Sequence[str]) -> list[str]:
    return difflib.get_close_matches(name, known, n=MOST_SUGGESTED, cutoff=0.5)
