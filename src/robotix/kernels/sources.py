"""The source files that a compiled function depends on, and a fingerprint of their contents.

A compiled function contains code of all functions that it calls, in whatever file, and the values
of all constants that it reads. Those come from the modules that its own module imports, from the
modules that these import, and so on for as long as they hold compiled code themselves. Of a plain
module only constants can be used, so its own imports do not matter.

Only unindented imports count: those inside functions or for type checkers are not available when a
kernel is compiled. Imports are absolute throughout.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

__all__ = ["PACKAGE", "clear_caches", "fingerprint_of", "has_kernels", "source_files"]

DECORATORS = ("robotix.kernels", "robotix.kernels.decorators")  # imported by compiled code
PACKAGE = Path(__file__).resolve().parent.parent

Import: TypeAlias = tuple[str, frozenset[str]]  # a module, and the names imported from it
Root: TypeAlias = tuple[str, Path]  # a top-level package, and its folder

_IMPORT = re.compile(
    r"^from[ ]+([\w.]+)[ ]+import[ ]+(?:\(((?:[^)#]|#[^\n]*)*)\)|([^\n(]*))|^import[ ]+([\w.]+)",
    re.MULTILINE,
)
_COMMENT_OR_ALIAS = re.compile(r"#[^\n]*|\bas\s+\w+")


@dataclass(frozen=True)
class _Source:
    """Digest and imports of one file."""

    digest: bytes
    imports: tuple[Import, ...]

    @property
    def has_kernels(self) -> bool:
        return any(module in DECORATORS for module, _ in self.imports)


def fingerprint_of(file: Path, module: str) -> str:
    """Return a digest that changes with any source that the kernels of a module may contain."""
    return _fingerprint(file, _roots_of(module))


def source_files(file: Path, module: str) -> tuple[Path, ...]:
    """Return the sources that the kernels of a module may contain, in order."""
    return _closure(file, _roots_of(module))


def has_kernels(file: Path) -> bool:
    """Return whether a module holds compiled code."""
    return _read(file).has_kernels


def clear_caches() -> None:
    """Clear all caches, so that files are read again."""
    for each in (_fingerprint, _closure, _read, _file_of):
        each.cache_clear()


@cache
def _fingerprint(file: Path, roots: tuple[Root, ...]) -> str:
    digest = blake2b(digest_size=16)
    for each in _closure(file, roots):
        digest.update(each.name.encode() + b"\0" + _read(each).digest)
    return digest.hexdigest()


@cache
def _closure(file: Path, roots: tuple[Root, ...]) -> tuple[Path, ...]:
    found: set[Path] = set()
    pending = [file]
    while pending:
        each = pending.pop()
        if each in found:
            continue
        found.add(each)
        source = _read(each)
        if each == file or source.has_kernels:
            for module, names in source.imports:
                pending.extend(_imported_files(module, names, roots))
    return tuple(sorted(found))


def _imported_files(module: str, names: frozenset[str], roots: tuple[Root, ...]) -> Iterator[Path]:
    """Yield the file of a module; for a package also the files where the names come from."""
    file = _file_of(module, roots)
    if file is None:
        return
    yield file
    if file.name != "__init__.py":
        return
    for name in sorted(names):
        submodule = _file_of(f"{module}.{name}", roots)
        if submodule is not None:
            yield submodule
    for inner, exported in _read(file).imports:
        if inner != module and names & exported:
            yield from _imported_files(inner, names & exported, roots)


@cache
def _read(file: Path) -> _Source:
    data = file.read_bytes()
    imports = tuple(
        (match[1] or match[4], frozenset(_names(match[2] or match[3] or "")))
        for match in _IMPORT.finditer(data.decode("utf-8", "replace"))
    )
    return _Source(blake2b(data, digest_size=16).digest(), imports)


def _names(text: str) -> list[str]:
    return re.findall(r"\w+", _COMMENT_OR_ALIAS.sub("", text))


@cache
def _file_of(module: str, roots: tuple[Root, ...]) -> Path | None:
    """Return the file of a module of these packages; None for any other module."""
    top, *rest = module.split(".")
    for name, folder in roots:
        if name == top:
            path = folder.joinpath(*rest)
            for file in (path.with_suffix(".py"), path / "__init__.py"):
                if rest and file.is_file():
                    return file
            return None if rest else path / "__init__.py"
    return None


def _roots_of(module: str) -> tuple[Root, ...]:
    """Return this package, and the one that a module belongs to, if it is another."""
    roots = [("robotix", PACKAGE)]
    top = module.split(".")[0]
    paths = list(getattr(sys.modules.get(top), "__path__", ()))
    if top != "robotix" and paths:
        roots.append((top, Path(paths[0]).resolve()))
    return tuple(roots)
