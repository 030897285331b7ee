"""Asks a server whether it has the models that are configured. Costs no tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pydantic import BaseModel

from ai_clients.base import Purpose
from ai_clients.checks import Checked, ModelCheck
from ai_clients.errors import ModelError, ModelGone
from ai_clients.openai_compatible.server import Server
from ai_clients.settings import ModelName, Provider

CHECK_SECONDS: Final = 10.0


async def check_openai(server: Server, asked: Mapping[ModelName, tuple[Purpose, ...]]) -> list[ModelCheck]:
    """One check for each model, whatever it serves for; all by one request."""
    checked = [_checked(server, name, purposes) for name, purposes in asked.items()]
    try:
        listed = await _list(server)
    except ModelGone:
        return [_without_list(server, one) for one in checked]
    except ModelError as error:
        return [one.fails(error) for one in checked]
    return [_found(server, one, listed) for one in checked]


def _checked(server: Server, name: ModelName, purposes: tuple[Purpose, ...]) -> Checked:
    if name.provider is Provider.OLLAMA:
        return Checked(name, purposes, f"Ollama at {server.address}", "OLLAMA_URL", "OLLAMA_URL")
    return Checked(name, purposes, f"the server at {server.address}", "OPENAI_API_KEY", "OPENAI_BASE_URL")


def _without_list(server: Server, checked: Checked) -> ModelCheck:
    """Not every server has one, and only a question would tell more; but most often the address is cut short."""
    if server.names_a_version:
        return replace(checked.answers(), says="its server answers, but does not list its models")
    return ModelCheck(
        str(checked.name),
        checked.purposes,
        False,
        f"{checked.where} does not speak OpenAI's protocol at this address",
        f"Check {checked.address_variable}; the address usually ends with /v1.",
    )


def _found(server: Server, checked: Checked, listed: "Sequence[_Listed]") -> ModelCheck:
    name = checked.name.name
    names = [model.id for model in listed]
    if name in names or _is_of_any_name(listed):
        return checked.answers()
    if checked.name.provider is not Provider.OLLAMA:
        # Brokers hang wishes on a name, such as `:nitro`, that are in no list.
        if name.partition(":")[0] in names:
            return checked.answers()
        return checked.fails(ModelGone(server.naming(name)), [f"{server.label}:{known}" for known in names])
    if f"{name}:latest" in names:
        return checked.answers()
    gone = checked.fails(ModelGone(server.naming(name)), [f"{server.label}:{known}" for known in names])
    return replace(gone, remedy=f"Run `ollama pull {name}`. Or: {gone.remedy}")


def _is_of_any_name(listed: "Sequence[_Listed]") -> bool:
    """llama.cpp serves the one model that it was started with, by whatever name it is asked for."""
    return len(listed) == 1 and listed[0].owned_by == "llamacpp"


class _Listed(BaseModel):
    id: str
    owned_by: str | None = None


class _List(BaseModel):
    data: list[_Listed]


async def _list(server: Server) -> list[_Listed]:
    async with server.asked("the list of models", CHECK_SECONDS) as client:
        raw = await client.models.with_raw_response.list()
        return _List.model_validate_json(raw.content).data
