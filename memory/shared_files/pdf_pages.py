"""Prints the pages of a PDF as JSON; a program of its own, so that what a file does to it ends with it.

It has a bounded processor time, memory and output, writes no file and is given no environment. Its exit says why it
could not: 2 is encrypted, 3 is damaged or too much.
"""

import contextlib
import json
import logging
import sys

MOST_PAGES = 50
MOST_CHARACTERS = 64 * 1024
MOST_SECONDS = 15
MOST_MEMORY = 512 * 1024 * 1024
ENCRYPTED, DAMAGED = 2, 3


def limit() -> None:
    """Bound this process. Where the system cannot, whoever waits for it still ends it in time."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def pages(stream: object) -> list[str]:
    import pypdf

    reader = pypdf.PdfReader(stream)  # type: ignore[arg-type] # bytes that were read to their end
    if reader.is_encrypted and not reader.decrypt(""):
        sys.exit(ENCRYPTED)
    said: list[str] = []
    left = MOST_CHARACTERS
    for page in reader.pages[:MOST_PAGES]:
        text = page.extract_text()[:left]
        said.append(text)
        left -= len(text)
        if left <= 0:
            break
    return said


def main() -> None:
    import io

    logging.disable()
    limit()
    try:
        said = pages(io.BytesIO(sys.stdin.buffer.read()))
    except Exception:  # noqa: BLE001 - the library raises whatever a damaged file leads it to
        sys.exit(DAMAGED)
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
