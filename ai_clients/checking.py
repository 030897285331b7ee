"""Asks every configured model whether it is there. Costs no tokens."""

from ai_clients.base import Purpose
from ai_clients.building import Connections
from ai_clients.checks import ModelCheck
from ai_clients.choosing import choose_models, missing
from ai_clients.settings import ModelName, ModelOptions, Provider


async def check_models(options: ModelOptions) -> list[ModelCheck]:
    """One for each model, whatever it serves for; none where nothing is set up."""
    asked: dict[Provider, dict[ModelName, tuple[Purpose, ...]]] = {}
    for name, purposes in (await choose_models(options)).purposes.items():
        asked.setdefault(name.provider, {})[name] = purposes
    connections = Connections(options)
    checks = []
    try:
        for provider, names in asked.items():
            if provider is Provider.GEMINI:
                from ai_clients.gemini.checking import check_gemini

                checks += await check_gemini(connections.gemini(), names)
            else:
                from ai_clients.openai_compatible.checking import check_openai

                checks += await check_openai(connections.server(provider), names)
    finally:
        await connections.close()
    return checks + _left_out(options)


def _left_out(options: ModelOptions) -> list[ModelCheck]:
    """Models that somebody named, and that cannot be asked. Of the defaults nobody expects it."""
    left_out: dict[ModelName, tuple[Purpose, ...]] = {}
    for purpose in Purpose:
        if f"{purpose}_models" in options.model_fields_set:
            for name in options.chain_of(purpose):
                if missing(name, options) is not None:
                    left_out[name] = (*left_out.get(name, ()), purpose)
    return [
        ModelCheck(
            str(name),
            purposes,
            False,
            f"is in the settings, but {missing(name, options)} is not",
            f"Set {missing(name, options)}, or take the model out of "
            f"{' and '.join(f'{purpose.upper()}_MODELS' for purpose in purposes)}.",
        )
        for name, purposes in left_out.items()
    ]
