"""Which file is this? By what is in it, since names and times change when files are copied."""

from hashlib import blake2b
from pathlib import Path

SAMPLE = 64 << 10
SAMPLES = 16


def fingerprint(path: Path) -> str:
    """Of its size, its beginning (which tells when it was exported), its end, and places between them."""
    size = path.stat().st_size
    digest = blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as file:
        for number in range(SAMPLES):
            file.seek(max(size - SAMPLE, 0) * number // (SAMPLES - 1))
            digest.update(file.read(SAMPLE))
    return digest.hexdigest()
