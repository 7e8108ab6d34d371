"""The room of the labyrinth: sticks push the ball, hands pull it, walls are told of."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.authoring import load_scene
from robotix.authoring.rooms import room_path
from robotix.haptics.labyrinth.plan import LABYRINTH
from robotix.scene import Inputs, Reading, Scene
from robotix.scene.events.events import Collision
from robotix.scene.events.messages import Announcement

BASE = 1.0  # m, height of the device


def make() -> Scene:
    return load_scene(room_path("labyrinth"))


def ball(scene: Scene) -> np.ndarray:
    return np.array(scene.graph["ball"].pose.translation)


def stick(*axes: float) -> Inputs:
    return Inputs(devices={"stick": Reading(axes=axes)})


def test_a_stick_leads_the_ball_to_the_goal() -> None:
    scene, said = make(), list[str]()
    scene.step()
    np.testing.assert_allclose(ball(scene), (*LABYRINTH.start, LABYRINTH.height + BASE), atol=2e-3)
    for corner in LABYRINTH.waypoints:
        for _ in range(2000):
            gap = np.array(corner) - ball(scene)[:2]
            if np.hypot(*gap) < 0.02 or said:
                break
            scene.step(stick(*np.clip(8 * gap, -1, 1), 0.0))
            said += [each.text for each in scene.messages if isinstance(each, Announcement)]
    assert len(said) == 1
    assert said[0].startswith("Goal!")
    tip = scene.robots["device"].posture.position() + np.array([0, 0, BASE])
    np.testing.assert_allclose(tip, ball(scene), atol=1e-6)  # the robot shows the device
    scene.plugins.close()


def test_a_wall_is_told_of_when_it_is_touched_and_left() -> None:
    scene = make()
    states = []
    for k in range(300):
        scene.step(stick(0.0, 1.0 if k < 150 else -1.0, 0.0))
        states += [event.state for event in scene.events
                   if event.source == Collision("ball", "left_wall")]  # fmt: skip
    assert states[:2] == [True, False]
    scene.plugins.close()


def test_a_hand_pulls_the_ball_and_lets_it_go() -> None:
    scene = make()
    scene.step()
    start = ball(scene)

    def holding(x: float) -> Inputs:
        grip = frozenset({"grip"})
        return Inputs(devices={"cursor": Reading(buttons=grip, position=(x, 0.2, 0.8))})

    scene.step(holding(0.4))
    for _ in range(90):
        scene.step(holding(0.5))
    assert ball(scene)[0] - start[0] == pytest.approx(0.1, abs=0.03)
    for _ in range(60):
        scene.step()
    rest = ball(scene)
    for _ in range(60):
        scene.step(Inputs(devices={"cursor": Reading(position=(0.9, 0.0, 0.8))}))  # let go
    np.testing.assert_allclose(ball(scene), rest, atol=5e-3)
    scene.plugins.close()


def test_keys_start_again_and_help() -> None:
    scene = make()
    for _ in range(60):
        scene.step(stick(1.0, 0.0, 0.0))
    moved = ball(scene)
    scene.step(Inputs(devices={"keyboard": Reading(buttons=frozenset({"R", "H"}))}))
    assert any("gamepad" in getattr(each, "text", "") for each in scene.messages)
    assert np.linalg.norm(ball(scene)[:2] - LABYRINTH.start) < np.linalg.norm(
        moved[:2] - LABYRINTH.start
    )
    scene.plugins.close()
