"""The four tasks: what the published description gives, and that every goal can be met."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import UnknownName
from robotix.experiments.tasks.library import TASKS, load_task
from robotix.experiments.tasks.ready import find_ready_posture
from robotix.experiments.tasks.room import RoomSetup, find_postures, make_robot, open_task_room
from robotix.experiments.tasks.sides import RIDER_BOXES, arm_points, box_gap
from robotix.kinematics import Posture

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")


def test_books_are_as_published() -> None:
    task = load_task("books")
    assert len(task.things) == 12
    colours = {name.split("_")[1] for name in task.things}
    assert len(colours) == 4
    for goal in task.goals:  # none is on its own shelf yet
        assert not goal.is_met(np.array(task.objects[goal.thing]["at"]))
        assert all(goal.is_met(target) for target in goal.targets)


def test_markers_are_as_published() -> None:
    task = load_task("shelf")
    discs = [task.objects[f"marker_{k}"]["at"] for k in range(1, 6)]
    np.testing.assert_allclose(np.diff([at[1] for at in discs]), -0.25, atol=1e-12)
    assert abs(discs[0][1] - discs[-1][1]) == pytest.approx(1.0)
    np.testing.assert_allclose([at[2] for at in discs], 1.0, atol=0.002)
    board = task.objects["shelf"]["parts"][0]
    assert board["at"][0] - board["box"][0] / 2 - 0.25 == pytest.approx(0.4)  # from the chest
    assert board["at"][2] + board["box"][2] / 2 == pytest.approx(1.0)
    assert [phase.goals[0].places[0].name for phase in task.phases] == [
        "marker 1", "marker 2", "marker 4", "marker 5",
    ]  # fmt: skip
    sphere = np.array(task.objects["sphere"]["at"])
    np.testing.assert_allclose(sphere[:2], discs[2][:2])


def test_the_board_is_as_published() -> None:
    task = load_task("chess")
    board = task.objects["chess_board"]["at"]
    assert board[0] - 0.25 == pytest.approx(0.380)  # from the chest
    start = np.array(task.objects["square_start"]["at"])
    goal = np.array(task.objects["square_goal"]["at"])
    steps = sorted(abs(goal - start)[:2] / 0.05)
    np.testing.assert_allclose(steps, [1, 2])  # a knight's move
    pieces = np.array([task.objects[name]["at"] for name in task.fragile])
    assert len(pieces) == 16
    gaps = np.linalg.norm(pieces[:, None, :2] - pieces[None, :, :2], axis=2)
    assert gaps[~np.eye(16, dtype=bool)].min() > 0.04


def test_tables_are_as_published() -> None:
    task = load_task("tables")
    edges = []
    for name, side in (("start_table", -1), ("goal_table", 1)):
        top = task.objects[name]["parts"][0]
        edges.append(top["at"][1] + side * top["box"][1] / 2)
    assert edges[0] - edges[1] == pytest.approx(0.9)
    there, back = task.phases
    assert {goal.thing for goal in there.goals} == {goal.thing for goal in back.goals}


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("name", TASKS)
def test_every_arm_on_the_rail_reaches_every_point(name: str, arm: str) -> None:
    task, setup = load_task(name), RoomSetup(arm=arm)
    _, model, _ = make_robot(setup)
    postures = find_postures(task, setup)
    for posture in postures:
        assert (model.lower <= posture.q).all()
        assert (posture.q <= model.upper).all()
    if (name, arm) == ("books", "amtec_ulwr"):
        # on straight lines from the start it gets to 18 points; with a drift of the joints to all
        assert postures[0].reached >= 18
        return
    assert np.any([posture.leads_to for posture in postures], axis=0).all()
    assert len(postures) == (2 if task.has_sides else 1)


def test_arms_differ_in_what_they_reach_from_one_side() -> None:
    reached = [find_postures(load_task("shelf"), RoomSetup(arm=arm))[0].reached for arm in ARMS]
    assert reached == [4, 3, 5]  # of five markers


@pytest.mark.parametrize("arm", ARMS)
def test_the_other_side_is_the_mirror_image(arm: str) -> None:
    setup = RoomSetup(arm=arm)
    _, model, base = make_robot(setup)
    left, right = find_postures(load_task("shelf"), setup)
    mirror = np.diag([1.0, -1.0, 1.0])
    hands = [base @ Posture(model, each.q).pose(model.tip) for each in (left, right)]
    np.testing.assert_allclose(hands[1].translation, mirror @ hands[0].translation, atol=1e-9)
    np.testing.assert_allclose(hands[1].rotation[:, 2], mirror @ hands[0].rotation[:, 2], atol=1e-9)
    np.testing.assert_array_equal(right.leads_to, left.leads_to[::-1])
    assert left.folded is not None and right.folded is not None
    for s in np.linspace(model.lower[0], model.upper[0], 50):  # along the whole rail
        points = arm_points(model, base, np.array([s, *left.folded[1:]]))
        assert box_gap(tuple(RIDER_BOXES), points) > 0.08


def test_an_arm_that_cannot_begin_is_refused() -> None:
    _, model, base = make_robot(RoomSetup(arm="kuka_lwr", mounting="fixed"))
    with pytest.raises(ValueError, match="cannot bring its hand"):
        find_ready_posture(model, base, load_task("books"))


def test_unknown_names_are_named() -> None:
    with pytest.raises(UnknownName, match="juggling"):
        load_task("juggling")
    with pytest.raises(UnknownName, match="hanging"):
        RoomSetup(mounting="hanging")
    with pytest.raises(UnknownName, match="torque"):
        RoomSetup(mode="torque")


@pytest.mark.parametrize("mounting", ["rail", "rail_tilt"])
def test_any_arm_of_the_library_stands_on_the_rail(mounting: str) -> None:
    setup = RoomSetup(arm="ur5", mounting=mounting, tilt=0.2 if mounting == "rail_tilt" else 0.0)
    room = open_task_room(load_task("chess"), setup)
    room.scene.step()
    assert "rail" in {joint.name for joint in room.scene.robots["arm"].model.joints}
    assert room.scene.robots["arm"].model.n_dof == 7
    room.close()
