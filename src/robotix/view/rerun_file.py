"""Motions of robots as recordings of the Rerun viewer, `.rrd` files.

Joint positions are time series, links are moving frames with their meshes, markers are a text log.
Writing needs the package rerun-sdk: `pip install "robotix[rerun]"`, half a gigabyte.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from robotix.files.output_file import atomic_file
from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.motion import MissingPackage, Motion
from robotix.view.link_things import body_things
from robotix.view.things import Mesh3

__all__ = ["save_rerun"]

SUFFIX = ".rrd"
TIMELINE = "time"
BYTE = 255


def save_rerun(file: str | Path, model: Model, motion: Motion, *, meshes: bool = True) -> None:
    """Write a robot in motion for the Rerun viewer, replacing an existing file.

    Its entities: `robot/links/NAME`, the pose of a link in the world, with its surfaces below;
    `robot/joints/NAME`, the position of a joint in rad or m; `robot/markers`. The timeline is
    `time`, in s from the motion's own zero.

    Args:
        file: The file to write, `.rrd`.
        model: The robot.
        motion: Its motion, of all of its joints.
        meshes: Whether links get their surfaces.

    Raises:
        ValueError: The file is not called `.rrd`, its folder does not exist, or the motion is not
            of this robot.
        BadFile: A mesh of the robot cannot be read.
        MissingPackage: rerun-sdk is not installed.
    """
    path = Path(file)
    if path.suffix.lower() != SUFFIX:
        raise ValueError(f"{file}: a recording of Rerun is called {SUFFIX}, not {path.suffix!r}")
    motion.check_model(model)
    rr = _import_rerun()
    with atomic_file(path) as partial:
        stream = rr.RecordingStream(model.name, recording_id=path.stem, send_properties=False)
        stream.save(partial)
        stream.log("robot", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        _send_links(rr, stream, model, motion, meshes=meshes)
        _send_joints(rr, stream, motion)
        stream.disconnect()  # written to the end


def _import_rerun() -> Any:
    try:
        import rerun
    except ImportError:
        raise MissingPackage("recordings for Rerun", "rerun-sdk", "rerun") from None
    return rerun


def _send_links(rr: Any, stream: Any, model: Model, motion: Motion, *, meshes: bool) -> None:
    """Send the frames of all bodies, and what they look like."""
    poses = np.array([Posture(model, q).body_poses for q in motion.q])  # (n, n_bodies, 12)
    times = rr.TimeColumn(TIMELINE, duration=motion.times)
    for k, body in enumerate(model.bodies):
        path = rr.new_entity_path(["robot", "links", body.name])
        R, t = poses[:, k, :9].reshape(-1, 3, 3), poses[:, k, 9:]
        if (poses[:, k] == poses[0, k]).all():
            stream.log(path, rr.Transform3D(translation=t[0], mat3x3=R[0]), static=True)
        else:
            stream.send_columns(path, [times], rr.Transform3D.columns(translation=t, mat3x3=R))
        if meshes:
            for number, thing in enumerate(body_things(model, body)):
                stream.log(f"{path}/surface_{number}", _mesh(rr, thing), static=True)


def _mesh(rr: Any, thing: Mesh3) -> Any:
    colour = np.asarray(thing.colour, dtype=float)
    return rr.Mesh3D(
        vertex_positions=thing.vertices,
        triangle_indices=thing.faces,
        vertex_normals=thing.smooth,
        albedo_factor=_rgba(colour, thing.opacity) if colour.ndim == 1 else None,
        vertex_colors=_rgba(colour, thing.opacity) if colour.ndim == 2 else None,
    )


def _rgba(colour: Array, opacity: float) -> Array:
    """Return colours of 0 to 1 in bytes, with their opacity."""
    alpha = np.full((*colour.shape[:-1], 1), opacity)
    whole = np.concatenate([colour, alpha], axis=-1)
    return np.round(BYTE * whole.clip(0.0, 1.0)).astype(np.uint8)


def _send_joints(rr: Any, stream: Any, motion: Motion) -> None:
    """Send the positions of all joints, and the markers."""
    times = rr.TimeColumn(TIMELINE, duration=motion.times)
    for k, (name, unit) in enumerate(motion.dofs):
        path = rr.new_entity_path(["robot", "joints", name])
        stream.log(path, rr.SeriesLines(names=f"{name} [{unit}]"), static=True)
        stream.send_columns(path, [times], rr.Scalars.columns(scalars=motion.q[:, k]))
    if motion.markers:
        marked = rr.TimeColumn(TIMELINE, duration=[marker.time for marker in motion.markers])
        labels = [marker.label for marker in motion.markers]
        stream.send_columns("robot/markers", [marked], rr.TextLog.columns(text=labels))
