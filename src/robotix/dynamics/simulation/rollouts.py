"""Many simulations at once, on all cores, for studies of parameters.

`rollout` steps one world from many states or with many commands, in threads of MuJoCo; `run_cases`
calls any function, such as a trial with a controller, for many cases in processes. Results come in
the order of the cases and do not depend on the number of threads or processes: what is random must
come from a seed in the case.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TypeVar

import mujoco
import numpy as np
from mujoco.rollout import rollout as native_rollout
from numpy.typing import ArrayLike

from robotix.dynamics.simulation.coordinates import Coordinates, coordinates_of
from robotix.dynamics.simulation.simulation import Simulation
from robotix.errors import BadField, UnknownName
from robotix.files.worker_pool import WorkerPool
from robotix.geometry import Array

__all__ = ["rollout", "run_cases"]

Case = TypeVar("Case")
Result = TypeVar("Result")
FULL_STATE = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)


def rollout(
    simulation: Simulation,
    name: str,
    *,
    steps: int,
    q: ArrayLike | None = None,
    dq: ArrayLike | None = None,
    commands: ArrayLike | None = None,
    every: int = 1,
    threads: int | None = None,
) -> tuple[Array, Array]:
    """Step copies of a simulation without feedback; return q and dq of a mechanism over time.

    The copies start with the mechanism at `q` and `dq`, (n, n_dof) each; at its present state when
    both are None, at rest when only `dq` is. Its servos track the positions `commands`, (n, steps
    or 1, n_dof); the present commands when None. The results are (n, steps / every, n_dof) each.
    The simulation itself is not stepped.
    """
    if not 1 <= steps <= 10_000_000 or not 1 <= every <= steps:
        raise BadField("steps", "1 or more, and at least `every`", steps)
    model = simulation.model
    part = next((each for each in simulation.world.mechanisms if each.name == name), None)
    if part is None:
        raise UnknownName("mechanism", name, [each.name for each in simulation.world.mechanisms])
    where = coordinates_of(part, model)
    controls = _controls(simulation, where, commands, steps)
    states = _states(simulation, name, q, dq, where.n_dof)
    count = max(len(states), len(controls))
    states = np.broadcast_to(states, (count, states.shape[1])).copy()
    controls = np.broadcast_to(controls, (count, *controls.shape[1:])).copy()
    workers = [mujoco.MjData(model) for _ in range(min(threads or _cores(), count))]
    found, _ = native_rollout(model, workers, states, controls, nstep=steps)
    return _read(model, where, found[:, every - 1 :: every])


def _states(
    simulation: Simulation, name: str, q: ArrayLike | None, dq: ArrayLike | None, n_dof: int
) -> Array:
    """Return the full states that the copies start from, (n, size)."""
    postures = [] if q is None else list(_rows(q, n_dof, "q"))
    rates = [] if dq is None else list(_rows(dq, n_dof, "dq"))
    if rates and not postures:
        postures = [simulation.q(name)] * len(rates)
    if rates and len(rates) != len(postures):
        raise BadField("dq", f"{len(postures)} rows, as q has", len(rates))
    if not postures:
        return _full_state(simulation)[None]
    before, states = simulation.snapshot(), []
    for k, posture in enumerate(postures):
        simulation.set_state(name, posture, rates[k] if rates else None)
        states.append(_full_state(simulation))
    simulation.set_snapshot(before)
    return np.array(states)


def _full_state(simulation: Simulation) -> Array:
    state = np.empty(mujoco.mj_stateSize(simulation.model, FULL_STATE))
    mujoco.mj_getState(simulation.model, simulation.data, state, FULL_STATE)
    return state


def _controls(
    simulation: Simulation, where: Coordinates, commands: ArrayLike | None, steps: int
) -> Array:
    """Return the controls of all actuators, (n, steps, nu)."""
    present = simulation.data.ctrl
    if commands is None:
        return np.tile(present, (1, steps, 1))
    targets = np.asarray(commands, dtype=float)
    if targets.ndim != 3 or targets.shape[1] not in (1, steps) or targets.shape[2] != where.n_dof:
        raise BadField("commands", f"of shape (n, {steps} or 1, {where.n_dof})", targets.shape)
    out = np.tile(present, (len(targets), steps, 1))
    out[:, :, where.actuators] = where.stiffness * targets[:, :, where.driven]
    return out


def _read(model: mujoco.MjModel, where: Coordinates, states: Array) -> tuple[Array, Array]:
    """Return q and dq of full states, (n, k, n_dof) each."""
    scratch = mujoco.MjData(model)
    q, dq = (np.empty((*states.shape[:2], where.n_dof)) for _ in range(2))
    for copy in range(len(states)):
        for k, state in enumerate(states[copy]):
            scratch.qpos[:] = state[1 : 1 + model.nq]
            scratch.qvel[:] = state[1 + model.nq : 1 + model.nq + model.nv]
            q[copy, k], dq[copy, k] = where.read(scratch)
    return q, dq


def _rows(values: ArrayLike, size: int, name: str) -> Array:
    rows = np.asarray(values, dtype=float)
    if rows.ndim != 2 or rows.shape[1] != size or not len(rows):
        raise BadField(name, f"of shape (n, {size})", rows.shape)
    return rows


def run_cases(
    function: Callable[[Case], Result],
    cases: Iterable[Case],
    *,
    processes: int | None = None,
    advance: Callable[[object], None] | None = None,
) -> list[Result]:
    """Return `function(case)` for every case, in their order.

    The function and the cases must be picklable. Without `processes` there is one a core; with 1
    all run in this process. `advance` is called with each result, to show progress.
    """
    listed = list(cases)
    count = min(processes or _cores(), len(listed))
    if count <= 1:
        return [_reported(function(case), advance) for case in listed]
    with WorkerPool(count) as pool:
        return [_reported(result, advance) for result in pool.map(function, listed)]


def _reported(result: Result, advance: Callable[[object], None] | None) -> Result:
    if advance is not None:
        advance(result)
    return result


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
