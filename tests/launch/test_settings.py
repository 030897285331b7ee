"""Settings come from the environment and .env, and a bad one gives one line that names it, never a traceback."""

import ast
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from launch import settings as reference
from launch.settings import SECTIONS, SettingsError, load_settings

ROOT = Path(__file__).parents[2]
VARIABLES = [str(field.validation_alias) for options in SECTIONS.values() for field in options.model_fields.values()]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def test_env_file_is_read_and_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("PORT=9001\nDISCORD_TOKEN=abc.def\nGEMINI_API_KEY=\nUNRELATED=1\n")
    monkeypatch.setenv("PORT", "9002")
    settings = load_settings(env_file)
    assert settings.web.port == 9002
    assert not settings.is_local
    assert settings.models.gemini_api_key is None, "an empty line means unset"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("LOG_LEVEL", "LOUD"),
        ("DATABASE_POOL_SIZE", "0"),
        ("DATABASE_POOLED", "true"),
        ("DISCORD_API_BASE", "not an address"),
        ("GOOGLE_GEMINI_BASE_URL", "nowhere"),
    ],
)
def test_a_bad_value_gives_one_line_that_names_it(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        load_settings(None)
    (line,) = caught.value.lines
    assert line.startswith(f"{variable}: ")
    assert "\n" not in line


def test_a_bad_secret_is_never_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a token with spaces")
    with pytest.raises(SettingsError) as caught:
        load_settings(None)
    assert "a token with spaces" not in str(caught.value)


@pytest.mark.parametrize("password", ["ge/heim", "12/heim", "ge#heim", "ge?heim", "ge[heim", "ge\u2100heim"])
def test_a_password_that_breaks_the_address_is_not_shown(monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql://inn:{password}@db:5432/inn")
    with pytest.raises(SettingsError, match=r"^DATABASE_URL: .*/ is %2F") as caught:
        load_settings(None)
    assert not any(part in str(caught.value) for part in ("ge", "heim"))


def test_the_local_guild_is_refused_beyond_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "0.0.0.0")  # noqa: S104 - the very thing that is refused
    with pytest.raises(SettingsError, match=r"HOST.*loopback"):
        load_settings(None)
    monkeypatch.setenv("DISCORD_TOKEN", "abc.def")
    assert load_settings(None).web.host == "0.0.0.0"  # noqa: S104


def test_secrets_do_not_show_in_a_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "abc.hidden.def")
    settings = load_settings(None)
    assert "hidden" not in repr(settings)
    assert settings.secrets() == ["abc.hidden.def"]


def test_an_older_python_is_told_which_one_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    ast.parse((ROOT / "main.py").read_text(encoding="utf-8"), feature_version=(3, 8))
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, and this is 3\.9\. Start it with"):
        runpy.run_path(str(ROOT / "main.py"), run_name="__main__")


def test_env_example_and_the_page_of_settings_are_as_generated() -> None:
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == reference.env_example(), "run `make docs`"
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert page == reference.with_table(page), "run `make docs`"


def test_every_setting_says_what_it_does() -> None:
    for options in SECTIONS.values():
        for name, field in options.model_fields.items():
            assert field.description, f"{name} needs a description"
            assert str(field.validation_alias).isupper(), f"{name} needs the name of its variable"


OF_THE_WEB = {"nicegui", "fastapi", "local_guild.server"}
STARTS = """
import os, sys
import launch.supervise; print("launch.supervise", *sys.modules)
import launch.processes; print("launch.processes", *sys.modules, flush=True)
if os.fork():
    os.wait()
    import web.app; print("web.app", *sys.modules)
else:
    import bot.run; print("bot.run", *sys.modules)
"""


def test_a_process_loads_nothing_that_only_another_needs() -> None:
    """Each starts twice as fast without, and holds half as much. What one has loaded, those after it have as well."""
    run = [sys.executable, "-c", STARTS]
    lines = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    loaded = {module: set(modules) for module, *modules in map(str.split, lines)}
    for module, foreign in (
        ("launch.supervise", {*OF_THE_WEB, "discord", "asyncpg", "numpy"}),
        ("launch.processes", {*OF_THE_WEB, "discord"}),
        ("bot.run", OF_THE_WEB),
        ("web.app", {"discord", "bot.client"}),
    ):
        assert module in loaded[module]
        assert foreign & loaded[module] == set(), module
