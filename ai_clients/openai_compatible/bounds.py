"""How much of a reply is read: no more than could be of use, whatever a server sends."""

from collections.abc import AsyncIterator
from typing import Final, Protocol

import httpx
import openai

MOST_BYTES: Final = 4_000_000
"""Of a reply. A hundred pages of text, with all that a stream wraps around each word."""
MOST_BYTES_OF_AN_EVENT: Final = 256_000
"""Of a stream. The SDK copies what it has of one with everything that arrives."""
MOST_BYTES_OF_A_REFUSAL: Final = 64_000


class Unreadable(openai.OpenAIError):
    """A reply that we will not read to its end. Of the SDK's family, because it hands those through as they are."""


async def bound(response: httpx.Response) -> None:
    """Lets no more of a reply in than is reasonable; what is packed could unfold to anything."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise Unreadable("in a packed form that was not asked for")
    if not isinstance(response.stream, httpx.AsyncByteStream):
        return
    if response.is_error:
        response.stream = _Bounded(response.stream, _Beginning())
    elif response.headers.get("content-type", "").startswith("text/event-stream"):
        response.stream = _Bounded(response.stream, _Events())
    else:
        response.stream = _Bounded(response.stream, _Whole())


class _Bounded(httpx.AsyncByteStream):
    def __init__(self, inner: httpx.AsyncByteStream, bound: "_Bound") -> None:
        self._inner = inner
        self._bound = bound

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            if not self._bound.takes(part):
                return
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Bound(Protocol):
    def takes(self, part: bytes) -> bool:
        """Whether to go on reading. Raises `Unreadable` where the reply is spoilt by its size."""
        ...


class _Beginning:
    """Of a refusal: its status has said enough."""

    def __init__(self) -> None:
        self._read = 0

    def takes(self, part: bytes) -> bool:
        self._read += len(part)
        return self._read <= MOST_BYTES_OF_A_REFUSAL


class _Whole:
    def __init__(self) -> None:
        self._read = 0

    def takes(self, part: bytes) -> bool:
        self._read += len(part)
        if self._read > MOST_BYTES:
            raise Unreadable(f"with more than {MOST_BYTES // 1_000_000} MB")
        return True


class _Events(_Whole):
    def __init__(self) -> None:
        super().__init__()
        self._of_this = 0
        self._tail = b""

    def takes(self, part: bytes) -> bool:
        seen = self._tail + part
        end = max(seen.rfind(mark) for mark in (b"\n\n", b"\r\n\r\n", b"\r\r"))
        self._of_this = self._of_this + len(part) if end < 0 else len(seen) - end
        self._tail = seen[-3:]
        if self._of_this > MOST_BYTES_OF_AN_EVENT:
            raise Unreadable(f"with more than {MOST_BYTES_OF_AN_EVENT // 1000} kB at once")
        return super().takes(part)
