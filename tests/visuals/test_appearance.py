"""Looks of a robot: only what is drawn changes."""

import numpy as np
import pytest

import robotix as rx
from robotix.errors import UnknownName
from robotix.experiments.runner import make_setup
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.room import open_task_room
from robotix.visuals.appearance import APPEARANCES, with_appearance
from robotix.visuals.looks import link_looks


@pytest.mark.parametrize("appearance", APPEARANCES)
def test_only_the_look_changes(appearance: str) -> None:
    own = rx.load("kuka_lwr")
    model = with_appearance(own, appearance)
    for before, after in zip(own.bodies, model.bodies, strict=True):
        assert after.collision is before.collision and after.joint is before.joint
        assert after.mass == before.mass and len(after.visuals) == len(before.visuals)
    assert bool(link_looks(model)) == (appearance != "technical")


def test_every_look_is_another_one() -> None:
    own = rx.load("kuka_lwr")
    seen = set()
    for appearance in APPEARANCES:
        model = with_appearance(own, appearance)
        paint = {part.material.colour for parts in link_looks(model).values() for part in parts}
        rods = {visual.rgba for body in model.bodies for visual in body.visuals}
        seen.add((frozenset(paint), frozenset(rods)))
    assert len(seen) == len(APPEARANCES)
    bare = with_appearance(own, "technical").bodies[-1].visuals[0].shape
    assert bare.radius < own.bodies[-1].visuals[0].shape.radius  # type: ignore[union-attr]
    with pytest.raises(UnknownName, match="technical"):
        with_appearance(own, "techical")


def test_a_task_is_done_with_the_look_that_the_study_says() -> None:
    room = open_task_room(load_task("chess"), make_setup({"appearance": "coloured"}))
    plain = open_task_room(load_task("chess"))
    arm, other = room.scene.robots["arm"], plain.scene.robots["arm"]
    assert (arm.model.appearance, other.model.appearance) == ("coloured", "")
    np.testing.assert_array_equal(arm.q, other.q)
    room.close()
    plain.close()
