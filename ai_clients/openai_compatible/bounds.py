"""How much of a reply is read: no more than could be of use, whatever a server sends."""

from collections.abc import AsyncIterator
from typing import Final

import httpx
import openai

MOST_BYTES: Final = 4_000_000
"""Of a reply. A hundred pages of text, or a hundred long vectors."""
MOST_BYTES_OF_A_REFUSAL: Final = 64_000


class Unreadable(openai.OpenAIError):
    """A reply that we will not read to its end. Of the SDK's family, because it hands those through as they are."""


async def bound(response: httpx.Response) -> None:
    """Lets no more of a reply in than is reasonable; what is packed could unfold to anything."""
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
