"""Keeps one long-lived client of the Gemini API, whose replies are bounded, and whose failures are our own errors."""

import asyncio
import contextlib
import functools
import json
import logging
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace

import aiohttp
from aiohttp.http_exceptions import LineTooLong
from google import genai
from google.genai import errors, types
from pgvector import HalfVector

from ai_clients.base import Prompt, Purpose, Shaped, ShapeT, Usage, estimated_usage
from ai_clients.check import Checked, ModelCheck
from ai_clients.embedding import spoken, written
from ai_clients.errors import (
    BadReply,
    KeyRefused,
    ModelError,
    ModelGone,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
    retry_after,
)
from ai_clients.settings import ModelName, ModelOptions
from ai_clients.structured import in_words, read_as, schema_of

LARGEST_BODY = 4 * 1024 * 1024
"""Of a reply, in bytes. A hundred vectors of 3,072 numbers fit; what is larger has gone mad."""

_NONSENSE = (ValueError, TypeError, AttributeError, LookupError)
"""What the SDK raises over JSON that is none, or of another shape: it takes replies apart without looking."""


class GeminiApi:
    """Serves all models of one key. Opens its connections when it is first asked."""

    def __init__(self, options: ModelOptions) -> None:
        if options.gemini_api_key is None:
            raise ValueError("GEMINI_API_KEY: is needed to ask Gemini.")
        self._key = options.gemini_api_key
        self._base_url = str(options.gemini_base_url) if options.gemini_base_url else None
        self.longest_seconds = options.longest_seconds
        self._session: aiohttp.ClientSession | None = None
        self._client: genai.client.AsyncClient | None = None

    @property
    def client(self) -> genai.client.AsyncClient:
        if self._client is None:
            # At INFO it tells of features that we do not use, with each request.
            logging.getLogger("google_genai").setLevel(logging.WARNING)
            self._session = aiohttp.ClientSession(response_class=_Bounded, trust_env=True)
            trusted = _trusted()
            self._client = genai.Client(
                api_key=self._key.get_secret_value(),
                http_options=types.HttpOptions(
                    base_url=self._base_url,
                    timeout=round(self.longest_seconds * 1000),
                    aiohttp_client=self._session,
                    client_args={"verify": trusted},
                    async_client_args={"verify": trusted, "ssl": trusted},
                    # Without this the SDK sleeps for up to ten seconds over a lost connection, and asks again.
                    retry_options=types.HttpRetryOptions(attempts=1),
                ),
            ).aio
        return self._client

    async def close(self) -> None:
        client, session = self._client, self._session
        self._client = self._session = None
        if client is not None:
            await client.aclose()
        if session is not None:
            await session.close()


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Read all certificates once: the SDK by itself does so four times for each client, a fifth of a second."""
    return ssl.create_default_context()


class _TooLarge(Exception):
    pass


class _Bounded(aiohttp.ClientResponse):
    """Reads a response no further than we have use for it."""

    async def read(self) -> bytes:
        if self._body is None:
            body = bytearray()
            async for piece in self.content.iter_any():
                body += piece
                if len(body) > LARGEST_BODY:
                    self.close()
                    raise _TooLarge
            self._body = bytes(body)
            self.release()
        return self._body


@contextlib.contextmanager
def told_as_ours(name: str) -> Iterator[None]:
    """Raise as a `ModelError` whatever the SDK raises. Of a reply no word is repeated."""
    try:
        yield
    except errors.APIError as error:
        raise _of_status(error, name) from None
    except TimeoutError:
        raise TimedOut(f"{name} was too slow") from None
    except (_TooLarge, LineTooLong):
        raise BadReply(f"{name} sent more than {LARGEST_BODY} bytes") from None
    except (aiohttp.ClientError, OSError) as error:
        raise Unavailable(f"{name} could not be reached ({type(error).__name__})") from None
    except _NONSENSE as error:
        raise BadReply(f"{name} answered something that is no reply ({type(error).__name__})") from None


@contextlib.asynccontextmanager
async def within(seconds: float, name: str) -> AsyncIterator[None]:
    """Bound the time of a request: the SDK's own timeout begins anew with every bit that arrives."""
    try:
        async with asyncio.timeout(seconds) as deadline:
            yield
    except TimeoutError:
        if not deadline.expired():
            raise
        raise TimedOut(f"{name} was not done within {seconds:g} s") from None


def _of_status(error: errors.APIError, name: str) -> ModelError:
    match error.code:
        case 429:
            return RateLimited(f"{name} has no quota left (HTTP 429)", _retry_after(error))
        case 401 | 403:
            return KeyRefused(f"{name} did not take the key (HTTP {error.code})")
        case 400 if _is_about_the_key(error):
            return KeyRefused(f"{name} did not take the key (HTTP 400)")
        case 404:
            return ModelGone(f"there is no model {name} (HTTP 404)")
        case int(code) if 400 <= code < 500 and code not in (408, 425):
            return Refused(f"{name} did not take the request (HTTP {code})")
        case _:
            return Unavailable(f"{name} answered HTTP {error.code}")


def _is_about_the_key(error: errors.APIError) -> bool:
    """Say whether the key is at fault: a wrong one is a 400 here, and so is a country in which it may not be used."""
    reasons = {detail.get("reason") for detail in _details(error)}
    return error.status == "FAILED_PRECONDITION" or bool(reasons & {"API_KEY_INVALID", "API_KEY_EXPIRED"})


def _retry_after(error: errors.APIError) -> float | None:
    """Read the delay of a RetryInfo, such as "17s", wherever it stands in the details; otherwise that of the header."""
    delays = [str(detail.get("retryDelay")).removesuffix("s") for detail in _details(error) if "retryDelay" in detail]
    headers = getattr(error.response, "headers", None)
    return retry_after({"retry-after": delays[0]} if delays else headers if isinstance(headers, Mapping) else {})


