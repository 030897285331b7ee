"""One long-lived client of the Gemini API, whose replies are bounded, and whose failures are our own errors."""

import asyncio
import contextlib
import functools
import logging
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp
from aiohttp.http_exceptions import LineTooLong
from google import genai
from google.genai import errors, types

from ai_clients.errors import BadReply, KeyRefused, ModelError, ModelGone, RateLimited, Refused, TimedOut, Unavailable
from ai_clients.settings import ModelOptions

LARGEST_BODY = 4 * 1024 * 1024
"""Of a reply, in bytes. A hundred vectors of 3,072 numbers fit; what is larger has gone mad."""

_NONSENSE = (ValueError, TypeError, AttributeError, LookupError)
"""What the SDK raises over JSON that is none, or of another shape: it takes replies apart without looking."""


class GeminiApi:
    """Shared by all models of one key. Opens its connections when it is first asked."""

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
    """Left to itself, the SDK reads all certificates four times over for each client, a fifth of a second."""
    return ssl.create_default_context()


class _TooLarge(Exception):
    pass


class _Bounded(aiohttp.ClientResponse):
    """A response that is not read any further than we have use for."""

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
    """Whatever the SDK raises comes out as a `ModelError`. Of a reply no word is repeated."""
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
    """The SDK's own timeout begins anew with every bit that arrives."""
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
    """A wrong key is a 400 here, and so is a country in which the key may not be used."""
    reasons = {detail.get("reason") for detail in _details(error)}
    return error.status == "FAILED_PRECONDITION" or bool(reasons & {"API_KEY_INVALID", "API_KEY_EXPIRED"})


def _retry_after(error: errors.APIError) -> float | None:
    """The delay of a RetryInfo, such as "17s", wherever it stands among the details; otherwise that of the header."""
    for detail in _details(error):
        delay = detail.get("retryDelay")
        if isinstance(delay, str) and delay.endswith("s"):
            return _seconds(delay[:-1])
    headers = getattr(error.response, "headers", None)
    return _of_header(headers) if isinstance(headers, Mapping) else None


def _of_header(headers: Mapping[str, str]) -> float | None:
    """Seconds, or a date."""
    said = headers.get("Retry-After", "")
    seconds = _seconds(said)
    if seconds is not None or not said:
        return seconds
    try:
        date = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, ((date if date.tzinfo else date.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds())


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _details(error: errors.APIError) -> list[dict[str, object]]:
    inner = error.details.get("error") if isinstance(error.details, dict) else None
    details = inner.get("details") if isinstance(inner, dict) else None
    return [detail for detail in details if isinstance(detail, dict)] if isinstance(details, list) else []
