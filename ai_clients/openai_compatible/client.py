"""Keeps one long-lived client for a server that speaks OpenAI's protocol, and tells what its failures mean to us.

The SDK's own retries are off (whoever asks decides about those), a reply is cut off where it grows beyond reason, and
no failure carries what was asked, what was answered, or the key.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from enum import StrEnum
from ipaddress import ip_address
from typing import Any, Final

import anyio
import httpx
import openai
from pydantic import SecretStr

from ai_clients.errors import (
    BadReply,
    KeyRefused,
    Misconfigured,
    ModelError,
    ModelGone,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
    retry_after,
)

# How much of a reply is read: no more than could be of use, whatever a server sends.


MOST_BYTES: Final = 4_000_000
"""Of a reply. A hundred pages of text, or a hundred long vectors."""
MOST_BYTES_OF_A_REFUSAL: Final = 64_000


class Unreadable(openai.OpenAIError):
    """A reply will not be read to its end. Of the SDK's family, because it hands those through as they are."""


async def bound(response: httpx.Response) -> None:
    """Let no more of a reply in than is reasonable; what is packed could unfold to anything."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise Unreadable("in a packed form that was not asked for")
    if isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _Bounded(response.stream, is_refusal=response.is_error)


class _Bounded(httpx.AsyncByteStream):
    def __init__(self, inner: httpx.AsyncByteStream, *, is_refusal: bool) -> None:
        self._inner = inner
        self._is_refusal = is_refusal

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._inner:
            read += len(part)
            if self._is_refusal and read > MOST_BYTES_OF_A_REFUSAL:
                return  # its status has said enough
            if read > MOST_BYTES:
                raise Unreadable(f"with more than {MOST_BYTES // 1_000_000} MB")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


# Tidies up behind a request that is told to stop.
#
# httpx lets nobody but anyio's own cancellation wait until it has tidied up. Where asyncio's comes just then, as at the
# end of a deadline, its pool keeps the connection and the request, with all the words in it, until the process ends.


_under_way: set[asyncio.Task[httpx.Response]] = set()
"""Kept, because a task that nobody keeps may vanish."""


class _TidyClient(httpx.AsyncClient):
    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        scope = anyio.CancelScope()
        sending = asyncio.create_task(self._send_in(scope, request, options))
        _under_way.add(sending)
        sending.add_done_callback(_forget)
        try:
            await asyncio.wait({sending})
        finally:
            scope.cancel()
        return sending.result()

    async def _send_in(
        self, scope: anyio.CancelScope, request: httpx.Request, options: dict[str, Any]
    ) -> httpx.Response:
        with scope:
            return await super().send(request, **options)
        raise asyncio.CancelledError


def _forget(sending: asyncio.Task[httpx.Response]) -> None:
    _under_way.discard(sending)
    if not sending.cancelled():
        sending.exception()  # was told to whoever waited, or nobody does


# What a model behind some server can do, found out by asking for the most and being refused.
#
# Servers that speak OpenAI's protocol differ in what they take: a schema for the reply, only the promise of JSON, or
# neither; a temperature; the longest reply, by its old name or its new one; rules apart from the data. None of them
# says so beforehand. A refused request is asked again with one thing less, and what worked is remembered.


class ReplyForm(StrEnum):
    """Says how a reply of a certain shape is asked for, the surest first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "words"


