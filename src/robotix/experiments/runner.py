"""Runs a planned trial with a simulated operator, faster than real time, and measures it.

The room, the task, the loop's tick and the logical devices are those of a trial with a person; only
the readings of the devices come from a `SimulatedOperator`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

import numpy as np

from robotix.errors import UnknownName
from robotix.experiments.measures.motion import (
    fitts_throughput,
    log_dimensionless_jerk,
    path_length,
    spectral_arc_length,
    speeds_of,
    time_below,
)
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
from robotix.geometry import Array
from robotix.kinematics.batch import singular_values_batch
from robotix.kinematics.dexterity import isotropy_of
from robotix.scene.recording.recorder import Recorder
from robotix.visuals.appearance import APPEARANCES

__all__ = ["FACTORS", "IGNORED_FACTORS", "make_setup", "run_operator", "run_trial"]

RATE = 60.0  # ticks per second
DEFAULT_LIMIT = 900.0  # s, for plans without a time limit
NEAR_SINGULARITY = 0.1  # isotropy below which the arm counts as near a singularity (assumed)
SAMPLE_EVERY = 6  # ticks between two postures that are examined for this
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
IGNORED_FACTORS = frozenset({"task"})
SPEEDS = {"slow": 0.12, "normal": 0.25, "fast": 0.40}  # m/s at full deflection
TILT = math.radians(15)  # of the rail, for `rail_tilt`


@dataclass
class _Log:
    """What is recorded in every tick."""

    hand: list[Array] = field(default_factory=list)
    q: list[Array] = field(default_factory=list)


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
    """Return the room's setup for levels of factors; raise UnknownName for others."""
    for factor, level in levels.items():
        if factor in IGNORED_FACTORS:
            continue
        if factor not in FACTORS:
            raise UnknownName("factor of the tasks", factor, FACTORS)
        if FACTORS[factor] and level not in FACTORS[factor]:
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
    scene, watcher, log = room.scene, room.watcher, _Log()
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
                log.hand.append(np.array(grip.world_position))
                log.q.append(np.array(arm.q))
    return TrialOutcome(
        "finished" if watcher.is_finished else "timeout",
        watcher.duration,
        len(watcher.errors),
        _measure(room, operator, log) | fault_figures(scene),
        plan.recording,
    )


def _measure(room: TaskRoom, operator: SimulatedOperator, log: _Log) -> dict[str, float]:
    """Return what was measured; what is undefined is left out."""
    dt, model = room.scene.dt, room.scene.robots[ARM].model
    measures: dict[str, float | None] = {
        "submovements": float(operator.submovements),
        "posture_switches": float(operator.switches),
        "detours": float(operator.detours),
    }
    if len(log.hand) > 1:
        speeds = speeds_of(log.hand, dt)
        rows = np.array(log.q[::SAMPLE_EVERY])
        isotropy = isotropy_of(singular_values_batch(model, rows, normalised=True))
        measures |= {
            "path_length": path_length(log.hand),
            "sparc": spectral_arc_length(speeds, dt),
            "log_dimensionless_jerk": log_dimensionless_jerk(speeds, dt),
            "time_near_singularity": time_below(isotropy, NEAR_SINGULARITY, dt * SAMPLE_EVERY),
        }
    moves = operator.movements
    if moves:
        distance, width, time = np.array([(m.distance, m.width, m.time) for m in moves]).T
        measures["throughput"] = fitts_throughput(distance, width, time)
    return {name: value for name, value in measures.items() if value is not None}
