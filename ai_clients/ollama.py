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
_BEST_EMBEDDERS: Final = (
    "nomic-embed-text",
    "embeddinggemma",
    "bge-m3",
    "qwen3-embedding",
    "mxbai-embed",
    "arctic-embed",
)
_NO_CHAT: Final = re.compile(r"rerank|guard|shield|ocr|reader-lm|moderation|whisper|tts|diffusion|(:|-)base\b|-text\b")
_SPECIALISTS: Final = re.compile(
    r"code|math|sql|llava|vision|moondream|-vl\b|vl:|translate|meditron|medgemma|deepseek-r1|qwq|thinking|magistral"
)
"""They chat too, but worse, or only after long thought: for where there is nothing else."""


@dataclass(frozen=True, slots=True)
class OllamaModel:
    name: str
    """As it is asked for, with its tag: `qwen3:8b`."""
    billions: float
    """Of parameters."""
    is_embedding: bool
    is_remote: bool
    """Passed on to Ollama's cloud."""


@dataclass(frozen=True, slots=True)
class Ollama:
    base_url: str
    models: tuple[OllamaModel, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Names for the chains; None where there is no model for it."""

    chat: str | None
    small: str | None
    embedding: str | None


def base_url_of(url: str) -> str:
    """Where it speaks OpenAI's protocol. Its own tools name the address without the end."""
    return f"{url.rstrip('/').removesuffix('/v1')}/v1"


async def find_ollama(url: str = DEFAULT_URL, seconds: float = 0.5) -> Ollama | None:
    """None, and no word about it, where nothing listens or something else does."""
    base_url = base_url_of(url)
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession(auto_decompress=False) as session,
            session.get(f"{base_url.removesuffix('/v1')}/api/tags", allow_redirects=False) as response,
        ):
            if response.status != 200:
                return None
            listed = _Listed.model_validate_json(await _bounded(response))
    except (aiohttp.ClientError, OSError, TimeoutError, ValidationError):
        return None
    return Ollama(base_url, tuple(model.ours() for model in listed.models))


def choose(models: Sequence[OllamaModel]) -> Chosen:
    here = [model for model in models if not model.is_remote]
    chatting = [model for model in here if not model.is_embedding and not _NO_CHAT.search(model.name.lower())]
    general = [model for model in chatting if not _SPECIALISTS.search(model.name.lower())]
    chat = _for_answers(general or chatting)
    small = _for_small_things(general or chatting, chat)
    return Chosen(chat.name if chat else None, small.name if small else None, _for_vectors(here))


def _for_answers(models: Sequence[OllamaModel]) -> OllamaModel | None:
    """The largest that is quick enough, or else the quickest; between equals the name decides, so that it stays."""
    quick = [model for model in models if model.billions <= ENOUGH_BILLIONS]
    if quick:
        return max(quick, key=lambda model: (model.billions, model.name))
    return min(models, key=lambda model: (model.billions, model.name), default=None)


def _for_small_things(models: Sequence[OllamaModel], chat: OllamaModel | None) -> OllamaModel | None:
    able = [model for model in models if FEWEST_BILLIONS <= model.billions <= ENOUGH_BILLIONS]
    return min(able, key=lambda model: (model.billions, model.name), default=chat)


def _for_vectors(models: Sequence[OllamaModel]) -> str | None:
    embedding = sorted(model.name for model in models if model.is_embedding)
    ranked = (name for known in _BEST_EMBEDDERS for name in embedding if known in name.lower())
    return next(ranked, embedding[0] if embedding else None)


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

    def ours(self) -> OllamaModel:
        details = self.details or _Details()
        families = {family.lower() for family in (details.family, *(details.families or ())) if family}
        is_embedding = (
            "embedding" in (self.capabilities or ())
            or not families.isdisjoint(_EMBEDDING_FAMILIES)
            or _EMBEDDING_NAMES.search(self.name.lower()) is not None
        )
        is_remote = bool(self.remote_host) or self.name.endswith(("-cloud", ":cloud"))
        return OllamaModel(self.name, _billions(details.parameter_size, self.size), is_embedding, is_remote)


class _Listed(BaseModel):
    models: list[_Model]


def _billions(said: str | None, size: int) -> float:
    """`8.0B`, `137M`, `8x7B`; or by how much room it takes."""
    found = re.fullmatch(r"(?:(\d+)X)?(\d+(?:\.\d+)?)\s*([KMBT])", (said or "").strip().upper())
    if found is None:
        return size / _BYTES_OF_A_BILLION
    experts, number, unit = found.groups()
    return int(experts or 1) * float(number) * {"K": 1e-6, "M": 1e-3, "B": 1.0, "T": 1e3}[unit]


async def _bounded(response: aiohttp.ClientResponse) -> bytes:
    read = bytearray()
    async for part in response.content.iter_chunked(64_000):
        read += part
        if len(read) > MOST_BYTES:
            raise aiohttp.ClientPayloadError("a list of models is not that long")
    return bytes(read)
