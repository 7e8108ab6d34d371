"""Runs a planned trial with a simulated operator, faster than real time, and measures it.

The room, the task, the loop's tick and the logical devices are those of a trial with a person; only
the readings of the devices come from a `SimulatedOperator`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import ExitStack, closing

import numpy as np

from robotix.errors import UnknownName
from robotix.experiments.measures.driving import DrivingLog, measure_driving
from robotix.experiments.measures.motion import fitts_throughput
from robotix.experiments.operators.operator import SimulatedOperator
from robotix.experiments.operators.traits import TYPICAL, OperatorTraits, draw_traits
from robotix.experiments.sharing.operator_faults import (
    OPERATOR_REACTIONS,
    cause_faults,
    fault_figures,
)
from robotix.experiments.sharing.trial import is_shared, run_shared_trial
from robotix.experiments.tasks.controls import ACCESS_AIDS, ARM, MODES, REFERENCES
from robotix.experiments.tasks.large_targets import TARGETS
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.room import (
    GRIP_NODE,
    RoomSetup,
    TaskRoom,
    open_task_room,
)
from robotix.experiments.trial import TrialOutcome, TrialPlan
from robotix.scene.recording.recorder import Recorder
from robotix.visuals.appearance import APPEARANCES

__all__ = ["FACTORS", "SIMULATED", "make_setup", "run_operator", "run_trial"]

RATE = 60.0  # ticks per second
DEFAULT_LIMIT = 900.0  # s, for plans without a time limit
PRACTISED = 12  # movements of an operator who was trained before, by the factor `training`

# Factors of trials in the rooms of tasks, with their levels; empty: any.
FACTORS: Mapping[str, tuple[str, ...]] = {
    "arm": (),
    "mounting": ("fixed", "rail", "rail_tilt"),
    "mode": MODES,
    "reference": REFERENCES,
    "access": ACCESS_AIDS,
    "targets": TARGETS,
    "method": ("dls", "nested", "strict", "qp"),
    "device": (),  # what a person holds; every device serves every room
    "training": ("none", "trained"),
    "speed": ("slow", "normal", "fast"),
    "appearance": APPEARANCES,  # of the arm; an operator model has no opinion about it
    "fault": (),
    "reaction": OPERATOR_REACTIONS,
}
# Levels that the model of an operator knows; of the other factors it knows all.
SIMULATED: Mapping[str, tuple[str, ...]] = {
    "mode": ("position",),
    "reference": ("velocity",),
    "access": ("none",),
    "device": ("joystick", "gamepad", "spacemouse"),
}
SPEEDS = {"slow": 0.12, "normal": 0.25, "fast": 0.40}  # m/s at full deflection
TILT = math.radians(15)  # of the rail, for `rail_tilt`


def run_trial(plan: TrialPlan) -> TrialOutcome:
    """Run a trial with the simulated operator that has the name of the participant.

    Tasks that a person and a robot share have no operator.
    """
    return run_shared_trial(plan) if is_shared(plan.task) else run_operator(plan)


def run_operator(
    plan: TrialPlan, *, typical: OperatorTraits = TYPICAL, spread: float = 0.2
) -> TrialOutcome:
    """Run a trial with an operator drawn around a typical one."""
    task = load_task(plan.task)
    setup = make_setup(plan.levels)
    for factor, known in SIMULATED.items():
        if plan.levels.get(factor, known[0]) not in known:
            raise UnknownName(f"level of {factor} for operators", plan.levels[factor], known)
    traits = draw_traits(plan.participant, typical=typical, spread=spread)
    if plan.levels.get("training") == "trained":
        traits = traits.practised(PRACTISED)
    room = open_task_room(task, setup, rate=RATE, seed=plan.seed)
    try:
        cause_faults(room.scene, ARM, plan.levels)
        return _run(room, traits, plan)
    finally:
        room.close()


def make_setup(levels: Mapping[str, str]) -> RoomSetup:
    """Return the room's setup for levels of factors; raise UnknownName for unknown levels.

    Factors that are not known here, as a group of participants, change nothing in the room.
    """
    for factor, level in levels.items():
        if FACTORS.get(factor) and level not in FACTORS[factor]:
            raise UnknownName(f"level of {factor}", level, FACTORS[factor])
    mounting = levels.get("mounting", "rail")
    return RoomSetup(
        arm=levels.get("arm", "kuka_lwr").removesuffix("_rail"),
        mounting=mounting,
        tilt=TILT if mounting == "rail_tilt" else 0.0,
        mode=levels.get("mode", "position"),
        reference=levels.get("reference", "velocity"),
        access=levels.get("access", "none"),
        targets=levels.get("targets", "normal"),
        method=levels.get("method", "dls"),
        appearance=levels.get("appearance", "own"),
        speed=SPEEDS[levels.get("speed", "normal")],
    )


def _run(room: TaskRoom, traits: OperatorTraits, plan: TrialPlan) -> TrialOutcome:
    operator = SimulatedOperator(room, traits, np.random.default_rng(plan.seed))
    scene, watcher, log = room.scene, room.watcher, DrivingLog()
    limit = min(plan.time_limit, DEFAULT_LIMIT)
    grip, arm = scene.graph[GRIP_NODE], scene.robots[ARM]
    with ExitStack() as stack:
        recorder = None
        if plan.recording is not None:
            recorder = stack.enter_context(closing(Recorder(plan.recording, scene)))
        while not watcher.is_finished and watcher.duration < limit and scene.time < 2 * limit:
            scene.step(operator.act())
            if recorder is not None:
                recorder(scene)
            if watcher.started_at is not None:
                log.add(grip.world_position, arm.q)
    return TrialOutcome(
        "finished" if watcher.is_finished else "timeout",
        watcher.duration,
        len(watcher.errors),
        _measure(room, operator, log) | fault_figures(scene),
        plan.recording,
    )


def _measure(room: TaskRoom, operator: SimulatedOperator, log: DrivingLog) -> dict[str, float]:
    """Return what was measured; what is undefined is left out."""
    measures = {
        "submovements": float(operator.submovements),
        "posture_switches": float(operator.switches),
        "detours": float(operator.detours),
    } | measure_driving(log, room.scene.robots[ARM].model, dt=room.scene.dt)
    moves = operator.movements
    if moves:
        distance, width, time = np.array([(m.distance, m.width, m.time) for m in moves]).T
        throughput = fitts_throughput(distance, width, time)
        if throughput is not None:
            measures["throughput"] = throughput
    return measures
