"""The four tasks: what the published description gives, and that every goal can be met."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import UnknownName
from robotix.experiments.tasks.library import TASKS, load_task
from robotix.experiments.tasks.ready import find_ready_posture
from robotix.experiments.tasks.room import RoomSetup, make_robot

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
    np.testing.assert_allclose(np.diff([at[0] for at in discs]), -0.25, atol=1e-12)
    assert abs(discs[0][0] - discs[-1][0]) == pytest.approx(1.0)
    np.testing.assert_allclose([at[2] for at in discs], 1.0, atol=0.002)
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
    _, model, base = make_robot(RoomSetup(arm=arm))
    ready = find_ready_posture(model, base, load_task(name))
    assert ready.reached == ready.total
    assert (model.lower <= ready.q).all()
    assert (ready.q <= model.upper).all()


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
