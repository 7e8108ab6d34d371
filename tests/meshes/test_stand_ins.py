"""Links whose meshes cannot be read get bodies from the kinematics; all others keep theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.mesh_files import STL

from robotix.geometry import Box, Capsule, Mesh, Pose, Shape, Sphere
from robotix.inputs.problem import Problem
from robotix.meshes.stand_ins import with_stand_ins
from robotix.model import Body, Joint, Model, Visual
from robotix.scene import Scene
from robotix.visuals.looks import link_looks


def arm(shape: Shape) -> Model:
    shown = Visual(shape, (1.0, 0.0, 0.0, 1.0))
    upper = Body("upper", Joint("shoulder", "revolute"), collision=(shape,), visuals=(shown,))
    lower = replace(
        upper, name="lower", joint=Joint("elbow", "revolute"), parent="upper",
        placement=Pose.at(0.4, 0, 0),
    )  # fmt: skip
    return Model("arm", (upper, lower), notes=("1 mesh file was not found: x.stl",))


def test_missing_meshes_become_capsules_along_the_links() -> None:
    problems: list[str] = []
    model = with_stand_ins(arm(Mesh("package://gone/x.stl")), problems.append)
    upper, lower = model.bodies
    (rod,) = upper.collision
    assert isinstance(rod, Capsule)
    assert rod.length == pytest.approx(0.4)
    np.testing.assert_allclose(rod.pose.translation, [0.2, 0, 0])
    assert isinstance(lower.collision[0], Sphere)
    assert upper.visuals[0].is_stand_in
    assert upper.visuals[0].rgba == (1.0, 0.0, 0.0, 1.0)
    assert problems == []  # the notes say it already
    assert set(link_looks(model)) == {"upper", "lower"}


def test_what_can_be_read_stays(tmp_path: Path) -> None:
    (tmp_path / "x.stl").write_bytes(STL)
    for shape in (Mesh("x.stl", file=str(tmp_path / "x.stl")), Box(np.ones(3))):
        model = arm(shape)
        assert with_stand_ins(model, pytest.fail) is model
        assert link_looks(model) == {}


def test_a_broken_mesh_is_reported_once(tmp_path: Path) -> None:
    broken = tmp_path / "x.stl"
    broken.write_bytes(STL[:-1])
    problems: list[str] = []
    with_stand_ins(arm(Mesh("x.stl", file=str(broken))), problems.append)
    assert len(problems) == 1
    assert "cut short" in problems[0]


def test_a_picture_that_is_missing_is_what_collides() -> None:
    box = Box(np.full(3, 0.1))
    body = Body("b", Joint("j"), collision=(box,), visuals=(Visual(Mesh("gone.stl")),))
    model = with_stand_ins(Model("m", (body,)), pytest.fail)
    assert model.bodies[0].visuals[0].shape is box


def test_a_scene_tells_its_users() -> None:
    scene = Scene()
    scene.add_robot("arm", arm(Mesh("gone.stl")))
    told = [each for each in scene.messages if isinstance(each, Problem)]
    assert told == [Problem("robot arm", "1 mesh file was not found: x.stl")]
    assert scene.contacts.distance("arm/upper", "arm/lower").distance < 0.0


def test_a_robot_without_shapes_is_drawn_and_solid() -> None:
    bare = replace(arm(Box(np.ones(3))), notes=())
    bare = replace(bare, bodies=tuple(replace(b, collision=(), visuals=()) for b in bare.bodies))
    model = with_stand_ins(bare, pytest.fail)
    for body in model.bodies:
        assert body.collision
        assert [visual.shape for visual in body.visuals] == list(body.collision)
    still = Model("still", (Body("base", Joint("root")),))
    assert with_stand_ins(still, pytest.fail) is still


def test_what_is_drawn_also_collides_if_nothing_else_does_and_the_other_way_round() -> None:
    full = arm(Box(np.ones(3)))
    drawn = replace(full, bodies=tuple(replace(body, collision=()) for body in full.bodies))
    solid = replace(full, bodies=tuple(replace(body, visuals=()) for body in full.bodies))
    for model in (drawn, solid):
        for body in with_stand_ins(model, pytest.fail).bodies:
            assert isinstance(body.collision[0], Box)
            assert isinstance(body.visuals[0].shape, Box)
