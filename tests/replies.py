"""What scripted models say, in the shape in which an answer is asked for."""

import json
import re
from typing import Any

_CITES = re.compile(r"\[\d+[\d, ]*\]")


def in_shape(said: str, request: dict[str, Any]) -> str:
    """Where the request asks for the reply to a question, a scripted text becomes one: from memory if it cites lines.

    What is JSON already stays as it is.
    """
    if "ModelReply" not in json.dumps(request) or said.startswith("{"):
        return said
    return reply("memory" if _CITES.search(said) else "general", said)


def reply(kind: str, answer: str, *searches: str) -> str:
    return json.dumps({"kind": kind, "answer": answer, "searches": searches})
