"""The link table tells the structure at any instant."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics.simulation import (
    BallJoint,
    Mechanism,
    RigidObject,
    Simulation,
    WeldJoint,
    World,
)
from robotix.errors import UnknownName
from robotix.geometry import Sphere
from robotix.model import Body, Joint, Model


def fork() -> Model:
    turn = np.array([0.0, 0.0, 1.0])
    bodies = (
        Body("trunk", Joint("hip", "revolute", turn), None, mass=1.0),
        Body("left", Joint("shoulder_left", "revolute", turn), "trunk", mass=1.0),
        Body("right", Joint("shoulder_right", "prismatic", turn), "trunk", mass=1.0),
        Body("hand", Joint("wrist"), "right", mass=1.0),
    )
    return Model("fork", bodies)


def test_pointers_of_a_tree_and_of_a_loop() -> None:
    ball = RigidObject("ball", (Sphere(0.1),), mass=1.0)
    simulation = Simulation(World((ball,), (Mechanism("m", fork()),)))
    simulation.connect("m/hand", "ball", BallJoint(np.zeros(3)), name="grip")
    table = simulation.link_table()
    found = {r.name: (r.joint, r.parent, r.child, r.brother, r.real) for r in table.rows}
    assert found == {
        "world": ("", "", "ball", "", ""),
        "ball": ("free", "world", "", "m/trunk", ""),
        "m/trunk": ("hinge", "world", "m/left", "", ""),
        "m/left": ("hinge", "m/trunk", "", "m/right", ""),
        "m/right": ("slider", "m/trunk", "m/hand", "", ""),
        "m/hand": ("fixed", "m/right", "grip", "", ""),
        "grip": ("ball", "m/hand", "", "", "ball"),
    }
    assert str(table).splitlines()[-1].split() == ["grip", "ball", "m/hand", "-", "-", "ball"]


def test_a_cut_moves_a_branch_under_the_world() -> None:
    simulation = Simulation(World(mechanisms=(Mechanism("m", fork()),)))
    simulation.connect("world", "m/left", WeldJoint())
    simulation.cut("m/shoulder_right")
    assert simulation.link_table().row("m/right").parent == "world"
    assert simulation.link_table().row("connection 0").real == "m/left"
    simulation.cut("m/wrist")  # a fixed joint breaks as well
    assert simulation.link_table().row("m/hand").joint == "free"
    with pytest.raises(UnknownName, match="link"):
        simulation.link_table().row("foot")
