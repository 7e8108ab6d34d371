"""Rules: what their modes mean for one-shot, lasting and composite commands."""

from __future__ import annotations

import numpy as np
import pytest

import robotix as rx
from robotix.geometry import Pose, Sphere
from robotix.scene import Button, Event, Inputs, Problem, Reading, RegionEntry, Scene, Signal
from robotix.scene.commands.attributes import Hide, Show
from robotix.scene.commands.basic import Emit, InTurn, Repeat, Say, Together, Wait
from robotix.scene.events.messages import Announcement
from robotix.scene.scene import Command

KEY = Button("keyboard", "A")
DOWN = Inputs(devices={"keyboard": Reading(buttons=frozenset({"A"}))})


def said(scene: Scene, inputs: list[Inputs | None]) -> list[str]:
    texts = []
    for each in inputs:
        scene.step(each)
        texts += [message.text for message in scene.messages if isinstance(message, Announcement)]
    return texts


@pytest.mark.parametrize(("mode", "times"), [("on", 1), ("off", 1), ("change", 2), ("reflect", 1)])
def test_a_command_that_is_done_at_once(mode: str, times: int) -> None:
    scene = Scene()
    scene.on(KEY, Say("hello"), mode=mode)  # type: ignore[arg-type]
    assert said(scene, [DOWN, DOWN, None, None]) == ["hello"] * times


def test_a_command_that_follows() -> None:
    scene = Scene()
    heard = []
    scene.on(KEY, Emit("copy"), mode="reflect")
    scene.on(Signal("copy"), lambda scene, event: heard.append(event.state), mode="change")
    said(scene, [DOWN, DOWN, None])
    assert heard == [True, False]


@pytest.mark.parametrize(
    "command",
    [
        InTurn((Wait(0.1), Show("lamp"))),
        Together((InTurn((Wait(0.1), Show("lamp"))), Wait(1.0))),
        Repeat((Wait(0.1), Show("lamp"))),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_has_not_begun_is_not_undone(command: Command) -> None:
    scene = Scene()
    scene.graph.add("lamp")
    scene.on(KEY, command, mode="reflect")
    for inputs in (DOWN, DOWN, None, None):
        scene.step(inputs)
    assert scene.graph["lamp"].attributes.visible  # off came before it was shown
    for inputs in [DOWN] * 15 + [None] * 2:
        scene.step(inputs)
    assert not scene.graph["lamp"].attributes.visible  # off came after


def test_all_events_of_a_tick_are_heard() -> None:
    scene = Scene()
    scene.graph.add("room", solids=[Sphere(5.0)])
    for i in range(1500):
        scene.graph.add(f"thing {i}")
        scene.on(RegionEntry("room", f"thing {i}"), Hide(f"thing {i}"), mode="reflect")
    scene.step()
    assert not any(scene.graph[f"thing {i}"].attributes.visible for i in range(1500))
    assert not scene.messages


def test_rules_that_set_each_other_off_for_ever() -> None:
    scene = Scene()
    scene.on(Signal("a"), Emit("b"))
    scene.on(Signal("b"), Emit("a"))
    scene.on(KEY, Say("still here"))
    scene.emit("a")
    scene.step()
    assert [m for m in scene.messages if isinstance(m, Problem)]
    assert said(scene, [DOWN]) == ["still here"]


def test_a_command_that_would_end_the_program() -> None:
    def leave(scene: Scene, event: Event) -> None:
        raise SystemExit(3)

    scene = Scene()
    scene.on(KEY, leave, name="leaver")
    scene.step(DOWN)
    [problem] = [m for m in scene.messages if isinstance(m, Problem)]
    assert problem.who == "leaver" and "end the program" in problem.what


def test_a_rule_that_is_taken_away_stops() -> None:
    scene = Scene()
    rule = scene.on(KEY, Repeat((Say("again"), Wait(0.01))))
    assert said(scene, [DOWN, None, None, None])
    scene.off(rule)
    assert not said(scene, [None, None, DOWN])


# -- robots that go ------------------------------------------------------------------------------


def test_robots_are_removed_as_a_whole() -> None:
    scene = Scene()
    robot = scene.add_robot("arm", rx.load("kuka_lwr"))
    last = scene.graph.add("last", pose=Pose.at(1, 2, 3))
    cup = scene.graph.add("cup", parent=robot.links[robot.model.bodies[-1].name])
    where = cup.world_position
    robot.move([1, 1, 0, 1, 0, 0, 0])
    robot.ellipsoid.show()
    scene.step()
    for name in ("arm", "arm/" + robot.model.bodies[3].name):
        with pytest.raises(ValueError, match="remove_robot"):
            scene.graph.remove(name)
    with pytest.raises(ValueError, match="part of robot"):
        scene.graph.attach("arm/" + robot.model.bodies[3].name, "world")
    scene.graph.remove("arm/ellipsoid")
    scene.step()
    scene.remove_robot("arm")
    for _ in range(3):
        scene.step()
    np.testing.assert_array_equal(last.world_position, [1, 2, 3])
    assert "arm" not in scene.graph and np.linalg.norm(cup.world_position - where) < 0.1
    with pytest.raises(LookupError):
        scene.remove_robot("arm")
