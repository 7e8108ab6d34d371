"""Runs a shared task, faster than real time, and measures both sides.

The robot side is what its safety monitor logs; the person's load is L5/S1 compression and RULA of
what she performs, at every tick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from robotix.authoring.load.load import read_native
from robotix.devices import Controls, default_device_map, fit_to_scene, load_samples
from robotix.ergonomics import assess, recorded
from robotix.experiments.sharing.rooms import ARM, DONE, SharedSetup, shared_room
from robotix.experiments.sharing.tracked import PERSON
from robotix.geometry import Array
from robotix.human.motion.performance import Performance
from robotix.inputs.readings import Inputs
from robotix.motion import Motion, load_motion
from robotix.safety.faults import Fault
from robotix.safety.protection import ProtectionSettings
from robotix.scene.commands.safety import inject
from robotix.scene.events.events import Signal
from robotix.scene.people.person import Person
from robotix.scene.robots.drives import FollowNode
from robotix.scene.robots.safety_log import SLOW, RobotContact
from robotix.scene.robots.safety_monitor import SafetyMonitor
from robotix.scene.scene import Scene

__all__ = [
    "PERSON_COLUMNS",
    "SharedLog",
    "SharedRun",
    "open_shared",
    "run_shared",
    "shared_figures",
]

DEFAULT_LIMIT = 60.0  # s
PERSON_COLUMNS = ("compression", "rula")  # N at L5/S1; the worse of both sides


@dataclass(frozen=True, eq=False)
class SharedRun:
    """What came of a shared task."""

    task: str
    setup: SharedSetup
    protection: ProtectionSettings
    is_done: bool
    duration: float  # s
    figures: Mapping[str, float]  # SI units
    series: Mapping[str, Array]  # by name, one value a tick
    contacts: Sequence[RobotContact]


@dataclass(eq=False)
class SharedLog:
    """What the person performed in every tick, and how the work went."""

    acts: list[Performance] = field(default_factory=list)
    rows: list[tuple[int, float]] = field(default_factory=list)  # number of the act, s; -1: none
    postures: list[Array] = field(default_factory=list)  # of a tracked person, one a tick
    is_done: bool = False
    gap: float = 0.0  # m, by which the robot fell behind the person when both carry

    def note(self, performance: Performance | None, time: float) -> None:
        """Note what is performed in this tick, and at which time of it (s)."""
        if performance is None:
            self.rows.append((-1, 0.0))
            return
        if not self.acts or self.acts[-1] is not performance:
            self.acts.append(performance)
        self.rows.append((len(self.acts) - 1, time))

    def note_tick(self, scene: Scene, *, is_tracked: bool) -> None:
        """Note what the person does in this tick, and how far the arm falls behind."""
        arm, person = scene.robots[ARM], scene.people[PERSON]
        if is_tracked:
            self.postures.append(person.robot.q)
        else:
            self.note(None if person.act is None else person.act.performance, person.act_time)
        if isinstance(arm.drive, FollowNode):
            self.gap = max(self.gap, arm.drive.gap(arm))

    def note_tracked(self, person: Person, dt: float) -> None:
        """Let the motion of a tracked person be assessed as a performed one is."""
        times = dt * np.arange(len(self.postures))
        motion = Motion.of(person.manikin.model, times, q=np.array(self.postures))
        performance = recorded(motion, person.manikin, name="tracked person")
        for time in times:
            self.note(performance, float(time))

    def moving_contacts(self, scene: Scene) -> int:
        """Return how often the arm touched the person while it moved."""
        return sum(each.robot_speed > SLOW for each in _monitor(scene).log.contacts)


def run_shared(
    task: str,
    protection: ProtectionSettings,
    *,
    setup: SharedSetup | None = None,
    time_limit: float = DEFAULT_LIMIT,
    fault: Fault | None = None,
    with_load: bool = True,
) -> SharedRun:
    """Run a shared task to its end, or to a time limit (s); a fault can be caused on the way.

    The load of the person takes most of the time of a run; without it only the robot is measured.
    """
    setup = setup or SharedSetup()
    scene = open_shared(task, setup, protection)
    try:
        log = _play(scene, setup, time_limit, fault)
        return _result(scene, log, task, setup, protection, with_load=with_load)
    finally:
        scene.plugins.close()


def open_shared(task: str, setup: SharedSetup, protection: ProtectionSettings) -> Scene:
    """Return the scene of a shared task."""
    folder = Path(setup.motion).parent if setup.motion else Path()
    named = SharedSetup(**(vars(setup) | {"motion": Path(setup.motion).name}))
    path, text = folder / f"{task}.yaml", shared_room(task, named, protection)
    native, problems = read_native(path, is_check=False, changed={path: text}, seed=setup.seed)
    if problems or native is None:
        raise problems[0]
    return native.scene


def _play(scene: Scene, setup: SharedSetup, time_limit: float, fault: Fault | None) -> SharedLog:
    """Run the scene until the work is done, or the time is over."""
    arm, person, log = scene.robots[ARM], scene.people[PERSON], SharedLog()
    if fault is not None:
        scene.start(inject(scene, fault, robot=arm), name="fault")
    replay = None
    read = _read_devices(scene, setup)
    if setup.motion:
        motion = load_motion(setup.motion, model=person.manikin.model)
        replay = recorded(motion, person.manikin)
    while not log.is_done and scene.time < time_limit:
        scene.step(read())
        if replay is not None:
            log.note(replay, min(scene.time, replay.motion.duration))
        else:
            log.note_tick(scene, is_tracked=setup.is_tracked)
        log.is_done = any(event.source == Signal(DONE) for event in scene.events)
    if log.postures:
        log.note_tracked(person, scene.dt)
    return log


def _read_devices(scene: Scene, setup: SharedSetup) -> Callable[[], Inputs]:
    """Return what reads recorded samples at the times of the scene; nothing without."""
    if not setup.is_tracked:
        return Inputs
    if not setup.samples:
        raise ValueError("a tracked person needs recorded samples here; live devices need a page")
    mapping = fit_to_scene(default_device_map(), scene.devices)
    controls = Controls(mapping, load_samples(setup.samples).values())
    return lambda: Inputs(controls.read(scene.time))


def _result(
    scene: Scene,
    log: SharedLog,
    task: str,
    setup: SharedSetup,
    protection: ProtectionSettings,
    *,
    with_load: bool,
) -> SharedRun:
    figures, series = shared_figures(scene, log, with_load=with_load)
    contacts = tuple(_monitor(scene).log.contacts)
    return SharedRun(task, setup, protection, log.is_done, scene.time, figures, series, contacts)


def _monitor(scene: Scene) -> SafetyMonitor:
    monitor = scene.robots[ARM].monitor
    if not isinstance(monitor, SafetyMonitor):  # a room whose protection failed says why
        raise ValueError(f"the arm of {scene.name!r} is not monitored: {scene.messages}")
    return monitor


def shared_figures(
    scene: Scene, log: SharedLog, *, with_load: bool
) -> tuple[dict[str, float], dict[str, Array]]:
    """Return what a run comes to, and its series: the arm's, and with a load the person's."""
    monitor = _monitor(scene)
    series = dict(monitor.log.table())
    figures = dict(monitor.log.summary())
    if with_load:
        series |= dict(zip(PERSON_COLUMNS, _loads(log), strict=True))
        figures |= _load_figures(series)
    if log.gap:
        figures["carry_gap"] = log.gap
    for record in scene.faults.records[:1]:
        figures |= record.figures()
    return figures, series


def _loads(log: SharedLog) -> tuple[Array, Array]:
    """Return compression (N) and RULA at every tick; nan before the person does anything."""
    compression, rula = np.full(len(log.rows), np.nan), np.full(len(log.rows), np.nan)
    acts, times = (np.array([row[k] for row in log.rows]) for k in (0, 1))
    for number, performance in enumerate(log.acts):
        mine = np.flatnonzero(acts == number)
        found = assess(performance)
        start = float(performance.motion.times[0])
        rows = np.searchsorted(found.times, start + times[mine]).clip(0, len(found.times) - 1)
        compression[mine] = found.back.compression[rows]
        worse = np.maximum(found.scores.rula["right"], found.scores.rula["left"])
        rula[mine] = worse[rows]
    return compression, rula


def _load_figures(series: Mapping[str, Array]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name in PERSON_COLUMNS:
        known = series[name][~np.isnan(series[name])]
        if len(known):
            figures |= {f"max_{name}": float(known.max()), f"mean_{name}": float(known.mean())}
    return figures
