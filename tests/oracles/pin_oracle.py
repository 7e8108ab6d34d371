"""Our models in Pinocchio: the oracle for poses, Jacobians, masses and their derivatives.

Pinocchio knows neither path joints nor coupled ones, and gives a floating root's velocity in the
root's own axes. So its coordinates are made from ours: `q_pin(q)`, and `v_pin = C(q) dq`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from robotix.geometry import Array, Pose, exp_rotation, quaternion_from_rotation
from robotix.model import Joint, Model

WORLD_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def se3(pose: Pose) -> Any:
    return pin.SE3(pose.rotation, pose.translation)


def build(model: Model) -> Any:
    """Return a model rebuilt joint by joint; a path is a slide in x, one in y and a turn."""
    out = pin.Model()
    out.gravity.linear = np.array(model.gravity)
    at: dict[str | None, tuple[int, Pose]] = {None: (0, Pose())}
    for body in model.bodies:
        joint, (parent, above) = body.joint, at[body.parent]
        placement = above @ body.placement
        if joint.kind != "fixed":
            parent, placement = _add_joint(out, joint, parent, placement), Pose()
        at[body.name] = parent, placement
        if body.mass > 0:
            inertia = pin.Inertia(body.mass, body.com, body.inertia)
            out.appendBodyToJoint(parent, inertia, se3(placement))
        out.addFrame(pin.Frame(body.name, parent, se3(placement), pin.FrameType.BODY), False)
    for name, point in model.points.items():
        parent, above = at[point.body]
        pose = se3(above @ point.pose)
        out.addFrame(pin.Frame(name, parent, pose, pin.FrameType.OP_FRAME), False)
    return out


def _add_joint(out: Any, joint: Joint, parent: int, placement: Pose) -> int:
    match joint.kind:
        case "revolute":
            kind = pin.JointModelRevoluteUnaligned(np.array(joint.axis))
        case "prismatic":
            kind = pin.JointModelPrismaticUnaligned(np.array(joint.axis))
        case "floating":
            kind = pin.JointModelFreeFlyer()
        case _:
            along = out.addJoint(parent, pin.JointModelPX(), se3(placement), joint.name + "/x")
            across = out.addJoint(along, pin.JointModelPY(), pin.SE3.Identity(), joint.name + "/y")
            kind, parent, placement = pin.JointModelRZ(), across, Pose()
    return int(out.addJoint(parent, kind, se3(placement), joint.name))


def read(path: Path, *, floating: bool) -> Any:
    """Return a model that Pinocchio itself read from a URDF file."""
    root = (pin.JointModelFreeFlyer(), "root") if floating else ()
    return pin.buildModelFromUrdf(str(path), *root)


@dataclass(frozen=True)
class _Slot:
    """Where a joint's numbers stand in Pinocchio's configuration and velocity."""

    q: int
    v: int
    is_circle: bool  # a continuous joint: cosine and sine


class Oracle:
    """A model of ours and the same in Pinocchio, at one posture."""

    def __init__(self, model: Model, theirs: Any, *, q: Array, dq: Array | None = None) -> None:
        """Bring Pinocchio to a posture of ours, and to its velocity."""
        self.model, self.theirs, self.data = model, theirs, theirs.createData()
        self._q = pin.neutral(theirs)
        self._map = np.zeros((theirs.nv, model.n_dof))
        self._map_rate = np.zeros(theirs.nv)  # d(map)/dt @ dq
        rate = np.zeros(model.n_dof) if dq is None else dq
        for body, start in zip(model.bodies, model.dof_start, strict=True):
            if body.joint.kind != "fixed":
                self._place(body.joint, start, q, rate)
        pin.forwardKinematics(theirs, self.data, self._q, self._map @ rate, self._map_rate)
        pin.updateFramePlacements(theirs, self.data)

    def _slot(self, name: str) -> _Slot:
        joint = self.theirs.joints[self.theirs.getJointId(name)]
        return _Slot(joint.idx_q, joint.idx_v, joint.nq == 2)

    def _place(self, joint: Joint, start: int, q: Array, dq: Array) -> None:
        slot = self._slot(joint.name)
        if joint.kind == "floating":
            self._place_root(slot, start, q[start : start + 6], dq[start : start + 6])
            return
        ratio, offset = (joint.mimic.ratio, joint.mimic.offset) if joint.mimic else (1.0, 0.0)
        value = ratio * q[start] + offset
        if joint.kind == "path":
            self._place_on_path(joint, slot, start, q[start], dq[start])
        elif slot.is_circle:
            self._q[slot.q : slot.q + 2] = math.cos(value), math.sin(value)
            self._map[slot.v, start] = ratio
        else:
            self._q[slot.q] = value
            self._map[slot.v, start] = ratio

    def _place_root(self, slot: _Slot, start: int, q: Array, dq: Array) -> None:
        rotation = exp_rotation(q[3:])
        w, x, y, z = quaternion_from_rotation(rotation)
        self._q[slot.q : slot.q + 7] = *q[:3], x, y, z, w
        self._map[slot.v : slot.v + 3, start : start + 3] = rotation.T
        self._map[slot.v + 3 : slot.v + 6, start + 3 : start + 6] = rotation.T
        self._map_rate[slot.v : slot.v + 3] = -rotation.T @ np.cross(dq[3:], dq[:3])

    def _place_on_path(self, joint: Joint, turn: _Slot, start: int, s: float, ds: float) -> None:
        assert joint.path is not None
        x, y, angle, curvature = joint.path.at(s)
        h = 1e-6
        slope = (joint.path.at(s + h)[3] - joint.path.at(s - h)[3]) / (2 * h)
        slots = self._slot(joint.name + "/x"), self._slot(joint.name + "/y"), turn
        at = x, y, angle + joint.path.heading
        rates = math.cos(angle), math.sin(angle), curvature
        bends = -math.sin(angle) * curvature, math.cos(angle) * curvature, slope
        for slot, value, rate, bend in zip(slots, at, rates, bends, strict=True):
            self._q[slot.q] = value
            self._map[slot.v, start] = rate
            self._map_rate[slot.v] = bend * ds**2

    # -- what is compared -------------------------------------------------------------------

    def _frame(self, name: str) -> int:
        kind = pin.FrameType.BODY if name in {b.name for b in self.model.bodies} else None
        found = self.theirs.getFrameId(name) if kind is None else self.theirs.getFrameId(name, kind)
        assert found < len(self.theirs.frames), f"Pinocchio has no frame {name!r}"
        return int(found)

    def pose(self, name: str) -> Pose:
        placement = self.data.oMf[self._frame(name)]
        return Pose(placement.rotation, placement.translation)

    def jacobian(self, name: str) -> Array:
        J = pin.computeFrameJacobian(self.theirs, self.data, self._q, self._frame(name), WORLD_AXES)
        return np.asarray(J.reshape(6, -1) @ self._map)

    def bias(self, name: str) -> Array:
        """Return the frame's acceleration while all `ddq` of ours are zero: J̇ dq."""
        frame = self._frame(name)
        a = pin.getFrameClassicalAcceleration(self.theirs, self.data, frame, WORLD_AXES)
        return np.asarray(a.vector)

    @property
    def mass_matrix(self) -> Array:
        M = pin.crba(self.theirs, self.data, self._q)
        return np.asarray(self._map.T @ (np.triu(M) + np.triu(M, 1).T) @ self._map)

    @property
    def gravity_torques(self) -> Array:
        g = pin.computeGeneralizedGravity(self.theirs, self.data, self._q)
        return np.asarray(self._map.T @ g)

    @property
    def com(self) -> Array:
        fixed, share = self.theirs.inertias[0].lever, self._moving_share()
        if share == 0:  # Pinocchio divides by it
            return np.asarray(fixed)
        moving = pin.centerOfMass(self.theirs, self.data, self._q)
        return np.asarray(share * moving + (1 - share) * fixed)

    @property
    def com_jacobian(self) -> Array:
        if self._moving_share() == 0:
            return np.zeros((3, self.model.n_dof))
        J = pin.jacobianCenterOfMass(self.theirs, self.data, self._q)
        return np.asarray(self._moving_share() * J.reshape(3, -1) @ self._map)

    def _moving_share(self) -> float:
        """Return the part of the mass that moves; Pinocchio leaves out what the world holds."""
        fixed = float(self.theirs.inertias[0].mass)
        moving = float(sum(inertia.mass for inertia in self.theirs.inertias.tolist()[1:]))
        return moving / (moving + fixed) if moving else 0.0
