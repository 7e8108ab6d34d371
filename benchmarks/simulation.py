"""Our stepping against MuJoCo's own, from Python: `python benchmarks/simulation.py`.

Both step the same compiled model from the same state; they take turns, and of each the best round
counts. Once step by step, and once a tick of a room (eight steps) at a time. The goal is 0.9 of the
speed of MuJoCo alone: what is left is for noticing states that diverge, and going back.

`--peers` also lets other engines hold the same arm, from a URDF file, in environments of their own
(`environments.py`): Drake with the same servos, PyBullet with its own motors. Their contacts and
solvers differ; only the arm is compared, which touches nothing. How far their arms end from ours is
printed, too: PyBullet's motors do not yield to the weight.
"""

import argparse
import json
import re
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
from environments import NotInstallable, make_environment

from robotix.dynamics.simulation import Mechanism, RigidObject, Servo, Simulation, WeldJoint, World
from robotix.geometry import Box, Halfspace, Pose
from robotix.model.robots import load
from robotix.model.urdf.writer import save_urdf

GOAL = 0.9
STEPS_A_TICK = 8
ROUNDS, STEPS = 7, 4000
PEERS = ("drake", "pybullet")
ENVIRONMENTS = Path(__file__).parent.parent / ".bench"
FLOOR = RigidObject("floor", (Halfspace(),), mobility="static")


@dataclass(frozen=True)
class Speeds:
    """Steps per second."""

    ours: float
    theirs: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke run; figures mean nothing")
    parser.add_argument("--peers", action="store_true", help="also step the arm in other engines")
    given = parser.parse_args()
    rounds, steps = (1, 80) if given.quick else (ROUNDS, STEPS)
    print(f"{'':<28}{'coordinates':>12}{'ours/s':>10}{'MuJoCo/s':>10}{'ratio':>8}  goal {GOAL}")
    for name, make in WORLDS.items():
        for chunk in (1, STEPS_A_TICK):
            simulation = Simulation(make())
            found = measure(simulation, rounds=rounds, steps=steps, chunk=chunk)
            what = f"{name}, {chunk} a call"
            print(f"{what:<28}{simulation.model.nv:>12}", end="")
            print(f"{found.ours:>10.0f}{found.theirs:>10.0f}{found.ours / found.theirs:>8.2f}")
    print_structure(rounds)
    if given.peers:
        print_peers(rounds=rounds, steps=steps)


def print_peers(*, rounds: int, steps: int) -> None:
    """Print how other engines do with the arm, and how far their arms end from ours."""
    simulation = Simulation(arm())
    ours = measure(simulation, rounds=rounds, steps=steps, chunk=1).ours
    part = simulation.world.mechanisms[0]
    end = Simulation(arm())
    end.step(rounds * steps)
    q = dict(zip(part.model.dof_names, end.q(part.name), strict=True))
    for peer in PEERS:
        print(f"panda, ours against {peer:<14}{against(peer, ours, q, rounds=rounds, steps=steps)}")


def print_structure(rounds: int) -> None:
    """Print what a change of the structure costs: a humanoid's hand is welded, and cut off."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        simulation = Simulation(humanoid())
        part = simulation.world.mechanisms[0]
        hand, joint = part.body(part.model.bodies[-1].name), simulation.joint_names[-1]
        steps: dict[str, Callable[[], object]] = {
            "connect": lambda hand=hand, run=simulation: run.connect("world", hand, WeldJoint()),
            "cut the connection": lambda run=simulation: run.cut(run.connections[0]),
            "cut a joint": lambda joint=joint, run=simulation: run.cut(joint),
        }
        for name, step in steps.items():
            best[name] = min(best.get(name, np.inf), seconds(step))
    for name, value in best.items():
        print(f"{'humanoid, ' + name:<40}{value * 1e6:>10.0f} µs")


def against(peer: str, ours: float, q: Mapping[str, float], *, rounds: int, steps: int) -> str:
    """Return how an engine does with the arm: its steps per second, ours per its, difference."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "panda.urdf"
        save_urdf(load("panda"), path)
        try:
            environment = make_environment(peer, ENVIRONMENTS)
        except NotInstallable as reason:
            return f"not installed: {reason}"
        done = environment.run(str(path), str(steps), str(rounds), timeout=600)
    found = re.findall(r"\{.*\}", done.stdout)
    if done.returncode or not found:
        return f"failed: {done.stderr.strip()[-200:]}"
    told = json.loads(found[-1])
    theirs, ends = steps / told["seconds"], told["q"]
    apart = max((abs(q[name] - ends[name]) for name in ends.keys() & q.keys()), default=np.nan)
    return f"{ours:>10.0f}{theirs:>10.0f}{ours / theirs:>8.2f}  ends {1e3 * apart:.2f} mrad apart"


def measure(simulation: Simulation, *, rounds: int, steps: int, chunk: int) -> Speeds:
    """Return the best speeds of several rounds, each from the same state."""
    simulation.step(100)  # things have settled
    start = simulation.snapshot()
    model, data = simulation.model, simulation.data

    def ours() -> None:
        for _ in range(steps // chunk):
            simulation.step(chunk)

    def theirs() -> None:
        step = mujoco.mj_step
        for _ in range(steps // chunk):
            step(model, data, chunk)

    best = {ours: np.inf, theirs: np.inf}
    for k in range(rounds):
        for run in (ours, theirs) if k % 2 else (theirs, ours):
            simulation.set_snapshot(start)
            best[run] = min(best[run], seconds(run))
    return Speeds(steps / best[ours], steps / best[theirs])


def seconds(run: Callable[[], object]) -> float:
    """Return the processor time of a call."""
    before = time.process_time()
    run()
    return time.process_time() - before


def arm() -> World:
    """Return an arm that is held by its servos."""
    model = load("panda")
    servos = {name: Servo(600.0, 50.0) for name in model.dof_names}
    return World((FLOOR,), (Mechanism("arm", model, servos=servos),))


def humanoid() -> World:
    """Return a humanoid of 26 joints that stands on the floor."""
    model = load("vhrp26")
    joints = [joint.name for joint in model.joints if joint.kind == "revolute"]
    servos = {name: Servo(300.0, 3.0) for name in joints}
    return World((FLOOR,), (Mechanism("humanoid", model, servos=servos),))


def boxes() -> World:
    """Return twenty boxes on the floor."""
    size = np.full(3, 0.1)
    return World(
        (
            FLOOR,
            *(
                RigidObject(f"box {k}", (Box(size),), Pose.at(0.2 * k, 0, 0.05), mass=0.5)
                for k in range(20)
            ),
        )
    )


WORLDS = {"panda": arm, "humanoid": humanoid, "twenty boxes": boxes}

if __name__ == "__main__":
    main()
