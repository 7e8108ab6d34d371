"""MJCF in, through MuJoCo's own compiler.

The compiler runs in a process of its own with bounds on time and memory, so no file can take this
one down. What becomes of the file's parts:

- the world is the fixed body `world`; joints keep MuJoCo's coordinates, also with `ref`;
- a body with several joints, or with one whose anchor is not its origin, becomes a chain with
  massless bodies `BODY.JOINT` in between, so that `BODY` has the frame it has in MuJoCo;
- a free joint starts where the file puts the body: its zero is the file's own pose;
- ball joints are refused: the model has none;
- sites are control points; geoms collide unless `contype` and `conaffinity` are zero, and are drawn
  when in one of the groups 0 to 2, which MuJoCo shows;
- the effort limit is the joint's `actuatorfrcrange`, else its actuators' `forcerange` times gear;
  velocity and acceleration limits do not exist in MJCF and are infinite;
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
from robotix.model.mjcf.compiler import MjcfCompiler
from robotix.model.tip import choose_tip
from robotix.model.tree import Model

__all__ = ["load_mjcf"]

_BOUNDED = (
    *("body_pos", "body_quat", "body_mass", "body_ipos", "body_iquat", "body_inertia"),
    *("jnt_pos", "jnt_axis", "qpos0", "geom_pos", "geom_quat", "geom_size"),
    *("mesh_pos", "mesh_quat", "mesh_scale", "site_pos", "site_quat"),
)


def load_mjcf(
    path: str | os.PathLike[str], *, compiler: MjcfCompiler | None = None, timeout: float = 5.0
) -> Model:
    """Read a robot from an MJCF file.

    Args:
        path: The file; what it includes and its meshes must be readable too.
        compiler: One to use, when many files are read; otherwise one is started for this file.
        timeout: How long the compiler may work on the file, in s; unused with a given `compiler`.
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
        model = Model(
            sources[0].text("model", "") or PurePath(path).stem,
            bodies,
            points=points,
            tip=choose_tip(bodies, points),
            source=f"MJCF {PurePath(path).name}{_left_out(compiled)}",
            gravity=compiled.gravity,
        )
    return find_meshes(model, path)


def _check(compiled: CompiledModel, sources: Sequence[Element]) -> None:
    for name, kind in zip(compiled.names("joint"), compiled.kinds("joint"), strict=True):
        if kind == "ball":
            which = {"name": name} if name else {"type": "ball"}
            element = find_element(sources, "joint", **which)
            raise element.bad(f"ball joint {name!r}", "three hinge joints in its place")
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
    parts = [f"{n} {what}" for what, n in lost.items() if n]
    return f" (left out: {', '.join(parts)})" if parts else ""
