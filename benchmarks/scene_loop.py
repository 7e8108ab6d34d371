"""How heavy a room is, and how punctual: `python benchmarks/scene_loop.py`.

- busy: three arms, 200 objects, 50 rules and collisions at 120 Hz; the share of one core;
- flat: the furnished flat with 100 free things, at rest and stirred; the share of one core;
- rules: the same tick with 1,000 rules and with none;
- haptics: one ten-joint arm that follows a hand at 1 kHz; how long the slowest ticks take.

Run it on an idle machine: everything else that runs is measured, too.
"""

import argparse
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.geometry import Box, Pose, Sphere
from robotix.inputs.readings import Inputs, Reading
from robotix.model.robots import load
from robotix.scene.commands.basic import Say
from robotix.scene.events.action import Action, repeat
from robotix.scene.events.events import Button, Collision, RegionEntry, Signal, Timer
from robotix.scene.graph.body import BodyProperties
from robotix.scene.graph.content import Region
from robotix.scene.loop import Loop, LoopReport
from robotix.scene.recording.recorder import Recorder
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import Tracking, TrackOptions
from robotix.scene.scene import Scene

GOAL_SHARE, GOAL_FLAT, GOAL_P999 = 0.25, 0.5, 1e-3


@dataclass(frozen=True)
class Row:
    """One measurement."""

    name: str
    report: LoopReport
    share: float  # of one core, waiting included
    goal: str = ""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each measurement")
    seconds = parser.parse_args().seconds
    rows = [*busy(seconds), *flat(seconds), *rules(), *haptics(seconds)]
    print(f"{'':<32}{'ticks':>8}{'median':>9}{'p99':>9}{'p99.9':>9}{'worst':>9}", end="")
    print(f"{'overruns':>10}{'core':>8}  goal")
    for row in rows:
        r = row.report
        times = "".join(f"{t * 1e6:>7.0f}µs" for t in (r.median, r.p99, r.p999, r.worst))
        print(f"{row.name:<32}{r.ticks:>8}{times}{r.overruns:>10}{row.share:>8.1%}  {row.goal}")


# -- busy -----------------------------------------------------------------------------------


def busy(seconds: float) -> list[Row]:
    """Return the room at 120 Hz, without and with a recording."""
    rows = [measure("busy, 120 Hz", busy_room(), seconds=seconds, goal=GOAL_SHARE)]
    with tempfile.TemporaryDirectory() as folder:
        rows.append(
            measure(
                "busy, recorded",
                busy_room(),
                seconds=seconds,
                goal=GOAL_SHARE,
                record=Path(folder) / "busy.mcap",
            )
        )
    return rows


def busy_room() -> Scene:
    """Return a room with three moving arms, 200 objects of which 20 move, and 50 rules."""
    scene = objects_and_arms()
    for k in range(30):
        scene.on(Collision(f"arm{k % 3}", f"box{6 * k}"), Say("hit"), mode="change")
    scene.on(Collision("arm0", "*"), Say("hit"), mode="change")
    for k in range(9):
        scene.on(RegionEntry("zone", f"box{k}"), Say("in"), mode="change")
    for k in range(10):
        scene.timers.start(f"beat{k}", 0.5 + 0.1 * k, again=True)
        scene.on(Timer(f"beat{k}"), Say("beat"))
    return scene


def objects_and_arms() -> Scene:
    """Return the room without its rules."""
    scene, rng = Scene(), np.random.default_rng(1)
    for k in range(3):
        arm = scene.add_robot(f"arm{k}", load("kuka_lwr"), pose=Pose.at(1.5 * k, 0, 0))
        scene.start(to_and_fro(arm))
    for k in range(200):
        place = rng.uniform([-1, -2, 0], [4, 2, 2])
        scene.graph.add(f"box{k}", solids=[Box(np.full(3, 0.1))], pose=Pose.at(*place))
    scene.graph.add("zone", solids=[Sphere(0.5)], content=Region(), pose=Pose.at(1, 1, 1))
    graph = scene.graph
    rows = [graph[f"box{k}"].row for k in range(20)]
    homes = graph.local[rows, 9].copy()

    def sway(dt: float) -> None:
        graph.local[rows, 9] = homes + 0.3 * math.sin(2 * scene.time)
        graph.mark_moved()

    scene.add_hook("sway", sway)
    return scene


def to_and_fro(arm: Robot) -> Action:
    """Swing an arm for ever."""

    def swing() -> Action:
        for sign in (1.0, -1.0):
            arm.move([sign * 0.6] * arm.model.n_dof, ticks=240)
            for _ in range(240):
                yield

    return repeat(swing)


