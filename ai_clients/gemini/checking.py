"""Asks the Gemini API whether it has the models that are configured. Costs no tokens."""

from collections.abc import Mapping

from ai_clients.base import Purpose
from ai_clients.checks import Checked, ModelCheck
from ai_clients.errors import ModelError, ModelGone
from ai_clients.gemini.api import GeminiApi, told_as_ours, within
from ai_clients.settings import ModelName

CHECK_SECONDS = 10.0
MOST_LISTED = 1_000


async def check_gemini(api: GeminiApi, asked: Mapping[ModelName, tuple[Purpose, ...]]) -> list[ModelCheck]:
    """One check for each model, whatever it serves for."""
    return [
        await _check(api, Checked(name, purposes, "the Gemini API", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"))
        for name, purposes in asked.items()
    ]


async def _check(api: GeminiApi, checked: Checked) -> ModelCheck:
    try:
        async with within(CHECK_SECONDS, checked.name.name):
            with told_as_ours(checked.name.name):
                await api.client.models.get(model=checked.name.name)
    except ModelGone as gone:
        return checked.fails(gone, await _listed(api, Purpose.EMBED in checked.purposes))
    except ModelError as error:
        return checked.fails(error)
    return checked.answers()


async def _listed(api: GeminiApi, for_vectors: bool) -> list[str]:
    """Names that could stand there instead; none if the API does not list any."""
    method = "embedContent" if for_vectors else "generateContent"
    names: list[str] = []
    try:
        async with within(CHECK_SECONDS, "the list of models"):
            with told_as_ours("the list of models"):
                async for model in await api.client.models.list():
                    if model.name and method in (model.supported_actions or ()):
                        names.append(model.name.removeprefix("models/"))
                    if len(names) >= MOST_LISTED:
                        break
    except ModelError:
        return names
    return names
