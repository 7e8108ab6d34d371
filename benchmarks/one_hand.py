"""Inverse kinematics for one hand of robots with many joints: `python benchmarks/one_hand.py`.

TALOS, Baxter, TIAGo and PR2 (example-robot-data) are to bring one hand to 1,000 poses, which come
from random postures. Printed: the processor time of one `rx.solve`, how many were solved, and the
largest motion of a joint that does not move that hand. Only names that the first version had are
used, so that the script also runs on earlier commits (`PYTHONPATH=OTHER/src`).
"""

import argparse
import json
import time
from importlib.metadata import files
from pathlib import Path

import numpy as np

import robotix as rx

ROBOTS = {
    "TALOS": ("talos_full_v2.urdf", "gripper_left_base_link"),
    "Baxter": ("baxter.urdf", "left_gripper"),
    "TIAGo": ("tiago.urdf", "wrist_ft_tool_link"),
    "PR2": ("pr2.urdf", "l_gripper_palm_link"),
}


def robot_file(name: str) -> Path:
    """Return a file of example-robot-data."""
    found = [Path(str(f.locate())) for f in files("example-robot-data") or () if f.name == name]
    if not found:
        raise SystemExit(f"{name}: not found; install example-robot-data, as `make setup` does")
    return found[0]


def random_posture(model: rx.Model, rng: np.random.Generator) -> np.ndarray:
    """Return a posture within the limits; joints without limits within half a turn."""
    return rng.uniform(np.maximum(model.lower, -np.pi), np.minimum(model.upper, np.pi))


def measure(file: str, point: str, *, targets: int) -> dict[str, float]:
    """Return milliseconds per call, the solved share, and the largest motion of other joints."""
    model, rng = rx.load(str(robot_file(file))), np.random.default_rng(1)
    goals = [rx.Posture(model, random_posture(model, rng)).pose(point) for _ in range(targets)]
    q0 = random_posture(model, rng)
    moves = np.abs(rx.Posture(model, q0).jacobian(point)).max(axis=0) > 0
    rx.solve(model, goals[0], point=point, q0=q0)  # compiled, and read from the cache
    start = time.process_time()
    found = [rx.solve(model, goal, point=point, q0=q0) for goal in goals]
    taken = time.process_time() - start
    others = max(float(np.abs(each.q - q0)[~moves].max(initial=0.0)) for each in found)
    return {
        "ms": 1e3 * taken / targets,
        "solved": float(np.mean([each.converged for each in found])),
        "others": others,
        "joints": model.n_dof,
    }


def main() -> None:
    """Print a table, or one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = {name: measure(*which, targets=options.targets) for name, which in ROBOTS.items()}
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(
        f"{'robot':<8}{'joints':>7}{'ms a call':>11}{'solved':>9}{'other joints moved by, rad':>28}"
    )
    for name, row in found.items():
        solved = f"{100 * row['solved']:.1f} %"
        print(f"{name:<8}{row['joints']:>7}{row['ms']:>11.3f}{solved:>9}{row['others']:>28.4f}")


if __name__ == "__main__":
    main()
