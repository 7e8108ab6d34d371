"""Kernels of haptic devices, each called once."""

from __future__ import annotations

import numpy as np

from robotix.haptics.devices.resolution_kernels import time_resolutions
from robotix.haptics.devices.vishard10 import inverse_function, vishard10
from robotix.haptics.loop.loop import HapticLoop
from robotix.haptics.walls.wall import VirtualWall, WallTrial, run_wall
from robotix.kinematics import Posture

__all__ = ["touch_walls"]


def touch_walls() -> None:
    """Run the loop of a device for one sample, press a wall, and resolve a redundancy."""
    q = inverse_function((0.2, 0.1, 0.1), wrist=(0.0, -2.3, 0.0))
    HapticLoop(vishard10(), q).step()
    run_wall(WallTrial(VirtualWall(1000.0), seconds=0.01))
    J, rates = np.array(Posture(vishard10(), q).jacobian()), np.zeros(10)
    time_resolutions(J, q, np.zeros(6), 0.1, False, 1, rates)
