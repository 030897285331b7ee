"""Prints what CHANGELOG.md says of one version, for the release of its tag."""

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parents[1] / "CHANGELOG.md"


def notes_of(version: str, changelog: str) -> str:
    """The text below the version's heading, up to the next version."""
    found = re.search(rf"^## {re.escape(version)}$\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise SystemExit(f"CHANGELOG.md has nothing below '## {version}'. Rename '## Unreleased' before you tag.")
    return found[1].strip()


if __name__ == "__main__":
    sys.stdout.write(notes_of(sys.argv[1], CHANGELOG.read_text(encoding="utf-8")) + "\n")
