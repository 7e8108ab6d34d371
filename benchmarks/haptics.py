"""One tick of a haptic loop, and many loops for maps: `python benchmarks/haptics.py`.

The loop is that of ViSHARD10: ten joints with dynamics and friction in eight substeps, force
sensor, admittance, stiff wall, passivity control, resolution, computed torque, safety circuit. A
tick is one call from Python; of all ticks, the median and the 99.9th percentile count. Batches run
on one core. The peer is the same loop in plain NumPy (`peers/numpy_haptics.py`), whose handle must
end at the same place. Proxies are timed on a box, on a mesh of 81,920 triangles and among a hundred
things: one touch while the handle is led over the surface, 2 mm deep.

CHAI3D is not compared: the package index has no distribution of it (tried: chai3d, pychai3d,
chai3d-python, SofaPython3, h3d, dhdlib, haply, hapticpy). What it has (forcedimension-core,
pyopenhaptics) wraps the libraries of makers of devices, as their descriptions say.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import trimesh
from peers.numpy_haptics import NumpyDevice, NumpyLoop

from robotix.geometry import Box, Mesh, Pose, Shape
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.drives import vishard10_drives
from robotix.haptics.loop.environment import PlaneWall
from robotix.haptics.loop.loop import HapticLoop, run_loops
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import LoopSettings, OperatorArm
from robotix.haptics.rendering.proxy import ProxyBall
from robotix.haptics.walls.wall import VirtualWall, WallTrial, run_walls

WALL, STIFFNESS, DAMPING, PUSH = 0.602, 5000.0, 150.0, 15.0
BUDGET = 1e-3  # s: the tick must fit


def make_loop() -> HapticLoop:
    """Return the loop, with the hand pushing."""
    loop = HapticLoop(
        vishard10(), reference_posture(),
        settings=LoopSettings(has_passivity_control=True),
        elements=[PlaneWall((-1.0, 0.0, 0.0), -WALL, stiffness=STIFFNESS, damping=DAMPING)],
        arm=OperatorArm(stiffness=0.0, damping=20.0),
    )  # fmt: skip
    loop.push((PUSH, 0.0, 0.0))
    return loop


def time_ticks(loop: HapticLoop, count: int) -> np.ndarray:
    """Return the times of single ticks, s."""
    loop.step()  # compiled or loaded
    times = np.empty(count)
    for k in range(count):
        begin = time.perf_counter()
        loop.step()
        times[k] = time.perf_counter() - begin
    return times


def time_proxy(solids: Sequence[Shape], count: int) -> np.ndarray:
    """Return the times of touches on a circle of 2 cm over a surface at z = 0, 2 mm deep, s."""
    ball = ProxyBall(solids, (0.02, 0.0, 0.01), radius=0.005)
    times = np.empty(count)
    for k in range(-20, count):
        angle = 2 * np.pi * k / 1000  # a turn a second
        goal = (0.02 * np.cos(angle), 0.02 * np.sin(angle), 0.003)
        begin = time.perf_counter()
        ball.follow(goal)
        times[max(k, 0)] = time.perf_counter() - begin
        assert ball.contacts
    return times


def time_proxies(count: int, subdivisions: int) -> dict[str, float]:
    """Return median and 99.9th percentile of touches, µs."""
    top = Box(np.array([0.5, 0.5, 0.1]), Pose.at(0.0, 0.0, -0.05))
    things = [Box(np.array([0.05, 0.05, 0.05]), Pose.at(0.1 * i, 0.1 * j + 0.1, 0.2))
              for i in range(11) for j in range(9)]  # fmt: skip
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ball.stl"
        trimesh.creation.icosphere(subdivisions=subdivisions, radius=0.5).export(file)
        mesh = Mesh(str(file), pose=Pose.at(0.0, 0.0, -0.5))
        for name, solids in (("box", [top]), ("mesh", [mesh]), ("hundred", [top, *things])):
            times = time_proxy(solids, count)
            found[f"proxy_{name}_median_us"] = float(np.median(times) * 1e6)
            found[f"proxy_{name}_p999_us"] = float(np.quantile(times, 0.999) * 1e6)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke run; figures mean nothing")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    ticks, peer_ticks, loops, seconds = (
        (200, 20, 2, 0.1) if given.quick else (100_000, 500, 40, 2.0)
    )
    loop = make_loop()
    times = time_ticks(loop, ticks)
    run_loops([make_loop()], 0.01)
    begin = time.perf_counter()
    run_loops([make_loop() for _ in range(loops)], seconds)
    batch = loops * seconds / (time.perf_counter() - begin)
    walls = [WallTrial(VirtualWall(5000.0 + k)) for k in range(20 if given.quick else 400)]
    run_walls(walls[:1])
    begin = time.perf_counter()
    run_walls(walls)
    wall_batch = 2 * len(walls) * walls[0].seconds / (time.perf_counter() - begin)
    peer = NumpyLoop(
        NumpyDevice(vishard10()), vishard10_drives(), reference_posture(), WALL, STIFFNESS, DAMPING,
        np.array([PUSH, 0.0, 0.0]),
    )  # fmt: skip
    peer_times = np.empty(peer_ticks)
    for k in range(peer_ticks):
        begin = time.perf_counter()
        peer.step()
        peer_times[k] = time.perf_counter() - begin
    ours = make_loop()
    for _ in range(peer_ticks):
        ours.step()
    theirs = peer.device.forward(peer.q)[3]
    found = {
        "tick_median_us": float(np.median(times) * 1e6),
        "tick_p999_us": float(np.quantile(times, 0.999) * 1e6),
        "late_ticks": int((times > BUDGET).sum()),
        "numpy_tick_median_us": float(np.median(peer_times) * 1e6),
        "apart_from_numpy_mm": float(np.linalg.norm(theirs - ours.position) * 1e3),
        "batch_seconds_per_second": batch,
        "wall_seconds_per_second": wall_batch,
        **time_proxies(ticks // 10, 3 if given.quick else 6),
    }
    if given.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<28}{value:>12.4g}")


if __name__ == "__main__":
    main()
