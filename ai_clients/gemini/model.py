"""Models of the Gemini API that write: Gemini, and Gemma, which takes neither system instructions nor schemas."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from google.genai import types

from ai_clients.base import OnText, Prompt, Reply, Shaped, ShapeT, Usage
from ai_clients.errors import BadReply, Refused, Unavailable
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

    async def generate(self, prompt: Prompt, *, on_text: OnText | None = None) -> Reply:
        contents, config = self._request(prompt)
        if on_text is None:
            return await self._whole(prompt, contents, config)
        return await self._streamed(prompt, contents, config, on_text)

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        if self._is_gemma:
            prompt = replace(prompt, rules=f"{prompt.rules}\n\n{in_words(shape)}")
        contents, config = self._request(prompt)
        if not self._is_gemma:
            config.response_mime_type = "application/json"
            config.response_json_schema = shape.model_json_schema()
        reply = await self._whole(prompt, contents, config)
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

    async def _whole(self, prompt: Prompt, contents: str, config: types.GenerateContentConfig) -> Reply:
        said = _Said(self._name)
        async with within(self._seconds, self._name):
            with told_as_ours(self._name):
                response = await self._api.client.models.generate_content(
                    model=self._name, contents=contents, config=config
                )
        said.add(response)
        return said.reply(prompt)

    async def _streamed(
        self, prompt: Prompt, contents: str, config: types.GenerateContentConfig, on_text: OnText
    ) -> Reply:
        said = _Said(self._name)
        async with within(self._seconds, self._name):
            async for response in self._arriving(contents, config):
                if said.add(response):
                    on_text(said.text)
        if said.text and said.finish is None:
            raise Unavailable(f"{self._name} broke off in the middle")
        return said.reply(prompt)

    async def _arriving(
        self, contents: str, config: types.GenerateContentConfig
    ) -> AsyncIterator[types.GenerateContentResponse]:
        """Errors are ours only where they come from the SDK, not where somebody reads along."""
        with told_as_ours(self._name):
            stream = await self._api.client.models.generate_content_stream(
                model=self._name, contents=contents, config=config
            )
        while True:
            with told_as_ours(self._name):
                response = await anext(stream, None)
            if response is None:
                return
            yield response


@dataclass
class _Said:
    """What has come so far. A blocked, cut or empty reply raises nothing in the SDK; it has to be looked for."""

    name: str
    text: str = ""
    finish: types.FinishReason | None = None
    used: types.GenerateContentResponseUsageMetadata | None = None
    has_candidate: bool = False

    def add(self, response: types.GenerateContentResponse) -> bool:
        """Whether there is more text now."""
        feedback = response.prompt_feedback
        if feedback is not None and feedback.block_reason is not None:
            raise Refused(f"{self.name} blocked the prompt ({feedback.block_reason.value})")
        self.used = response.usage_metadata or self.used
        candidate = response.candidates[0] if response.candidates else None
        if candidate is None:
            return False
        self.has_candidate = True
        self.finish = candidate.finish_reason or self.finish
        parts = candidate.content.parts if candidate.content is not None else None
        more = "".join(part.text or "" for part in parts or () if not part.thought)
        self.text += more
        if len(self.text) > LONGEST_REPLY:
            raise BadReply(f"{self.name} would not stop after {LONGEST_REPLY} characters")
        return bool(more)

    def reply(self, prompt: Prompt) -> Reply:
        if not self.has_candidate:
            raise BadReply(f"{self.name} gave no candidate")
        if self.finish is not None and self.finish in _BROKEN_ENDS:
            raise BadReply(f"{self.name} broke off ({self.finish.value})")
        if self.finish is not None and self.finish not in _GOOD_ENDS:
            raise Refused(f"{self.name} broke off ({self.finish.value})")
        text = self.text.strip()
        if not text:
            raise BadReply(f"{self.name} gave an empty reply")
        return Reply(text, self.name, self._usage(prompt, text))

    def _usage(self, prompt: Prompt, text: str) -> Usage:
        """What it thought is paid for like what it said."""
        if self.used is None or not self.used.prompt_token_count:
            return estimated_usage(prompt, text)
        said = (self.used.candidates_token_count or 0) + (self.used.thoughts_token_count or 0)
        return Usage(self.used.prompt_token_count, said)
