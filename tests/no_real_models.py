"""No test reaches a real model, or anything else beyond this machine, by accident.

A key in the environment or in an `.env` would be enough to have a test ask, and pay for, a real model. So keys and
proxies go, every provider's address leads nowhere, also in the processes that tests start, and this process may connect
to nothing but loopback and the database of TEST_DATABASE_URL.
"""

import os
import socket
from collections.abc import Callable
from ipaddress import ip_address
from typing import TypeVar
from urllib.parse import urlsplit

PROVIDERS = ("GEMINI_", "GOOGLE_", "OPENAI_", "OLLAMA_")
NOWHERE = "http://127.0.0.1:9"
"""Nothing listens there. Set in the environment, it goes before whatever an `.env` says."""

T = TypeVar("T")


class ReachedOutError(AssertionError):
    """Loud: none of our code takes this for a network that is down."""


def keep_to_this_machine() -> None:
    for name in [name for name in os.environ if name.startswith(PROVIDERS) or name.lower().endswith("_proxy")]:
        del os.environ[name]
    os.environ |= {"GOOGLE_GEMINI_BASE_URL": NOWHERE, "OPENAI_BASE_URL": f"{NOWHERE}/v1", "OLLAMA_URL": f"{NOWHERE}/v1"}
    allowed = _database_addresses()
    for name in ("connect", "connect_ex"):
        setattr(socket.socket, name, _guarded(getattr(socket.socket, name), allowed))


def _guarded(connect: Callable[[socket.socket, object], T], allowed: frozenset[str]) -> Callable[..., T]:
    def guarded(self: socket.socket, address: object) -> T:
        if self.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
            host = str(address[0])
            if host not in allowed and not _is_here(host):
                raise ReachedOutError(f"a test tried to connect to {host}")
        return connect(self, address)

    return guarded


def _is_here(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        parsed = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return parsed.is_loopback or parsed.is_unspecified


def _database_addresses() -> frozenset[str]:
    host = urlsplit(os.environ.get("TEST_DATABASE_URL", "")).hostname
    if not host:
        return frozenset()
    return frozenset({host} | {str(found[4][0]) for found in socket.getaddrinfo(host, None)})
