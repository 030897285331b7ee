"""Tables of what people say in several languages, in a file beside the test that reads them."""

import tomllib
from pathlib import Path
from typing import Any


def tables_of(test: str, name: str | None = None) -> dict[str, Any]:
    """Those of a test, which gives its own `__file__`; of that name, or the one that it bears itself."""
    path = Path(test)
    path = path.with_suffix(".toml") if name is None else path.with_name(f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
