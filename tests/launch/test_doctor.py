"""`main.py doctor` as a person reads it, against the local guild in Discord's place."""

import asyncio
from pathlib import Path

from memory.core.version import VERSION
from tests.gemini_server import KEY, gemini_server
from tests.launch.commands import Command, clean_environment
from tests.local_guild.running import Served, local_guild

discord = local_guild


async def _doctor(folder: Path, *options: str, **environment: str) -> tuple[int, str]:
    doctor = Command("doctor", *options, folder=folder, environment=clean_environment(**environment))
    code, said, complaints = await asyncio.to_thread(doctor.end)
    return code, said + complaints


async def test_with_everything_in_place_all_is_ok(discord: Served, database_url: str, tmp_path: Path) -> None:
    code, said = await _doctor(
        tmp_path,
        DATABASE_URL=database_url,
        **discord.settings,
        HOST="0.0.0.0",  # noqa: S104 - read, not bound
    )
    assert code == 0, said
    assert "note  panel: it can be reached from other machines, because it listens on 0.0.0.0:8080, without TLS" in said
    assert "PUBLIC_URL=https://" in said
    for line in ("ok    database", "ok    extension vector", "ok    token", "ok    guilds", "ok    permissions"):
        assert line in said
    assert discord.server.world.bot.token not in said


async def test_without_a_token_or_key_it_says_what_that_means(database_url: str, tmp_path: Path) -> None:
    code, said = await _doctor(tmp_path, DATABASE_URL=database_url)
    assert code == 0, said
    assert "note  Discord: DISCORD_TOKEN is not set" in said
    assert "note  models: GEMINI_API_KEY is not set" in said
    assert "ok    panel: it can be reached on this machine alone, at http://127.0.0.1:8080" in said


async def test_a_mistyped_setting_is_named_with_the_one_that_was_meant(database_url: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "GEMINI_KEY_API=\nPOSTGRES_PASSWORD=x\n# OLD=1\nexport LOG_LEVEL=INFO\nWEATHER=fine\n"
    )
    code, said = await _doctor(tmp_path, DATABASE_URL=database_url)
    assert code == 0, said
    assert "note  .env: GEMINI_KEY_API is no setting of Innkeeper.\n      → Did you mean GEMINI_API_KEY?" in said
    assert "WEATHER is no setting" in said
    assert said.count(" is no setting") == 2


async def test_a_report_holds_no_name_no_address_and_no_secret(
    discord: Served, database_url: str, tmp_path: Path
) -> None:
    code, said = await _doctor(
        tmp_path, "--report", DATABASE_URL=database_url, **discord.settings, PUBLIC_URL="https://inn.example"
    )
    assert code == 0, said
    assert said.startswith(f"Innkeeper {VERSION}, Python ")
    assert "set: DISCORD_TOKEN, " in said
    for line in ("ok    database", "ok    token", "ok    guilds", "note  models"):
        assert line in said
    names = [one.name for one in discord.server.world.channels.values()]
    for hidden in (discord.server.world.bot.token, "inn.example", "127.0.0.1", database_url, str(tmp_path), *names):
        assert hidden not in said, said


async def test_each_configured_model_is_named_with_a_remedy_where_it_is_gone(database_url: str, tmp_path: Path) -> None:
    async with gemini_server() as gemini:
        code, said = await _doctor(
            tmp_path,
            DATABASE_URL=database_url,
            GEMINI_API_KEY=KEY,
            GOOGLE_GEMINI_BASE_URL=str(gemini.server.make_url("/")),
            ANSWER_MODELS="gemini-3.9-flash,gemma-4-31b-it",
            PUBLIC_URL="https://inn.example",
        )
    assert code == 1, said
    assert "ok    panel: members reach it at https://inn.example, with TLS." in said
    assert "FAIL  model gemini-3.9-flash (answer): there is no model gemini-3.9-flash" in said
    assert "Change ANSWER_MODELS" in said
    assert "such as gemini-3.8-flash" in said
    assert "ok    model gemma-4-31b-it (answer, summarise, small, see): answers" in said
    assert KEY not in said


async def test_a_refused_token_and_a_missing_database_fail_with_remedies(discord: Served, tmp_path: Path) -> None:
    code, said = await _doctor(
        tmp_path,
        DATABASE_URL="postgresql://nobody:secret-word@127.0.0.1:1/nothing",
        **discord.settings | {"DISCORD_TOKEN": "not.the.token"},
    )
    assert code == 1
    assert "FAIL  database" in said
    assert "FAIL  token" in said
    assert "→" in said
    assert "2 things to mend" in said
    assert "secret-word" not in said
    assert "not.the.token" not in said
    assert "Traceback" not in said
