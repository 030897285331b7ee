"""Finds in the source whoever may write a file: by what is called, and with which mode."""

import ast
from collections.abc import Iterator

from tests.kept_in_memory import PACKAGES, ROOT

_WRITING = frozenset(
    (
        *("write_text", "write_bytes", "symlink_to", "hardlink_to", "tofile", "memmap"),
        *("FileHandler", "RotatingFileHandler", "TimedRotatingFileHandler", "WatchedFileHandler"),
        *("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory", "mkstemp", "mkdtemp"),
    )
)
"""Whatever they are called of."""
_OF_MODULES = {
    "shutil": frozenset(("copy", "copy2", "copyfile", "copytree", "move", "make_archive")),
    "os": frozenset(("fdopen", "link", "symlink", "mkfifo")),
    "pickle": frozenset(("dump",)),
    "marshal": frozenset(("dump",)),
    "np": frozenset(("save", "savez", "savetxt")),
    **dict.fromkeys(("sqlite3", "shelve", "dbm", "aiofiles"), frozenset(("connect", "open"))),
}
_OPENING = frozenset(("open", "GzipFile", "ZipFile", "TarFile", "FileIO"))
_CREATING = ("O_CREAT", "O_WRONLY", "O_RDWR", "O_APPEND")


def found() -> set[str]:
    """As `package/module.py:function` or `package/module.py:Class.method`."""
    return {
        f"{path.relative_to(ROOT).as_posix()}:{name}"
        for package in (*PACKAGES, "local_guild")
        for path in sorted((ROOT / package).rglob("*.py"))
        for name in writers(path.read_text(encoding="utf-8"))
    }


def writers(source: str) -> set[str]:
    """Where one module may write files; an empty name is the module itself."""
    return {*_writing_in(ast.parse(source), ())}


def _writing_in(node: ast.AST, inside: tuple[str, ...]) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _writing_in(child, (*inside, child.name))
        else:
            if isinstance(child, ast.Call) and _may_write(child):
                yield ".".join(inside)
            yield from _writing_in(child, inside)


def _may_write(call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id=name):
            return name in _WRITING or (name in _OPENING and _writes(call, place=1))
        case ast.Attribute(value=ast.Name(id="os"), attr="open"):
            return any(flag in ast.unparse(call) for flag in _CREATING)
        case ast.Attribute(value=ast.Name(id=module), attr=name) if name in _OF_MODULES.get(module, ()):
            return True
        case ast.Attribute(value=ast.Name(id="io" | "gzip" | "bz2" | "lzma" | "zipfile" | "tarfile"), attr=name):
            return name in _OPENING and _writes(call, place=1)
        case ast.Attribute(attr=name):
            # Of a path: its mode comes first. Other things are opened, too, and have none.
            return name in _WRITING or (name in _OPENING and _writes(call, place=0))
        case _:
            return False


def _writes(call: ast.Call, *, place: int) -> bool:
    """By its mode, if one is given; one that is worked out may be any."""
    given = [*call.args[place : place + 1], *(one.value for one in call.keywords if one.arg == "mode")]
    if place == 0:
        given = [one for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return any(not isinstance(one, ast.Constant) or {*str(one.value)} & {*"wax+"} for one in given)
