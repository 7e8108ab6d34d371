"""Contacts and connections as pages receive them."""

import numpy as np
from support.physics_rooms import glass, room, run

from robotix.geometry import Box, Pose, Sphere
from robotix.model.robots import load
from robotix.scene.commands.settings import StopAtContact
from robotix.scene.events.events import Event, Signal
from robotix.scene.graph.body import BodyProperties
from robotix.scene.scene import Scene
from robotix.server.live.touches import snapshot_touches

ON = Event(Signal("test"))


def test_forces_carry_the_weight_also_of_what_sleeps() -> None:
    scene = room()
    glass(scene)  # 0.2 kg
    run(scene, 3.0)
    state = scene.physics.state()
    touches = snapshot_touches(scene, forces=True)
    assert scene.physics.state() == state  # looking changes nothing
    marks = [each for each in touches.contacts if "glass" in (each.first, each.second)]
    signs = [1.0 if each.second == "glass" else -1.0 for each in marks]
    up = sum(sign * each.force[2] for sign, each in zip(signs, marks, strict=True))
    assert abs(up - 0.2 * 9.81) < 0.05
    for each in marks:
        assert abs(each.at[2] - 0.74) < 1e-3
    assert snapshot_touches(scene, forces=False).contacts == []


def test_connections_are_where_they_act() -> None:
    scene = room()
    scene.graph.add("hook", solids=[Box(np.array([0.1, 0.1, 0.1]))], pose=Pose.at(2, 0, 2))
    scene.graph.add(
        "bob", solids=[Sphere(0.05)], pose=Pose.at(2, 0, 1.5), body=BodyProperties(mass=1.0)
    )
    scene.physics.connect("bob", "hook", "hinge", at=(2, 0, 2), axis=(0, 1, 0), name="cord")
    run(scene, 0.2)
    (mark,) = snapshot_touches(scene, forces=True).joints
    assert (mark.name, mark.joint) == ("cord", "hinge")
    np.testing.assert_allclose(mark.at, (2, 0, 2), atol=2e-3)
    np.testing.assert_allclose(np.abs(mark.axis) / np.linalg.norm(mark.axis), (0, 1, 0), atol=1e-3)


def test_a_robot_that_is_stopped_has_a_mark_there() -> None:
    scene = Scene()
    arm = scene.add_robot("arm", load("scara"))
    tip = arm.tip_position()
    scene.graph.add(
        "post", solids=[Box(np.array([0.05, 0.05, 3.0]))], pose=Pose.at(tip[0], tip[1] + 0.2, 1)
    )
    StopAtContact("arm")(scene, ON)
    arm.move([1.5, *arm.q[1:].tolist()], ticks=240)
    said: list[str] = []
    for _ in range(300):
        scene.step()
        said += [str(getattr(each, "text", "")) for each in scene.messages]
    assert arm.q[0] < 1.4 and arm.drive is None
    assert any("arm: stops, as" in text and "post" in text for text in said)
    assert max(scene.contacts.depths({"post"}).values()) < 1.1e-3
    marks = snapshot_touches(scene, forces=False).contacts
    assert marks and marks[0].second == "post" and marks[0].force == (0.0, 0.0, 0.0)
    arm.move([0.0, *arm.q[1:].tolist()], ticks=120)  # away from it, nothing stops it
    for _ in range(200):
        scene.step()
    np.testing.assert_allclose(arm.q[0], 0.0, atol=1e-6)
