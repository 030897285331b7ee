"""Rendered prompts as files beside the tests, so that a change of a prompt is seen as text.

The version of the prompt is in the name: whoever changes one bumps it, and writes the new file with WRITE_GOLDEN=1.
"""

import os
from pathlib import Path

from ai_clients.base import Prompt

FOLDER = Path(__file__).parent / "golden"


def assert_golden(task: str, version: int, prompt: Prompt) -> None:
    file = FOLDER / f"{task}.v{version}.txt"
    text = f"{prompt.rules}\n\n---\n\n{prompt.data}\n"
    if os.environ.get("WRITE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"{task} renders differently; bump its VERSION, see {__file__}"
