"""The RoboTiX format: its text, the nodes it names, refusals with their place, round trips."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from oracles.recursive_fk import largest_gap, world_poses
from support.random_models import random_chain

from robotix.errors import BadFile, BadModel
from robotix.geometry import Box, Pose, Sphere
from robotix.model import Body, Joint, Mimic, Model, PathSegment, PlanarPath
from robotix.model.legacy.robot_file import load_robotix
from robotix.model.legacy.scene_file import SceneNode
from robotix.model.legacy.text import parse_robotix
from robotix.model.legacy.writer import save_robotix, to_robotix

SCARA = """# A SCARA arm, in mm and degrees
ROBOT = 1
{
  JOINT shoulder
  {
    AXIS = axis_1
    TYPE = 1        # 1 revolute, 2 prismatic
    QMIN = -170
    QMAX = 170
  }
  JOINT quill
  {
    AXIS = axis_2
    TYPE = 2
    QMIN = -200
    QMAX = 0
  }
}
"""
NODES = """length_unit = 0.001

[[node]]
name = "column"
xyz = [0, 0, 500]

[[node.shape]]
kind = "box"
size = [100, 100, 1000]

[[node]]
name = "axis_1"
parent = "column"
xyz = [50, 0, 0]
axis = [0, 0, 2]

[[node]]
name = "shoulder"
parent = "column"

[[node]]
name = "arm"
parent = "shoulder"
xyz = [250, 0, 0]
rpy_deg = [0, 90, 0]

[[node.shape]]
kind = "capsule"
radius = 40
length = 300

[[node]]
name = "axis_2"
parent = "shoulder"
xyz = [999, 0, 0]
axis = [0, 0, 1]

[[node]]
name = "quill"
parent = "shoulder"
xyz = [350, 0, 0]

