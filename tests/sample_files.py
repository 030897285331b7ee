"""Real files for tests, made by hand: a PDF, a picture with words in it, a voice message, and some that attack."""

import struct
import zlib
from collections.abc import Sequence

_GLYPHS = {
    "C": ("111", "100", "100", "100", "111"),
    "A": ("111", "101", "111", "101", "101"),
    "T": ("111", "010", "010", "010", "010"),
    "S": ("111", "100", "111", "001", "111"),
}


def pdf_of(pages: Sequence[str], *, more: bytes = b"") -> bytes:
    """A PDF of these pages, each of one line."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, page in enumerate(pages):
        resources = "/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792]"
        objects.append(f"<< /Type /Page /Parent 2 0 R {resources} /Contents {5 + 2 * number} 0 R >>".encode())
        said = f"BT /F1 12 Tf 72 720 Td ({page}) Tj ET".encode()
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(said), said))
    return _numbered(objects, more)


def pdf_bomb(megabytes: int = 700) -> bytes:
    """A PDF of less than a megabyte that says it is hundreds."""
    packer, zeros = zlib.compressobj(9), b" " * 1_000_000
    packed = b"".join(packer.compress(zeros) for _ in range(megabytes)) + packer.flush()
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, stream]
    return _numbered(objects)


def _numbered(objects: Sequence[bytes], more: bytes = b"") -> bytes:
    written, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, start=1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, more)
    start = len(written)
    return bytes(written + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer) + (
        b"startxref\n%d\n%%%%EOF\n" % start
    )


def png_of(words: str, *, scale: int = 8) -> bytes:
    """A black and white picture in which these words stand."""
    rows = [" ".join(_GLYPHS[letter][line] for letter in words) for line in range(5)]
    pixels = ["".join((" " if dot in "0 " else "#") * scale for dot in row) for row in rows for _ in range(scale)]
    width = -(-len(pixels[0]) // 8) * 8
    packed = b"".join(b"\0" + _bits(row.ljust(width)) for row in pixels)
    header = struct.pack(">IIBBBBB", width, len(pixels), 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data) for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(packed)), (b"IEND", b""))
    )


def _bits(row: str) -> bytes:
    return int("".join("0" if dot == "#" else "1" for dot in row), 2).to_bytes(len(row) // 8, "big")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


VOICE = b"OggS\0\2" + bytes(20) + b"\x01\x13OpusHead\x01\x01" + bytes(40)
"""The beginning of what Discord's apps record."""
