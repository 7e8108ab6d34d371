"""Forward kinematics as plainly as it can be written: what readers and kernels are held against."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array, Pose, exp_rotation, rotation_about
from robotix.model import Joint, Model


def joint_pose(joint: Joint, q: Array) -> Pose:
    """Return how far a joint has moved its body, `q` being its own coordinates."""
    if joint.mimic:
        q = joint.mimic.ratio * q[:1] + joint.mimic.offset
    match joint.kind:
        case "revolute":
            return Pose(rotation_about(joint.axis, q[0]))
        case "prismatic":
            return Pose(translation=joint.axis * q[0])
        case "floating":
            return Pose(exp_rotation(q[3:6]), q[:3])
        case "path":
            assert joint.path is not None
            x, y, angle, _ = joint.path.at(q[0])
            return Pose.at(x, y, 0.0, rpy=(0.0, 0.0, angle + joint.path.heading))
    return Pose()


def world_poses(model: Model, q: Array) -> dict[str, Pose]:
    """Return the pose in the world of every body and control point."""
    poses: dict[str, Pose] = {}
    for body, start in zip(model.bodies, model.dof_start, strict=True):
        pose = body.placement @ joint_pose(body.joint, q[start:])
        poses[body.name] = pose if body.parent is None else poses[body.parent] @ pose
    for name, point in model.points.items():
        poses.setdefault(name, poses[point.body] @ point.pose)
    return poses


def reorder(q: Array, source: Model, target: Model) -> Array:
    """Return the coordinates of one model in the order of another that has the same joints."""
    values = dict(zip(source.dof_names, q, strict=True))
    return np.array([values[name] for name in target.dof_names])


def largest_gap(one: Model, other: Model, rng: np.random.Generator) -> float:
    """Return how far apart the poses that both models have are in a random posture."""
    q = rng.uniform(-1.0, 1.0, one.n_dof)
    here, there = world_poses(one, q), world_poses(other, reorder(q, one, other))
    shared = here.keys() & there.keys()
    assert shared >= {body.name for body in one.bodies} & set(there)
    return max(float(abs(here[name].matrix - there[name].matrix).max()) for name in shared)