def _details(error: errors.APIError) -> list[dict[str, object]]:
    inner = error.details.get("error") if isinstance(error.details, dict) else None
    details = inner.get("details") if isinstance(inner, dict) else None
    return [detail for detail in details if isinstance(detail, dict)] if isinstance(details, list) else []


# Models of the Gemini API that write: Gemini, and Gemma, which takes neither system instructions nor schemas.


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
        """Make a model; `seconds` is the longest that one reply may take; whoever asks may have less time."""
        self.name = name
        self._api = api
        self._seconds = seconds if seconds is not None else api.longest_seconds

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        if self._is_gemma:
            prompt = replace(prompt, rules=f"{prompt.rules}\n\n{in_words(shape)}")
        contents, config = self._request(prompt)
        if not self._is_gemma:
            config.response_mime_type = "application/json"
            config.response_json_schema = json.loads(schema_of(shape))
        async with within(self._seconds, self.name):
            with told_as_ours(self.name):
                response = await self._api.client.models.generate_content(
                    model=self.name, contents=contents, config=config
                )
        text = _text_of(response, self.name)
        return Shaped(read_as(text, shape, self.name), self.name, _usage(response, prompt, text))

    async def close(self) -> None:
        await self._api.close()

    @property
    def _is_gemma(self) -> bool:
        return self.name.startswith("gemma")

    def _request(self, prompt: Prompt) -> tuple[str | types.Content, types.GenerateContentConfig]:
        """Build the request; Gemma finds the rules at the head of the first turn."""
        config = types.GenerateContentConfig(max_output_tokens=prompt.most_tokens)
        if prompt.is_steady and self.name.startswith(_TAKE_A_TEMPERATURE):
            config.temperature = 0.0
        if self._is_gemma:
            return _with_files(f"{prompt.rules}\n\n{prompt.data}", prompt), config
        config.system_instruction = prompt.rules
        return _with_files(prompt.data, prompt), config


def _with_files(text: str, prompt: Prompt) -> str | types.Content:
    if not prompt.files:
        return text
    parts = [types.Part.from_bytes(data=one.data, mime_type=one.media_type) for one in prompt.files]
    return types.Content(role="user", parts=[*parts, types.Part(text=text)])


def _text_of(response: types.GenerateContentResponse, name: str) -> str:
    """Read what was said. A blocked, cut or empty reply raises nothing in the SDK; it has to be looked for."""
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
    """Count the tokens of a reply: what it thought is paid for like what it said."""
    used = response.usage_metadata
    if used is None or not used.prompt_token_count:
        return estimated_usage(prompt, text)
    return Usage(used.prompt_token_count, (used.candidates_token_count or 0) + (used.thoughts_token_count or 0))


# Vectors from the Gemini API, many texts in one request.


TEXTS_AT_ONCE = 100
"""The API takes no more in one request."""
MOST_CHARACTERS = 8_000
"""Of one text; the older models read 2,048 tokens and refuse what is longer."""
DIMENSIONS = 768
"""Of 3,072. The models are made to be cut to this, with next to no loss, at a quarter of the room."""


class GeminiEmbedder:
    dimensions = DIMENSIONS

    def __init__(self, name: str, api: GeminiApi, *, seconds: float | None = None) -> None:
        self.name = name
        self._api = api
        self._seconds = seconds if seconds is not None else api.longest_seconds

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        async with within(self._seconds, self.name):
            return await spoken(texts, self._batch)

    async def close(self) -> None:
        await self._api.close()

    async def _batch(self, texts: list[str]) -> list[HalfVector | None]:
        with told_as_ours(self.name):
            response = await self._api.client.models.embed_content(
                model=self.name,
                contents=[types.Content(parts=[types.Part(text=text[:MOST_CHARACTERS])]) for text in texts],
                config=types.EmbedContentConfig(output_dimensionality=DIMENSIONS),
            )
        vectors = [embedding.values or [] for embedding in response.embeddings or ()]
        if len(vectors) != len(texts) or any(len(vector) != DIMENSIONS for vector in vectors):
            raise BadReply(f"{self.name} gave {len(vectors)} vectors for {len(texts)} texts, or of another size")
        return await asyncio.to_thread(written, vectors)


# Asks the Gemini API whether it has the models that are configured. Costs no tokens.


CHECK_SECONDS = 10.0
MOST_LISTED = 1_000


async def check_gemini(api: GeminiApi, asked: Mapping[ModelName, tuple[Purpose, ...]]) -> list[ModelCheck]:
    return [
        await _check(api, Checked(name, purposes, "the Gemini API", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"))
        for name, purposes in asked.items()
    ]


async def _check(api: GeminiApi, checked: Checked) -> ModelCheck:
    try:
        async with within(CHECK_SECONDS, checked.name.name):
            with told_as_ours(checked.name.name):
                await api.client.models.get(model=checked.name.name)
    except ModelGone as gone:
        return checked.fails(gone, await _listed(api, Purpose.EMBED in checked.purposes))
    except ModelError as error:
        return checked.fails(error)
    return checked.answers()


async def _listed(api: GeminiApi, for_vectors: bool) -> list[str]:
    """List names that could stand there instead; none if the API does not list any."""
    method = "embedContent" if for_vectors else "generateContent"
    names: list[str] = []
    try:
        async with within(CHECK_SECONDS, "the list of models"):
            with told_as_ours("the list of models"):
                async for model in await api.client.models.list():
                    if model.name and method in (model.supported_actions or ()):
                        names.append(model.name.removeprefix("models/"))
                    if len(names) >= MOST_LISTED:
                        break
    except ModelError:
        return names
    return names
