"""One tick of a haptic loop, and many loops for maps: `python benchmarks/haptics.py`.

The loop is that of ViSHARD10: ten joints with dynamics and friction in eight substeps, force
sensor, admittance, stiff wall, passivity control, resolution, computed torque, safety circuit. A
tick is one call from Python; of all ticks, the median and the 99.9th percentile count. Batches run
on one core. The peer is the same loop in plain NumPy (`peers/numpy_haptics.py`), whose handle must
end at the same place. CHAI3D is not compared: the package index has no distribution of it.
"""

import argparse
import json
import time

import numpy as np
from peers.numpy_haptics import NumpyDevice, NumpyLoop

from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.drives import vishard10_drives
from robotix.haptics.loop.environment import PlaneWall
from robotix.haptics.loop.loop import HapticLoop, run_loops
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import LoopSettings, OperatorArm
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
    }
    if given.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<28}{value:>12.4g}")


if __name__ == "__main__":
    main()
