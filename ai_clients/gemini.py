"""The Gemini API through google-genai: the only importer of `google.genai`."""

import asyncio
from dataclasses import dataclass

import aiohttp
from google import genai
from google.genai import errors, types

from ai_clients.base import OnText, Prompt, Reply, Usage
from ai_clients.errors import BadReply, RateLimited, Refused, Unavailable
from ai_clients.settings import ModelOptions

CHECK_TIMEOUT_MS = 10_000

_GOOD_ENDS = (types.FinishReason.STOP, types.FinishReason.MAX_TOKENS)


class GeminiModel:
    """One model of the API, behind one long-lived client."""

    def __init__(self, name: str, options: ModelOptions) -> None:
        if options.gemini_api_key is None:
            raise ValueError("GEMINI_API_KEY: is needed to ask Gemini.")
        self._name = name
        self._seconds = options.answer_seconds
        self._client = genai.Client(
            api_key=options.gemini_api_key.get_secret_value(),
            http_options=_http(options, round(options.answer_seconds * 1000)),
        ).aio

    @property
    def name(self) -> str:
        return self._name

    async def generate(self, prompt: Prompt, *, on_text: OnText | None = None) -> Reply:
        contents, config = _request(self._name, prompt)
        try:
            # The SDK's own timeout begins anew with every bit that arrives.
            async with asyncio.timeout(self._seconds):
                response = await self._client.models.generate_content(
                    model=self._name, contents=contents, config=config
                )
        except errors.APIError as error:
            raise _refusal(error, self._name) from None
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise Unavailable(f"{self._name} could not be reached ({type(error).__name__})") from None
        except ValueError as error:  # not JSON, or JSON of another shape
            raise BadReply(f"{self._name} answered something that is no reply ({type(error).__name__})") from None
        return _reply(response, self._name)

    async def close(self) -> None:
        await self._client.aclose()


def _request(name: str, prompt: Prompt) -> tuple[str, types.GenerateContentConfig | None]:
    """Gemma knows no system instruction: it finds the rules at the head of the first turn."""
    if name.startswith("gemma"):
        return f"{prompt.rules}\n\n{prompt.data}", None
    return prompt.data, types.GenerateContentConfig(system_instruction=prompt.rules)


def _reply(response: types.GenerateContentResponse, name: str) -> Reply:
    """A blocked, cut or empty reply raises nothing in the SDK; it has to be looked for."""
    if response.prompt_feedback is not None and response.prompt_feedback.block_reason is not None:
        raise Refused(f"{name} blocked the prompt ({response.prompt_feedback.block_reason.value})")
    candidate = response.candidates[0] if response.candidates else None
    if candidate is None:
        raise BadReply(f"{name} gave no candidate")
    if candidate.finish_reason is not None and candidate.finish_reason not in _GOOD_ENDS:
        raise Refused(f"{name} broke off ({candidate.finish_reason.value})")
    parts = candidate.content.parts if candidate.content is not None else None
    text = "".join(part.text or "" for part in parts or () if not part.thought).strip()
    if not text:
        raise BadReply(f"{name} gave an empty reply")
    used = response.usage_metadata
    tokens_in = (used.prompt_token_count or 0) if used else 0
    return Reply(text, name, Usage(tokens_in, (used.candidates_token_count or 0) if used else 0))


def _refusal(error: errors.APIError, name: str) -> RateLimited | Refused | Unavailable:
    match error.code:
        case 429:
            return RateLimited(f"{name} has no quota left (HTTP 429)", _retry_after(error))
        case 400 | 401 | 403 | 404:
            return Refused(f"{name} did not take the request (HTTP {error.code})")
        case _:
            return Unavailable(f"{name} answered HTTP {error.code}")


def _retry_after(error: errors.APIError) -> float | None:
    """The delay of a RetryInfo, such as "17s", wherever it stands among the details."""
    details = error.details.get("error", {}).get("details", []) if isinstance(error.details, dict) else []
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and delay.endswith("s"):
            try:
                return float(delay[:-1])
            except ValueError:
                return None
    return None


def _http(options: ModelOptions, timeout_ms: int) -> types.HttpOptions:
    return types.HttpOptions(
        base_url=str(options.gemini_base_url) if options.gemini_base_url else None, timeout=timeout_ms
    )


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
    http = _http(options, CHECK_TIMEOUT_MS)
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
