"""No pattern of the product can be made to hold up the event loop, whatever somebody writes."""

import json
import re
import subprocess
import sys

from tests.pattern_sources import ROOT, patterns_of_regex


def test_no_pattern_takes_long_over_the_longest_message() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.pattern_pump"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=600
    )
    tried = json.loads(run.stdout)
    assert tried["slow"] == {}, "it takes over 50 ms; see docs/decisions/attacks.md"
    assert tried["unseen"] == [], "have it built in tests/pattern_pump.py"
    assert tried["patterns"] > tried["places"] > 0


def test_patterns_of_another_library_never_go_back() -> None:
    found = patterns_of_regex()
    assert found
    for where, pattern in found.items():
        left = re.sub(r"\\p\{[^}]*\}|[*+?]\+|\{\d+\}", "", pattern)
        assert not re.search("[*+?{]", left), f"{where}: the tests cannot pump it; its repeats have to be possessive"
