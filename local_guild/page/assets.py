"""The page's scripts and styles, served under an address that changes whenever any of them does."""

import hashlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "assets"
# In the order in which they build on each other.
STYLES = ("tokens", "base", "layout", "messages", "composer", "layers")

# Nothing is fetched from, or sent to, any other host. The framework's own start-up script is inline, and
# the components' templates are compiled in the browser, which is why these two exceptions are needed.
CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; frame-src 'none'; "
    "base-uri 'none'; form-action 'none'"
)


@cache
def version() -> str:
    """A digest over every file, so that browsers may keep what they have for as long as it is current."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(FOLDER).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def address() -> str:
    return f"/_local_guild/{version()}"


@cache
def head() -> str:
    """What the page needs before its first line: policy, styles, and all scripts at once instead of in turn."""
    scripts = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js"))
    return "\n".join(
        [
            f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">',
            '<meta name="referrer" content="no-referrer">',
            *(f'<link rel="stylesheet" href="{address()}/styles/{name}.css">' for name in STYLES),
            *(f'<link rel="modulepreload" href="{address()}/{script}">' for script in scripts),
        ]
    )
