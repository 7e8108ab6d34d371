"""Robots on a floor: of the library, and public ones."""

from __future__ import annotations

import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.public_robots import public_mjcfs, public_urdfs

import robotix as rx
from robotix.dynamics.simulation.drop import drop, free_root
from robotix.errors import BadField
from robotix.geometry import Box
from robotix.model import Body, Joint, Model
from robotix.model.robots import load

QUADRUPEDS = (
    "a1_description/urdf/a1.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "anymal_c_simple_description/urdf/anymal.urdf",
    "b1_description/urdf/b1.urdf",
    "go1_description/urdf/go1.urdf",
    "laikago_description/urdf/laikago.urdf",
    "quadruped_description/urdf/quadruped.urdf",
)
OTHERS = (  # thrown down without a chance to stand, but sane
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "baxter_description/urdf/baxter.urdf",
    "double_pendulum_description/urdf/double_pendulum_simple.urdf",
    "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "hyq_description/robots/hyq_no_sensors.urdf",
    "iris_description/robots/iris.urdf",
    "panda_description/urdf/panda_collision.urdf",
    "z1_description/urdf/z1.urdf",
    *("ant", "half_cheetah", "hopper", "humanoid", "humanoidstandup", "walker2d", "pusher"),
)
STANDING = {*QUADRUPEDS, *(name for name in OTHERS if name[:3] in ("g1_", "hyq", "iri"))}
SAMPLE = (QUADRUPEDS[0], "iris_description/robots/iris.urdf", "ant", "humanoidstandup")


def native_mass(path: Path) -> float:
    """Mass of all bodies as MuJoCo reads the file; it compiles few URDF files as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some MJCF files use what is deprecated
        spec = mujoco.MjSpec.from_file(str(path))
        if path.suffix == ".urdf":
            return float(sum(body.mass for body in spec.bodies if np.isfinite(body.mass)))
        return float(spec.compile().body_mass.sum())


def check_dropped(name: str, seconds: float) -> None:
    path = {**public_urdfs(), **public_mjcfs()}[name]
    model = rx.load(path)
    if path.suffix == ".urdf":
        model = free_root(model)
    found = drop(model, seconds=seconds)
    assert np.isfinite(found.q).all()
    assert found.mass == pytest.approx(native_mass(path), rel=1e-6)
    fallen = found.mass * 9.81 * 0.01  # J: dropped by 1 mm; servos sag by some more
    assert found.max_energy <= found.start.total + 0.1 * fallen, "gained energy"
    if name in STANDING:
        assert not found.fell
        assert found.contact_force == pytest.approx(found.mass * 9.81, rel=0.01)
        assert found.end.kinetic < 1e-3 * fallen


@pytest.mark.parametrize("name", SAMPLE)
def test_public_robots_are_dropped_and_held(name: str) -> None:
    check_dropped(name, 1.0)


@pytest.mark.soak
@pytest.mark.parametrize("name", [*QUADRUPEDS, *OTHERS])
def test_twenty_public_robots_are_held_for_ten_seconds(name: str) -> None:
    check_dropped(name, 10.0)


def test_the_humanoid_stands() -> None:
    model = load("vhrp26")
    found = drop(model, seconds=0.5)
    assert not found.fell
    assert found.mass == pytest.approx(8.0)
    assert found.contacts == 8
    assert found.contact_force == pytest.approx(8.0 * 9.81, rel=1e-3)
    assert found.q.shape == (51, model.n_dof)
    assert found.times[-1] == pytest.approx(0.5)


def test_without_servos_it_falls() -> None:
    model = load("vhrp26")
    q = model.neutral.copy()
    q[4] = 0.1  # leans forward
    assert drop(model, q, seconds=1.5, servos={}).fell


def test_a_fixed_arm_stays() -> None:
    found = drop(load("kuka_lwr"), seconds=0.2)
    assert not found.fell and found.contacts == 0


def test_only_a_fixed_root_is_freed() -> None:
    box = Body("box", Joint("root"), mass=1.0, collision=(Box(np.full(3, 0.1)),))
    model = Model("thing", (box,))
    assert free_root(model).n_dof == 6
    assert free_root(free_root(model)).n_dof == 6
    turning = Model("wheel", (Body("wheel", Joint("axle", "revolute"), mass=1.0),))
    with pytest.raises(BadField, match="root"):
        free_root(turning)
    with pytest.raises(BadField, match="seconds"):
        drop(model, seconds=0)
