"""Which files that come with messages may be read, and as what: judged by what Discord says of them alone."""

from memory.core.values import Attachment, ReadAs

MOST_TEXT = 1024 * 1024
MOST_PDF = 10 * 1024 * 1024
MOST_PICTURE = 8 * 1024 * 1024
MOST_VOICE = 10 * 1024 * 1024
"""Bytes of a file. What is larger is left alone."""
LONGEST_VOICE = 20 * 60.0
PICTURES = ("image/png", "image/jpeg", "image/webp")
PDF = "application/pdf"
_TEXT_TYPES = (
    "application/json",
    "application/xml",
    "application/javascript",
    "application/x-sh",
    "application/x-yaml",
    "application/yaml",
    "application/toml",
    "application/sql",
    "application/x-subrip",
    "application/x-httpd-php",
)
_TEXT_NAMES = frozenset(
    [
        "txt",
        "text",
        "md",
        "markdown",
        "rst",
        "adoc",
        "tex",
        "org",
        "log",
        "csv",
        "tsv",
        "json",
        "jsonl",
        "ndjson",
        "xml",
        "html",
        "htm",
        "css",
        "js",
        "mjs",
        "ts",
        "tsx",
        "jsx",
        "py",
        "pyi",
        "rb",
        "rs",
        "go",
        "java",
        "kt",
        "swift",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "cs",
        "php",
        "pl",
        "lua",
        "r",
        "sql",
        "sh",
        "bash",
        "zsh",
        "ps1",
        "bat",
        "cmd",
        "ini",
        "cfg",
        "conf",
        "toml",
        "yaml",
        "yml",
        "properties",
        "env",
        "gd",
        "diff",
        "patch",
        "srt",
        "vtt",
        "ics",
        "vcf",
        "ass",
    ]
)


def type_of(attachment: Attachment) -> str:
    """Give its type without parameters, in small letters."""
    return (attachment.content_type or "").partition(";")[0].strip().lower()


def is_pdf(attachment: Attachment) -> bool:
    return type_of(attachment) == PDF or (not attachment.content_type and _ending(attachment) == "pdf")


def readable_as(attachment: Attachment) -> ReadAs | None:
    """Say as what a file may be read; None: it is none of these, too large, or not Discord's to hand out."""
    kind, size = type_of(attachment), attachment.size
    if attachment.attachment_id is None or size <= 0:
        return None
    if attachment.seconds is not None and kind.startswith("audio/"):
        return ReadAs.VOICE if size <= MOST_VOICE and attachment.seconds <= LONGEST_VOICE else None
    if kind in PICTURES:
        return ReadAs.PICTURE if size <= MOST_PICTURE else None
    if is_pdf(attachment):
        return ReadAs.TEXT if size <= MOST_PDF else None
    if kind.startswith(("image/", "video/", "audio/", "font/")) and _ending(attachment) not in ("ts", "ics"):
        return None
    is_text = kind.startswith("text/") or kind in _TEXT_TYPES or _ending(attachment) in _TEXT_NAMES
    return ReadAs.TEXT if is_text and size <= MOST_TEXT else None


def _ending(attachment: Attachment) -> str:
    return attachment.name.rpartition(".")[2].strip().lower()
