"""Which of the models that the settings name are set up, and which of an Ollama's serve where none is."""

from collections.abc import Mapping
from dataclasses import dataclass

from ai_clients.base import Purpose
from ai_clients.ollama import choose, find_ollama
from ai_clients.settings import ModelName, ModelOptions, Provider

SPEAKING = (Purpose.ANSWER, Purpose.SUMMARISE, Purpose.SMALL)

_MISSING = {
    Provider.GEMINI: "GEMINI_API_KEY",
    Provider.OPENAI: "OPENAI_BASE_URL or OPENAI_API_KEY",
}


@dataclass(frozen=True, slots=True)
class Choice:
    chains: Mapping[Purpose, tuple[ModelName, ...]]
    """Of those who speak; a purpose that nothing is set up for is not in here."""
    embedder: ModelName | None
    """None: the vectors that are built in."""

    @property
    def names(self) -> tuple[ModelName, ...]:
        return tuple(self.purposes)

    @property
    def purposes(self) -> dict[ModelName, tuple[Purpose, ...]]:
        """What each model serves for."""
        found: dict[ModelName, tuple[Purpose, ...]] = {}
        for purpose in Purpose:
            embedding = () if purpose is not Purpose.EMBED or self.embedder is None else (self.embedder,)
            for name in (*self.chains.get(purpose, ()), *embedding):
                found[name] = (*found.get(name, ()), purpose)
        return found


async def choose_models(options: ModelOptions) -> Choice:
    chains = {
        purpose: names
        for purpose in SPEAKING
        if (names := tuple(name for name in options.chain_of(purpose) if missing(name, options) is None))
    }
    if len(chains) < len(SPEAKING):
        chains = await _of_ollama(options) | chains
    embedder = next((name for name in options.chain_of(Purpose.EMBED) if missing(name, options) is None), None)
    return Choice(chains, None if embedder is None or embedder.provider is Provider.STATIC else embedder)


def missing(name: ModelName, options: ModelOptions) -> str | None:
    """The setting without which this model cannot be asked; None if it can. Ollama needs none."""
    is_set_up = {
        Provider.GEMINI: options.gemini_api_key is not None,
        Provider.OPENAI: options.openai_base_url is not None or options.openai_api_key is not None,
    }.get(name.provider, True)
    return None if is_set_up else _MISSING[name.provider]


async def _of_ollama(options: ModelOptions) -> dict[Purpose, tuple[ModelName, ...]]:
    """Vectors stay the built-in ones: they would change, and all be made anew, whenever Ollama is there or is not."""
    ollama = await find_ollama(str(options.ollama_url))
    if ollama is None:
        return {}
    chosen = choose(ollama.models)
    names = {Purpose.ANSWER: chosen.chat, Purpose.SUMMARISE: chosen.chat, Purpose.SMALL: chosen.small}
    return {purpose: (ModelName(Provider.OLLAMA, name),) for purpose, name in names.items() if name is not None}
