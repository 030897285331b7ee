"""What the documents promise is held against the code."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_privacy_page_names_every_table() -> None:
    tables = set(re.findall(r"CREATE TABLE (\w+)", (ROOT / "schema.sql").read_text(encoding="utf-8")))
    page = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", "\n".join(line for line in page.splitlines() if line.startswith("|"))))
    assert tables | {"schema_version"} == named


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_no_file_names_a_registry_or_a_machine() -> None:
    locks = [ROOT / "requirements.lock", ROOT / "requirements-dev.lock", ROOT / "pyproject.toml", ROOT / "Makefile"]
    for lock in locks:
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links", lock.read_text(encoding="utf-8")), (
            lock.name
        )
    assert not (ROOT / "uv.lock").exists()
