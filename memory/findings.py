"""What a look at one thing has found: the lines of `doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `ok` is None where it is worth saying but neither good nor bad."""

    name: str
    ok: bool | None
    says: str
    remedy: str | None = None
