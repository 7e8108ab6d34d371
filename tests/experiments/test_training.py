from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import UnknownName
from robotix.experiments.training import ARM, TrainingRoom, open_training_room
from robotix.inputs.readings import Inputs
from robotix.kinematics import solve


def reach(room: TrainingRoom, target: object) -> None:
    """Put the hand at a position, and let a tick pass."""
    robot = room.scene.robots[ARM]
    found = solve(robot.model, tuple(np.asarray(target, dtype=float)), seed=1)
    assert found.converged
    robot.set_q(found.q)
    room.scene.step(Inputs())


@pytest.mark.parametrize("arm", ["kuka_lwr", "amtec_ulwr", "mitsubishi_pa10"])
def test_all_targets_can_be_reached_in_order(arm: str) -> None:
    for phase in ("training_axes", "training_path"):
        room = open_training_room(phase, arm)
        room.scene.step(Inputs())
        assert room.watcher.status.state == "waiting"
        targets = room.watcher.targets.copy()
        for k, target in enumerate(targets):
            assert room.watcher.status.left == len(targets) - k
            reach(room, target)
        status = room.watcher.status
        assert status.state == "finished" and status.left == 0 and status.errors == ()
        assert status.duration > 0


def test_leaving_the_path_is_an_error_once() -> None:
    room = open_training_room("training_path", "kuka_lwr")
    room.scene.step(Inputs())
    reach(room, room.watcher.targets[0])
    away = room.watcher.targets[0] + [-0.2, 0, 0]
    reach(room, away)
    room.scene.step(Inputs())
    assert len(room.watcher.status.errors) == 1
    assert "left the path" in room.watcher.status.last_error


def test_another_phase_is_refused() -> None:
    with pytest.raises(UnknownName, match="training_axes"):
        open_training_room("training_axis", "kuka_lwr")
