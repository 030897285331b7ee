"""The bot's settings, as an operator writes them."""

import pytest
from pydantic import ValidationError

from bot.settings import BotOptions


def read(monkeypatch: pytest.MonkeyPatch, **environment: str) -> BotOptions:
    for name in ("DISCORD_TOKEN", "BOT_NAMES", "DISCORD_API_BASE", "DISCORD_GATEWAY_URL", "BOT_REPLY_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return BotOptions()


@pytest.mark.parametrize("written", ["abc.def-ghi", " abc.def-ghi ", '"abc.def-ghi"', "Bot abc.def-ghi"])
def test_a_token_is_taken_as_people_paste_it(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    token = read(monkeypatch, DISCORD_TOKEN=written).token
    assert token is not None
    assert token.get_secret_value() == "abc.def-ghi"


def test_names_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, BOT_NAMES="Bot, Old  Innkeeper ,,Wirt").names == ("Bot", "Old Innkeeper", "Wirt")


@pytest.mark.parametrize("names", [",", " ", "x" * 33])
def test_names_that_nobody_could_use_are_refused(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    with pytest.raises(ValidationError):
        read(monkeypatch, BOT_NAMES=names)


@pytest.mark.parametrize(
    ("given", "value", "missing"),
    [
        ("DISCORD_API_BASE", "http://127.0.0.1/api/v10", "DISCORD_GATEWAY_URL"),
        ("DISCORD_GATEWAY_URL", "ws://127.0.0.1", "DISCORD_API_BASE"),
    ],
)
def test_one_address_alone_names_the_other(
    monkeypatch: pytest.MonkeyPatch, given: str, value: str, missing: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        read(monkeypatch, **{given: value})
    assert f"{missing}: is needed because {given} is set" in refused.value.errors()[0]["msg"]


@pytest.mark.parametrize("address", ["ftp://host", "host/api", "http://"])
def test_an_address_of_another_kind_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read(monkeypatch, DISCORD_API_BASE=address, DISCORD_GATEWAY_URL="ws://host")
    assert refused.value.errors()[0]["loc"] == ("DISCORD_API_BASE",)
