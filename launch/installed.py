"""Starts the installed program; in the wheel this is `innkeeper/__init__.py`, and the checkout lies beside it."""

import sys
from pathlib import Path


def run() -> int:
    """Run the command `innkeeper`: the same as `python main.py` in a checkout."""
    sys.path.insert(0, str(Path(__file__).parent))
    from main import main

    return main()
