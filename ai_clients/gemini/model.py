"""Models of the Gemini API that write: Gemini, and Gemma, which takes neither system instructions nor schemas."""

from dataclasses import replace

from google.genai import types

from ai_clients.base import Prompt, Reply, Shaped, ShapeT, Usage
from ai_clients.errors import BadReply, Refused
from ai_clients.gemini.api import GeminiApi, told_as_ours, within
from ai_clients.lenient_json import in_words, read_as
from ai_clients.tokens import estimated_usage

LONGEST_REPLY = 200_000
"""Characters. Nothing we ask for comes near."""

_GOOD_ENDS = (types.FinishReason.STOP, types.FinishReason.MAX_TOKENS)
_BROKEN_ENDS = (
    types.FinishReason.OTHER,
    types.FinishReason.MALFORMED_FUNCTION_CALL,
    types.FinishReason.UNEXPECTED_TOOL_CALL,
    types.FinishReason.FINISH_REASON_UNSPECIFIED,
)
_TAKE_A_TEMPERATURE = ("gemma", "gemini-1", "gemini-2")
"""Newer ones are to be left at their own, says Google: with another they may go round in circles."""


class GeminiModel:
    def __init__(self, name: str, api: GeminiApi, *, seconds: float | None = None) -> None:
        """`seconds` is the longest that one reply may take; whoever asks may have less time."""
        self._name = name
        self._api = api
        self._seconds = seconds if seconds is not None else api.longest_seconds

    @property
    def name(self) -> str:
        return self._name

    async def generate(self, prompt: Prompt) -> Reply:
        return await self._ask(prompt, *self._request(prompt))

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        if self._is_gemma:
            prompt = replace(prompt, rules=f"{prompt.rules}\n\n{in_words(shape)}")
        contents, config = self._request(prompt)
        if not self._is_gemma:
            config.response_mime_type = "application/json"
            config.response_json_schema = shape.model_json_schema()
        reply = await self._ask(prompt, contents, config)
        return Shaped(read_as(reply.text, shape, self._name), reply.model, reply.usage)

    async def close(self) -> None:
        await self._api.close()

    @property
    def _is_gemma(self) -> bool:
        return self._name.startswith("gemma")

    def _request(self, prompt: Prompt) -> tuple[str, types.GenerateContentConfig]:
        """Gemma finds the rules at the head of the first turn."""
        config = types.GenerateContentConfig(max_output_tokens=prompt.most_tokens)
        if prompt.is_steady and self._name.startswith(_TAKE_A_TEMPERATURE):
            config.temperature = 0.0
        if self._is_gemma:
            return f"{prompt.rules}\n\n{prompt.data}", config
        config.system_instruction = prompt.rules
        return prompt.data, config

    async def _ask(self, prompt: Prompt, contents: str, config: types.GenerateContentConfig) -> Reply:
        async with within(self._seconds, self._name):
            with told_as_ours(self._name):
                response = await self._api.client.models.generate_content(
                    model=self._name, contents=contents, config=config
                )
        text = _text_of(response, self._name)
        return Reply(text, self._name, _usage(response, prompt, text))


def _text_of(response: types.GenerateContentResponse, name: str) -> str:
    """What was said. A blocked, cut or empty reply raises nothing in the SDK; it has to be looked for."""
    feedback = response.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        raise Refused(f"{name} blocked the prompt ({feedback.block_reason.value})")
    if not response.candidates:
        raise BadReply(f"{name} gave no candidate")
    candidate = response.candidates[0]
    parts = candidate.content.parts if candidate.content is not None else None
    text = "".join(part.text or "" for part in parts or () if not part.thought)
    if len(text) > LONGEST_REPLY:
        raise BadReply(f"{name} would not stop after {LONGEST_REPLY} characters")
    end = candidate.finish_reason
    if end is not None and end in _BROKEN_ENDS:
        raise BadReply(f"{name} broke off ({end.value})")
    if end is not None and end not in _GOOD_ENDS:
        raise Refused(f"{name} broke off ({end.value})")
    if not text.strip():
        raise BadReply(f"{name} gave an empty reply")
    return text.strip()


def _usage(response: types.GenerateContentResponse, prompt: Prompt, text: str) -> Usage:
    """What it thought is paid for like what it said."""
    used = response.usage_metadata
    if used is None or not used.prompt_token_count:
        return estimated_usage(prompt, text)
    return Usage(used.prompt_token_count, (used.candidates_token_count or 0) + (used.thoughts_token_count or 0))
