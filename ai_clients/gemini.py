"""The Gemini API through google-genai: the only importer of `google.genai`."""

from dataclasses import dataclass

import aiohttp
from google import genai
from google.genai import errors, types

from ai_clients.settings import ModelOptions

CHECK_TIMEOUT_MS = 10_000


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """Whether a configured model answers, and what to do if it does not."""

    model: str
    purposes: tuple[str, ...]
    answers: bool
    says: str
    remedy: str | None = None


async def check_models(options: ModelOptions) -> list[ModelCheck]:
    """Asks the API for each configured model once; costs no tokens."""
    if options.gemini_api_key is None:
        return []
    purposes: dict[str, list[str]] = {}
    for purpose, name in options.names_by_purpose().items():
        purposes.setdefault(name, []).append(purpose)
    http = types.HttpOptions(
        base_url=str(options.gemini_base_url) if options.gemini_base_url else None, timeout=CHECK_TIMEOUT_MS
    )
    async with genai.Client(api_key=options.gemini_api_key.get_secret_value(), http_options=http).aio as client:
        return [await _check(client, name, tuple(uses)) for name, uses in purposes.items()]


async def _check(client: genai.client.AsyncClient, name: str, purposes: tuple[str, ...]) -> ModelCheck:
    try:
        await client.models.get(model=name)
    except errors.APIError as error:
        says, remedy = _explain(error.code, name, purposes)
        return ModelCheck(name, purposes, False, says, remedy)
    except (aiohttp.ClientError, OSError):
        return ModelCheck(
            name,
            purposes,
            False,
            "the Gemini API could not be reached",
            "Check the network, and GOOGLE_GEMINI_BASE_URL if you set it.",
        )
    return ModelCheck(name, purposes, True, "answers")


def _explain(code: int, name: str, purposes: tuple[str, ...]) -> tuple[str, str]:
    variables = " and ".join(f"{purpose.upper()}_MODEL" for purpose in purposes)
    match code:
        case 404:
            return f"there is no model {name} (any more)", f"Set {variables} to a model your key can use."
        case 400 | 401 | 403:
            return f"the key was refused (HTTP {code})", "Check GEMINI_API_KEY; make a new key if it was revoked."
        case 429:
            return "the quota is used up (HTTP 429)", "Wait, or raise the quota of your key."
        case _:
            return f"the Gemini API answered HTTP {code}", "Try again later."
