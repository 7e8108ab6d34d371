"""A robot of meshes among a hundred mesh things: `python benchmarks/obstacles.py`.

Public robots (example-robot-data) whose collision bodies are meshes are driven from target to
target at 120 Hz through a hundred things made of meshes: shelves and stools, concave, of a hundred
triangles, and vases and rings of some thousands. All of them are obstacles, the robots also keep
clear of themselves, and ten of the things move. The goal is 30 % of one core: 2.5 ms a tick.

Coal, which shares no code with ours, measures how near the robots came (`--judge`).
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import files
from pathlib import Path
from typing import Any

import numpy as np

import robotix as rx
from robotix.geometry import Array, Box, Cylinder, Mesh, Pose, Shape, Sphere, exp_rotation
from robotix.kinematics import Clearance, Obstacle, PointTask, Posture, SelfCollision, Solver
from robotix.kinematics.obstacles.self_collision import known_pairs
from robotix.meshes.coherence import CoherentDistances

ROBOTS = {  # file, tip and reach in m
    "UR5": ("ur5_robot.urdf", "wrist_3_link", 0.9),
    "Panda": ("panda.urdf", "panda_hand", 0.8),
    "xArm 7": ("xarm7.urdf", "link7", 0.7),
    "Jaco": ("kinova.urdf", "j2s6s200_link_6", 0.9),
}
COUNTS: Counter[str] = Counter()
DT, GOAL_TICK = 1 / 120, 0.3 / 120
THINGS, MOVING, KEEP = 100, 10, 0.02
AROUND = 1.5  # times the reach: half the side of the square on which the things are
TICKS_PER_TARGET = 100


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two targets a robot")
    parser.add_argument("--judge", action="store_true", help="measure all distances with Coal, too")
    parser.add_argument("--only", choices=list(ROBOTS))
    parser.add_argument(
        "--counts", action="store_true", help="count what is done in a tick, alike on any machine"
    )
    options = parser.parse_args()
    if options.counts:
        count_calls()
    print(f"{'':<10}{'ticks':>7}{'mean':>9}{'median':>9}{'p99':>9}{'worst':>9}{'core':>8}  nearest")
    for name in [options.only] if options.only else ROBOTS:
        with tempfile.TemporaryDirectory() as folder:
            drive = Drive(name, Path(folder))
            times = drive.run(targets=2 if options.quick else 40)
            print(row(name, times), drive.judged() if options.judge else "", flush=True)
            if options.counts:
                counts = ", ".join(f"{n / len(times):.1f} {what}" for what, n in COUNTS.items())
                print(f"{'':<10}a tick: {counts}")
                COUNTS.clear()


def count_calls() -> None:
    """Count the searches for gaps and the pairs of solids that are measured."""
    counted = ((Clearance, "_find", "searches"), (CoherentDistances, "measure", "pairs measured"))
    for owner, method, what in counted:
        inner = getattr(owner, method)

        def counting(*args: Any, _inner: Any = inner, _what: str = what, **options: Any) -> Any:
            COUNTS[_what] += 1
            return _inner(*args, **options)

        setattr(owner, method, counting)


def row(name: str, times: Array) -> str:
    """Return a line of the table."""
    mean, median, worst = times.mean(), np.median(times), times.max()
    shown = "".join(f"{1e3 * t:>6.2f} ms" for t in (mean, median, np.percentile(times, 99), worst))
    return f"{name:<10}{len(times):>7}{shown}{mean / DT:>8.1%}"


class Drive:
    """One robot among its things."""

    def __init__(self, name: str, folder: Path) -> None:
        """Load the robot and put the things around it, clear of where it starts."""
        file, self.tip, reach = ROBOTS[name]
        self.model = rx.load(public_file(file))
        self.q = np.clip(np.full(self.model.n_dof, -0.9), self.model.lower, self.model.upper)
        self.rng = np.random.default_rng(1)
        pairs = known_pairs(self.model)
        self.clearance = Clearance(self.model, own=SelfCollision(self.model, pairs))
        self.things = dict(self.place(list(write_things(folder)), reach))
        self.clearance = Clearance(self.model, self.things, own=SelfCollision(self.model, pairs))
        self.reach, self.postures = reach, [self.q]

    def place(self, meshes: list[Path], reach: float) -> Iterator[tuple[str, Obstacle]]:
        """Yield things in random places near the robot, which it does not touch at the start."""
        start, count = Posture(self.model, self.q), 0
        while count < THINGS:
            at = AROUND * reach * self.rng.uniform([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0])
            pose = Pose(exp_rotation(self.rng.normal(size=3)), at)
            thing = Obstacle(Mesh(str(meshes[count % len(meshes)]), pose=pose), KEEP)
            moves = count < MOVING
            if Clearance(self.model, {"it": thing}).slack(start) > (0.3 if moves else 0.01):
                speed = 0.1 * self.rng.normal(size=3) if moves else np.zeros(3)
                yield f"thing {count}", replace(thing, velocity=speed)
                count += 1

    def run(self, targets: int) -> Array:
        """Drive to one target after the other; return the CPU time of every tick, in s."""
        task = PointTask(self.tip, Posture(self.model, self.q).position(self.tip), gain=5.0)
        solver = Solver(self.model, [task], dt=DT, max_inequalities=self.clearance.max_gaps)
        times, dq = [], np.zeros(self.model.n_dof)
        self.clearance.step(solver, self.q, dq)  # compiled
        for tick in range(targets * TICKS_PER_TARGET):
            if tick % TICKS_PER_TARGET == 0:
                solver.positions[0] = self.reach * self.rng.uniform(
                    [-0.8, -0.8, 0.1], [0.8, 0.8, 0.9]
                )
            moving = list(self.things.items())[:MOVING]
            moved = {name: swung(thing, tick * DT) for name, thing in moving}
            start = time.process_time()
            self.clearance.set_obstacles(moved)
            step = self.clearance.step(solver, self.q, dq)
            times.append(time.process_time() - start)
            self.q, dq = step.q, step.dq
            self.postures.append(step.q)
        return np.array(times)

    def judged(self) -> str:
        """Return the smallest distance between a robot and a thing at rest, measured by Coal."""
        import coal

        def transform(R: Array, t: Array) -> coal.Transform3s:
            return coal.Transform3s(np.ascontiguousarray(R), np.array(t))

        solids = [
            (k, transform(s.pose.rotation, s.pose.translation), loaded(s))
            for k, body in enumerate(self.model.bodies)
            if any(above.joint.kind != "fixed" for above in self.model.chain(body.name))
            for s in body.collision
        ]
        shapes = [self.things[name].shape for name in list(self.things)[MOVING:]]
        things = [(transform(s.pose.rotation, s.pose.translation), loaded(s)) for s in shapes]
        least, request = math.inf, coal.DistanceRequest()
        for q in self.postures[::5]:
            bodies = Posture(self.model, q).body_poses
            for k, offset, solid in solids:
                at = transform(bodies[k, :9].reshape(3, 3), bodies[k, 9:]) * offset
                for where, thing in things:
                    found = coal.DistanceResult()
                    least = min(least, coal.distance(solid, at, thing, where, request, found))
        return f"{1e3 * least:.2f} mm of {1e3 * KEEP:.0f} mm"


def loaded(shape: Shape) -> object:
    """Return a solid as Coal's."""
    import coal

    match shape:
        case Mesh():
            return coal.MeshLoader().load(shape.path, np.array(shape.scale))
        case Box():
            return coal.Box(*shape.size)
        case Sphere():
            return coal.Sphere(shape.radius)
        case Cylinder():
            return coal.Cylinder(shape.radius, shape.length)
    raise ValueError(f"no solid of Coal for {shape!r}")


