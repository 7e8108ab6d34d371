"""Descriptions of what is simulated: what is refused, and why."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from robotix.dynamics.simulation import (
    ContactSurface,
    Mechanism,
    RigidObject,
    Servo,
    Settings,
    World,
)
from robotix.errors import BadField, BadModel, UnknownName
from robotix.geometry import Sphere
from robotix.model.robots import load

BALL = (Sphere(0.1),)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: ContactSurface(friction=-1.0), "friction"),
        (lambda: ContactSurface(rolling=float("nan")), "rolling"),
        (lambda: ContactSurface(restitution=1.1), "restitution"),
        (lambda: RigidObject("a", BALL, mobility="heavy"), "mobility"),  # type: ignore[arg-type]
        (lambda: RigidObject("a", BALL, mass=0.0), "mass"),
        (lambda: RigidObject("a", BALL, density=float("nan")), "density"),
        (lambda: Servo(stiffness=-1.0), "stiffness"),
        (lambda: Servo(damping=float("inf")), "damping"),
        (lambda: Servo(effort=-1.0), "effort"),
        (lambda: World(gravity=np.zeros(2)), "gravity"),
        (lambda: Settings(dt=0.0), "dt"),
        (lambda: Settings(integrator="euler"), "integrator"),  # type: ignore[arg-type]
        (lambda: Settings(time_constant=1e-3), "time_constant"),
        (lambda: Settings(slots=-1), "slots"),
        (lambda: Settings(sliders=1000), "sliders"),
    ],
)
def test_bad_numbers_are_told(make: Callable[[], object], field: str) -> None:
    with pytest.raises(BadField) as told:
        make()
    assert told.value.field == field


def test_bad_names_are_told() -> None:
    panda = load("panda")
    with pytest.raises(UnknownName, match="joint"):
        Mechanism("arm", panda, servos={"panda_joint9": Servo()})
    with pytest.raises(UnknownName, match="body"):
        Mechanism("arm", panda).body("hand9")
    with pytest.raises(BadModel, match="follows a path"):
        Mechanism("arm", load("kuka_lwr_rail"))
    with pytest.raises(BadModel, match="at most"):
        World(tuple(RigidObject(f"ball{k}", BALL) for k in range(5001)))
