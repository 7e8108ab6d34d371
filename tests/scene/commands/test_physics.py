"""Commands of rooms with physics: connect, cut and push, from rules and the console."""

from collections.abc import Callable

import numpy as np
import pytest
from support.hands import hand, place_of, problems
from support.physics_rooms import free, glass, room, run

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Box, Pose, Sphere
from robotix.scene.commands.physics import Connect, Cut, PushNode
from robotix.scene.console.console import run_command
from robotix.scene.events.events import Button, Collision, Event, Signal
from robotix.scene.physics.rebuilding import LATENCY
from robotix.scene.recording.state import Digest
from robotix.scene.scene import Scene

ON, OFF = Event(Signal("test")), Event(Signal("test"), state=False)
HOOK = np.array([2.0, 0.0, 2.5])


def hanging() -> Scene:
    """Return a room with a ball below a hook."""
    scene = room()
    free(scene, "ball", Sphere(0.05), 2.0, 0.0, 2.0)
    scene.graph.add("hook", solids=[Box(np.array([0.05, 0.05, 0.05]))], pose=Pose.at(*HOOK))
    return scene


def length(scene: Scene) -> float:
    return float(np.linalg.norm(place_of(scene, "ball") - HOOK))


@pytest.mark.parametrize("joint", ["weld", "ball", "hinge", "slider"])
def test_every_joint_holds_and_is_cut(joint: str) -> None:
    scene = hanging()
    command = Connect("ball", "hook", joint, at=(2, 0, 2.5), axis=(1, 0, 0))  # type: ignore[arg-type]
    command(scene, ON)
    assert scene.physics.connections == ("ball to hook",)
    run(scene, 1.0)
    assert length(scene) == pytest.approx(0.5, abs=2e-3)
    command(scene, ON)  # done already
    command(scene, OFF)
    assert not scene.physics.connections
    run(scene, 1.0)
    assert place_of(scene, "ball")[2] < 1.0


def test_a_pendulum_keeps_its_length_also_when_the_room_changes() -> None:
    scene = hanging()
    Connect("ball", "hook", "hinge", at=(2, 0, 2.5), axis=(1, 0, 0))(scene, ON)
    push = PushNode("ball", (0.0, 3.0, 0.0), 0.2)(scene, ON)
    assert push is not None
    scene.start(push)
    swings: list[Array] = []
    for tick in range(240):
        if tick == 100:
            free(scene, "late", Sphere(0.05), 4.0, 0.0, 1.0)
        scene.step()
        assert not problems(scene)
        assert length(scene) == pytest.approx(0.5, abs=2e-3)
        swings.append(place_of(scene, "ball"))
    y = np.array(swings)[:, 1]
    assert y.max() > 0.1 and y.min() < -0.1
    assert np.abs(np.diff(y)).max() < 0.05  # no jump at the exchange
    assert scene.physics.connections == ("ball to hook",)


def test_when_the_hand_touches_the_bar_it_is_connected() -> None:
    scene = room()
    free(scene, "bar", Box(np.array([0.3, 0.03, 0.03])), 2.0, 0.0, 0.015)
    scene.graph.add("paw", solids=[Sphere(0.04)], pose=Pose.at(2.0, 0.0, 0.5))
    scene.on(Collision("paw", "bar"), Connect("bar", "paw"))
    for k in range(300):
        z = max(0.5 - 0.005 * k, 0.065) if k < 150 else 0.065 + 0.004 * (k - 150)
        scene.graph["paw"].pose = Pose.at(2.0, 0.0, z)
        scene.step()
        assert not problems(scene)
    assert scene.physics.connections == ("bar to paw",)
    assert place_of(scene, "bar")[2] > 0.4


def test_a_push_ends_and_wakes_what_sleeps() -> None:
    scene = room()
    free(scene, "puck", Sphere(0.05), 2.0, 0.0, 0.05, mass=1.0)
    run(scene, 3.0)
    scene.on(Button("hand", "grip"), PushNode("puck", (10.0, 0.0, 0.0), 0.1), mode="on")
    scene.step(hand(held=True))
    run(scene, 0.2)
    mirror = scene.physics.mirror
    assert mirror is not None
    speed = mirror.room.velocities()[mirror.room.names.index("puck"), 0]
    # A ball that rolls has 5/7 of the speed F t / m; the first tick lies within the 0.1 s.
    assert speed == pytest.approx(5 / 7 * 10 * 0.1, rel=0.2)
    assert not mirror.room.simulation.data.xfrc_applied.any()


def test_the_console_connects_cuts_pushes_and_prints() -> None:
    scene = hanging()
    scene.step()
    assert run_command(scene, "connect ball; hook; ball; (2, 0, 2.5)") == ""
    table = run_command(scene, "link_table")
    assert "ball to hook" in table and "parent" in table
    assert run_command(scene, "push ball; (0, 1, 0); 0.1") == ""
    run(scene, 0.5)
    assert length(scene) == pytest.approx(0.5, abs=2e-3)
    assert "ball to hook" in run_command(scene, "cut cord")  # did you mean
    assert run_command(scene, "cut ball to hook") == ""
    assert "push takes" in run_command(scene, "push ball")
    assert "connect takes" in run_command(scene, "connect ball; hook; glue")


def test_what_cannot_be_is_refused() -> None:
    scene = hanging()
    glass(scene)
    scene.step()
    with pytest.raises(BadField):
        Connect("table", "hook")(scene, ON)  # neither moves
    with pytest.raises(UnknownName):
        Cut("cord")(scene, ON)
    with pytest.raises(BadField):
        Connect("ball", "hook", axis=(0, 0, 0))
    with pytest.raises(BadField):
        PushNode("ball", (1e9, 0, 0))
    with pytest.raises(ValueError, match="cannot be pushed"):
        scene.graph["hook"].pose = Pose.at(2, 0, 3)
        run(scene, LATENCY + 0.05)
        scene.physics.push("hook", (1, 0, 0))
    scene.physics.stop()
    with pytest.raises(ValueError, match="no physics"):
        PushNode("ball", (1, 0, 0)).check(scene)


def test_a_push_ends_whatever_became_of_the_thing() -> None:
    scene = hanging()
    glass(scene)
    scene.step()
    changes: list[Callable[[], object]] = [
        lambda: scene.graph["ball"].set(collidable=False),
        lambda: scene.graph.remove("ball"),
        scene.physics.stop,
    ]
    for change in changes:
        run_command(scene, "push ball; (0, 0, 1); 0.3")
        run_command(scene, "push glass; (0, 0, 0.1); 0.3")
        change()
        run(scene, 0.5)


def test_a_push_of_what_a_hand_takes_ends_without_a_word() -> None:
    scene = room()
    free(scene, "ball", Sphere(0.05), 2.0, 0.0, 2.0)
    scene.devices["hand"] = "hand"
    scene.step(hand((2.0, 0.0, 2.0)))
    run_command(scene, "push ball; (1, 0, 0); 0.2")
    run_command(scene, "grab ball; hand")
    for _ in range(60):
        scene.step(hand((2.0, 0.0, 2.0)))
        assert not problems(scene)


def test_connections_are_in_the_digest() -> None:
    one, other = hanging(), hanging()
    for scene in (one, other):
        scene.step()
    first, second = Digest(one), Digest(other)
    assert first.update() == second.update()
    Connect("ball", "hook")(other, ON)
    assert first.update() != second.update()
