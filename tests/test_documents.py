"""What the documents promise is held against the code."""

import re
from pathlib import Path

from launch.reference import with_declarations
from memory.privacy.tables import ALL_TABLES

ROOT = Path(__file__).parents[1]


def test_the_privacy_page_says_what_the_store_declares() -> None:
    page = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert page == with_declarations(page), "run `make docs`"


def test_the_privacy_page_names_every_table_with_its_purpose() -> None:
    tables = set(re.findall(r"CREATE TABLE (\w+)", (ROOT / "schema.sql").read_text(encoding="utf-8")))
    page = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE)
    said = {table: (purpose, until) for table, purpose, until in rows if table in tables | {"schema_version"}}
    assert said.keys() == tables | {"schema_version"}
    assert said == {held.table: (held.purpose, held.until) for held in ALL_TABLES}


def test_the_readme_leads_to_the_privacy_page() -> None:
    assert "](docs/privacy.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} points to {target}"


def test_every_picture_is_shown_and_described() -> None:
    shown: set[str] = set()
    for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        text = document.read_text(encoding="utf-8")
        drawn = [(target, words) for words, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)]
        drawn += re.findall(r'<img src="([^"]+)"[^>]* alt="([^"]*)">', text)
        assert len(drawn) == len(re.findall(r"!\[|<img", text)), f"{document.name} shows a picture in another way"
        for target, words in drawn:
            assert len(words.split()) > 1, f"{document.name} does not describe {target}"
            assert (document.parent / target).exists(), f"{document.name} shows {target}, which is not there"
            shown.add(Path(target).name)
    assert {picture.name for picture in (ROOT / "docs" / "pictures").iterdir()} == shown


def test_no_file_names_a_registry_or_a_machine() -> None:
    names = ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock", "pyproject.toml", "Makefile")
    locks = [ROOT / name for name in names]
    for lock in locks:
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links", lock.read_text(encoding="utf-8")), (
            lock.name
        )
    assert not (ROOT / "uv.lock").exists()
