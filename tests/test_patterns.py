"""No pattern of the product can be made to hold up the event loop, whatever somebody writes."""

import json
import subprocess
import sys

from tests.pattern_sources import ROOT, compiled_in_source


def test_no_pattern_takes_long_over_the_longest_message() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.pattern_pump"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=600
    )
    tried = json.loads(run.stdout)
    assert tried["slow"] == {}, "it takes over 50 ms; see docs/decisions/attacks.md"
    assert tried["unseen"] == [], "have it built in tests/pattern_pump.py"
    assert tried["patterns"] > len(compiled_in_source())
