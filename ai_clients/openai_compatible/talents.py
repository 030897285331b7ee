"""What a model behind some server can do, found out by asking for the most and being refused.

Servers that speak OpenAI's protocol differ in what they take: a schema for the reply, only the promise of JSON, or
neither; a temperature; the longest reply, by its old name or its new one; rules apart from the data. None of them says
so beforehand. A refused request is asked again with one thing less, and what worked is remembered.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final


class ReplyForm(StrEnum):
    """How a reply of a certain shape is asked for, the surest first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "words"


class ReplyBound(StrEnum):
    """How the longest reply is told. More servers know the old name; the models of OpenAI that think refuse it."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Talents:
    form: ReplyForm = ReplyForm.SCHEMA
    bound: ReplyBound = ReplyBound.MAX_TOKENS
    takes_temperature: bool = True
    takes_rules_apart: bool = True


@dataclass(frozen=True, slots=True)
class Wish:
    """What of all that a request makes use of."""

    is_shaped: bool = False
    is_steady: bool = False


_NO_TALENT_HELPS: Final = (
    "context_length",
    "context length",
    "context size",
    "exceed_context",
    "content_filter",
    "content_policy",
    "model_not_found",
    "invalid_api_key",
)
_BOUND_TOO_LARGE: Final = ("is too large", "in the completion")
"""Some servers count the longest reply as part of the context: without it the prompt may fit."""
_BOUND: Final = ("max_tokens", "max_completion_tokens", *_BOUND_TOO_LARGE)
_REPEATED_BOUND: Final = re.compile(r'"max_(?:completion_)?tokens\\*":\s*\d+')
"""By a server that repeats all that it was asked."""
_RULES: Final = ("system role", "system message", "roles must alternate")
_TEMPERATURE: Final = ("temperature",)
_FORM: Final = ("response_format", "json_schema", "json_object", "schema", "grammar", "structured output", "json mode")


def lesser(talents: Talents, wish: Wish, status: int, text: str) -> Talents | None:
    """What to try next after a refusal with this status and text; None where nothing of ours can be at fault.

    A text that names the culprit is believed: some servers answer 404 or 500 to what they cannot do. After a bare 400
    or 422 one thing after the other is left out, first what most servers lack. The text may repeat the words of people,
    so nothing is concluded from it but what to try; only a success is remembered.
    """
    text = _REPEATED_BOUND.sub("", text.lower())
    if status not in (400, 404, 422, 500, 501):
        return None
    if any(word in text for word in _NO_TALENT_HELPS) and not any(word in text for word in _BOUND_TOO_LARGE):
        return None
    without = _without(talents, wish)
    for words, fewer in without:
        if any(word in text for word in words):
            return fewer
    if status not in (400, 422):
        return None
    return next((fewer for words, fewer in without if words not in (_RULES, _BOUND)), None)


def _without(talents: Talents, wish: Wish) -> list[tuple[tuple[str, ...], Talents]]:
    """Each thing that the request makes use of, by the words that name it, and what remains without it."""
    found: list[tuple[tuple[str, ...], Talents]] = []
    if wish.is_shaped and talents.form is not ReplyForm.WORDS:
        next_form = ReplyForm.OBJECT if talents.form is ReplyForm.SCHEMA else ReplyForm.WORDS
        found.append((_FORM, replace(talents, form=next_form)))
    if wish.is_steady and talents.takes_temperature:
        found.append((_TEMPERATURE, replace(talents, takes_temperature=False)))
    if talents.bound is not ReplyBound.NONE:
        next_bound = ReplyBound.NONE if talents.bound is not ReplyBound.MAX_TOKENS else ReplyBound.MAX_COMPLETION_TOKENS
        found.append((_BOUND, replace(talents, bound=next_bound)))
    if talents.takes_rules_apart:
        found.append((_RULES, replace(talents, takes_rules_apart=False)))
    return found