[[node]]
name = "pen"
parent = "quill"
xyz = [0, 0, -300]
"""


def write(folder: Path, robot: str = SCARA, nodes: str = NODES) -> Path:
    (folder / "scara.cfg").write_text(robot)
    (folder / "scara.nodes.toml").write_text(nodes)
    return folder / "scara.cfg"


# -- text -----------------------------------------------------------------------------------


def test_the_text_of_the_format() -> None:
    (robot,) = parse_robotix(SCARA, path="scara.cfg")
    shoulder, quill = robot.joints
    assert robot.number == 1
    assert (shoulder.name, shoulder.axis, shoulder.is_revolute) == ("shoulder", "axis_1", True)
    assert (shoulder.lower, shoulder.upper) == (-170, 170)
    assert (shoulder.place.line, shoulder.place.column) == (4, 9)
    assert (quill.is_revolute, quill.lower, quill.upper) == (False, -200, 0)


def test_layout_case_and_order_do_not_matter() -> None:
    dense = "robot=7{joint a{qmax=1 Type=1 QMIN=-1e0#c\n axis=b}}"
    dense += "ROBOT = 2 {JOINT c{AXIS=d TYPE=2 QMIN=.5 QMAX=.5}}"
    first, second = parse_robotix(dense.encode(), path="dense.cfg")
    assert (first.number, first.joints[0].name, first.joints[0].axis) == (7, "a", "b")
    assert (second.number, second.joints[0].lower) == (2, 0.5)


# Each: what is replaced, by what, line, column and a word of the refusal.
FAULTS: dict[str, tuple[str, str, int, int, str]] = {
    "nothing": (SCARA, "# only a comment", 1, 1, "ROBOT = 1"),
    "stray text": ("# A SCARA", "A SCARA", 1, 1, "expected ROBOT"),
    "text after": ("  }\n}\n", "  }\n}\nend", 19, 1, "expected ROBOT"),
    "no number": ("ROBOT = 1", "ROBOT = one", 2, 9, "the robot's number"),
    "negative number": ("ROBOT = 1", "ROBOT = -1", 2, 9, "the robot's number"),
    "no equals": ("ROBOT = 1", "ROBOT 1", 2, 7, "'=' after ROBOT"),
    "no brace": ("ROBOT = 1\n{", "ROBOT = 1\n", 4, 3, "'{' to open the robot"),
    "no joint brace": ("shoulder\n  {", "shoulder\n", 6, 5, "'{' to open joint 'shoulder'"),
    "no closing brace": ("QMAX = 170\n  }", "QMAX = 170", 10, 3, "AXIS, TYPE, QMIN, QMAX or '}'"),
    "no end": ("    QMAX = 0\n  }\n}\n", "    QMAX = 0\n", 16, 13, "the end of the file"),
    "no joints": (SCARA, "ROBOT = 1 { }", 1, 13, "without joints"),
    "unknown keyword": ("TYPE = 1", "KIND = 1", 7, 5, "'KIND'"),
    "unnamed joint": ("JOINT shoulder", "JOINT", 5, 3, "the joint's name"),
    "unnamed axis": ("AXIS = axis_1", "AXIS = }", 6, 12, "the name of the axis"),
    "not a number": ("QMIN = -170", "QMIN = left", 8, 12, "'left'; expected a number"),
    "nan": ("QMIN = -170", "QMIN = nan", 8, 12, "a number"),
    "overflow": ("QMIN = -170", "QMIN = -1e999", 8, 12, "a number"),
    "upside down": ("QMIN = -170", "QMIN = 171", 8, 5, "the lower end of the stroke in QMIN"),
    "no way to go": ("QMAX = 170", "QMAX = -1e9", 8, 5, "QMIN"),
    "bad type": ("TYPE = 1 ", "TYPE = 3 ", 7, 12, "1 (revolute) or 2 (prismatic)"),
    "missing field": ("    QMAX = 170\n", "", 9, 3, "QMAX = …"),
    "twice": ("TYPE = 2", "AXIS = 2", 14, 5, "a second AXIS"),
    "duplicate joint": ("JOINT quill", "JOINT shoulder", 11, 9, "line 4"),
    "duplicate robot": ("  }\n}\n", "  }\n}\nROBOT = 1", 19, 9, "a second robot"),
    "not ASCII": ("quill", "quïll", 11, 11, "plain ASCII"),
    "binary": ("quill", "qu\0ll", 11, 11, "plain ASCII"),
    "long name": ("quill", "q" * 300, 11, 9, "a name of 300 characters"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_refusals_say_where_and_what(fault: str) -> None:
    old, new, line, column, word = FAULTS[fault]
    assert old in SCARA
    with pytest.raises(BadFile) as caught:
        parse_robotix(SCARA.replace(old, new, 1), path="scara.cfg")
    assert word in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_giants_are_refused() -> None:
    joints = "".join(f"JOINT j{i} {{AXIS=a TYPE=1 QMIN=0 QMAX=1}}" for i in range(2500))
    for text in (f"ROBOT = 1 {{{joints}}}", "#" * 2**21):
        with pytest.raises(BadFile):
            parse_robotix(text, path="giant.cfg")


# -- scene ----------------------------------------------------------------------------------


def test_robot_and_scene_make_a_model(tmp_path: Path) -> None:
    (scara,) = load_robotix(write(tmp_path))
    assert scara.name == "scara" and scara.tip == "pen"
    assert scara.dof_names == ("shoulder", "quill")
    np.testing.assert_allclose(scara.lower, [-math.radians(170), -0.2])
    poses = world_poses(scara, np.array([math.pi / 2, -0.1]))
    # the shoulder turns about a line 50 mm beside its node
    np.testing.assert_allclose(poses["shoulder"].translation, [0.05, -0.05, 0.5], atol=1e-12)
    np.testing.assert_allclose(poses["pen"].translation, [0.05, 0.3, 0.1], atol=1e-12)
    np.testing.assert_allclose(poses["arm"].rotation[:, 2], [0, 1, 0], atol=1e-12)


def test_shapes_ride_on_their_links(tmp_path: Path) -> None:
    (scara,) = load_robotix(write(tmp_path))
    (column,) = scara.body("column").collision
    (arm,) = scara.body("shoulder").collision
    assert isinstance(column, Box) and column.size[2] == 1
    np.testing.assert_allclose(arm.pose.translation, [0.25, 0, 0])


def test_the_unit_can_be_given(tmp_path: Path) -> None:
    (scara,) = load_robotix(write(tmp_path), length_unit=1.0)
    assert scara.lower[1] == -200
    with pytest.raises(ValueError, match="length_unit"):
        load_robotix(write(tmp_path), length_unit=0.0)


def test_nodes_can_come_from_a_scene(tmp_path: Path) -> None:
    up = np.array([0.0, 0.0, 1.0])
    nodes = [
        SceneNode("axis_1", axis=up),
        SceneNode("shoulder", shapes=(Sphere(0.1),)),
        SceneNode("axis_2", "shoulder", axis=up),
        SceneNode("quill", "shoulder", Pose.at(1, 0, 0)),
    ]
    (scara,) = load_robotix(write(tmp_path), nodes=nodes, length_unit=0.01)
    assert [body.name for body in scara.bodies] == ["shoulder", "quill"]
    assert scara.lower[1] == -2 and scara.tip == "quill"
    assert len(scara.body("shoulder").collision) == 1


def test_several_robots(tmp_path: Path) -> None:
    twice = SCARA + SCARA.replace("ROBOT = 1", "ROBOT = 2").replace("shoulder", "s2").replace(
        "quill", "q2"
    ).replace("axis_", "b")
    nodes = NODES + NODES.split("\n", 1)[1].replace('"shoulder"', '"s2"').replace(
        '"quill"', '"q2"'
    ).replace("axis_", "b").replace("column", "c2").replace('"arm"', '"a2"').replace("pen", "p2")
    one, two = load_robotix(write(tmp_path, twice, nodes))
    assert (one.name, two.name) == ("scara_1", "scara_2")
    assert [body.name for body in two.bodies] == ["c2", "s2.axis", "s2", "q2"]
    assert len(one.body("column").collision) == 1  # not the other's


SCENE_FAULTS: dict[str, tuple[str, str, str, str]] = {
    "unknown joint": (
        NODES.split("[[node]]")[-2] + "[[node]]" + NODES.split("[[node]]")[-1],
        '\nname = "guill"\nparent = "shoulder"\n',
        "scara.cfg:11:9",
        "did you mean 'guill'",
    ),
    "unknown axis": ('name = "axis_2"', 'name = "axes"', "scara.cfg:13:12", "scene node"),
    "no axis": ("axis = [0, 0, 1]", "", "scara.cfg:13:12", "no axis"),
    "wrong order": (
        'name = "quill"\nparent = "shoulder"',
        'name = "quill"\nparent = "column"',
        "scara.cfg:11:9",
        "base to tip",
    ),
    "axis elsewhere": (
        'name = "axis_2"\nparent = "shoulder"',
        'name = "axis_2"\nparent = "column"',
        "scara.cfg:13:12",
        "another link",
    ),
    "unknown parent": ('parent = "quill"', 'parent = "quil"', "toml:45:1", "did you mean 'quill'"),
    "duplicate node": ('name = "pen"', 'name = "arm"', "toml:44:1", "second node"),
    "loop": ('name = "column"', 'name = "column"\nparent = "pen"', "toml:5:1", "closed loop"),
    "zero axis": ("[0, 0, 2]", "[0, 0, 0]", "toml:15:1", "direction"),
    "broken TOML": ('name = "pen"', "name = pen", "toml:44:8", "TOML"),
    "unknown key": ("rpy_deg", "rpy", "toml:25:1", "rpy_deg"),
    "too few numbers": ("[350, 0, 0]", "[350, 0]", "toml:41:1", "3 numbers"),
    "unknown shape": ('"capsule"', '"pill"', "toml:28:1", "capsule"),
    "flat box": ("[100, 100, 1000]", "[100, 100, 0]", "toml:8:1", "positive"),
}


@pytest.mark.parametrize("fault", SCENE_FAULTS)
def test_faults_between_robot_and_scene(fault: str, tmp_path: Path) -> None:
    old, new, place, word = SCENE_FAULTS[fault]
    assert old in NODES
    with pytest.raises(BadFile) as caught:
        load_robotix(write(tmp_path, nodes=NODES.replace(old, new, 1)))
    assert place in str(caught.value)
    assert word in str(caught.value)


def test_a_missing_scene_is_explained(tmp_path: Path) -> None:
    (tmp_path / "alone.cfg").write_text(SCARA)
    with pytest.raises(BadFile, match=r"alone\.nodes\.toml beside"):
        load_robotix(tmp_path / "alone.cfg")


def test_scenes_that_are_no_trees_are_refused(tmp_path: Path) -> None:
    for nodes in (
        [SceneNode("a"), SceneNode("a")],
        [SceneNode("a", "b"), SceneNode("b", "a")],
        [SceneNode("a", "b")],
    ):
        with pytest.raises(BadModel):
            load_robotix(write(tmp_path), nodes=nodes)


# -- writing --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_reads_the_same(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    models = [random_chain(rng), random_chain(rng).prefixed("b/")]
    save_robotix(models, tmp_path / "two.cfg")
    for model, again in zip(models, load_robotix(tmp_path / "two.cfg"), strict=True):
        assert again.dof_names == model.dof_names
        np.testing.assert_allclose(again.lower, model.lower, rtol=1e-15)
        np.testing.assert_allclose(again.upper, model.upper, rtol=1e-15)
        assert largest_gap(model, again, rng) < 1e-12
        assert again.tip == model.tip
        known = set(again.points) | {body.name for body in again.bodies}
        assert known >= {body.name for body in model.bodies} | set(model.points)
        count = sum(len(body.collision) for body in model.bodies)
        assert sum(len(body.collision) for body in again.bodies) == count


def test_what_the_format_cannot_express_is_refused() -> None:
    def hinge(name: str) -> Joint:
        return Joint(name, "revolute", lower=-1, upper=1)

    base = Body("base", hinge("a"))
    with pytest.raises(BadModel, match="branch"):
        to_robotix(
            [Model("m", (base, Body("b", hinge("b"), "base"), Body("c", hinge("c"), "base")))]
        )
    with pytest.raises(BadModel, match="floats"):
        to_robotix([Model("m", (Body("b", Joint("j", "floating")),))])
    with pytest.raises(BadModel, match="mimics"):
        tied = Joint("b", "revolute", mimic=Mimic("a"))
        to_robotix([Model("m", (base, Body("b", tied, "base")))])
    with pytest.raises(BadModel, match="needs one"):
        to_robotix([Model("m", (Body("b", Joint("j")),))])
    with pytest.raises(BadModel, match="rename"):
        to_robotix([Model("m", (Body("b", hinge("two words")),))])
    with pytest.raises(BadModel, match="prefixed"):
        to_robotix([Model("m", (base,)), Model("n", (base,))])
    with pytest.raises(ValueError, match="at least one"):
        to_robotix([])


def test_paths_are_refused_or_straightened() -> None:
    path = PlanarPath((PathSegment(1.0, 1.0),))
    rail = Model("rail", (Body("cart", Joint("slide", "path", lower=0, upper=1, path=path)),))
    with pytest.raises(BadModel, match="approximate=True"):
        to_robotix([rail])
    assert "TYPE = 2" in to_robotix([rail], approximate=True)[0]
