"""Asks a language model on any server of OpenAI's protocol: Ollama, llama.cpp, LM Studio, OpenRouter, OpenAI."""

import base64
import re
from dataclasses import replace
from typing import Final

import openai
from openai.types.chat import ChatCompletionContentPartParam, ChatCompletionMessageParam
from openai.types.chat.completion_create_params import ResponseFormat
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ai_clients.base import Prompt, Shaped, ShapeT, Transcript, Usage, estimated_usage
from ai_clients.errors import BadReply, Refused
from ai_clients.openai_compatible.client import Capabilities, ReplyBound, ReplyForm, Server, failure, lesser
from ai_clients.structured import in_words, read_as

# Parts what a model says from what it thinks aloud before it.
#
# Servers that know their model hand its reasoning out in a field of its own. Others leave it in the text, between
# `<think>` and `</think>`; and where the opening mark belongs to the model's template, only the closing one is seen.


_OPENED: Final = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
# On a line of its own: an answer may speak of the mark in the middle of a sentence.
_CLOSED_ONLY: Final = re.compile(
    r"(?:^|\n)[^\S\n]*</(?:think|thinking|thought|reasoning)>[ \t]*(?:\n|$)", re.IGNORECASE
)


def said(text: str) -> str:
    """Find what of the text is meant for whoever asked; nothing where it is all thinking."""
    if opened := _OPENED.match(text):
        closed = re.compile(f"</{opened[1]}>", re.IGNORECASE).search(text, opened.end()) if "</" in text else None
        return text[closed.end() :].strip() if closed else ""
    closed = _CLOSED_ONLY.search(text) if "</" in text else None
    return text[closed.end() :].strip() if closed else text.strip()


_SIGHT: Final = ("image", "vision", "multimodal", "multi-modal", "mmproj")
"""In a refusal: the model does not see, and nothing else is at fault."""
MOST_CHARACTERS: Final = 200_000
"""Longer ones are no answers."""


class OpenAIModel:
    """Asks one model. All of a server's share its client, and what was found out about each stays with the server."""

    def __init__(self, name: str, server: Server, seconds: float) -> None:
        self.name = f"{server.label}:{name}"
        """As it stands in the settings."""
        self._model = name
        self._server = server
        self._seconds = seconds

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        if any(one.is_sound for one in prompt.files):
            return await self._transcribed(prompt, shape)
        # The words go along even where a schema does: a server that turns it into a grammar shows it to nobody, and
        # one that overlooks it says nothing.
        prompt = replace(prompt, rules=f"{prompt.rules}\n\n{in_words(shape)}")
        completion = await self._ask(prompt, shape)
        text = _text_of(completion, self._server.naming(self._model))
        return Shaped(read_as(text, shape, self.name), self.name, _usage(completion.usage, prompt, text))

    async def _transcribed(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        """Transcribe by the route that servers have for it, which takes no rules and gives the words alone."""
        who = self._server.naming(self._model)
        if shape is not Transcript or len(prompt.files) != 1:
            raise Refused(f"{who} can only write down a recording")
        [sound] = prompt.files
        name = f"voice.{sound.media_type.partition('/')[2]}"
        async with self._server.asked(self._model, self._seconds) as client:
            raw = await client.audio.transcriptions.with_raw_response.create(
                model=self._model, file=(name, sound.data, sound.media_type)
            )
            words = _Transcribed.model_validate_json(raw.content).text
        if len(words) > MOST_CHARACTERS:
            raise BadReply(f"{who} gave more than {MOST_CHARACTERS:,} characters")
        return Shaped(shape.model_validate({"words": words}), self.name, estimated_usage(prompt, words))

    async def _ask(self, prompt: Prompt, shape: type[BaseModel]) -> "_Completion":
        """Ask with all we would like; where that is refused, with less. What was taken is remembered."""
        known = talents = self._server.talents_of(self._model)
        async with self._server.asked(self._model, self._seconds) as client:
            while True:
                try:
                    completion = await self._complete(client, prompt, shape, talents)
                    break
                except openai.APIStatusError as error:
                    if prompt.files and any(word in error.message.lower() for word in _SIGHT):
                        raise Refused(f"{self._server.naming(self._model)} does not see pictures") from None
                    fewer = lesser(talents, error.status_code, error.message, is_steady=prompt.is_steady)
                    if fewer is None:
                        raise
                    talents = fewer
        if talents != known:
            self._server.remember(self._model, talents)
        return completion

    async def _complete(
        self, client: openai.AsyncOpenAI, prompt: Prompt, shape: type[BaseModel], talents: Capabilities
    ) -> "_Completion":
        apart: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": prompt.rules},
            {"role": "user", "content": _with_files(prompt.data, prompt)},
        ]
        both = _with_files(f"{prompt.rules}\n\n{prompt.data}", prompt)
        together: list[ChatCompletionMessageParam] = [{"role": "user", "content": both}]
        is_by_new_name = talents.bound is ReplyBound.MAX_COMPLETION_TOKENS
        raw = await client.chat.completions.with_raw_response.create(
            model=self._model,
            messages=apart if talents.takes_rules_apart else together,
            temperature=0.0 if prompt.is_steady and talents.takes_temperature else openai.omit,
            max_tokens=prompt.most_tokens if talents.bound is ReplyBound.MAX_TOKENS else openai.omit,
            max_completion_tokens=prompt.most_tokens if is_by_new_name else openai.omit,
            response_format=_form(shape, talents.form),
        )
        return _Completion.model_validate_json(raw.content)


