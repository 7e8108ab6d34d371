"""Saves robots of the wizard: a URDF file and its meshes, atomically."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import robotix
from robotix.errors import BadFile, BadModel
from robotix.files.backup import move_to_backup
from robotix.files.sandbox import WorkerCrashed, WorkerTimeout, run_isolated
from robotix.geometry import Array
from robotix.model.load import load_file
from robotix.model.urdf.writer import save_urdf
from robotix.model.user_robots import user_robots_folder
from robotix.server.wire.protocol import FileShape, WizardRobot, WizardSaved
from robotix.server.wizard.wizard import check_name, make_model

__all__ = ["MAX_MESH_BYTES", "ReadMesh", "read_mesh", "save_robot", "wizard_folder"]

MAX_MESH_BYTES = 32 * 2**20  # bytes
MAX_MESHES = 20
READ_TIMEOUT = 40.0  # s per mesh
MAX_MEMORY = 4 * 2**30  # bytes of address space to read a mesh
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}\.(stl|obj|glb)", re.ASCII | re.IGNORECASE)
_WORKER = Path(__file__).with_name("mesh_worker.py")


@dataclass(frozen=True, eq=False)
class ReadMesh:
    """A mesh that was read without errors."""

    low: Array  # (3,), lowest corner of its bounding box, in units of the file
    high: Array
    triangles: bytes  # u32 vertices, u32 triangles, f32 positions, u32 corners


def wizard_folder(scene_file: Path | None) -> Path:
    """Return the folder for robots: that of the scene, or the user's robots folder.

    The latter is used if the scene is part of the package or its folder is not writable.
    """
    if scene_file is None:
        return user_robots_folder()
    folder = scene_file.resolve().parent
    is_packaged = folder.is_relative_to(Path(robotix.__file__).resolve().parent)
    return user_robots_folder() if is_packaged or not os.access(folder, os.W_OK) else folder


def read_mesh(name: str, data: bytes) -> ReadMesh:
    """Return the triangles of a file, read in a sandboxed process; raise BadModel if it is bad."""
    _check_file(name, data)
    with tempfile.TemporaryDirectory(prefix="robotix-") as folder:
        path = Path(folder) / f"mesh{Path(name).suffix.lower()}"
        path.write_bytes(data)
        answer, body = _read_isolated(path)
    if "error" in answer:
        reason = str(answer["error"]).replace(str(path), name)
        raise BadModel(f"mesh {name!r}", reason.removeprefix(f"{name}: "))
    return ReadMesh(np.array(answer["low"]), np.array(answer["high"]), body)


def _check_file(name: str, data: bytes) -> None:
    if not _FILE.fullmatch(name):
        expected = "letters, digits, _ or -, and .stl, .obj or .glb"
        raise BadModel(f"mesh {name[:80]!r}", f"must have a name of {expected}; rename it")
    if len(data) > MAX_MESH_BYTES:
        problem = f"has {len(data) / 2**20:.0f} MB; at most {MAX_MESH_BYTES >> 20}: reduce the mesh"
        raise BadModel(f"mesh {name!r}", problem)


def _read_isolated(path: Path) -> tuple[dict[str, Any], bytes]:
    try:
        return run_isolated(_WORKER, {"path": str(path)}, timeout=READ_TIMEOUT, memory=MAX_MEMORY)
    except WorkerTimeout:
        return {"error": "takes too long to read; reduce the mesh in a 3D editor"}, b""
    except WorkerCrashed:
        return {"error": "cannot be read; export it again, or reduce it"}, b""


def save_robot(robot: WizardRobot, folder: Path, *, replace: bool = False) -> WizardSaved:
    """Write NAME.urdf and NAME_meshes/ into a folder, and read them back.

    Raises BadModel or BadFile with what to change, and FileExistsError if one of the two is there;
    with `replace`, what is there becomes a backup, NAME.urdf.bak and NAME_meshes.bak.
    """
    check_name("robot", robot.name)
    target, meshes = folder / f"{robot.name}.urdf", folder / f"{robot.name}_meshes"
    for each in (target, meshes):
        if not replace and (each.exists() or each.is_symlink()):
            raise FileExistsError(f"{each.name} already exists; replace it, or choose a new name")
    used = _used_files(robot)
    bounds = {name: (mesh.low, mesh.high) for name, mesh in _read_all(used).items()}
    model = make_model(robot, bounds=bounds)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".wizard-", dir=folder) as trial:
            draft = Path(trial) / target.name
            save_urdf(model, draft)
            n_joints = load_file(draft).n_dof  # raises if it cannot be read back
            _install_files(Path(trial), draft, used, target=target, meshes=meshes)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFile(
            str(target), f"cannot be written ({reason})", "a folder to write to"
        ) from None
    return WizardSaved(robot.name, target.name, str(target.resolve()), n_joints)


def _used_files(robot: WizardRobot) -> dict[str, bytes]:
    names = {
        solid.shape.file
        for part in robot.parts
        for solid in part.solids
        if isinstance(solid.shape, FileShape)
    }
    if len(names) > MAX_MESHES:
        raise BadModel("robot", f"has {len(names)} meshes; at most {MAX_MESHES}")
    for name in sorted(names - robot.files.keys()):
        raise BadModel(f"mesh {name!r}", "is missing; add the file again")
    return {name: robot.files[name] for name in sorted(names)}


def _read_all(files: Mapping[str, bytes]) -> dict[str, ReadMesh]:
    return {name: read_mesh(name, data) for name, data in files.items()}


def _install_files(
    trial: Path, draft: Path, files: Mapping[str, bytes], *, target: Path, meshes: Path
) -> None:
    """Move the files to their destination; the URDF last, so that it never lacks meshes."""
    fresh = trial / "meshes"
    fresh.mkdir()
    for name, data in files.items():
        (fresh / name).write_bytes(data)
    move_to_backup(meshes)
    if files:
        fresh.replace(meshes)
    move_to_backup(target)
    draft.replace(target)
