"""An answer that is made of lines, each with the message it comes from."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.core.outcomes import Answer, Citation
from memory.core.provenance import Evidence, Read
from memory.core.values import Source


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    source: Source | None = None


def answer_of(lines: Sequence[Line], read: Read) -> Answer:
    """`read` is what stands in the lines, word for word."""
    citations: list[Citation] = []
    at = 0
    for line in lines:
        at += len(line.text)
        if line.source is not None:
            citations.append(Citation(at, line.source))
        at += 1
    return Answer(
        "\n".join(line.text for line in lines),
        tuple(dict.fromkeys(citation.source for citation in citations)),
        citations=tuple(citations),
        evidence=Evidence.all_quoted(read),
    )


def shifted(citations: Sequence[Citation], by: int) -> tuple[Citation, ...]:
    """Of a text that now stands behind another one."""
    return tuple(Citation(citation.at + by, citation.source) for citation in citations)