# -- physics --------------------------------------------------------------------------------


def flat(seconds: float) -> list[Row]:
    """Return the flat with 100 free things: at rest, and stirred."""
    still, stirred = flat_with_things(), flat_with_things()
    stirrer = stirred.graph.add(
        "stirrer", solids=[Box(np.array([0.05, 0.3, 0.05]))], body=BodyProperties("moved")
    )

    def stir(dt: float) -> None:
        angle = 2 * stirred.time
        stirrer.pose = Pose.at(-0.8 + 0.3 * math.cos(angle), 0.6 + 0.3 * math.sin(angle), 0.03)

    stirred.add_hook("stir", stir)
    return [
        measure("flat, 100 free things at rest", still, seconds=seconds, goal=GOAL_FLAT),
        measure("the same, stirred", stirred, seconds=seconds, goal=GOAL_FLAT),
    ]


def flat_with_things() -> Scene:
    """Return the flat, with cubes on its floor until 100 things are free."""
    scene, rng = load_scene(default_room()), np.random.default_rng(2)
    free = sum(node.body is not None and node.body.kind == "free" for node in scene.graph)
    for k in range(100 - free):
        x, y = rng.uniform([-1.3, 0.1], [-0.3, 1.1])
        scene.graph.add(
            f"cube {k}", solids=[Box(np.full(3, 0.05))], pose=Pose.at(x, y, 0.03 + 0.06 * (k % 4)),
            body=BodyProperties(mass=0.1),
        )  # fmt: skip
    return scene


# -- rules ----------------------------------------------------------------------------------


def rules() -> list[Row]:
    """Return the tick without rules, with a thousand, and the ratio."""
    none = measure("no rules", objects_and_arms(), ticks=5000)
    scene = objects_and_arms()
    for k in range(1000):
        source = Button("keyboard", f"F{k}") if k % 2 else Signal(f"signal {k}")
        scene.on(source, Say("heard"))
    many = measure("1,000 rules", scene, ticks=5000)
    ratio = many.report.mean / none.report.mean
    return [none, Row(many.name, many.report, many.share, f"ratio of means {ratio:.3f}")]


# -- haptics --------------------------------------------------------------------------------


def haptics(seconds: float) -> list[Row]:
    """Return the loop at 1 kHz, without and with a recording."""
    name = "vishard10 tracking, 1 kHz"
    rows = [track(name, seconds)]
    with tempfile.TemporaryDirectory() as folder:
        rows.append(track("the same, recorded", seconds, Path(folder) / "haptics.mcap"))
    return rows


def track(name: str, seconds: float, record: Path | None = None) -> Row:
    """Follow a hand that draws circles."""
    scene = Scene(dt=1e-3)
    scene.devices["hand"] = "hand"
    arm = scene.add_robot("arm", load("vishard10"))

    def hand() -> Inputs:
        angle = 2 * math.pi * scene.time
        return Inputs({"hand": Reading(position=(0.1 * math.cos(angle), 0.1 * math.sin(angle), 0))})

    scene.step(hand())
    Tracking(arm, "hand", TrackOptions()).engage(arm)
    return measure(
        name, scene, seconds=seconds, source=lambda now: hand(), record=record, punctual=True
    )


# -- measuring ------------------------------------------------------------------------------


def measure(
    name: str,
    scene: Scene,
    *,
    seconds: float = 0.0,
    ticks: int = 0,
    source=None,
    record: Path | None = None,
    goal: float = 0.0,
    punctual: bool = False,
) -> Row:
    """Run so many seconds in real time, or so many ticks without waiting."""
    recorder = Recorder(record, scene) if record is not None else None
    consumers = [recorder] if recorder is not None else []
    speed = math.inf if ticks else 1.0
    Loop(scene, source=source, on_tick=consumers, speed=math.inf).run(ticks=200)  # warm
    loop = Loop(scene, source=source, on_tick=consumers, speed=speed)
    begin = time.process_time()
    report = loop.run(ticks=ticks or round(seconds / scene.dt))
    share = (time.process_time() - begin) / report.elapsed
    if recorder is not None:
        recorder.close()
    verdict = f"core < {goal:.0%}: {'met' if share < goal else 'MISSED'}" if goal else ""
    if punctual:
        is_met = report.p999 < GOAL_P999
        verdict = f"p99.9 < {GOAL_P999 * 1e3:g} ms: {'met' if is_met else 'MISSED'}"
    return Row(name, report, share, verdict)


if __name__ == "__main__":
    main()
