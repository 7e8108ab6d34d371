"""Examines one robot file: read, drawn, given an obstacle, compared with Pinocchio or MuJoCo.

Run by `robot_zoo.py` in a process of its own, so that no file can end or stall the sweep.
"""

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

Answer = dict[str, Any]
POSTURES = 5  # random ones, in which a robot is compared with the reference
SEED = 7
BALL_RADIUS = 0.05  # m, of the obstacle
KEPT_DISTANCE = 0.02  # m
TICKS = 3  # in which the robot keeps clear of the obstacle
SECONDS_TO_READ = 60.0  # of processor time, for MJCF and xacro
MAX_REASON = 300  # characters


def examine(path: Path, *, reads: bool = True) -> Answer:
    """Return what becomes of a file; without `reads`, only what the reference says of it."""
    if not reads:
        return {"reference": _reference_verdict(path)}
    from robotix.errors import RobotixError
    from robotix.model.robots import load

    started = time.process_time()
    try:
        model = load(path, timeout=SECONDS_TO_READ)
    except (RobotixError, OSError, ImportError) as error:
        return {"outcome": "refused", "reason": _short(error)}
    answer: Answer = {"outcome": "loaded", "dof": model.n_dof, "bodies": len(model.bodies)}
    answer |= {"mass": model.mass, "notes": len(model.notes)}
    answer["read_seconds"] = round(time.process_time() - started, 3)
    answer |= _seen(model)
    answer["obstacle"] = _attempt(lambda: _with_obstacle(model)) if model.n_dof else "fixed"
    answer |= _compared(model, path)
    return answer


def _short(error: BaseException) -> str:
    text = re.sub(r"\s+", " ", str(error)) or type(error).__name__
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 1] + "…"


def _attempt(work: Callable[[], str]) -> str:
    try:
        return work()
    except Exception as error:  # whatever goes wrong is a finding of the sweep
        return f"failed: {type(error).__name__}: {_short(error)}"


# -- seen and kept clear ------------------------------------------------------------------------


def _seen(model: Any) -> Answer:
    """Return with what a room draws the robot, and which of its meshes it can read."""
    from robotix.geometry import Mesh
    from robotix.scene.scene import Scene

    named = {v.shape.uri for b in model.bodies for v in b.visuals if isinstance(v.shape, Mesh)}
    try:
        robot = Scene().add_robot("robot", model)
    except Exception as error:  # whatever goes wrong is a finding of the sweep
        return {"drawn": f"failed: {type(error).__name__}: {_short(error)}", "meshes": len(named)}
    visuals = [visual for body in robot.model.bodies for visual in body.visuals]
    own = [visual for visual in visuals if not visual.is_stand_in]
    meshes = {visual.shape.uri for visual in own if isinstance(visual.shape, Mesh)}
    drawn = "meshes" if meshes else "shapes" if own else "stand-ins" if visuals else "nothing"
    return {"drawn": drawn, "meshes": len(named), "meshes_read": len(meshes)}


def _with_obstacle(model: Any) -> str:
    """Give a robot in a room an obstacle, let it keep clear of it, and say how far it is."""
    from robotix.geometry import Pose, Sphere
    from robotix.model.rates import with_default_rates
    from robotix.scene.scene import Scene

    scene = Scene()
    robot = scene.add_robot("robot", with_default_rates(model))
    extent = 1.0 + max(float(np.linalg.norm(b.placement.translation)) for b in model.bodies)
    scene.graph.add("ball", solids=[Sphere(BALL_RADIUS)], pose=Pose.at(extent, 0.0, 0.0))
    robot.add_obstacle("ball", KEPT_DISTANCE)
    robot.hold()
    for _ in range(TICKS):
        scene.step()
    problems = [message for message in scene.messages if type(message).__name__ == "Problem"]
    assert not problems, problems[0]
    assert robot.avoidance is not None and robot.avoidance.is_active
    return "kept clear"


# -- compared with others -----------------------------------------------------------------------


