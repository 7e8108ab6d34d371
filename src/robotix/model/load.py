"""Any robot description, by the end of its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.model.joint import Joint
from robotix.model.mesh_files import Folder, find_meshes
from robotix.model.tree import Model

__all__ = ["ReadOptions", "load_file", "load_files"]

INSTEAD = {  # formats that people bring, and the way there is
    ".usd": "URDF or MJCF; Isaac Sim exports both",
    ".usda": "URDF or MJCF; Isaac Sim exports both",
    ".usdc": "URDF or MJCF; Isaac Sim exports both",
    ".srdf": "the URDF beside it, which describes the robot itself",
    ".step": "URDF or MJCF; a CAD file has no joints",
    ".stp": "URDF or MJCF; a CAD file has no joints",
}


@dataclass(frozen=True)
class ReadOptions:
    """How a robot's file is read; each option where the format knows it."""

    floating: bool = False  # the root floats on a joint `root`
    strict: bool = False  # URDF: refuse flaws that are otherwise noted in `Model.notes`
    arguments: Mapping[str, str] = field(default_factory=dict)  # of a xacro file
    timeout: float | None = None  # MJCF, xacro: s of processor time; a minute when None
    packages: Iterable[Folder] = ()  # where meshes with `package://` are looked for first


def load_file(path: str | os.PathLike[str], options: ReadOptions | None = None) -> Model:
    """Read the one robot in a file: URDF, xacro, MJCF, SDF, DH table, tree of bodies or RoboTiX.

    The suffix tells which: `.urdf`; `.xacro`, which needs the package xacro; `.mjcf` or `.xml`
    (URDF too, if that is what it holds); `.sdf` or `.world`; `.toml` for DH tables and trees of
    bodies (`tree_file`); `.cfg` for RoboTiX.
    """
    models = load_files(path, options)
    if len(models) > 1:
        found = f"{len(models)} robots"
        raise BadFile(os.fspath(path), found, "one robot here; load_files reads several")
    return models[0]


def load_files(
    path: str | os.PathLike[str], options: ReadOptions | None = None
) -> tuple[Model, ...]:
    """Read all robots in a file; only RoboTiX and SDF files can hold more than one."""
    suffix = Path(path).suffix.lower()
    if suffix not in _READERS:
        known = ", ".join(_READERS)
        read_source(path)  # a missing file or a folder is the nearer fault
        expected = INSTEAD.get(suffix, f"one of {known}")
        raise BadFile(
            os.fspath(path),
            f"the suffix {suffix!r}" if suffix else "a name without a suffix",
            expected,
        )
    return _READERS[suffix](path, options or ReadOptions())


def _read_urdf(path: str | os.PathLike[str], options: ReadOptions) -> tuple[Model, ...]:
    from robotix.model.urdf.reader import load_urdf

    return (
        load_urdf(
            path, floating=options.floating, strict=options.strict, packages=options.packages
        ),
    )


def _read_xacro(path: str | os.PathLike[str], options: ReadOptions) -> tuple[Model, ...]:
    from robotix.model.urdf.reader import parse_urdf
    from robotix.model.urdf.xacro import expand_xacro

    text = expand_xacro(
        path,
        arguments=options.arguments,
        timeout=options.timeout,
        packages=options.packages,
    )
    name = os.fspath(path)
    model = parse_urdf(text, name=name, floating=options.floating, strict=options.strict)
    return (find_meshes(model, path, packages=options.packages),)


def _read_xml(path: str | os.PathLike[str], options: ReadOptions) -> tuple[Model, ...]:
    from robotix.files.xml_tree import parse_xml

    if parse_xml(read_source(path), path=os.fspath(path)).tag == "robot":
        return _read_urdf(path, options)
    return _read_mjcf(path, options)


def _read_sdf(path: str | os.PathLike[str], options: ReadOptions) -> tuple[Model, ...]:
    from robotix.model.sdf.reader import load_sdf

    return load_sdf(
        path, floating=options.floating, strict=options.strict, packages=options.packages
    )


def _read_mjcf(path: str | os.PathLike[str], options: ReadOptions) -> tuple[Model, ...]:
    from robotix.model.mjcf.compiler import DEFAULT_TIMEOUT
    from robotix.model.mjcf.reader import load_mjcf

    if options.floating:
        expected = "<freejoint/> in the body that floats, and no option `floating`"
        raise BadFile(os.fspath(path), "MJCF, which says itself what floats", expected)
    timeout = DEFAULT_TIMEOUT if options.timeout is None else options.timeout
    return (load_mjcf(path, timeout=timeout),)


def _read_toml(path: str | os.PathLike[str], options: ReadOptions) -> tuple[Model, ...]:
    from robotix.files.source_file import read_text
    from robotix.files.toml_table import parse_toml
    from robotix.model.dh import parse_dh
    from robotix.model.tree_file import parse_tree_file

    read_source(path, what="a DH table")  # refuses what never ends
    text, name = read_text(path), str(Path(path))
    if "body" in parse_toml(text, path=name):
        model = parse_tree_file(text, path=name).model
    else:
        model = parse_dh(text, path=name)
    return (_floated(model) if options.floating else model,)


def _read_robotix(path: str | os.PathLike[str], options: ReadOptions) -> tuple[Model, ...]:
    from robotix.model.legacy.robot_file import load_robotix
    from robotix.model.legacy.scene_file import nodes_path
    from robotix.model.legacy.stand_ins import stand_in_nodes, stand_in_note

    if options.strict or nodes_path(path).exists():
        models = load_robotix(path)
    else:
        note = f"{PurePath(path).name}: {stand_in_note(path)}"
        nodes = stand_in_nodes(path).by_name.values()
        models = tuple(replace(each, notes=(note,)) for each in load_robotix(path, nodes=nodes))
    return tuple(map(_floated, models)) if options.floating else models


def _floated(model: Model) -> Model:
    """Return a model whose root floats on a joint `root`."""
    root = model.bodies[0]
    if root.joint.kind != "fixed":
        raise BadFile(model.source, f"a root that is {root.joint.kind}", "a fixed root to float")
    joint = Joint("root", "floating")
    return replace(model, bodies=(replace(root, joint=joint), *model.bodies[1:]))


_READERS: dict[str, Callable[[str | os.PathLike[str], ReadOptions], tuple[Model, ...]]] = {
    ".urdf": _read_urdf,
    ".xacro": _read_xacro,
    ".xml": _read_xml,
    ".mjcf": _read_mjcf,
    ".sdf": _read_sdf,
    ".world": _read_sdf,
    ".toml": _read_toml,
    ".cfg": _read_robotix,
}
