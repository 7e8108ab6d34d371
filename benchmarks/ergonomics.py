"""How long assessments take: `python benchmarks/ergonomics.py`.

- motion: the full assessment (torques at rest and in motion, L5/S1, RULA, REBA, OWAS, strength, the
  lifting equation, clearances) of ten seconds of a lift at 100 Hz, on one core; goal: 0.3 s;
- report: the page of that assessment, pictures included;
- family: a lift by bodies drawn from the population, in one process and in as many as there are
  cores; goal: 100 bodies in 40 s on two cores;
- changes: ticks of a person in which a load is taken or released, and a new body; goal: within one
  tick of 10 ms, so that nothing pauses.

Run it on an idle machine: everything else that runs is measured, too.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable

import numpy as np

from robotix.ergonomics import Assessment, assess, assess_family, sampled_bodies
from robotix.ergonomics.report.report import report_html
from robotix.geometry import Box
from robotix.human import make_anthropometry, make_manikin
from robotix.human.motion.goals import hold_hand
from robotix.human.motion.loads import Load, LoadPhase
from robotix.human.motion.performance import Performance
from robotix.human.motion.scenario import standing
from robotix.human.motion.styles import NATURAL
from robotix.human.tasks.tasks import perform
from robotix.motion import Motion

GOAL, FAMILY_GOAL, TICK = 0.3, 40.0, 0.010  # s
SECONDS, RATE = 10.0, 100.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", type=int, default=100, help="of the family")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    measure_motion(options.rounds)
    measure_family(options.bodies)
    measure_changes()


def measure_motion(rounds: int) -> None:
    """Time the assessment of ten seconds, and its page."""
    performance = ten_seconds()
    count = len(performance.motion.times)
    first = timed(lambda: assess(performance))
    times = [timed(lambda: assess(performance)) for _ in range(rounds)]
    best, middle = min(times), statistics.median(times)
    print(f"motion   {count} instants: best {best:.3f} s, median {middle:.3f} s", end="")
    print(f" (first {first:.3f} s); goal {GOAL:g} s: {'met' if middle < GOAL else 'MISSED'}")
    found: Assessment = assess(performance)
    report_html(found)
    print(f"report   {timed(lambda: report_html(found)):.2f} s, pictures included")


def measure_family(count: int) -> None:
    """Time a family in one process and in one a core."""
    cores = os.cpu_count() or 1
    bodies = sampled_bodies(count, seed=1)
    alone = timed(lambda: assess_family("lift", bodies, workers=1))
    spread = timed(lambda: assess_family("lift", bodies, workers=cores))
    print(
        f"family   {count} bodies: one process {alone:.1f} s, {cores} processes {spread:.1f} s, ",
        end="",
    )
    print(f"{alone / spread:.2f} times as fast; start-up of processes included", end="")
    print(f"; goal {FAMILY_GOAL:g} s for 100: {'met' if spread < FAMILY_GOAL else 'MISSED'}")


def measure_changes(count: int = 100) -> None:
    """Time ticks in which the load changes, and the making of another body."""
    person = standing(make_manikin(make_anthropometry(sex="m")), style=NATURAL)
    for side in ("right", "left"):
        hold_hand(person, side, person.posture().position(f"{side}_hand"))
    for _ in range(50):
        person.tick()
    steady = [timed(person.tick) for _ in range(count)]
    changed = []
    for k in range(count):
        box = Load("box", 1.0 + k, ("right", "left"), Box(np.full(3, 0.2)))
        changed.append(timed(lambda load=box: (person.take_load(load), person.tick())))
        changed.append(timed(lambda: (person.release_load("box"), person.tick())))
    body = min(
        timed(lambda: make_manikin(make_anthropometry(sex="f", percentile=5))) for _ in range(5)
    )
    middle = statistics.median(changed)
    print(f"changes  tick {1e6 * statistics.median(steady):.0f} µs, with another load ", end="")
    print(f"{1e3 * middle:.1f} ms (longest {1e3 * max(changed):.1f}), ", end="")
    print(f"another body {1e3 * body:.1f} ms; goal {1e3 * TICK:.0f} ms: ", end="")
    print("met" if middle < TICK else "MISSED")


def ten_seconds() -> Performance:
    """Return the first ten seconds of a lift, 100 instants a second."""
    whole = perform("lift", make_manikin(make_anthropometry(sex="m")), parameters={"load": 10.0})
    rows = slice(0, round(SECONDS * RATE))
    motion = Motion.of(
        whole.manikin.model, whole.motion.times[rows], q=np.array(whole.motion.q[rows])
    )
    end = float(motion.times[-1])
    contacts = tuple(phase for phase in whole.contacts if phase.start <= end)
    loads = tuple(LoadPhase(p.load, p.start, min(p.end, end)) for p in whole.loads)
    return Performance(
        "lift", whole.manikin, motion, contacts, loads, whole.environment, whole.shortfalls
    )


def timed(work: Callable[[], object]) -> float:
    """Return how long something takes, s."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
