"""Any robot description, by the end of its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.model.mesh_files import Folder
from robotix.model.tree import Model

__all__ = ["load_file", "load_files"]


def load_file(path: str | os.PathLike[str], *, packages: Iterable[Folder] = ()) -> Model:
    """Read the one robot in a file: URDF, MJCF, a DH table, a tree of bodies or RoboTiX.

    The suffix tells which: `.urdf`; `.mjcf` or `.xml` (URDF too, if that is what it holds); `.toml`
    for DH tables and trees of bodies (`tree_file`); `.cfg` for RoboTiX, whose nodes must lie beside
    it. Meshes with `package://` are looked for in `packages` first, then as
    `robotix.model.mesh_files` says.
    """
    models = load_files(path, packages=packages)
    if len(models) > 1:
        found = f"{len(models)} robots"
        raise BadFile(os.fspath(path), found, "one robot here; load_files reads several")
    return models[0]


def load_files(
    path: str | os.PathLike[str], *, packages: Iterable[Folder] = ()
) -> tuple[Model, ...]:
    """Read all robots in a file; only a RoboTiX file can hold more than one."""
    suffix = Path(path).suffix.lower()
    if suffix not in _READERS:
        known = ", ".join(_READERS)
        read_source(path)  # a missing file or a folder is the nearer fault
        raise BadFile(os.fspath(path), f"the suffix {suffix or 'of no name'!r}", f"one of {known}")
    if suffix in (".urdf", ".xml"):
        return _READERS[suffix](path, packages)
    return _READERS[suffix](path)


def _read_urdf(path: str | os.PathLike[str], packages: Iterable[Folder] = ()) -> tuple[Model, ...]:
    from robotix.model.urdf.reader import load_urdf

    return (load_urdf(path, packages=packages),)


def _read_xml(path: str | os.PathLike[str], packages: Iterable[Folder] = ()) -> tuple[Model, ...]:
    from robotix.files.xml_tree import parse_xml

    if parse_xml(read_source(path), path=os.fspath(path)).tag == "robot":
        return _read_urdf(path, packages)
    return _read_mjcf(path)


def _read_mjcf(path: str | os.PathLike[str]) -> tuple[Model, ...]:
    from robotix.model.mjcf.reader import load_mjcf

    return (load_mjcf(path),)


def _read_toml(path: str | os.PathLike[str]) -> tuple[Model, ...]:
    from robotix.files.source_file import read_text
    from robotix.files.toml_table import parse_toml
    from robotix.model.dh import parse_dh
    from robotix.model.tree_file import parse_tree_file

    read_source(path, what="a DH table")  # refuses what never ends
    text, name = read_text(path), str(Path(path))
    if "body" in parse_toml(text, path=name):
        return (parse_tree_file(text, path=name).model,)
    return (parse_dh(text, path=name),)


def _read_robotix(path: str | os.PathLike[str]) -> tuple[Model, ...]:
    from robotix.model.legacy.robot_file import load_robotix

    return load_robotix(path)


_READERS: dict[str, Callable[..., tuple[Model, ...]]] = {
    ".urdf": _read_urdf,
    ".xml": _read_xml,
    ".mjcf": _read_mjcf,
    ".toml": _read_toml,
    ".cfg": _read_robotix,
}
