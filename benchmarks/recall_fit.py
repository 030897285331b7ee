"""Measures what recall finds with weights that never saw the conversation they are measured on.

The weights of `memory.recall.ranking` were chosen with these conversations in view. Here they are fitted anew on all
conversations but one, by a softmax over what was found for each question, and measured on the one that was left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.recall_data import Cast, EvidenceQuestion
from memory.recall.ranking import parts_of, values_of
from memory.recall.results import Looked

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

STEPS, RATE, DECAY = 400, 0.05, 1e-3


@dataclass(frozen=True, slots=True)
class Case:
    """Holds a question with the parts of all that was found for it, and which of that is evidence."""

    question: EvidenceQuestion
    parts: Matrix
    is_evidence: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, question: EvidenceQuestion, looked: Looked, guild: Cast) -> Case:
        found = parts_of(looked.asking, looked.pool, looked.rankable, looked.closeness)
        lines = [guild.line_of[said.found.message_id] for said, _ in found]
        parts = np.array([values_of(one) for _, one in found])
        return cls(question, parts, np.array([line in question.evidence for line in lines]))

    def recall(self, weights: Matrix, cut: int) -> float:
        best = np.argsort(-(self.parts @ weights), kind="stable")[:cut]
        return float(self.is_evidence[best].sum()) / len(self.question.evidence)


def left_out(cases: Sequence[Case], questions: int, cut: int = 10) -> float:
    """Measure R@cut in percent, each conversation by weights that were fitted on the others."""
    found = 0.0
    for name in sorted({case.question.channel for case in cases}):
        weights = fitted([case for case in cases if case.question.channel != name])
        found += sum(case.recall(weights, cut) for case in cases if case.question.channel == name)
    return 100 * found / questions


def fitted(cases: Sequence[Case]) -> Matrix:
    """Fit weights by Adam: the evidence shall have most of the softmax of all that was found."""
    cases = [case for case in cases if case.is_evidence.any()]
    parts = np.vstack([case.parts for case in cases])
    wanted = np.concatenate([case.is_evidence / case.is_evidence.sum() for case in cases])
    sizes = [len(case.parts) for case in cases]
    starts, of_case = np.r_[0, np.cumsum(sizes)[:-1]], np.repeat(np.arange(len(cases)), sizes)
    weights = mean = spread = np.zeros(parts.shape[1])
    for step in range(1, STEPS + 1):
        totals = parts @ weights
        raised = np.exp(totals - np.maximum.reduceat(totals, starts)[of_case])
        shares = raised / np.add.reduceat(raised, starts)[of_case]
        slope = parts.T @ (shares - wanted) / len(cases) + DECAY * weights
        mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    return weights
