"""Joints that fail: locked, without drive, or with an encoder that no longer changes.

Between what a drive asks for and what the joints do. A frozen encoder is what the drive sees: it
goes on asking for the missing motion, and the joint runs on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.safety.faults import Fault

__all__ = ["JointFaults"]


class JointFaults:
    """The faults of the joints of one robot."""

    def __init__(self, faults: Iterable[Fault], *, q: Array, dq: Array, dt: float) -> None:
        """Let faults begin at joint positions `q` with velocities `dq`."""
        self._faults = tuple(faults)
        for fault in self._faults:
            if not 1 <= fault.joint <= len(q):
                raise BadField("joint", f"a number from 1 to {len(q)}", fault.joint)
        self._dt = dt
        self._frozen = {
            f.joint - 1: float(q[f.joint - 1]) for f in self._faults if f.kind == "sensor_freeze"
        }
        self._speeds = {
            f.joint - 1: float(dq[f.joint - 1]) for f in self._faults if f.kind == "drive_failure"
        }

    def with_fault(self, fault: Fault, *, q: Array, dq: Array) -> JointFaults:
        """Return these faults and one more, which begins now."""
        more = JointFaults([*self._faults, fault], q=q, dq=dq, dt=self._dt)
        more._frozen |= self._frozen
        more._speeds |= self._speeds
        return more

    def without(self, fault: Fault) -> JointFaults | None:
        """Return what is left when a fault ends; None if nothing is."""
        left = [each for each in self._faults if each is not fault]
        if not left:
            return None
        rest = JointFaults(left, q=self._padded(self._frozen), dq=self._padded({}), dt=self._dt)
        rest._frozen = {j: v for j, v in self._frozen.items() if j in rest._frozen}
        rest._speeds = {j: v for j, v in self._speeds.items() if j in rest._speeds}
        return rest

    def _padded(self, values: dict[int, float]) -> Array:
        out = np.zeros(max(each.joint for each in self._faults))
        for j, value in values.items():
            out[j] = value
        return out

    def measured(self, q: Array) -> Array:
        """Return what the encoders report, (n_dof,); `q` itself if none is frozen."""
        if not self._frozen:
            return q
        seen = q.copy()
        for j, value in self._frozen.items():
            seen[j] = value
        return seen

    def followed(self, q: Array, desired: Array) -> Array:
        """Return where the joints get to when `desired` is asked of them, (n_dof,)."""
        out = desired.copy()
        for fault in self._faults:
            j = fault.joint - 1
            if fault.kind == "joint_lock":
                out[j] = q[j]
            elif fault.kind == "drive_failure":
                coasting = self._coast(j, fault.coast)
                part = fault.strength
                out[j] = q[j] + part * (desired[j] - q[j]) + (1 - part) * coasting * self._dt
        return out

    def _coast(self, j: int, slowing: float) -> float:
        """Return the speed of a joint without drive, which friction ends."""
        speed = self._speeds[j]
        self._speeds[j] = math.copysign(max(abs(speed) - slowing * self._dt, 0.0), speed)
        return self._speeds[j]
