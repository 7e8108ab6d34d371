"""MJCF in, through MuJoCo's own compiler.

The compiler runs in a process of its own with bounds on time and memory, so no file can take this
one down. What becomes of the file's parts:

- the world is the fixed body `world`; joints keep MuJoCo's coordinates, also with `ref`;
- a body with several joints, or with one whose anchor is not its origin, becomes a chain with
  massless bodies `BODY.JOINT` in between, so that `BODY` has the frame it has in MuJoCo;
- a free joint starts where the file puts the body: its zero is the file's own pose;
- a ball joint becomes three hinges `JOINT_x`, `JOINT_y` and `JOINT_z`, one after the other, each
  with its range: R = R_x R_y R_z;
- sites are control points (`NAME_site` where a body is called NAME);
- geoms collide unless `contype` and `conaffinity` are zero, and are drawn when in one of the
  groups 0 to 2, which MuJoCo shows;
- the effort limit is the joint's `actuatorfrcrange`, else its actuators' `forcerange` times gear;
  velocity and acceleration limits do not exist in MJCF and are infinite;
- gravity is zero where `<flag gravity="disable"/>` says so;
- a joint equality that is linear is a mimic.

Other equalities, tendons, flexes, skins and geoms without a counterpart (ellipsoid, height field,
signed distance field) are left out, and `Model.source` says how many.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from robotix.files.xml_tree import MAX_NUMBER, Element
from robotix.model.mesh_files import find_meshes
from robotix.model.mjcf.build import CompiledModel, build_bodies, build_points
from robotix.model.mjcf.check import explain, find_element, read_mjcf_sources
from robotix.model.mjcf.compiler import DEFAULT_TIMEOUT, MjcfCompiler
from robotix.model.tip import choose_tip
from robotix.model.tree import Model

__all__ = ["load_mjcf"]

_BOUNDED = (
    *("body_pos", "body_quat", "body_mass", "body_ipos", "body_iquat", "body_inertia"),
    *("jnt_pos", "jnt_axis", "qpos0", "geom_pos", "geom_quat", "geom_size"),
    *("mesh_pos", "mesh_quat", "mesh_scale", "site_pos", "site_quat"),
)


def load_mjcf(
    path: str | os.PathLike[str],
    *,
    compiler: MjcfCompiler | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> Model:
    """Read a robot from an MJCF file.

    Args:
        path: The file; what it includes and its meshes must be readable too.
        compiler: One to use, when many files are read; otherwise one is started for this file.
        timeout: The processor time that the compiler may take, in s; unused with a given
            `compiler`.
    """
    sources = read_mjcf_sources(path)
    if compiler is None:
        with MjcfCompiler(timeout=timeout) as own:
            answer = own.compile(os.fspath(path))
    else:
        answer = compiler.compile(os.fspath(path))
    if "error" in answer:
        raise explain(answer["error"], sources)
    compiled = CompiledModel(answer)
    _check(compiled, sources)
    with sources[0].blame():
        bodies, points = build_bodies(compiled), build_points(compiled)
        lost = _left_out(compiled)
        model = Model(
            sources[0].text("model", "") or PurePath(path).stem,
            bodies,
            points=points,
            tip=choose_tip(bodies, points).name,
            source=f"MJCF {PurePath(path).name}" + (f" (left out: {lost})" if lost else ""),
            gravity=compiled.gravity,
            notes=_notes(compiled, PurePath(path).name),
        )
    return find_meshes(model, path)


def _check(compiled: CompiledModel, sources: Sequence[Element]) -> None:
    for key in _BOUNDED:
        for row, values in enumerate(compiled.array(key)):
            numbers = values if isinstance(values, list) else [values]
            is_bounded = all(math.isfinite(value) and abs(value) <= MAX_NUMBER for value in numbers)
            if not is_bounded or (key.endswith("quat") and not any(numbers)):
                name = compiled.names("body")[row] if key.startswith("body") else ""
                element = find_element(sources, "body", name=name)
                expected = "numbers not all zero" if is_bounded else f"numbers up to {MAX_NUMBER:g}"
                raise element.bad(f"{key} {values}", f"finite {expected}")


def _left_out(compiled: CompiledModel) -> str:
    lost = Counter({f"{kind} geom": n for kind, n in compiled.foreign_geoms().items()})
    lost.update({what: n for what, n in compiled.counts.items() if n})
    lost["equality"] += len(compiled.kinds("equality")) - len(compiled.mimics())
    return ", ".join(f"{n} {_plural(what) if n > 1 else what}" for what, n in lost.items() if n)


def _plural(what: str) -> str:
    return {"equality": "equalities", "flex": "flexes"}.get(what, f"{what}s")


def _notes(compiled: CompiledModel, file: str) -> tuple[str, ...]:
    """Return what a reader of the file may not expect."""
    notes = []
    if lost := _left_out(compiled):
        notes.append(f"{file}: left out: {lost}")
    if compiled.has_shared_armature():
        notes.append(f"{file}: left out: the armature of tendons, which couples joints")
    for name, kind in zip(compiled.joint_names, compiled.kinds("joint"), strict=True):
        if kind == "ball":
            hinges = ", ".join(f"{name}_{axis}" for axis in "xyz")
            notes.append(f"{file}: ball joint {name!r} is read as the hinges {hinges}")
    for name, point in compiled.site_points.items():
        if name != point:
            notes.append(
                f"{file}: site {name!r} is the control point {point!r}, since a body is called so"
            )
    return tuple(notes)