def swung(thing: Obstacle, t: float) -> Obstacle:
    """Return a thing on its way to and fro, once in two seconds."""
    phase = math.pi * t
    pose = thing.shape.pose
    moved = Pose(pose.rotation, pose.translation + thing.velocity * math.sin(phase) / math.pi)
    shape = replace(thing.shape, pose=moved)
    return replace(thing, shape=shape, velocity=thing.velocity * math.cos(phase))


def public_file(name: str) -> Path:
    """Return a file of example-robot-data."""
    found = [f for f in files("example-robot-data") or [] if Path(str(f)).name == name]
    if not found:
        sys.exit(f"example-robot-data has no {name}; pip install example-robot-data")
    return Path(str(found[0].locate()))


# -- things -----------------------------------------------------------------------------------


def write_things(folder: Path) -> Iterator[Path]:
    """Write the meshes of a shelf, a stool, a vase and a ring as OBJ files."""
    boards = [((0, 0, z), (0.3, 0.2, 0.01)) for z in (-0.15, 0.0, 0.15)]
    walls = [((x, 0, 0), (0.01, 0.2, 0.3)) for x in (-0.15, 0.15)]
    yield write_mesh(folder / "shelf.obj", *boxes([*boards, *walls]))
    legs = [((x, y, -0.1), (0.02, 0.02, 0.2)) for x in (-0.08, 0.08) for y in (-0.08, 0.08)]
    yield write_mesh(folder / "stool.obj", *boxes([((0, 0, 0), (0.2, 0.2, 0.02)), *legs]))
    u, v = np.linspace(0, 2 * math.pi, 64, endpoint=False), np.linspace(0.0, 1.0, 24)
    radius = 0.04 + 0.02 * np.sin(6 * v) * (1 - v)
    vase = [
        (r * math.cos(a), r * math.sin(a), 0.2 * h - 0.1)
        for h, r in zip(v, radius, strict=True)
        for a in u
    ]
    yield write_mesh(folder / "vase.obj", vase, grid(len(v), len(u), closed=False))
    tube = 2 * math.pi * np.arange(24) / 24
    ring = [
        ((0.1 + 0.02 * math.cos(b)) * math.cos(a), (0.1 + 0.02 * math.cos(b)) * math.sin(a),
         0.02 * math.sin(b))
        for b in tube for a in u
    ]  # fmt: skip
    yield write_mesh(folder / "ring.obj", ring, grid(len(tube), len(u), closed=True))


def boxes(parts: list[tuple[object, object]]) -> tuple[list[Array], list[list[int]]]:
    """Return vertices and quadrangles of boxes, each given by its centre and size."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    points = [p for centre, size in parts for p in np.array(centre) + corners * np.array(size)]
    return points, [[8 * k + c for c in side] for k in range(len(parts)) for side in sides]


def grid(rows: int, columns: int, *, closed: bool) -> list[list[int]]:
    """Return the quadrangles of a grid of points whose rows are rings."""
    return [
        [r * columns + c, r * columns + d, s * columns + d, s * columns + c]
        for r in range(rows if closed else rows - 1)
        for s in [(r + 1) % rows]
        for c in range(columns)
        for d in [(c + 1) % columns]
    ]


def write_mesh(path: Path, points: list[Array], faces: list[list[int]]) -> Path:
    """Write an OBJ file."""
    lines = [f"v {x} {y} {z}" for x, y, z in points]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    path.write_text("\n".join(lines))
    return path


if __name__ == "__main__":
    main()