def _compared(model: Any, path: Path) -> Answer:
    """Return the largest differences in poses (m and 1), mass (relative) and centre of mass (m)."""
    try:
        name, compare = _reference(path)
    except ImportError as error:
        return {"compared": f"not: {error}"}
    if compare is None:
        return {"compared": "not: no reference reads this format"}
    try:
        state = compare(path)
    except Exception as error:  # the reference refuses what we read
        return {"compared": f"not: {name} refuses it ({_short(error)})"}
    try:
        return {"compared": name} | _differences(model, state)
    except KeyError as error:
        return {"compared": f"not: {name} has no {error}"}


def _differences(model: Any, state: Callable[[Any, Any], Answer]) -> Answer:
    from robotix.kinematics import Posture
    from robotix.kinematics.sampling import joint_ranges

    rng = np.random.default_rng(SEED)
    lower, upper = joint_ranges(model)
    worst = {"pose": 0.0, "mass": 0.0, "com": 0.0}
    for _ in range(POSTURES):
        q = lower + rng.random(model.n_dof) * (upper - lower)
        posture = Posture(model, q)
        theirs = state(model, q)
        for body, matrix in theirs["poses"].items():
            gap = float(abs(posture.pose(body).matrix - matrix).max())
            worst["pose"] = max(worst["pose"], gap / max(1.0, float(abs(matrix).max())))
        worst["mass"] = max(worst["mass"], abs(model.mass - theirs["mass"]) / (model.mass or 1.0))
        if model.mass > 0:
            gap = float(abs(posture.com - theirs["com"]).max())
            worst["com"] = max(worst["com"], gap / max(1.0, float(abs(theirs["com"]).max())))
    return {"differences": worst}


def _reference(path: Path) -> tuple[str, Any]:
    suffix = path.suffix.lower()
    if suffix in (".urdf", ".xacro"):
        return "Pinocchio", _pinocchio
    if suffix in (".xml", ".mjcf"):
        is_urdf = b"<robot" in path.read_bytes() and b"<mujoco" not in path.read_bytes()
        return ("Pinocchio", _pinocchio) if is_urdf else ("MuJoCo", _mujoco)
    return "", None


def _reference_verdict(path: Path) -> str:
    """Return whether the reference reads a file that we refused."""
    try:
        name, compare = _reference(path)
        if compare is None:
            return "none"
        compare(path)
    except Exception as error:  # that it refuses, too, is what we ask for
        return f"refuses: {_short(error)}"
    return f"{name} reads it"


def _pinocchio(path: Path) -> Callable[[Any, Any], Answer]:
    import pinocchio as pin

    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix.lower() == ".xacro":
        from robotix.model.urdf.xacro import expand_xacro

        text = expand_xacro(path, timeout=SECONDS_TO_READ).decode()
    theirs = pin.buildModelFromXML(re.sub(r"<\?xml.*?\?>", "", text, flags=re.DOTALL))
    data = theirs.createData()

    def state(model: Any, q: Any) -> Answer:
        joint_values = _coordinates(model, q)
        full = pin.neutral(theirs)
        for index in range(1, theirs.njoints):
            joint, values = theirs.joints[index], joint_values.get(theirs.names[index])
            if values is not None:
                _fill_pinocchio(full, joint, values)
        pin.framesForwardKinematics(theirs, data, full)
        frames = {f.name: i for i, f in enumerate(theirs.frames) if f.type == pin.FrameType.BODY}
        poses = {
            body.name: data.oMf[frames[body.name]].homogeneous
            for body in model.bodies
            if body.name in frames
        }
        return {"poses": poses, **_masses_of_pinocchio(pin, theirs, data)}

    return state


def _fill_pinocchio(full: Any, joint: Any, values: Any) -> None:
    at = joint.idx_q
    if joint.nq == 7:
        from robotix.geometry import exp_rotation, quaternion_from_rotation

        w, x, y, z = quaternion_from_rotation(exp_rotation(np.array(values[3:])))
        full[at : at + 7] = *values[:3], x, y, z, w
    elif joint.nq == 4:  # planar: x, y, cos, sin
        full[at : at + 4] = values[0], values[1], np.cos(values[2]), np.sin(values[2])
    elif joint.nq == 2:
        full[at : at + 2] = np.cos(values[0]), np.sin(values[0])
    else:
        full[at] = values[0]


