"""Everything that `make run` starts, and a real browser to see it in."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.end_to_end.innkeeper import ROOT, Innkeeper, open_folder, running
from tests.local_guild.browser import launched
from tests.local_guild.page.house import PATIENCE_MS


@pytest.fixture
def innkeeper() -> Iterator[Innkeeper]:
    with open_folder() as folder, running(folder / "data") as innkeeper:
        yield innkeeper


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    expect.set_options(timeout=2 * PATIENCE_MS)
    async with launched() as browser:
        yield browser


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Screenshots go into the docs when they are to be renewed, else nowhere that stays."""
    return ROOT / "docs" / "pictures" if os.environ.get("UPDATE_PICTURES") == "1" else tmp_path
