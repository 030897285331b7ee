"""A server that speaks OpenAI's protocol: one long-lived client for it, and what its failures mean to us.

The SDK's own retries are off (whoever asks decides about those), a reply is cut off where it grows beyond reason, and
no failure carries what was asked, what was answered, or the key.
"""

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Final

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
)
from ai_clients.openai_compatible.bounds import Unreadable, bound
from ai_clients.openai_compatible.talents import Talents

_NO_KEY: Final = "none"
"""Local servers want none; the SDK insists on sending one."""

_ABOUT_THE_PROMPT: Final = ("content_filter", "content_policy", "flagged", "moderation")


class Server:
    """Where models are, how they are reached, and what we have found out about them."""

    def __init__(self, base_url: str, api_key: SecretStr | None, label: str) -> None:
        self.label = label
        """As it stands before the names of its models in the settings: `openai` or `ollama`."""
        self._url = httpx.URL(base_url)
        self._key = (api_key.get_secret_value().strip() if api_key else "") or _NO_KEY
        if not (self._key.isascii() and self._key.isprintable()):
            raise ValueError(f"The key for {self.address} has characters that no key has.")
        self._opening = asyncio.Lock()
        self._client: openai.AsyncOpenAI | None = None
        self._talents: dict[str, Talents] = {}

    @property
    def address(self) -> str:
        """Host and port, without a name or password that may stand before them."""
        return self._url.netloc.decode("ascii")

    @property
    def names_a_version(self) -> bool:
        """Its path has a part such as `v1`, as the protocol wants it."""
        return any(part[:1] == "v" and part[1:2].isdigit() for part in self._url.path.split("/"))

    def naming(self, name: str) -> str:
        """A model of this server, for operators to read."""
        return f"{name} at {self.address} ({self.label})"

    def talents_of(self, name: str) -> Talents:
        """Behind one address there may be models of many makers, so each is remembered for itself."""
        return self._talents.get(name, Talents())

    def remember(self, name: str, talents: Talents) -> None:
        self._talents[name] = talents

    @contextlib.asynccontextmanager
    async def asked(self, name: str, seconds: float) -> AsyncIterator[openai.AsyncOpenAI]:
        """The client; whatever fails while it is used is a `ModelError`, after so many seconds at the latest."""
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
        """Not in the loop's own thread: the SDK loads much of itself only now, which takes a second or two."""
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
            http_client=httpx.AsyncClient(
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
        """For all its models. Whoever asks again opens it again."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def failure(
    who: str, code: int | None, text: str, *, kind: str | None = None, delay: float | None = None
) -> ModelError:
    """What a status means. The server's text may repeat what was asked: it is looked at, never passed on."""
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


def retry_after(headers: httpx.Headers) -> float | None:
    """The delay that a server wants: in milliseconds, in seconds, or as a time of day."""
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            delay = float(milliseconds) / 1000
        elif (wanted := headers.get("retry-after", "")).strip()[:1].isalpha():
            delay = parsedate_to_datetime(wanted).timestamp() - time.time()
        else:
            delay = float(wanted)
    except (ValueError, OverflowError):
        return None
    return max(0.0, delay) if math.isfinite(delay) else None


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