def _with_files(text: str, prompt: Prompt) -> str | list[ChatCompletionContentPartParam]:
    if not prompt.files:
        return text
    parts: list[ChatCompletionContentPartParam] = [{"type": "text", "text": text}]
    for one in prompt.files:
        url = f"data:{one.media_type};base64,{base64.b64encode(one.data).decode('ascii')}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


def _form(shape: type[BaseModel], form: ReplyForm) -> ResponseFormat | openai.Omit:
    match form:
        case ReplyForm.WORDS:
            return openai.omit
        case ReplyForm.OBJECT:
            return {"type": "json_object"}
    # The SDK knows what OpenAI wants of a schema, and says it of functions only; it is the same.
    schema = openai.pydantic_function_tool(shape)["function"]["parameters"]
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}


class _Arrived(BaseModel):
    """Checks what arrived: the SDK builds its objects from whatever that was, and checks nothing."""

    model_config = ConfigDict(from_attributes=True, strict=True)


class _Transcribed(_Arrived):
    text: str


class _Part(_Arrived):
    type: str = ""
    text: str = ""


class _Message(_Arrived):
    content: str | list[_Part] | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class _Choice(_Arrived):
    message: _Message
    finish_reason: str | None = None


class _Completion(_Arrived):
    choices: list[_Choice] | None = None
    usage: object = None
    error: object = None


class _Counted(_Arrived):
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)


class _Trouble(_Arrived):
    """Brokers answer 200 and tell of their upstream's failure inside."""

    code: int | None = None
    message: str = ""

    @classmethod
    def read(cls, error: object) -> "_Trouble":
        try:
            return cls.model_validate(error)
        except ValidationError:
            return cls()


def _text_of(completion: _Completion, who: str) -> str:
    """Read what was said. Servers of all kinds forget the reason of an end that needs none."""
    if completion.error is not None:
        trouble = _Trouble.read(completion.error)
        raise failure(who, trouble.code, trouble.message)
    choice = completion.choices[0] if completion.choices else _Choice(message=_Message())
    if choice.finish_reason == "content_filter" or choice.message.refusal:
        raise Refused(f"{who} would not answer this prompt")
    text = said(choice.message.text)
    if len(text) > MOST_CHARACTERS:
        raise BadReply(f"{who} gave more than {MOST_CHARACTERS:,} characters")
    if not text:
        raise BadReply(f"{who} gave an empty reply")
    return text


def _usage(used: object, prompt: Prompt, text: str) -> Usage:
    try:
        counted = _Counted.model_validate(used)
    except ValidationError:
        counted = None
    if counted is None or not counted.prompt_tokens:
        return estimated_usage(prompt, text)
    return Usage(counted.prompt_tokens, counted.completion_tokens)
