"""Finds an Ollama on this machine, and chooses among the models that it has.

Nothing is sent anywhere else: models that Ollama only passes on to its cloud are never chosen without being named,
because whoever set nothing was promised that what is said stays here.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import aiohttp
from pydantic import BaseModel, Field, ValidationError

DEFAULT_URL: Final = "http://127.0.0.1:11434/v1"
MOST_BYTES: Final = 2_000_000
"""Of the list of models; a thousand of them take less."""

ENOUGH_BILLIONS: Final = 16.0
"""Parameters of the largest model that a machine at home answers with in time."""
FEWEST_BILLIONS: Final = 2.0
"""Smaller ones do not keep to rules or shapes."""
_BYTES_OF_A_BILLION: Final = 0.6e9
"""As models are usually packed, for those that do not say how large they are."""

_EMBEDDING_FAMILIES: Final = ("bert", "nomic-bert", "nomic-bert-moe", "xlm-roberta")
_EMBEDDING_NAMES: Final = re.compile(r"embed|minilm|(^|/)(bge|gte|e5|multilingual-e5|paraphrase)-")
_NO_CHAT: Final = re.compile(r"rerank|guard|shield|ocr|reader-lm|moderation|whisper|tts|diffusion|(:|-)base\b|-text\b")
_SPECIALISTS: Final = re.compile(
    r"code|math|sql|llava|vision|moondream|-vl\b|vl:|translate|meditron|medgemma|deepseek-r1|qwq|thinking|magistral"
)
"""They chat too, but worse, or only after long thought: for where there is nothing else."""


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """Describes a model on this machine that can chat."""

    name: str
    """As it is asked for, with its tag: `qwen3:8b`."""
    billions: float
    """Of parameters."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Names the models for the chains; None where there is none for it."""

    chat: str | None
    small: str | None


async def find_ollama(url: str = DEFAULT_URL, seconds: float = 0.5) -> list[OllamaModel] | None:
    """List the models there that chat and run here; None, without a word, where no Ollama answers.

    Its own tools name the address without the `/v1` of OpenAI's protocol.
    """
    address = url.rstrip("/").removesuffix("/v1")
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession(auto_decompress=False) as session,
            session.get(f"{address}/api/tags", allow_redirects=False) as response,
        ):
            if response.status != 200:
                return None
            listed = _Listed.model_validate_json(await _bounded(response))
    except (aiohttp.ClientError, OSError, TimeoutError, ValidationError):
        return None
    return [OllamaModel(model.name, model.billions) for model in listed.models if model.chats_here]


def choose(models: Sequence[OllamaModel]) -> Chosen:
    """Choose the general models first; those made for something else only where there is nothing better."""
    able = [model for model in models if not _SPECIALISTS.search(model.name.lower())] or models
    chat = _for_answers(able)
    small = _for_small_things(able, chat)
    return Chosen(chat.name if chat else None, small.name if small else None)


def _for_answers(models: Sequence[OllamaModel]) -> OllamaModel | None:
    """Choose the largest of the quick ones, or else the quickest; between equals the name decides, so that it stays."""
    quick = [model for model in models if model.billions <= ENOUGH_BILLIONS]
    if quick:
        return max(quick, key=lambda model: (model.billions, model.name))
    return min(models, key=lambda model: (model.billions, model.name), default=None)


def _for_small_things(models: Sequence[OllamaModel], chat: OllamaModel | None) -> OllamaModel | None:
    able = [model for model in models if FEWEST_BILLIONS <= model.billions <= ENOUGH_BILLIONS]
    return min(able, key=lambda model: (model.billions, model.name), default=chat)


class _Details(BaseModel):
    family: str | None = None
    families: list[str] | None = None
    parameter_size: str | None = None


class _Model(BaseModel):
    name: str = Field(min_length=1)
    size: int = 0
    details: _Details | None = None
    capabilities: list[str] | None = None
    remote_host: str | None = None

    @property
    def chats_here(self) -> bool:
        """Say whether it chats here: not for vectors or something else altogether, nor passed on to Ollama's cloud."""
        name, details = self.name.lower(), self.details or _Details()
        families = {family.lower() for family in (details.family, *(details.families or ())) if family}
        is_embedding = "embedding" in (self.capabilities or ()) or not families.isdisjoint(_EMBEDDING_FAMILIES)
        is_remote = bool(self.remote_host) or name.endswith(("-cloud", ":cloud"))
        return not (is_embedding or is_remote or _EMBEDDING_NAMES.search(name) or _NO_CHAT.search(name))

    @property
    def billions(self) -> float:
        """Read the billions of parameters from `8.0B`, `137M`, `8x7B`; or from how much room it takes."""
        said = (self.details and self.details.parameter_size) or ""
        found = re.fullmatch(r"(?:(\d+)X)?(\d+(?:\.\d+)?)\s*([KMBT])", said.strip().upper())
        if found is None:
            return self.size / _BYTES_OF_A_BILLION
        experts, number, unit = found.groups()
        return int(experts or 1) * float(number) * {"K": 1e-6, "M": 1e-3, "B": 1.0, "T": 1e3}[unit]


class _Listed(BaseModel):
    models: list[_Model]


async def _bounded(response: aiohttp.ClientResponse) -> bytes:
    read = bytearray()
    async for part in response.content.iter_chunked(64_000):
        read += part
        if len(read) > MOST_BYTES:
            raise aiohttp.ClientPayloadError("a list of models is not that long")
    return bytes(read)