def _masses_of_pinocchio(pin: Any, theirs: Any, data: Any) -> Answer:
    """Return mass and centre of mass, with those bodies that the world holds."""
    total, moment = 0.0, np.zeros(3)
    for index in range(theirs.njoints):
        inertia = theirs.inertias[index]
        total += inertia.mass
        moment += inertia.mass * data.oMi[index].act(inertia.lever)
    return {"mass": total, "com": moment / total if total else moment}


def _coordinates(model: Any, q: Any) -> dict[str, list[float]]:
    """Return the coordinates of every joint, also of those that mimic others."""
    found: dict[str, list[float]] = {}
    for body, start in zip(model.bodies, model.dof_start, strict=True):
        joint = body.joint
        if joint.kind == "fixed":
            continue
        mimic = joint.mimic
        if mimic:
            found[joint.name] = [mimic.ratio * q[start] + mimic.offset]
        else:
            found[joint.name] = list(q[start : start + joint.n_dof])
    for name in tuple(found):  # a planar or a ball joint is three of ours
        base = name.removesuffix("_x")
        row = [f"{base}_{part}" for part in ("x", "y", "yaw")]
        if base != name and all(each in found for each in row):
            found.setdefault(base, [found[each][0] for each in row])
    return found


def _mujoco(path: Path) -> Callable[[Any, Any], Answer]:
    import mujoco

    mujoco.set_mju_user_warning(lambda _: None)
    with _working_in(path.parent):
        theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)

    def state(model: Any, q: Any) -> Answer:
        _fill_mujoco(theirs, data, model, q)
        mujoco.mj_kinematics(theirs, data)
        mujoco.mj_comPos(theirs, data)
        names = [theirs.body(i).name or f"body_{i}" for i in range(theirs.nbody)]
        known = {body.name for body in model.bodies}
        poses = {}
        for i, name in enumerate(names):
            if name in known:
                poses[name] = np.eye(4)
                poses[name][:3, :3] = data.xmat[i].reshape(3, 3)
                poses[name][:3, 3] = data.xpos[i]
        return {"poses": poses, "mass": float(theirs.body_mass.sum()), "com": data.subtree_com[0]}

    return state


def _fill_mujoco(theirs: Any, data: Any, model: Any, q: Any) -> None:
    from robotix.geometry import exp_rotation
    from robotix.geometry.rotation import quaternion_from_rotation, rotation_about

    values = _coordinates(model, q)
    names = [body.joint.name for body in model.bodies if body.joint.kind != "fixed"]
    placements = {body.joint.name: body.placement for body in model.bodies}
    at = 0  # joints come in the same order, whether they have names or not
    for i in range(theirs.njnt):
        name, start = names[at], theirs.jnt_qposadr[i]
        match int(theirs.jnt_type[i]):
            case 0:
                free, place = values[name], placements[name]
                rotation = place.rotation @ exp_rotation(np.array(free[3:]))
                data.qpos[start : start + 3] = place.apply(np.array(free[:3]))
                data.qpos[start + 3 : start + 7] = quaternion_from_rotation(rotation)
            case 1:
                turns = [rotation_about(np.eye(3)[k], values[names[at + k]][0]) for k in range(3)]
                data.qpos[start : start + 4] = quaternion_from_rotation(
                    turns[0] @ turns[1] @ turns[2]
                )
                at += 2
            case _:
                data.qpos[start] = values[name][0]
        at += 1


class _working_in:
    """Changes the working directory while a reference reads a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        self.before = os.getcwd()
        os.chdir(self.folder)

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            os.chdir(self.before)


def _load() -> Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]:
    import logging

    logging.disable()
    import robotix.scene.scene  # noqa: F401  (imported once, before the first request)

    def answer(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        return examine(Path(request["path"]), reads=request["reads"]), b""

    return answer


if __name__ == "__main__":
    from robotix.files.sandbox import serve_requests

    serve_requests(_load)
