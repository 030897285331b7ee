"""What the documents promise is held against the code."""

import re
from pathlib import Path

import pytest

from launch.settings import with_declarations

ROOT = Path(__file__).parents[1]
FOLDERS = ("ai_clients", "benchmarks", "bot", "docs", "launch", "local_guild", "memory", "tests", "web")
FILES = [str(one.relative_to(ROOT)) for folder in FOLDERS for one in (ROOT / folder).rglob("*.*")]


def test_the_privacy_page_says_what_the_store_declares() -> None:
    page = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert page == with_declarations(page), "run `make docs`"


DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "benchmarks" / "README.md",
    *(ROOT / "docs").rglob("*.md"),
]
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: str(one.relative_to(ROOT)))
def test_every_link_between_documents_leads_somewhere(document: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", document.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        page = document.parent / target if target else document
        assert page.exists(), f"it points to {target}"
        assert not heading or heading in _headings(page), f"{page.name} has no heading #{heading}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: str(one.relative_to(ROOT)))
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    """A path in backticks that begins with a folder of ours, or that ends like one of our files."""
    for path in re.findall(r"`([\w./-]+/[\w.-]*)(?::\w+)?`", CODE.sub("", document.read_text(encoding="utf-8"))):
        if path.split("/")[0] in FOLDERS:
            assert (ROOT / path).exists(), f"it names {path}"
        elif re.search(r"\.(py|sql|toml|js)$", path):
            assert any(f"/{one}".endswith(f"/{path}") for one in FILES), f"it names {path}"


def _headings(page: Path) -> set[str]:
    """As GitHub makes anchors of them."""
    found = re.findall(r"^#+ (.+)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in found}


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
