"""Memory as the web process has it, with the same database and no Discord, and the tokens of members."""

import contextlib
from collections.abc import AsyncIterator

from pydantic import SecretStr

from memory.access import Door, KeyKind
from memory.core.clock import SystemClock
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.end_to_end.house import Person, eventually


@contextlib.asynccontextmanager
async def web_memory(database_url: str, **options: object) -> AsyncIterator[MemoryManager]:
    clock, given = SystemClock(), {"database_url": SecretStr(database_url), **options}
    memory = await MemoryManager.open(MemoryOptions.model_validate(given), clock=clock, health=Health("web", clock))
    try:
        yield memory
    finally:
        await memory.close()


async def token_of(memory: MemoryManager, person: Person, *, may_write: bool = True) -> str:
    secret = await memory.access.sign_in(person.inn.guild.id, person.user.id)
    door = await eventually(lambda: memory.access.door(secret, KeyKind.SESSION), lambda door: isinstance(door, Door))
    assert isinstance(door, Door)
    token = await memory.access.make_token(door, "test", 1, may_write=may_write)
    assert token is not None
    return token
