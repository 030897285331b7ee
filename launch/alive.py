"""`main.py alive`: the container health check: asks the web process how a process of ours is."""

import json
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

TIMEOUT_S = 8


def complaint(process: str, at: str) -> str | None:
    """What is wrong with the process, or None."""
    if not at.startswith(("http://", "https://")):
        return f"--at {at} is not an http address"
    try:
        with urlopen(f"{at}/api/health", timeout=TIMEOUT_S) as answer:  # noqa: S310 - the scheme was checked above
            report = json.load(answer)
    except (HTTPError, URLError, TimeoutError, ValueError) as error:
        return f"no answer from {at}: {type(error).__name__}"
    for entry in report["processes"]:
        if entry["name"] == process:
            return None if entry["alive"] else f"no word from {process} since {entry['beat_at']}"
    return f"no process {process} has reported"