class ReplyBound(StrEnum):
    """Says how the longest reply is told. More servers know the old name; the models of OpenAI that think refuse it."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Capabilities:
    form: ReplyForm = ReplyForm.SCHEMA
    bound: ReplyBound = ReplyBound.MAX_TOKENS
    takes_temperature: bool = True
    takes_rules_apart: bool = True


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


def lesser(talents: Capabilities, status: int, text: str, *, is_steady: bool) -> Capabilities | None:
    """Choose what to try next after a refusal with this status and text; None where nothing of ours can be at fault.

    A text that names the culprit is believed: some servers answer 404 or 500 to what they cannot do. After a bare 400
    or 422 one thing after the other is left out, first what most servers lack. The text may repeat the words of people,
    so nothing is concluded from it but what to try; only a success is remembered.
    """
    text = _REPEATED_BOUND.sub("", text.lower())
    if status not in (400, 404, 422, 500, 501):
        return None
    if any(word in text for word in _NO_TALENT_HELPS) and not any(word in text for word in _BOUND_TOO_LARGE):
        return None
    without = _without(talents, is_steady)
    for words, fewer in without:
        if any(word in text for word in words):
            return fewer
    if status not in (400, 422):
        return None
    return next((fewer for words, fewer in without if words not in (_RULES, _BOUND)), None)


def _without(talents: Capabilities, is_steady: bool) -> list[tuple[tuple[str, ...], Capabilities]]:
    """Find each thing that the request makes use of, by the words that name it, and what remains without it."""
    found: list[tuple[tuple[str, ...], Capabilities]] = []
    if talents.form is not ReplyForm.WORDS:
        next_form = ReplyForm.OBJECT if talents.form is ReplyForm.SCHEMA else ReplyForm.WORDS
        found.append((_FORM, replace(talents, form=next_form)))
    if is_steady and talents.takes_temperature:
        found.append((_TEMPERATURE, replace(talents, takes_temperature=False)))
    if talents.bound is not ReplyBound.NONE:
        next_bound = ReplyBound.NONE if talents.bound is not ReplyBound.MAX_TOKENS else ReplyBound.MAX_COMPLETION_TOKENS
        found.append((_BOUND, replace(talents, bound=next_bound)))
    if talents.takes_rules_apart:
        found.append((_RULES, replace(talents, takes_rules_apart=False)))
    return found


_NO_KEY: Final = "none"
"""Local servers want none; the SDK insists on sending one."""

_ABOUT_THE_PROMPT: Final = ("content_filter", "content_policy", "flagged", "moderation")


class Server:
    """Knows where models are, how they are reached, and what we have found out about them."""

    def __init__(self, base_url: str, api_key: SecretStr | None, label: str) -> None:
        self.label = label
        """As it stands before the names of its models in the settings: `openai` or `ollama`."""
        self._url = httpx.URL(base_url)
        self._key = (api_key.get_secret_value().strip() if api_key else "") or _NO_KEY
        if not (self._key.isascii() and self._key.isprintable()):
            raise ValueError(f"The key for {self.address} has characters that no key has.")
        self._opening = asyncio.Lock()
        self._client: openai.AsyncOpenAI | None = None
        self._talents: dict[str, Capabilities] = {}

    @property
    def address(self) -> str:
        """Name host and port, without a name or password that may stand before them."""
        return self._url.netloc.decode("ascii")

    @property
    def names_a_version(self) -> bool:
        """Say whether the path has a part such as `v1`, as the protocol wants it."""
        return any(part[:1] == "v" and part[1:2].isdigit() for part in self._url.path.split("/"))

    def naming(self, name: str) -> str:
        """Name a model of this server, for operators to read."""
        return f"{name} at {self.address} ({self.label})"

    def talents_of(self, name: str) -> Capabilities:
        """Tell what a model can do: there may be those of many makers behind one address, so each is remembered."""
        return self._talents.get(name, Capabilities())

    def remember(self, name: str, talents: Capabilities) -> None:
        self._talents[name] = talents

    @contextlib.asynccontextmanager
    async def asked(self, name: str, seconds: float) -> AsyncIterator[openai.AsyncOpenAI]:
        """Give the client; whatever fails while it is used is a `ModelError`, after so many seconds at the latest."""
        who = self.naming(name)
        client = await self.open()
        try:
            async with asyncio.timeout(seconds):
                yield client
        except Unreadable as error:
            raise BadReply(f"{who} answered {error}") from None
        except TimeoutError:
            raise TimedOut(f"{who} was not done within {seconds:g} s") from None
        except openai.APIConnectionError as error:
            raise Unavailable(f"{who} could not be reached ({type(error.__cause__).__name__})") from None
        except openai.APIStatusError as error:
            delay = retry_after(error.response.headers)
            raise failure(who, error.status_code, error.message, kind=error.code, delay=delay) from None
        except (httpx.HTTPError, OSError) as error:
            raise Unavailable(f"{who} broke off ({type(error).__name__})") from None
        except (openai.APIError, ValueError, RecursionError) as error:  # no JSON, or JSON of another shape
            raise BadReply(f"{who} answered something that is no reply ({type(error).__name__})") from None

    async def open(self) -> openai.AsyncOpenAI:
        """Open the client outside the loop's thread: the SDK loads much of itself now, which takes a second or two."""
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._build)
            return self._client

    def _build(self) -> openai.AsyncOpenAI:
        # At DEBUG it writes whole requests, and a variable of its own can ask it to.
        for chatty in ("openai", "httpx", "httpcore"):
            logging.getLogger(chatty).setLevel(logging.WARNING)
        client = openai.AsyncOpenAI(
            base_url=self._url,
            api_key=self._key,
            max_retries=0,
            # Whoever asks has a deadline of their own. One for each bit that arrives would only be in its way.
            timeout=None,
            http_client=_TidyClient(
                event_hooks={"response": [bound]},
                headers={"Accept-Encoding": "identity"},
                # Redirects are not followed, so plain HTTP stays plain, and certificates need not be loaded for it.
                verify=self._url.scheme == "https",
                # A proxy for the world outside has no way to this machine.
                trust_env=not _is_here(self._url.host),
            ),
        )
        # The SDK takes these from the environment; they are another server's business.
        client.organization = client.project = None
        # Loaded when they are looked at.
        _ = (client.chat.completions, client.embeddings, client.models)
        return client

    async def close(self) -> None:
        """Close the client for all its models. Whoever asks again opens it again."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def failure(
    who: str, code: int | None, text: str, *, kind: str | None = None, delay: float | None = None
) -> ModelError:
    """Tell what a status means. The server's text may repeat what was asked: it is looked at, never passed on."""
    is_about_the_prompt = any(word in text.lower() for word in _ABOUT_THE_PROMPT)
    match code:
        case 429:
            return RateLimited(f"{who} has no quota left (HTTP 429)", delay)
        case 400 | 403 if is_about_the_prompt:
            return Refused(f"{who} blocked the prompt (HTTP {code})")
        case 400 if kind == "model_not_found":
            return ModelGone(f"{who} is not there (HTTP 400)")
        case 401 | 402 | 403:
            return KeyRefused(f"{who} did not take the key (HTTP {code})")
        case 404 | 410:
            return ModelGone(f"{who} is not there (HTTP {code})")
        case int() if 300 <= code < 400 or code == 405:
            return Misconfigured(f"{who} is to be found elsewhere (HTTP {code})")
        case 408 | 409 | 425:
            return Unavailable(f"{who} answered HTTP {code}")
        case int() if 400 <= code < 500:
            return Refused(f"{who} did not take the request (HTTP {code})")
        case None:
            return Unavailable(f"{who} broke off with an error")
        case _:
            return Unavailable(f"{who} answered HTTP {code}")


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
